//! What the contract permits after a step.

use crate::profile::Outcome;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// One value, or a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany<T> {
    /// One.
    One(T),
    /// Several.
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    /// The values as a slice.
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}

/// What is permitted, and what the reply must show.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Expectation {
    /// The outcomes that the contract permits. Absent: any reply but a server error.
    pub expect: Option<OneOrMany<Outcome>>,
    /// The outcomes that the binding permits, where it is narrower.
    pub binding: Option<OneOrMany<Outcome>>,
    /// Whether a connection that is closed without a reply is permitted, too.
    #[serde(default)]
    pub or_closed: bool,
    /// Set-up: not judged; where it does not come out the rest is inconclusive.
    #[serde(default)]
    pub given: bool,
    /// The requirements that this step proves, in place of the scenario's.
    #[serde(default)]
    pub proves: Vec<String>,
    /// The name under which later steps know this exchange.
    #[serde(rename = "as")]
    pub name: Option<String>,
    /// The step whose question's deadline must be at least a second ahead when the reply comes (readings 30, 34);
    /// otherwise the scenario is played again.
    pub before: Option<String>,
    /// What the reply shows, by member name or JSON pointer.
    #[serde(default)]
    pub see: BTreeMap<String, See>,
}

impl Expectation {
    /// The permitted outcomes, none for any.
    pub fn outcomes(&self) -> &[Outcome] {
        self.expect.as_ref().map_or(&[], OneOrMany::as_slice)
    }

    /// The outcomes whose exact statuses the binding permits.
    pub fn exact(&self) -> &[Outcome] {
        self.binding.as_ref().map_or(self.outcomes(), OneOrMany::as_slice)
    }
}

/// What one member of a reply must be.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum See {
    /// The same as another step's, or different from others'.
    Relation(Relation),
    /// This very value.
    Value(Value),
}

/// How a member relates to others, or what it is.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Relation {
    /// Equal to the same member in another step's reply.
    SameAs(String),
    /// Different from the same member in each of these steps' replies.
    DiffersFrom(OneOrMany<String>),
    /// Equal to what stands at this JSON pointer of the event that was sent.
    AsSent(String),
    /// The same instant, to a second, as stands at this JSON pointer of the event that was sent.
    InstantOf(String),
    /// Any value but this.
    Not(Value),
    /// Of this shape.
    Is(Shape),
    /// A list, or an object with one, of which an item has this id.
    Lists(String),
    /// A list, or an object with one, of which no item has this id.
    Omits(String),
    /// A list, or an object with one, of at most so many items.
    AtMost(usize),
    /// These members of an object, or of each object in a list, have these values; others may stand beside them.
    Includes(Map<String, Value>),
}

/// The shape of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Absent or null.
    Absent,
    /// Present, and null.
    Null,
    /// An object.
    Object,
    /// A string that is not empty.
    Text,
    /// A string that is not empty, or a number.
    Id,
    /// 64 lower-case hexadecimal digits.
    Digest,
    /// No member name in it, at any depth, has an upper-case letter.
    SnakeCase,
    /// A number, or an object with one, where the reply is a success.
    CountIfAccepted,
}
