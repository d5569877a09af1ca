//! What a valid Attention Request Contract (ARC) 0.2 event is, and why one is not.
//!
//! The journey of an event: bytes -> strict JSON -> version gate -> schema -> rules -> findings with places. It has two
//! lanes. The *fast lane* reads the bytes straight into a borrowed [`event::Event`] and checks every bound on the way;
//! what passes is valid and done. Only what fails goes down the *explaining lane*, which finds everything that is wrong
//! and says where. Both lanes always agree on whether an event is valid.
//!
//! No network, no clock, no randomness: the same bytes always give the same findings.
//!
//! ```
//! let event = br#"{"arc_version":"0.2","event_id":"e1","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z",
//!     "sender":{"id":"codex"},"request":{"kind":"information","message":"Done."}}"#;
//! assert_eq!(arc_validator::parse(event).unwrap().sender.id, "codex");
//!
//! let invalid = arc_validator::parse(br#"{"arc_version":"0.1"}"#).unwrap_err();
//! assert_eq!(invalid.findings[0].rule.code, "superseded-version");
//! ```

mod advice;
mod catalogue;
pub mod event;
mod explain;
mod fast;
mod finding;
mod hash;
pub mod hex;
pub mod input;
pub mod json;
mod levels;
mod lints;
pub mod output;
mod rules;
pub mod schema;
pub mod stream;
pub mod timestamp;
mod words;

pub use advice::advised;
pub use catalogue::{FAMILIES, Family, rules};
pub use explain::explain;
pub use finding::{Finding, Invalid};
pub use levels::{Levels, Selection, SelectionError};
pub use lints::lint;
pub use rules::{Example, Level, Rule};
pub use words::most_alike;

use event::Event;

/// Reads one event.
///
/// ```
/// use arc_validator::event::Body;
/// let event = br#"{"arc_version":"0.2","event_id":"e1","event_type":"request.resolved","occurred_at":"2026-08-26T01:15:00Z",
///     "sender":{"id":"codex"},"request":{"key":"build","outcome":"expired"}}"#;
/// let event = arc_validator::parse(event).unwrap();
/// assert!(matches!(event.body, Body::Resolved { key, outcome: Some(_) } if key == "build"));
///
/// let invalid = arc_validator::parse(b"[]").unwrap_err();
/// assert_eq!(invalid.to_string(), "an event is an object, not an array; permitted: an object");
/// ```
///
/// # Errors
/// [`Invalid`] with every finding, sorted by place, where the bytes are no valid event.
pub fn parse(bytes: &[u8]) -> Result<Event<'_>, Invalid> {
    fast::read(bytes).ok_or_else(|| invalid(bytes))
}

/// What is wrong with bytes that the fast lane refused.
#[cold]
fn invalid(bytes: &[u8]) -> Invalid {
    let mut findings = explain(bytes);
    if !findings.iter().any(Finding::is_error) {
        findings.push(Finding::lanes_disagree(bytes.len()));
    }
    Invalid { findings }
}

/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
