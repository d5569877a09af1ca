//! What a step sends: a base event, and what is different about it.

use crate::exchange::Auth;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A base event by name, with changes.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Message {
    /// The name of an event in `vectors/scenarios/events.json`.
    pub event: String,
    /// Which of the scenario's keys `${key}` stands for; `a` by default.
    pub key: Option<String>,
    /// Which earlier step `${to.…}` stands for; `q` by default.
    pub to: Option<String>,
    /// What is different.
    #[serde(flatten)]
    pub change: Change,
}

/// Differences from a base event, applied in this order.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Change {
    /// JSON pointer to the value that stands there; missing objects on the way are made.
    #[serde(default)]
    pub set: Map<String, Value>,
    /// JSON pointers of what is taken away.
    #[serde(default)]
    pub remove: Vec<String>,
    /// A whole body in place of the event: a template that expands to a string.
    pub body: Option<Value>,
    /// Replacements in the compact JSON text, for what no JSON value can say.
    #[serde(default)]
    pub splice: Vec<Splice>,
    /// White space is appended until the body has this many bytes.
    pub pad_to: Option<usize>,
    /// Whether the body is sent in chunks, without a Content-Length.
    #[serde(default)]
    pub chunked: bool,
    /// The token that the request carries.
    pub auth: Option<Auth>,
}

/// One textual replacement, made once.
#[derive(Debug, Clone, Deserialize)]
pub struct Splice {
    /// A text that stands exactly once in the compact JSON.
    pub find: String,
    /// What stands there instead: a template that expands to a string.
    #[serde(default)]
    pub text: Value,
    /// What stands there instead, as hexadecimal digits of bytes.
    pub hex: Option<String>,
}
