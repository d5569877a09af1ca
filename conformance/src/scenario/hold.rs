//! Calls that a consumer may answer late: begun in one step, awaited in another.

use super::Expectation;
use super::expand::millis;
use super::interpreter::{Halt, Play};
use super::judge::Finding;
use super::outgoing::Outgoing;
use super::step::{Hold, Release, StillHeld};
use crate::exchange::{Auth, Exchange, Reply, Request};
use crate::trace;
use std::time::Duration;
use tokio::task::{JoinError, JoinHandle};

/// A consumer that takes longer for a plain question cannot be said to have missed a moment.
const PROMPT_MILLIS: i64 = 500;

impl Play<'_> {
    /// Begins the call. It takes no slot: whoever waits keeps nobody from working.
    pub(super) fn hold(&mut self, hold: &Hold) -> Result<(), Halt> {
        let request = self.route_request("GET", &hold.path, None)?;
        let (client, asked) = (self.stage.client.clone(), request.clone());
        let call = tokio::spawn(trace::carry(async move { client.send_now(asked).await }));
        self.held.insert(hold.name.clone(), Held { request, call, timeout: hold.timeout.map(millis) });
        Ok(())
    }

    /// Whoever waits is not released for nothing.
    pub(super) async fn still_held(&mut self, still: &StillHeld) -> Result<(), Halt> {
        let mut held = self.take_held(&still.of)?;
        let Ok(reply) = tokio::time::timeout(seconds(still.seconds), &mut held.call).await else {
            self.held.insert(still.of.clone(), held);
            return Ok(());
        };
        let exchange = held.ended(reply)?;
        self.in_time(still.before.as_ref(), &exchange)?;
        if exchange.ended - exchange.began >= millis(still.seconds) {
            return Err(Halt::Late);
        }
        let permitted = format!("no reply within {} s while nothing happens", still.seconds);
        let finding = Finding::Wrong { permitted, got: Some("a reply".to_owned()) };
        self.note(&Expectation::default(), vec![finding], &exchange, "the held call");
        Err(Halt::Failed)
    }

    /// Whoever waits is released in time: who misses that once may have been kept from it by a busy machine.
    pub(super) async fn release(&mut self, release: &Release) -> Result<(), Halt> {
        let mut held = self.take_held(&release.of)?;
        if let Ok(reply) = tokio::time::timeout(seconds(release.within), &mut held.call).await {
            let exchange = held.ended(reply)?;
            return self.settle(Outgoing::nothing(), &release.expectation, &exchange, None);
        }
        held.give_up();
        self.answers_promptly().await?;
        if !self.was_missed {
            return Err(Halt::Missed);
        }
        let exchange = Exchange { request: held.request, reply: Reply::TimedOut, began: 0, ended: 0, resent: false };
        let permitted = format!("the reply to the held call within {} s", release.within);
        let finding = Finding::Wrong { permitted, got: None };
        self.note(&release.expectation, vec![finding], &exchange, "the held call");
        Err(Halt::Failed)
    }

    /// Who is slow in everything, consumer or machine, has not slept through a change: the scenario is played again.
    async fn answers_promptly(&self) -> Result<(), Halt> {
        let url = self.route("?limit=1")?;
        let request = Request { method: "GET", url, auth: Auth::Token, body: None, chunked: false };
        let exchange = self.stage.client.send_now(request).await;
        if exchange.ended - exchange.began > PROMPT_MILLIS { Err(Halt::Late) } else { Ok(()) }
    }

    fn take_held(&mut self, name: &str) -> Result<Held, Halt> {
        self.held.remove(name).ok_or_else(|| Halt::Mistake(format!("no call is held as {name:?}")))
    }
}

/// A call under way.
#[derive(Debug)]
pub(super) struct Held {
    request: Request,
    call: JoinHandle<Exchange>,
    /// Milliseconds after which the consumer replies in any case.
    timeout: Option<i64>,
}

impl Held {
    pub(super) fn give_up(&self) {
        self.call.abort();
    }

    /// The exchange, unless it ended by its own timeout.
    fn ended(&self, reply: Result<Exchange, JoinError>) -> Result<Exchange, Halt> {
        let exchange = reply.map_err(|e| Halt::Mistake(format!("a held call broke down: {e}")))?;
        let took = exchange.ended - exchange.began;
        if self.timeout.is_some_and(|timeout| took >= timeout) { Err(Halt::Late) } else { Ok(exchange) }
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_millis(u64::try_from(millis(seconds)).unwrap_or(0))
}
