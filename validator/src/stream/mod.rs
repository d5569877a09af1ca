//! A stream becomes a lifecycle verdict: what one event alone cannot show.
//!
//! The journey: a valid event -> its [`Facts`] (fingerprints, no texts) -> the state of its condition -> a [`Breach`] of
//! a rule, if any -> a finding on the line that breaks it. Facts can be taken on any thread; steps are taken in order.
//!
//! Memory grows with open conditions, not with the stream: of finished conditions and of event ids only a window is
//! remembered ([`REMEMBERED_EVENTS`], [`REMEMBERED_CONDITIONS`]). What was forgotten is never the ground of a finding,
//! but for a condition that ended so long ago that it looks unknown; the message says so.

mod answers;
mod condition;
mod facts;
mod window;

pub use facts::Facts;

use crate::event::{Event, EventType, Outcome};
use crate::finding::Finding;
use crate::json;
use crate::rules::{
    EVENT_ID_REUSED, FINISHED_CONDITION, OUT_OF_ORDER, OUTCOME_WITHOUT_ANSWER, RETRY, Rule, UNKNOWN_CONDITION,
};
use condition::{Condition, State};
use facts::Saying;
use std::collections::HashMap;
use window::{Hashed, Window};

/// Of how many event ids at least the last ones are remembered, for retries and reuse.
pub const REMEMBERED_EVENTS: usize = 1 << 17;

/// Of how many finished conditions at least the last ones are remembered.
pub const REMEMBERED_CONDITIONS: usize = 1 << 16;

/// The state of one stream.
///
/// ```
/// use arc_validator::stream::Stream;
/// let mut stream = Stream::default();
/// let event = br#"{"arc_version":"0.2","event_id":"e1","event_type":"request.resolved","occurred_at":"2026-08-26T01:15:00Z",
///     "sender":{"id":"codex"},"request":{"key":"k"}}"#;
/// let findings = stream.check(&arc_validator::parse(event).unwrap(), event, 1);
/// assert_eq!(findings[0].rule.code, "unknown-condition");
/// ```
#[derive(Debug, Default)]
pub struct Stream {
    events: Window<Seen>,
    open: HashMap<u64, Condition, Hashed>,
    finished: Window<Condition>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    content: u64,
    line: u64,
}

/// A rule that an event breaks against what came before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Breach {
    rule: &'static Rule,
    steps: &'static [&'static str],
    message: String,
}

impl Breach {
    fn new(rule: &'static Rule, steps: &'static [&'static str], message: String) -> Self {
        Self { rule, steps, message }
    }

    /// The finding, placed in the event's bytes.
    pub fn locate(self, bytes: &[u8]) -> Finding {
        let node = json::read(bytes).0;
        let span = node.as_ref().and_then(|node| node.at(self.steps)).map_or(0..bytes.len(), |node| node.span.clone());
        let pointer: String = self.steps.iter().flat_map(|step| ["/", step]).collect();
        Finding::new(self.rule, pointer, span, self.message)
    }
}

impl Stream {
    /// Takes the next valid event and says which rules it breaks. `line` is how messages call it later on.
    pub fn check(&mut self, event: &Event<'_>, bytes: &[u8], line: u64) -> Vec<Finding> {
        self.step(&Facts::of(event), line).into_iter().map(|breach| breach.locate(bytes)).collect()
    }

    /// The same for facts that were taken elsewhere. An event that is not valid changes no state and has no facts.
    pub fn step(&mut self, facts: &Facts, line: u64) -> Vec<Breach> {
        if let Some(seen) = self.events.get(facts.event) {
            let is_retry = seen.content == facts.content;
            let (rule, what) = if is_retry { (&RETRY, "the same event") } else { (&EVENT_ID_REUSED, "another event") };
            let message = format!("this sender used this event_id on line {} for {what}", seen.line);
            return vec![Breach::new(rule, &["event_id"], message)];
        }
        self.events.insert(facts.event, Seen { content: facts.content, line }, REMEMBERED_EVENTS);
        let Some(key) = facts.key else { return Vec::new() };
        let mut breaches = Vec::new();
        self.order(key, facts, &mut breaches);
        match &facts.saying {
            Saying::Created(question) => self.create(key, Condition::new(facts, question.as_ref(), line)),
            Saying::Updated(question) => match self.active(key) {
                Ok(condition) => condition.update(facts, question.as_ref(), line),
                Err(state) => breaches.push(inactive(EventType::Updated, state)),
            },
            Saying::Submitted(answer) => breaches.extend(self.answer(key, answer, facts, line)),
            Saying::Resolved(outcome) => breaches.extend(self.resolve(key, *outcome, line)),
        }
        breaches
    }

    fn create(&mut self, key: u64, condition: Condition) {
        self.finished.remove(key);
        self.open.insert(key, condition);
    }

    /// The active condition under a key, or how the last one ended.
    fn active(&mut self, key: u64) -> Result<&mut Condition, Option<(State, u64)>> {
        let ended = self.finished.get(key).map(|condition| (condition.state, condition.line));
        self.open.get_mut(&key).ok_or(ended)
    }

    /// PRO-03: what one sender says of one condition does not go backwards, to the second.
    fn order(&mut self, key: u64, facts: &Facts, breaches: &mut Vec<Breach>) {
        let Some(condition) = self.open.get(&key).or_else(|| self.finished.get(key)) else { return };
        let goes_back = facts.occurred_at.div_euclid(1000) < condition.occurred_at.div_euclid(1000);
        if condition.sender == facts.sender && goes_back {
            let message =
                format!("this occurred before what the sender said of the condition on line {}", condition.line);
            breaches.push(Breach::new(&OUT_OF_ORDER, &["occurred_at"], message));
        }
    }

    fn resolve(&mut self, key: u64, outcome: Option<Outcome>, line: u64) -> Option<Breach> {
        let known = self.open.remove(&key).or_else(|| self.finished.remove(key));
        let Some(mut condition) = known else { return Some(inactive(EventType::Resolved, None)) };
        let unanswered = condition.state == State::Active && outcome == Some(Outcome::Answered);
        if condition.state == State::Active {
            condition.state = State::Resolved;
        }
        condition.line = line;
        self.finished.insert(key, condition, REMEMBERED_CONDITIONS);
        unanswered.then(|| {
            let message = "the outcome is `answered`, but no answer to it stands in the stream".to_owned();
            Breach::new(&OUTCOME_WITHOUT_ANSWER, &["request", "outcome"], message)
        })
    }
}

/// PRO-04: updates and resolutions name a condition that was opened and, for updates, is not over.
fn inactive(event_type: EventType, ended: Option<(State, u64)>) -> Breach {
    let what = if event_type == EventType::Updated { "update" } else { "resolution" };
    if let Some((state, line)) = ended {
        let message = format!("this {what} comes after the condition was {} on line {line}", state.as_str());
        return Breach::new(&FINISHED_CONDITION, &["request", "key"], message);
    }
    let message = format!(
        "this {what} names a condition that no earlier event opened (or that ended more than {REMEMBERED_CONDITIONS} \
         conditions ago)"
    );
    Breach::new(&UNKNOWN_CONDITION, &["request", "key"], message)
}
