//! What a request says, and why it closed.

use super::words::words;
use super::{AnswerSpec, Private};

/// The `request` of a created or updated event without its key (contract: Request).
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Ask<'a> {
    /// Why the agent stopped.
    pub kind: RequestKind,
    /// 1 to 200 code points.
    pub title: Option<Private<'a>>,
    /// 1 to 4,000 code points.
    pub message: Private<'a>,
    /// As the producer set it; [`RequestKind::default_priority`] applies where it is absent.
    pub priority: Option<Priority>,
    /// What a valid answer looks like. Without it the request is one-way: nobody waits.
    pub response: Option<AnswerSpec<'a>>,
}

words! {
    /// `request.kind`: why the agent stopped.
    RequestKind {
        /// Something happened that a person may want to know.
        Information = "information",
        /// The agent waits for a choice or a short text.
        Question = "question",
        /// The agent wants to do something consequential.
        Permission = "permission",
        /// Work cannot go on until something outside changes.
        Blocked = "blocked",
        /// An attempt failed.
        Failure = "failure",
        /// The work is done.
        Completion = "completion",
    }
}

words! {
    /// `request.priority`.
    Priority {
        /// Can wait.
        Low = "low",
        /// The usual.
        Normal = "normal",
        /// Soon.
        High = "high",
        /// Now.
        Critical = "critical",
    }
}

words! {
    /// `request.outcome` of a resolution (contract: Outcome). Advisory: nothing may be authorized because of it.
    Outcome {
        /// An answer came.
        Answered = "answered",
        /// The deadline passed.
        Expired = "expired",
        /// It was withdrawn.
        Cancelled = "cancelled",
        /// Another request took its place.
        Superseded = "superseded",
        /// The need is gone.
        NotNeeded = "not_needed",
    }
}

impl RequestKind {
    /// The priority that applies where a request names none (contract: Request, `AgentNotify` defaults).
    pub const fn default_priority(self) -> Priority {
        match self {
            Self::Question | Self::Permission | Self::Blocked | Self::Failure => Priority::High,
            Self::Information | Self::Completion => Priority::Normal,
        }
    }
}
