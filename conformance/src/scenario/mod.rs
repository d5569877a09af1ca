//! The scenario language: everything that the kit does to a consumer, as data.
//!
//! A scenario is a JSON file with an id, the requirements that it proves, and steps. `schemas/scenario.schema.json` is its
//! grammar, `vectors/README.md` tells how to interpret it in any language.

mod call;
mod check;
pub mod expand;
mod expectation;
mod hold;
pub mod interpreter;
mod judge;
mod meet;
mod message;
mod note;
mod outgoing;
mod race;
mod refuse;
mod restart;
mod sample;
mod send;
mod step;
mod variants;

pub use expectation::{Expectation, OneOrMany, See};
pub use message::{Change, Message, Splice};
pub use step::{
    Accept, Again, Bound, Bounds, Call, Fault, Hold, Meet, Post, Race, Refuse, Release, Sample, Step, StillHeld, Wait,
};

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::sync::LazyLock;

/// `schemas/scenario.schema.json` as embedded.
pub const SCHEMA: &str = include_str!("../../../schemas/scenario.schema.json");
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));
const EVENTS: &str = include_str!("../../../vectors/scenarios/events.json");

/// Something that a scenario needs and that the contract leaves optional. Where it is missing the scenario is not
/// applicable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// The consumer issues a nonce (reading 25).
    Nonce,
    /// It presents questions of kind `permission`.
    Permission,
    /// It presents questions of kind `single_choice`.
    SingleChoice,
    /// It presents questions of kind `text`.
    Text,
    /// It opens questions whose deadline is seconds ahead (reading 43).
    ShortDeadline,
    /// It shows the key of a condition that was opened without one (reading 31).
    UnkeyedKey,
    /// It declares the interactions routes.
    Interactions,
    /// The kit may kill it and start it again.
    Restart,
    /// The kit may read its log.
    ConsumerLog,
}

impl Need {
    /// Why a scenario is not applicable.
    pub fn missing(self) -> &'static str {
        match self {
            Self::Nonce => "the consumer issues no nonce",
            Self::Permission => "the consumer presents no permission questions",
            Self::SingleChoice => "the consumer presents no single_choice questions",
            Self::Text => "the consumer presents no text questions",
            Self::ShortDeadline => "the consumer opens no question whose deadline is seconds ahead",
            Self::UnkeyedKey => "the consumer shows no key for a condition that was opened without one",
            Self::Restart => "the kit did not start the consumer (--spawn) and cannot restart it",
            Self::ConsumerLog => "the kit was given no log to read (--consumer-log)",
            Self::Interactions => "the interactions routes are not declared",
        }
    }
}

/// One scenario.
#[derive(Debug, Clone, Deserialize)]
pub struct Scenario {
    /// Unique, kebab-case; the file's name.
    pub id: String,
    /// One sentence: what holds of a conforming consumer.
    pub title: String,
    /// The requirements that its steps prove, unless a step names its own.
    pub proves: Vec<String>,
    /// The readings of the contract on which it rests.
    #[serde(default)]
    pub readings: Vec<u8>,
    /// What it needs of the consumer.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// Whether it is played by itself, after the others.
    #[serde(default)]
    pub alone: bool,
    /// How many times it is played, each time with fresh names.
    #[serde(default = "once")]
    pub rounds: u32,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

fn once() -> u32 {
    1
}

impl Scenario {
    /// Reads a scenario's text. The error says what is wrong and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        static GRAMMAR: LazyLock<jsonschema::Validator> = LazyLock::new(|| crate::schema::compiled(SCHEMA));
        let value: Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
        crate::schema::check_with(&GRAMMAR, &value)?;
        let scenario = serde_json::from_value(value).map_err(|e| e.to_string())?;
        check::check(&scenario)?;
        Ok(scenario)
    }

    /// Whether it waits for a moment in time.
    pub fn waits(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Wait(_) | Step::Hold(_)))
    }

    /// Every requirement that it or one of its steps names.
    pub fn requirements(&self) -> Vec<&str> {
        let own = self.steps.iter().filter_map(Step::expectation).flat_map(|e| e.proves.iter().map(String::as_str));
        let mut all: Vec<&str> = self.proves.iter().map(String::as_str).chain(own).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The scenario files: their path under `vectors/scenarios`, and their text.
pub fn files() -> &'static [(&'static str, &'static str)] {
    FILES
}

