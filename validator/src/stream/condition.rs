//! One condition, as far as a stream shows it.

use super::facts::{Facts, Question};

/// A condition that is not over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Active {
    pub(super) question: Option<Question>,
    pub(super) last: Last,
}

/// A condition that is over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finished {
    /// The accepted answer's `response_id` and content; nothing where it was resolved without an answer.
    pub(super) accepted: Option<(u32, u32)>,
    pub(super) last: Last,
}

/// Who spoke last of a condition, answers apart, when by its own clock, and on which line something last happened to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Last {
    pub(super) sender: u32,
    /// UTC seconds.
    pub(super) second: i64,
    pub(super) line: u32,
}

impl Last {
    pub(super) fn of(facts: &Facts, line: u32) -> Self {
        Self { sender: facts.sender, second: facts.occurred_at.div_euclid(1000), line }
    }
}

impl Active {
    /// An update replaces what is asked, if it asks; without an answer specification the open question keeps its own.
    pub(super) fn update(&mut self, question: Option<&Question>, last: Last) {
        self.question = question.copied().or(self.question);
        self.last = last;
    }
}

impl Finished {
    /// How it ended.
    pub(super) fn how(&self) -> &'static str {
        if self.accepted.is_some() { "answered" } else { "resolved" }
    }
}
