//! One fault at a time. A refusal counts only for its reason: without the fault the same event is accepted, and before
//! that nothing of the faulty ones was kept.

use super::expand::Scope;
use super::interpreter::{Halt, Play};
use super::judge::{self, Finding};
use super::outgoing::{self, Outgoing};
use super::step::{Fault, Refuse};
use super::{Expectation, Message, OneOrMany};
use crate::exchange::{Exchange, Reply};
use crate::profile::{Class, Outcome};
use crate::verdict::Evidence;
use futures_util::future::join_all;

impl Play<'_> {
    pub(super) async fn refuse(&mut self, refuse: &Refuse) -> Result<(), Halt> {
        let expect = refuse.expectation.expect.clone().or(Some(OneOrMany::One(Outcome::Rejected)));
        let expectation = Expectation { expect, name: None, ..refuse.expectation.clone() };
        let control = self.build(&refuse.message, &[], 0)?;
        let opens = control.event_type == "request.created" && control.key.is_some();
        if opens {
            return self.refuse_opening(refuse, &expectation).await;
        }
        self.refuse_in_turn(refuse, &expectation).await?;
        self.control(refuse, &control, false).await
    }

    /// Events that would open a condition have a key of their own, which stays unknown.
    async fn refuse_opening(&mut self, refuse: &Refuse, expectation: &Expectation) -> Result<(), Halt> {
        let key = format!("{}-{}", refuse.message.key.as_deref().unwrap_or("a"), self.at);
        let refuse = &Refuse { message: Message { key: Some(key), ..refuse.message.clone() }, ..refuse.clone() };
        self.refuse_all(refuse, expectation).await?;
        self.nothing_stored(refuse, expectation).await?;
        let control = self.build(&refuse.message, &[], 0)?;
        self.control(refuse, &control, true).await
    }

    /// Events that would open a condition: all at once, under one key.
    async fn refuse_all(&mut self, refuse: &Refuse, expectation: &Expectation) -> Result<(), Halt> {
        let faulty = refuse.faults.iter().map(|fault| self.build(&refuse.message, &[&fault.change], 0));
        let faulty: Vec<Outgoing> = faulty.collect::<Result<_, _>>()?;
        let exchanges = join_all(faulty.iter().map(|outgoing| self.send(outgoing))).await;
        let mut end = Ok(());
        for (fault, exchange) in refuse.faults.iter().zip(&exchanges) {
            match self.judge_fault(fault, refuse, expectation, exchange) {
                Err(Halt::Failed) => end = Err(Halt::Failed),
                other => other?,
            }
        }
        end
    }

    /// Events that change a condition: one after the other, up to the first that is not refused.
    async fn refuse_in_turn(&mut self, refuse: &Refuse, expectation: &Expectation) -> Result<(), Halt> {
        for fault in &refuse.faults {
            let outgoing = self.build(&refuse.message, &[&fault.change], 0)?;
            let exchange = self.send(&outgoing).await;
            self.judge_fault(fault, refuse, expectation, &exchange)?;
        }
        Ok(())
    }

    fn judge_fault(
        &mut self,
        fault: &Fault,
        refuse: &Refuse,
        expectation: &Expectation,
        exchange: &Exchange,
    ) -> Result<(), Halt> {
        let names = self.names.clone();
        let scope = Scope { names: &names, key: self.key(&refuse.message), to: "q", index: 0 };
        self.judge(expectation, &scope, exchange, &fault.name)
    }

    /// The key of the refused events is unknown. Where it is not, each fault is tried again alone to find the one that
    /// left something behind.
    async fn nothing_stored(&mut self, refuse: &Refuse, expectation: &Expectation) -> Result<(), Halt> {
        let probe = self.probe(self.key(&refuse.message)).await?;
        if !self.is_known(&probe) {
            self.note(expectation, vec![Finding::Right], &probe, "the key stays unknown");
            return Ok(());
        }
        self.unknown_keys_can_be_told().await?;
        for (at, fault) in refuse.faults.iter().enumerate() {
            let key = format!("{}-{}-stored-{at}", refuse.message.key.as_deref().unwrap_or("a"), self.at);
            let message = Message { key: Some(key), ..refuse.message.clone() };
            let outgoing = self.build(&message, &[&fault.change], 0)?;
            let exchange = self.send(&outgoing).await;
            let probe = self.probe(self.key(&message)).await?;
            if self.is_known(&probe) {
                let finding = Finding::Wrong {
                    permitted: "nothing of a refused event is kept: its key stays unknown".to_owned(),
                    got: Some("a later resolution of the key is accepted; the event's own reply".to_owned()),
                };
                self.note(expectation, vec![finding], &exchange, &fault.name);
                return Err(Halt::Failed);
            }
        }
        let got = "the key of refused events became known, but no single one of them makes it so".to_owned();
        Err(Halt::Inconclusive(Box::new(Evidence { got, ..self.evidence() })))
    }

    /// Asks for a key by resolving it.
    async fn probe(&self, key: String) -> Result<Exchange, Halt> {
        let exchange = self.send(&outgoing::resolve(&self.names, key)).await;
        if let Reply::Http { .. } = exchange.reply {
            return Ok(exchange);
        }
        let finding = Finding::Open(exchange.reply.describe());
        Err(Halt::Inconclusive(Box::new(self.shown_evidence(&finding, &exchange, "is the key unknown?"))))
    }

    fn is_known(&self, probe: &Exchange) -> bool {
        probe.reply.status().is_some_and(|status| self.stage.profile.class(status) == Class::Success)
    }

    /// A consumer that resolves keys which it has never seen cannot be asked what it has stored.
    async fn unknown_keys_can_be_told(&self) -> Result<(), Halt> {
        let key = self.names.key(&format!("never-used-{}", self.at));
        if !self.is_known(&self.probe(key).await?) {
            return Ok(());
        }
        let got =
            "whether something was stored cannot be told: a key that was never used can be resolved, too".to_owned();
        Err(Halt::Inconclusive(Box::new(Evidence { got, ..self.evidence() })))
    }

    /// Without its fault the event is accepted.
    async fn control(&mut self, refuse: &Refuse, control: &Outgoing, opens: bool) -> Result<(), Halt> {
        let permitted = if opens { [Outcome::Created] } else { [Outcome::Accepted] };
        let exchange = self.send(control).await;
        let is_accepted = judge::outcome(&self.stage.profile, &permitted, false, &exchange.reply) == Finding::Right;
        if let Some(name) = &refuse.expectation.name {
            self.remember(name, control.clone(), &exchange);
        }
        if is_accepted {
            self.note_exact(&permitted, &exchange, "the event without its fault");
            return Ok(());
        }
        let finding = Finding::Open(exchange.reply.describe());
        let mut evidence = self.shown_evidence(&finding, &exchange, "the event without its fault");
        "accepted: a refusal counts only for its reason".clone_into(&mut evidence.permitted);
        Err(Halt::Inconclusive(Box::new(evidence)))
    }
}
