//! A valid ARC 0.2 event as types: what cannot be said in the contract cannot be built here.
//!
//! Everything borrows from the event's bytes where its spelling allows it. What a person reads or answers, and what
//! authorizes an answer, is [`Private`]: it cannot be printed by accident.

mod answer;
mod private;
mod request;
mod sender;
mod words;

pub use answer::{AnswerShape, AnswerSpec, AnswerValue, Choice, Response};
pub use private::Private;
pub use request::{Ask, Outcome, Priority, RequestKind};
pub use sender::{Context, Sender};

use crate::timestamp::Timestamp;
use std::borrow::Cow;
use words::words;

/// One valid event (contract: Envelope).
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Event<'a> {
    /// The producer's name for this immutable event, 1 to 512 code points.
    pub event_id: Cow<'a, str>,
    /// When it occurred, by the producer's clock.
    pub occurred_at: Timestamp<'a>,
    /// Who sent it.
    pub sender: Sender<'a>,
    /// Correlation hints; never authority.
    pub context: Option<Context<'a>>,
    /// What it says, by its `event_type`.
    pub body: Body<'a>,
    /// `extensions.x-agentnotify.notification_type`, `^[a-z][a-z0-9_]{0,63}$`.
    pub notification_type: Option<Cow<'a, str>>,
    /// The extensions, which nobody here reads: only whether they are the same again. 0 where there are none.
    pub(crate) extensions: u64,
    /// Whether a text's bound was named, be it the default.
    pub(crate) names_text_bound: bool,
    /// How it is spelled.
    pub(crate) spelling: Spelling,
}

/// What the spelling of an event gives cause to look at more closely. It makes no difference to what the event says: events
/// that differ in nothing else are equal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spelling {
    /// A number stands in it that some readers would round.
    pub(crate) is_inexact: bool,
    /// A byte stands in a string that may be, or begin, a character that cannot be seen.
    pub(crate) is_odd: bool,
    /// An escape stands in a string that may spell any character.
    pub(crate) is_veiled: bool,
}

impl PartialEq for Spelling {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::hash::Hash for Spelling {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// What an event says: one variant for each of the four event types (contract: Event lifecycle).
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Body<'a> {
    /// `request.created`: a person is needed.
    Created {
        /// Names the condition; absent, the consumer derives an identity from `sender.id` and `event_id`.
        key: Option<Cow<'a, str>>,
        /// What the person is shown and, if anything, asked.
        ask: Ask<'a>,
    },
    /// `request.updated`: the active condition under `key` looks different now.
    Updated {
        /// Names the condition.
        key: Cow<'a, str>,
        /// What replaces the visible state.
        ask: Ask<'a>,
    },
    /// `response.submitted`: one human answer.
    Submitted {
        /// Names the condition that is answered.
        key: Cow<'a, str>,
        /// The answer.
        response: Response<'a>,
    },
    /// `request.resolved`: the condition is over.
    Resolved {
        /// Names the condition.
        key: Cow<'a, str>,
        /// Why it closed; advisory.
        outcome: Option<Outcome>,
    },
}

words! {
    /// The four event types.
    EventType {
        /// `request.created`
        Created = "request.created",
        /// `request.updated`
        Updated = "request.updated",
        /// `response.submitted`
        Submitted = "response.submitted",
        /// `request.resolved`
        Resolved = "request.resolved",
    }
}

impl Event<'_> {
    /// The `event_type` that the body stands for.
    pub fn event_type(&self) -> EventType {
        match self.body {
            Body::Created { .. } => EventType::Created,
            Body::Updated { .. } => EventType::Updated,
            Body::Submitted { .. } => EventType::Submitted,
            Body::Resolved { .. } => EventType::Resolved,
        }
    }

    /// `request.key`, which only a created event may omit.
    pub fn key(&self) -> Option<&str> {
        match &self.body {
            Body::Created { key, .. } => key.as_deref(),
            Body::Updated { key, .. } | Body::Submitted { key, .. } | Body::Resolved { key, .. } => Some(key),
        }
    }
}
