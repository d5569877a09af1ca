//! The two halves of a condition: what a person sees, and the question that a producer waits on.

use crate::secret::{Digest, Nonce};
use arc_validator::event::{AnswerShape, AnswerValue, Context, Outcome, Priority, Private, RequestKind, Sender};

/// UTC milliseconds since 1970-01-01T00:00:00Z.
pub(crate) type Millis = i64;

/// One life of a key: the condition, and the question asked in it last.
///
/// An earlier question of the same life was superseded and never changes again.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Life {
    pub(crate) condition: Condition,
    pub(crate) question: Option<Question>,
}

/// What a person sees (wire: `notification`).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) sender: Sender<'static>,
    pub(crate) context: Context<'static>,
    pub(crate) shown: Shown,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) created_at: Millis,
    pub(crate) updated_at: Millis,
    /// Set once, when the condition ends: by an answer or by a resolution.
    pub(crate) resolved_at: Option<Millis>,
}

/// The visible words of a request, with the kind's default where it named no priority.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shown {
    pub(crate) kind: RequestKind,
    pub(crate) notification_type: Option<String>,
    pub(crate) title: Option<Private<'static>>,
    pub(crate) message: Private<'static>,
    pub(crate) priority: Priority,
}

/// One question with everything that binds an answer to it (wire: `interaction`).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) asker: Asker,
    pub(crate) prompt: Private<'static>,
    pub(crate) shape: AnswerShape<'static>,
    /// From this instant on no answer is valid.
    pub(crate) expires_at: Millis,
    pub(crate) digest: Digest,
    pub(crate) nonce: Nonce,
    pub(crate) status: Status,
    pub(crate) created_at: Millis,
    pub(crate) updated_at: Millis,
}

/// Who asked, and the correlation that a host adapter needs to return the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asker {
    pub(crate) agent: String,
    pub(crate) agent_instance: Option<String>,
    pub(crate) project: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) turn_id: Option<String>,
    pub(crate) native_request_id: Option<String>,
}

/// Where a question stands. Only `Pending` ever changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Status {
    Pending,
    Answered(Answer),
    Expired,
    Cancelled,
    Superseded,
}

/// The one answer that was accepted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) response_id: String,
    pub(crate) value: AnswerValue<'static>,
    pub(crate) source: Option<String>,
    pub(crate) device_id: Option<String>,
    pub(crate) accepted_at: Millis,
}

impl Condition {
    pub(crate) fn is_active(&self) -> bool {
        self.resolved_at.is_none()
    }
}

impl Question {
    pub(crate) fn is_pending(&self) -> bool {
        self.status == Status::Pending
    }

    /// The same question, over.
    pub(crate) fn ended(&self, status: Status, now: Millis) -> Self {
        Self { status, updated_at: now, ..self.clone() }
    }
}

impl Status {
    /// The word on the wire.
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Answered(_) => "answered",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::Superseded => "superseded",
        }
    }
}
