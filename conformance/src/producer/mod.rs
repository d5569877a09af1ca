//! Judges a producer: its command runs against an endpoint of the kit's own, which takes events like a consumer, answers
//! questions by a script and records what is said.
//!
//! One run of the command for each [`Script`]: `endpoint` speaks HTTP, `desk` keeps conditions and questions, `person`
//! answers by the script, and `judge` holds the recording against the rules for producers. What comes of it is told in
//! the same run events as everything else.

mod desk;
mod endpoint;
mod judge;
mod person;
mod question;
mod run;

pub use run::{Job, RunError, run};

/// How the questions of one run are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    /// The first choice, or a text, at once.
    Allow,
    /// The last choice, or another text, at once.
    Deny,
    /// The longest text that the question permits, of characters beyond the basic plane.
    Text,
    /// Nobody ever answers.
    Silence,
    /// Somebody answers when the deadline has passed, and is refused.
    Late,
    /// Two people answer differently at the same time; the first wins.
    Conflict,
    /// The first reply to each type of event is lost: it says 503, though the event was taken. Questions are allowed.
    Retry,
}

impl Script {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Allow, Self::Deny, Self::Text, Self::Silence, Self::Late, Self::Conflict, Self::Retry];

    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Text => "text",
            Self::Silence => "silence",
            Self::Late => "late",
            Self::Conflict => "conflict",
            Self::Retry => "retry",
        }
    }

    /// The scenario's name in reports.
    pub fn name(self) -> String {
        format!("producer-{}", self.as_str())
    }

    /// Whether no valid answer ever comes.
    fn is_silent(self) -> bool {
        matches!(self, Self::Silence | Self::Late)
    }
}
