//! A crash and a new start. The consumer's memory stands for its disk: a door in front of it is killed, and when the door
//! opens again the consumer has what it would have read back.

use super::condition::State;
use super::question::Status;
use super::{Fault, chance};

/// What was not yet on the disk when the crash came, in milliseconds.
const UNWRITTEN_MILLIS: i64 = 60_000;

impl State {
    /// What is left after a crash: everything, unless a fault forgets some of it.
    pub(super) fn restart(&mut self) {
        if self.has(Fault::RestartForgets) {
            *self = Self::new(self.behaviour);
        }
        if self.has(Fault::RestartForgetsEvents) {
            self.forget_events();
        }
        for at in 0..self.questions.len() {
            let question = &mut self.questions[at];
            let is_answered = question.status == Status::Answered;
            let is_recent = question.answer.as_ref().is_some_and(|a| chance::now() - a.at < UNWRITTEN_MILLIS);
            if question.status == Status::Pending && self.behaviour.has(Fault::RestartForgetsNonces) {
                question.nonce = Some(chance::hex::<16>());
            }
            let is_lost = self.behaviour.has(Fault::RestartLosesLastMoments) && is_recent;
            if is_answered && (is_lost || self.behaviour.has(Fault::RestartForgetsAnswers)) {
                question.answer = None;
                question.status = Status::Pending;
                let condition = question.condition;
                self.conditions[condition].is_active = true;
                self.forget_events();
            }
        }
    }
}
