//! Several events at the same time.

use super::expand::Scope;
use super::interpreter::{Halt, Play};
use super::judge::{self, Finding};
use super::outgoing::Outgoing;
use super::step::Race;
use crate::exchange::{Exchange, Reply};
use crate::profile::{Class, Outcome};
use futures_util::future::join_all;
use tokio::sync::Notify;

impl Play<'_> {
    pub(super) async fn race(&mut self, race: &Race) -> Result<(), Halt> {
        let outgoing = self.field(race)?;
        if let Some(moment) = race.crash {
            return self.crash_in(race, moment, &outgoing).await;
        }
        let exchanges = self.meet(&outgoing).await;
        let is_open = |exchange: &&Exchange| {
            matches!(judge::outcome(&self.stage.profile, &[], true, &exchange.reply), Finding::Open(_))
        };
        if let Some(exchange) = exchanges.iter().find(is_open) {
            let finding = Finding::Open(exchange.reply.describe());
            return Err(Halt::Inconclusive(Box::new(self.shown_evidence(&finding, exchange, "one of the race"))));
        }
        let (winners, losers): (Vec<usize>, Vec<usize>) =
            (0..exchanges.len()).partition(|at| self.is_success(&exchanges[*at]));
        self.count_winners(race, &exchanges, &winners)?;
        self.judge_losers(race, &exchanges, &losers)?;
        self.judge_winners(race, &outgoing, &exchanges, &winners)
    }

    /// What each of them sends.
    fn field(&self, race: &Race) -> Result<Vec<Outgoing>, Halt> {
        if race.identical {
            return Ok(vec![self.build(&race.message, &[], 0)?; race.times]);
        }
        (0..race.times).map(|index| self.build(&race.message, &[], index)).collect()
    }

    /// Sends all at once: one slot for the whole race, so that none waits for another.
    pub(super) async fn meet(&self, outgoing: &[Outgoing]) -> Vec<Exchange> {
        self.meet_telling(outgoing, &Notify::new()).await
    }

    /// The same, and tells when the first of them succeeded, or when it is over.
    pub(super) async fn meet_telling(&self, outgoing: &[Outgoing], told: &Notify) -> Vec<Exchange> {
        let _slot = self.stage.client.pace().slot().await;
        let exchanges = join_all(outgoing.iter().map(async |one| {
            let exchange = self.stage.client.send_now(one.request(self.stage.events_url())).await;
            if self.is_success(&exchange) {
                told.notify_one();
            }
            exchange
        }))
        .await;
        told.notify_one();
        for (outgoing, exchange) in outgoing.iter().zip(&exchanges) {
            self.track(outgoing, exchange);
        }
        exchanges
    }

    pub(super) fn is_success(&self, exchange: &Exchange) -> bool {
        matches!(exchange.reply, Reply::Http { status, .. } if self.stage.profile.class(status) == Class::Success)
    }

    pub(super) fn count_winners(&mut self, race: &Race, exchanges: &[Exchange], winners: &[usize]) -> Result<(), Halt> {
        let is_right = winners.len() == race.winners;
        let finding = if is_right {
            Finding::Right
        } else {
            Finding::Wrong {
                permitted: format!("exactly {} of {} accepted", race.winners, race.times),
                got: Some(format!("{} accepted, the last of them", winners.len())),
            }
        };
        let shown = winners.last().map_or(&exchanges[0], |at| &exchanges[*at]);
        let is_right = self.note(&race.expectation, vec![finding], shown, "race");
        if is_right { Ok(()) } else { Err(Halt::Failed) }
    }

    fn judge_losers(&mut self, race: &Race, exchanges: &[Exchange], losers: &[usize]) -> Result<(), Halt> {
        for at in losers {
            let exchange = &exchanges[*at];
            let finding = judge::outcome(&self.stage.profile, race.expectation.outcomes(), false, &exchange.reply);
            if !self.note(&race.expectation, vec![finding], exchange, "the race's loser") {
                return Err(Halt::Failed);
            }
            self.note_exact(race.expectation.exact(), exchange, "the race's loser");
        }
        Ok(())
    }

    fn judge_winners(
        &mut self,
        race: &Race,
        outgoing: &[Outgoing],
        exchanges: &[Exchange],
        winners: &[usize],
    ) -> Result<(), Halt> {
        if let (Some(name), Some(first)) = (&race.expectation.name, winners.first()) {
            self.remember(name, outgoing[*first].clone(), &exchanges[*first]);
        }
        let names = self.names.clone();
        for at in winners {
            let scope = Scope { names: &names, key: self.key(&race.message), to: "q", index: *at };
            let members = judge::members(&self.stage.profile, &race.expectation, &scope, &exchanges[*at]);
            let findings = members.map_err(|e| self.unresolved(e))?;
            if !self.note(&race.expectation, findings, &exchanges[*at], "the race's winner") {
                return Err(Halt::Failed);
            }
            self.note_exact(&[Outcome::Accepted, Outcome::Created], &exchanges[*at], "the race's winner");
        }
        Ok(())
    }
}
