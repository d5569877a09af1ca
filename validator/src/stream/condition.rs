//! One condition, as far as a stream shows it.

use super::facts::{Facts, Question};

/// What is known of a condition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub(super) state: State,
    pub(super) question: Option<Question>,
    /// The accepted answer's `response_id` and content; nothing before there is one.
    pub(super) accepted: Option<(u64, u64)>,
    /// Who spoke last of it, when by its own clock, and on which line.
    pub(super) sender: u64,
    pub(super) occurred_at: i64,
    pub(super) line: u64,
}

/// Where in its life a condition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Active,
    Answered,
    Resolved,
}

impl State {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Active => "opened",
            Self::Answered => "answered",
            Self::Resolved => "resolved",
        }
    }
}

impl Condition {
    pub(super) fn new(facts: &Facts, question: Option<&Question>, line: u64) -> Self {
        let question = question.copied();
        let (sender, occurred_at) = (facts.sender, facts.occurred_at);
        Self { state: State::Active, question, accepted: None, sender, occurred_at, line }
    }

    /// An update replaces what is asked, if it asks; without an answer specification the open question keeps its own.
    pub(super) fn update(&mut self, facts: &Facts, question: Option<&Question>, line: u64) {
        self.question = question.copied().or(self.question);
        (self.sender, self.occurred_at, self.line) = (facts.sender, facts.occurred_at, line);
    }
}
