//! Silence is never an answer (contract: Responses, last paragraph).

use super::record::{Millis, Question, Status};

/// The question, expired, where it is pending and its deadline has come: an answer at `expires_at` is too late
/// (reading 34). The condition goes on; control is the producer's again (reading 39).
pub(crate) fn expire(question: &Question, now: Millis) -> Option<Question> {
    (question.is_pending() && now >= question.expires_at).then(|| question.ended(Status::Expired, now))
}
