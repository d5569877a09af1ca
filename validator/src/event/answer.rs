//! The shape of the answer that a request waits for, and an answer.

use super::Private;
use crate::timestamp::Timestamp;
use std::borrow::Cow;

/// `request.response`: what a valid answer looks like, and until when (contract: Answer specification).
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct AnswerSpec<'a> {
    /// The shape of a valid answer.
    pub shape: AnswerShape<'a>,
    /// The producer's absolute deadline. From this instant on no answer is valid.
    pub expires_at: Timestamp<'a>,
}

/// The three answer shapes.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum AnswerShape<'a> {
    /// `permission`: one of 2 to 12 choices.
    Permission(Vec<Choice<'a>>),
    /// `single_choice`: one of 2 to 12 choices.
    SingleChoice(Vec<Choice<'a>>),
    /// `text`: a short text.
    Text {
        /// Code points, 1 to 2,000; [`AnswerShape::DEFAULT_TEXT_MAX_LENGTH`] where the producer set none.
        max_length: u16,
    },
}

/// One answer that a person may choose.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Choice<'a> {
    /// `^[A-Za-z0-9_-]{1,64}$`, unique within its request, opaque to the consumer.
    pub id: Cow<'a, str>,
    /// 1 to 200 code points.
    pub label: Private<'a>,
    /// 1 to 500 code points.
    pub detail: Option<Private<'a>>,
}

/// The `response` of a response.submitted event: one human answer (contract: Responses).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Response<'a> {
    /// The responder's idempotency key, 1 to 128 code points.
    pub response_id: Cow<'a, str>,
    /// 64 lower-case hexadecimal digits, as the consumer issued them.
    pub digest: Private<'a>,
    /// 1 to 128 code points; required by every consumer that issued one.
    pub nonce: Option<Private<'a>>,
    /// What the person answered.
    pub value: AnswerValue<'a>,
    /// Where the person answered, `^[A-Za-z0-9_-]{1,64}$`.
    pub source: Option<Cow<'a, str>>,
    /// 1 to 128 code points.
    pub device_id: Option<Cow<'a, str>>,
}

/// Exactly one of `choice_id` and `text`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AnswerValue<'a> {
    /// `choice_id`: `^[A-Za-z0-9_-]{1,64}$`.
    Choice(Private<'a>),
    /// `text`: 1 to 2,000 code points.
    Text(Private<'a>),
}

impl<'a> AnswerShape<'a> {
    /// The bound of a text answer whose specification names none, in code points.
    pub const DEFAULT_TEXT_MAX_LENGTH: u16 = 500;

    /// The value of `kind` on the wire.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Permission(_) => "permission",
            Self::SingleChoice(_) => "single_choice",
            Self::Text { .. } => "text",
        }
    }

    /// The choices offered, in the producer's order; none for a text.
    pub fn choices(&self) -> &[Choice<'a>] {
        match self {
            Self::Permission(choices) | Self::SingleChoice(choices) => choices,
            Self::Text { .. } => &[],
        }
    }
}
