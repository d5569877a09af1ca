//! What may be asked of the engine, by whichever door it came in.

use super::record::Millis;
use crate::id::id;
use crate::secret::{Digest, Nonce};
use arc_validator::event::{AnswerShape, AnswerValue, Context, Outcome, Priority, Private, RequestKind, Sender};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// One command to one condition.
#[derive(Debug)]
pub(crate) enum Command {
    /// `request.created`, or a question opened by POST /v1/interactions/request. Without a key the condition gets one of
    /// its own.
    Create { key: Option<String>, ask: Ask },
    /// `request.updated`.
    Update { ask: Ask },
    /// `response.submitted`, or POST …/respond.
    Answer(NewAnswer),
    /// `request.resolved`.
    Resolve { outcome: Option<Outcome> },
    /// POST …/cancel: the question is withdrawn, the condition goes on.
    Cancel,
}

/// What a person is to see and, with `spec`, to be asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ask {
    pub(crate) origin: Origin,
    pub(crate) kind: RequestKind,
    pub(crate) notification_type: Option<String>,
    pub(crate) title: Option<Private<'static>>,
    pub(crate) message: Private<'static>,
    pub(crate) priority: Option<Priority>,
    pub(crate) spec: Option<AskSpec>,
}

/// Who asks. An event without a context keeps the one that its condition has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Origin {
    pub(crate) sender: Sender<'static>,
    pub(crate) context: Option<Context<'static>>,
}

/// The answer that is waited for (contract: Answer specification).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskSpec {
    pub(crate) shape: AnswerShape<'static>,
    pub(crate) deadline: Deadline,
}

/// Until when an answer is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deadline {
    /// The producer's absolute deadline.
    At(Millis),
    /// So many milliseconds from the moment of asking. The same question asked again keeps the deadline that it has.
    After(Millis),
}

/// An answer that has come in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewAnswer {
    pub(crate) response_id: String,
    pub(crate) digest: Digest,
    pub(crate) nonce: Option<Nonce>,
    pub(crate) value: AnswerValue<'static>,
    pub(crate) source: Option<String>,
    pub(crate) device_id: Option<String>,
}

/// The numbers and the chance that a command may use up, drawn beforehand so that the engine needs none.
#[derive(Debug, Clone)]
pub(crate) struct Fresh {
    condition: i64,
    question: i64,
    bits: [u8; Self::BITS],
}

impl Fresh {
    /// Random bytes for one command.
    pub(crate) const BITS: usize = 40;

    pub(crate) const fn new(condition: i64, question: i64, bits: [u8; Self::BITS]) -> Self {
        Self { condition, question, bits }
    }

    pub(crate) fn condition_id(&self) -> String {
        id("ntf_", self.condition, *self.part(0))
    }

    /// The key of a condition that was given none (reading 31).
    pub(crate) fn key(&self) -> String {
        id("auto_", self.condition, *self.part(0))
    }

    pub(crate) fn question_id(&self) -> String {
        id("int_", self.question, *self.part(8))
    }

    /// 192 random bits, base64url, with nothing in it that counts or tells the time.
    pub(crate) fn nonce(&self) -> Nonce {
        Nonce::from(URL_SAFE_NO_PAD.encode(self.part::<24>(16)))
    }

    fn part<const N: usize>(&self, from: usize) -> &[u8; N] {
        self.bits[from..].first_chunk().expect("the parts lie within the bits")
    }
}
