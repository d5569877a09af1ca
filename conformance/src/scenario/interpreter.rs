//! Plays a scenario: sends what its steps say and hands each exchange to the judge.

use super::expand::{Names, millis};
use super::hold::Held;
use super::outgoing::Outgoing;
use super::{Scenario, Step};
use crate::clock;
use crate::fresh;
use crate::stage::Stage;
use crate::verdict::{Check, Evidence, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// How often a scenario is played again that came too late for a moment under test.
const REPEATS: usize = 4;

/// What is said of a scenario that came too late each time.
const TOO_LATE: &str = "a moment under test was missed each time: the consumer or this machine is too slow";

/// What a scenario found.
#[derive(Debug, Default)]
pub struct Found {
    /// The checks that it made.
    pub checks: Vec<Check>,
    /// Whether it came to no verdict because it was too late for a moment under test, each time.
    pub was_late: bool,
}

impl From<Vec<Check>> for Found {
    fn from(checks: Vec<Check>) -> Self {
        Self { checks, was_late: false }
    }
}

/// Why a play ends before its last step.
#[derive(Debug)]
pub(super) enum Halt {
    /// A check failed: what follows would rest on it.
    Failed,
    /// Set-up did not come out, or a reply did not show what the next step needs.
    Inconclusive(Box<Evidence>),
    /// A moment under test was missed.
    Late,
    /// A reply did not come in its time, for the first time.
    Missed,
    /// The scenario or the kit is wrong.
    Mistake(String),
}

/// One play of a scenario.
pub(super) struct Play<'a> {
    pub(super) stage: &'a Stage,
    pub(super) scenario: &'a Scenario,
    /// Shared, because a judgement reads them while the play goes on.
    pub(super) names: Arc<Names>,
    pub(super) sent: BTreeMap<String, Outgoing>,
    pub(super) checks: Vec<Check>,
    pub(super) at: usize,
    pub(super) held: BTreeMap<String, Held>,
    /// Whether a reply missed its time in an earlier play.
    pub(super) was_missed: bool,
    pub(super) open: Mutex<BTreeSet<String>>,
}

/// Plays a scenario as often as it says, and again where it came too late.
pub async fn play(stage: &Stage, scenario: &Scenario) -> Found {
    let mut found = Found::default();
    for _ in 0..scenario.rounds {
        let round = play_in_time(stage, scenario).await;
        found.checks.extend(round.checks);
        found.was_late |= round.was_late;
        if found.checks.iter().any(|check| check.verdict > Verdict::Pass) {
            break;
        }
    }
    found
}

async fn play_in_time(stage: &Stage, scenario: &Scenario) -> Found {
    let mut was_missed = false;
    for repeat in 0..=REPEATS {
        let mut play = Play { was_missed, ..Play::new(stage, scenario) };
        let end = play.steps().await;
        play.tear_down().await;
        match end {
            Ok(()) | Err(Halt::Failed) => return play.checks.into(),
            Err(Halt::Late) if repeat < REPEATS => {}
            Err(Halt::Missed) if repeat < REPEATS => was_missed = true,
            Err(Halt::Late | Halt::Missed) => {
                let evidence = Evidence { got: TOO_LATE.to_owned(), ..play.evidence() };
                return Found { checks: play.ended_by(Verdict::Inconclusive, &evidence), was_late: true };
            }
            Err(Halt::Inconclusive(evidence)) => return play.ended_by(Verdict::Inconclusive, &evidence).into(),
            Err(Halt::Mistake(got)) => {
                let evidence = Evidence { got, ..play.evidence() };
                return play.ended_by(Verdict::KitError, &evidence).into();
            }
        }
    }
    Found::default()
}

impl<'a> Play<'a> {
    fn new(stage: &'a Stage, scenario: &'a Scenario) -> Self {
        let names =
            Names { run: stage.run.clone(), play: fresh::hex(4), began: clock::now_millis(), steps: BTreeMap::new() };
        let (sent, held, open) = (BTreeMap::new(), BTreeMap::new(), Mutex::default());
        Self { stage, scenario, names: Arc::new(names), sent, checks: Vec::new(), at: 0, held, was_missed: false, open }
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
}