/// SHA-256 over the requirements, the event schema, the base events and every scenario file with its path, in
/// hexadecimal.
pub fn fingerprint() -> String {
    let mut hash = Sha256::new();
    let first = [
        ("requirements.json", crate::requirement::SOURCE),
        ("arc-0.2.schema.json", crate::generate::SCHEMA),
        ("events.json", EVENTS),
    ];
    for (path, text) in first.iter().chain(FILES) {
        // Lengths in front: no content can pass for a path.
        hash.update(format!("{} {path} {} ", path.len(), text.len()));
        hash.update(text);
    }
    arc_validator::hex::of(&hash.finalize())
}

/// Every scenario: those of the files, ordered by path, then those that follow from the event schema.
///
/// # Panics
/// Never: a test parses each embedded file.
pub fn golden() -> Vec<Scenario> {
    static WRITTEN: LazyLock<Vec<Scenario>> = LazyLock::new(|| {
        let read = |text| serde_json::from_str(text).expect("a test parses every embedded scenario");
        FILES.iter().map(|(_, text)| read(text)).collect()
    });
    [&WRITTEN, crate::generate::members()].concat()
}

/// The events that scenarios start from, by name.
///
/// # Panics
/// Never: a test parses the embedded file.
pub fn base_events() -> &'static serde_json::Map<String, Value> {
    static BASES: LazyLock<serde_json::Map<String, Value>> =
        LazyLock::new(|| serde_json::from_str(EVENTS).expect("a test parses the embedded events"));
    &BASES
}

/// The bytes of an event, with made-up names for what replies would show.
#[cfg(test)]
pub(crate) fn event_bytes(message: &Message, change: &Change) -> Result<Vec<u8>, expand::Unresolved> {
    let shown = serde_json::json!({ "key": "k", "digest": "0a".repeat(32), "nonce": "nonce-of-a-question" });
    let steps = [("q".to_owned(), shown.as_object().cloned().unwrap_or_default())].into();
    let names = expand::Names { run: "000000000000".to_owned(), play: "00000000".to_owned(), began: 0, steps };
    let scope = expand::Scope { names: &names, key: names.key("a"), to: "q", index: 0 };
    outgoing::build(&scope, message, &[change]).map(|outgoing| outgoing.body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// One thing that is wrong, of which the validator says more.
    const SAID_MORE_THAN_ONCE: [&str; 4] =
        ["an empty object", "arc_version twice", "a number beyond every range as pid", "a huge integer as arc_version"];

    /// In scenarios about the form of events each fault is one: the validator finds it and nothing else, and nothing in the
    /// event without it. Answers are left out: their form rests on the question.
    #[test]
    fn a_refused_event_has_one_fault() {
        let is_about_form = |scenario: &&Scenario| scenario.proves.iter().all(|id| id.starts_with("ENV"));
        let mut problems = Vec::new();
        for scenario in golden().iter().filter(is_about_form) {
            for step in &scenario.steps {
                let Step::Refuse(refuse) = step else { continue };
                if refuse.message.event.starts_with("answer") {
                    continue;
                }
                let names: BTreeSet<&String> = refuse.faults.iter().map(|fault| &fault.name).collect();
                if names.len() != refuse.faults.len() {
                    problems.push(format!("{}: two faults have one name", scenario.id));
                }
                if errors(&refuse.message, &Change::default()) != 0 {
                    problems.push(format!("{}: the event without a fault has one", scenario.id));
                }
                for fault in &refuse.faults {
                    let errors = errors(&refuse.message, &fault.change);
                    if errors != 1 && (errors == 0 || !SAID_MORE_THAN_ONCE.contains(&fault.name.as_str())) {
                        problems.push(format!("{}: {} has {errors} faults", scenario.id, fault.name));
                    }
                }
            }
        }
        assert!(problems.is_empty(), "{problems:#?}");
    }

    fn errors(message: &Message, change: &Change) -> usize {
        let bytes = event_bytes(message, change).expect("its placeholders have values");
        let invalid = arc_validator::parse(&bytes).err();
        invalid.map_or(0, |invalid| invalid.findings.iter().filter(|finding| finding.is_error()).count())
    }
}
