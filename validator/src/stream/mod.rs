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

use crate::event::{Event, Outcome};
use crate::finding::Finding;
use crate::json;
use crate::rules::{
    EVENT_ID_REUSED, FINISHED_CONDITION, OUT_OF_ORDER, OUTCOME_WITHOUT_ANSWER, RETRY, Rule, UNKNOWN_CONDITION,
};
use condition::{Active, Finished, Last};
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
    active: HashMap<u64, Active, Hashed>,
    finished: Window<Finished>,
    /// Until when, in UTC milliseconds, a question without a key may be open. Its consumer gives it a key of its own, so an
    /// unknown key may be that.
    keyless_until: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    content: u32,
    line: u32,
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
        // Beyond four billion lines messages name the last of them.
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        if let Some(seen) = self.events.remember(facts.event, Seen { content: facts.content, line }, REMEMBERED_EVENTS)
        {
            return vec![repeated(seen, facts)];
        }
        let Some(key) = facts.key else {
            if let Saying::Created(Some(question)) = &facts.saying {
                self.keyless_until = self.keyless_until.max(Some(question.expires_at));
            }
            return Vec::new();
        };
        let last = Last::of(facts, line);
        let mut breaches = Vec::new();
        match &facts.saying {
            Saying::Created(question) => {
                let before = self.active.insert(key, Active { question: *question, last }).map(|active| active.last);
                let before = before.or_else(|| self.finished.remove(key).map(|finished| finished.last));
                breaches.extend(out_of_order(before, last));
            }
            Saying::Updated(question) => match self.active.get_mut(&key) {
                Some(active) => {
                    breaches.extend(out_of_order(Some(active.last), last));
                    active.update(question.as_ref(), last);
                }
                None => breaches.extend(self.inactive("update", key, facts)),
            },
            Saying::Submitted(answer) => breaches.extend(self.answer(key, answer, facts, last)),
            Saying::Resolved(outcome) => self.resolve(key, *outcome, facts, last, &mut breaches),
        }
        breaches
    }

    /// PRO-04: updates and resolutions name a condition that was opened and, for updates, is not over.
    fn inactive(&self, what: &str, key: u64, facts: &Facts) -> Option<Breach> {
        if let Some(finished) = self.finished.get(key) {
            let (how, line) = (finished.how(), finished.last.line);
            let message = format!("this {what} comes after the condition was {how} on line {line}");
            return Some(Breach::new(&FINISHED_CONDITION, &["request", "key"], message));
        }
        if self.may_be_keyless(facts) {
            return None;
        }
        let message = format!(
            "this {what} names a condition that no earlier event opened (or that ended more than {REMEMBERED_CONDITIONS} \
             conditions ago)"
        );
        Some(Breach::new(&UNKNOWN_CONDITION, &["request", "key"], message))
    }

    /// Whether an event may speak of a question that was asked without a key, under the key that its consumer gave it
    /// (reading 31).
    fn may_be_keyless(&self, facts: &Facts) -> bool {
        Some(facts.occurred_at) < self.keyless_until
    }

    /// A resolution ends the condition; of one that is over already it changes nothing.
    fn resolve(&mut self, key: u64, outcome: Option<Outcome>, facts: &Facts, last: Last, breaches: &mut Vec<Breach>) {
        let Some(active) = self.active.remove(&key) else {
            breaches.extend(match self.finished.get(key) {
                Some(finished) => out_of_order(Some(finished.last), last),
                None => self.inactive("resolution", key, facts),
            });
            return;
        };
        breaches.extend(out_of_order(Some(active.last), last));
        self.finished.insert(key, Finished { accepted: None, last }, REMEMBERED_CONDITIONS);
        if outcome == Some(Outcome::Answered) {
            let message = "the outcome is `answered`, but no answer to it stands in the stream".to_owned();
            breaches.push(Breach::new(&OUTCOME_WITHOUT_ANSWER, &["request", "outcome"], message));
        }
    }
}

/// PRO-02: the same sender used this event id before.
fn repeated(seen: Seen, facts: &Facts) -> Breach {
    let is_retry = seen.content == facts.content;
    let (rule, what) = if is_retry { (&RETRY, "the same event") } else { (&EVENT_ID_REUSED, "another event") };
    let message = format!("this sender used this event_id on line {} for {what}", seen.line);
    Breach::new(rule, &["event_id"], message)
}

/// PRO-03: what one sender says of one condition does not go backwards, to the second.
fn out_of_order(before: Option<Last>, now: Last) -> Option<Breach> {
    let before = before.filter(|before| before.sender == now.sender && now.second < before.second)?;
    let message =
        format!("this occurred before what the sender said of the condition on line {} or before", before.line);
    Some(Breach::new(&OUT_OF_ORDER, &["occurred_at"], message))
}
