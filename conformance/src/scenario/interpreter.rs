//! Plays a scenario: sends what its steps say and hands each exchange to the judge.

use super::expand::{Names, Scope, Unresolved, millis};
use super::hold::Held;
use super::judge::{self, Finding};
use super::outgoing::{self, Outgoing};
use super::{Expectation, Message, Scenario, Step};
use crate::clock;
use crate::exchange::{Exchange, Reply};
use crate::fresh;
use crate::profile::{Class, Outcome};
use crate::stage::Stage;
use crate::verdict::{Check, Evidence, Verdict};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// How often a scenario is played again that came too late for a moment under test.
const REPEATS: usize = 4;
/// Readings 30 and 34: a second on each side of a deadline belongs to the consumer.
const TOLERANCE_MILLIS: i64 = 1_000;

/// Why a play ends before its last step.
#[derive(Debug)]
pub(super) enum Halt {
    /// A check failed: what follows would rest on it.
    Failed,
    /// Set-up did not come out, or a reply did not show what the next step needs.
    Inconclusive(Box<Evidence>),
    /// A moment under test was missed.
    Late,
    /// The scenario or the kit is wrong.
    Mistake(String),
}

/// One play of a scenario.
pub(super) struct Play<'a> {
    pub(super) stage: &'a Stage,
    pub(super) scenario: &'a Scenario,
    pub(super) names: Names,
    pub(super) sent: BTreeMap<String, Outgoing>,
    pub(super) checks: Vec<Check>,
    pub(super) at: usize,
    pub(super) held: BTreeMap<String, Held>,
    open: Mutex<BTreeSet<String>>,
}

/// Plays a scenario as often as it says, and again where it came too late.
pub async fn play(stage: &Stage, scenario: &Scenario) -> Vec<Check> {
    let mut checks = Vec::new();
    for _ in 0..scenario.rounds {
        checks.extend(play_in_time(stage, scenario).await);
        if checks.iter().any(|check| check.verdict > Verdict::Pass) {
            break;
        }
    }
    checks
}

async fn play_in_time(stage: &Stage, scenario: &Scenario) -> Vec<Check> {
    for repeat in 0..=REPEATS {
        let mut play = Play::new(stage, scenario);
        let end = play.steps().await;
        play.tear_down().await;
        match end {
            Ok(()) | Err(Halt::Failed) => return play.checks,
            Err(Halt::Late) if repeat < REPEATS => {}
            Err(Halt::Late) => {
                let got =
                    "a moment under test was missed each time: the consumer or this machine is too slow".to_owned();
                let evidence = Evidence { got, ..play.evidence() };
                return play.ended_by(Verdict::Inconclusive, &evidence);
            }
            Err(Halt::Inconclusive(evidence)) => return play.ended_by(Verdict::Inconclusive, &evidence),
            Err(Halt::Mistake(got)) => {
                let evidence = Evidence { got, ..play.evidence() };
                return play.ended_by(Verdict::KitError, &evidence);
            }
        }
    }
    Vec::new()
}

impl<'a> Play<'a> {
    fn new(stage: &'a Stage, scenario: &'a Scenario) -> Self {
        let names =
            Names { run: stage.run.clone(), play: fresh::hex(4), began: clock::now_millis(), steps: BTreeMap::new() };
        let (sent, held, open) = (BTreeMap::new(), BTreeMap::new(), Mutex::default());
        Self { stage, scenario, names, sent, checks: Vec::new(), at: 0, held, open }
    }

    async fn steps(&mut self) -> Result<(), Halt> {
        let scenario = self.scenario;
        for (at, step) in scenario.steps.iter().enumerate() {
            self.at = at + 1;
            match step {
                Step::Post(post) => self.post(&post.message, &post.expectation).await?,
                Step::Again(again) => self.again(&again.step, &again.expectation).await?,
                Step::Call(call) => self.call(call).await?,
                Step::Refuse(refuse) => self.refuse(refuse).await?,
                Step::Accept(accept) => self.accept(accept).await?,
                Step::Bounds(bounds) => self.bounds(bounds).await?,
                Step::Race(race) => self.race(race).await?,
                Step::Sample(sample) => self.sample(sample).await?,
                Step::Meet(meet) => self.meet_others(meet).await?,
                Step::Hold(hold) => self.hold(hold)?,
                Step::StillHeld(still) => self.still_held(still).await?,
                Step::Release(release) => self.release(release).await?,
                Step::Restart(_) => self.restart().await?,
                Step::Wait(wait) => {
                    let moment = self.deadline(&wait.deadline_of)? + millis(wait.plus);
                    clock::sleep_until(moment).await;
                }
            }
        }
        Ok(())
    }

    /// A play beside this one, that knows the same and makes the same keys.
    pub(super) fn aside(&self) -> Play<'a> {
        Play { names: self.names.clone(), at: self.at, sent: self.sent.clone(), ..Play::new(self.stage, self.scenario) }
    }

    async fn post(&mut self, message: &Message, expectation: &Expectation) -> Result<(), Halt> {
        let outgoing = self.build(message, &[], 0)?;
        let exchange = self.send(&outgoing).await;
        self.settle(outgoing, expectation, &exchange, message.to.as_deref())
    }

    async fn again(&mut self, step: &str, expectation: &Expectation) -> Result<(), Halt> {
        let Some(outgoing) = self.sent.get(step).cloned() else {
            return Err(Halt::Mistake(format!("no step is called {step:?}")));
        };
        let exchange = self.send(&outgoing).await;
        self.settle(outgoing, expectation, &exchange, None)
    }

    /// Remembers an exchange under its name and judges it.
    pub(super) fn settle(
        &mut self,
        outgoing: Outgoing,
        expectation: &Expectation,
        exchange: &Exchange,
        to: Option<&str>,
    ) -> Result<(), Halt> {
        self.in_time(expectation.before.as_ref(), exchange)?;
        if expectation.given && outgoing.came_too_late(exchange.ended) {
            return Err(Halt::Late);
        }
        let key = outgoing.key.clone().unwrap_or_else(|| self.names.key("a"));
        if let Some(name) = &expectation.name {
            self.remember(name, outgoing, exchange);
        }
        let names = self.names.clone();
        let scope = Scope { names: &names, key, to: to.unwrap_or("q"), index: 0 };
        self.judge(expectation, &scope, exchange, "")
    }

    /// A positive check of a moment counts only when its reply came while the moment lasted.
    pub(super) fn in_time(&self, before: Option<&String>, exchange: &Exchange) -> Result<(), Halt> {
        let Some(step) = before else { return Ok(()) };
        let is_late = exchange.ended > self.deadline(step)? - TOLERANCE_MILLIS;
        if is_late { Err(Halt::Late) } else { Ok(()) }
    }

    pub(super) fn remember(&mut self, name: &str, outgoing: Outgoing, exchange: &Exchange) {
        self.names.steps.insert(name.to_owned(), self.shown(&outgoing, exchange));
        self.sent.insert(name.to_owned(), outgoing);
    }

    /// What a reply shows: each member that the profile knows, null where it does not show it; and the key.
    pub(super) fn shown(&self, outgoing: &Outgoing, exchange: &Exchange) -> Map<String, Value> {
        let profile = &self.stage.profile;
        let body = profile.view(&exchange.request.url, exchange.reply.json().unwrap_or(Value::Null));
        let value = |name: &str| profile.member(name, &body).cloned().unwrap_or(Value::Null);
        let mut shown: Map<String, Value> = profile.members.keys().map(|name| (name.clone(), value(name))).collect();
        let key = outgoing.key.clone().map(Value::String);
        let key = key.or_else(|| ["record_key", "question_key"].map(value).into_iter().find(|key| !key.is_null()));
        shown.insert("key".to_owned(), key.unwrap_or(Value::Null));
        let deadline = outgoing.deadline.clone().map_or(Value::Null, Value::String);
        shown.insert("expires_at".to_owned(), deadline);
        shown
    }

    /// Judges an exchange: the outcome, then the members, then the exact status. Set-up is only demanded.
    pub(super) fn judge(
        &mut self,
        expectation: &Expectation,
        scope: &Scope<'_>,
        exchange: &Exchange,
        what: &str,
    ) -> Result<(), Halt> {
        let profile = &self.stage.profile;
        let outcome = judge::outcome(profile, expectation.outcomes(), expectation.or_closed, &exchange.reply);
        let mut findings = vec![outcome];
        if findings[0] == Finding::Right {
            let members = judge::members(profile, expectation, scope, exchange);
            findings.extend(members.map_err(|e| self.unresolved(e))?);
        }
        if expectation.given {
            return self.demand(findings, exchange, what);
        }
        if let Some(open) = findings.iter().find(|finding| matches!(finding, Finding::Open(_))) {
            return Err(Halt::Inconclusive(Box::new(self.shown_evidence(open, exchange, what))));
        }
        if !self.note(expectation, findings, exchange, what) {
            return Err(Halt::Failed);
        }
        if self.stage.profile.is_route(&exchange.request.url) {
            self.note_route(expectation, exchange, what);
        } else {
            self.note_exact(expectation.exact(), exchange, what);
        }
        Ok(())
    }

    /// Set-up comes out, or what rests on it is inconclusive.
    fn demand(&self, findings: Vec<Finding>, exchange: &Exchange, what: &str) -> Result<(), Halt> {
        match findings.into_iter().find(|finding| *finding != Finding::Right) {
            None => Ok(()),
            Some(finding) => {
                let mut evidence = self.shown_evidence(&finding, exchange, what);
                evidence.step.push_str(" (set-up)");
                Err(Halt::Inconclusive(Box::new(evidence)))
            }
        }
    }

    /// Notes findings for each requirement that the step proves. `false` where one of them is not right.
    pub(super) fn note(
        &mut self,
        expectation: &Expectation,
        findings: Vec<Finding>,
        exchange: &Exchange,
        what: &str,
    ) -> bool {
        let proves = if expectation.proves.is_empty() { &self.scenario.proves } else { &expectation.proves };
        let mut is_right = true;
        for finding in findings {
            is_right &= finding == Finding::Right;
            for requirement in proves {
                let check = self.check(requirement, &finding, exchange, what);
                self.checks.push(check);
            }
        }
        is_right
    }

    /// Notes whether the binding's exact status came.
    pub(super) fn note_exact(&mut self, permitted: &[Outcome], exchange: &Exchange, what: &str) {
        if let Some((requirement, finding)) = judge::exact(&self.stage.profile, permitted, exchange) {
            let check = self.check(requirement, &finding, exchange, what);
            self.checks.push(check);
        }
    }

    /// The interactions routes have exact statuses of their own: the requirements that a step proves say which.
    fn note_route(&mut self, expectation: &Expectation, exchange: &Exchange, what: &str) {
        if let Some((_, finding)) = judge::exact(&self.stage.profile, expectation.exact(), exchange) {
            self.note(expectation, vec![finding], exchange, what);
        }
    }

    fn check(&self, requirement: &str, finding: &Finding, exchange: &Exchange, what: &str) -> Check {
        let verdict = match finding {
            Finding::Right => Verdict::Pass,
            Finding::Wrong { .. } => Verdict::Fail,
            Finding::Open(_) => Verdict::Inconclusive,
        };
        let evidence = (verdict != Verdict::Pass).then(|| self.shown_evidence(finding, exchange, what));
        Check { requirement: requirement.to_owned(), verdict, evidence }
    }

    /// The place in the scenario.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence { scenario: self.scenario.id.clone(), step: self.at.to_string(), ..Evidence::default() }
    }

    pub(super) fn shown_evidence(&self, finding: &Finding, exchange: &Exchange, what: &str) -> Evidence {
        let redactor = &self.stage.redactor;
        let mut evidence = self.evidence();
        if !what.is_empty() {
            evidence.step = format!("{}: {what}", evidence.step);
        }
        evidence.sent = exchange.sent(redactor);
        evidence.got = exchange.got(redactor);
        evidence.curl = exchange.curl(redactor);
        match finding {
            Finding::Right => {}
            Finding::Open(why) => evidence.got = redactor.clean(why),
            Finding::Wrong { permitted, got } => {
                evidence.permitted = redactor.clean(permitted);
                if let Some(got) = got {
                    evidence.got = format!("{} in {}", redactor.clean(got), evidence.got);
                }
            }
        }
        evidence
    }

    /// The checks made so far, and one of that verdict for each requirement that the scenario proves.
    fn ended_by(mut self, verdict: Verdict, evidence: &Evidence) -> Vec<Check> {
        for requirement in self.scenario.requirements() {
            let evidence = Some(evidence.clone());
            self.checks.push(Check { requirement: requirement.to_owned(), verdict, evidence });
        }
        self.checks
    }

    pub(super) fn unresolved(&self, unresolved: Unresolved) -> Halt {
        match unresolved {
            Unresolved::Mistake(mistake) => Halt::Mistake(mistake),
            Unresolved::Unseen(got) => Halt::Inconclusive(Box::new(Evidence { got, ..self.evidence() })),
        }
    }

    fn deadline(&self, step: &str) -> Result<i64, Halt> {
        let deadline = self.sent.get(step).and_then(|outgoing| outgoing.expires_at);
        deadline.ok_or_else(|| Halt::Mistake(format!("step {step:?} asks no question with a deadline")))
    }

    pub(super) fn key(&self, message: &Message) -> String {
        self.names.key(message.key.as_deref().unwrap_or("a"))
    }

    /// Builds a message's bytes.
    pub(super) fn build(&self, message: &Message, changes: &[&super::Change], index: usize) -> Result<Outgoing, Halt> {
        let to = message.to.as_deref().unwrap_or("q");
        let scope = Scope { names: &self.names, key: self.key(message), to, index };
        outgoing::build(&scope, message, changes).map_err(|e| self.unresolved(e))
    }

    pub(super) async fn send(&self, outgoing: &Outgoing) -> Exchange {
        let request = outgoing.request(self.stage.events_url());
        let exchange = self.stage.client.send(request).await;
        self.track(outgoing, &exchange);
        exchange
    }

    /// Learns the secrets that a reply issued, and which conditions are open.
    pub(super) fn track(&self, outgoing: &Outgoing, exchange: &Exchange) {
        let Reply::Http { status, .. } = exchange.reply else { return };
        let shown = self.shown(outgoing, exchange);
        for (name, word) in [("digest", "<digest>"), ("nonce", "<nonce>")] {
            if let Some(secret) = shown.get(name).and_then(Value::as_str) {
                self.stage.redactor.learn(secret, word);
            }
        }
        if self.stage.profile.class(status) != Class::Success {
            return;
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = shown.get("key").and_then(Value::as_str) {
            match outgoing.event_type.as_str() {
                "response.submitted" | "request.resolved" => open.remove(key),
                _ => open.insert(key.to_owned()),
            };
        }
    }

    /// Resolves what is still open. Never judged.
    async fn tear_down(&self) {
        self.held.values().for_each(Held::give_up);
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        let resolve = |key: String| async move {
            let outgoing = outgoing::resolve(&self.names, key);
            self.stage.client.send(outgoing.request(self.stage.events_url())).await
        };
        futures_util::future::join_all(open.into_iter().map(resolve)).await;
    }
}
