//! The six answer rules, in the contract's order (contract: Responses).

use super::record::{Answer, Life, Millis, Question, Status};
use super::{Accepted, Change, NewAnswer, News, Refusal, Step};
use arc_validator::event::{AnswerShape, AnswerValue};

/// Applies the rules to one answer; the first valid answer wins and closes the condition.
pub(super) fn answer(life: Option<Life>, answer: NewAnswer, now: Millis) -> Result<Step, Refusal> {
    // 1. No such condition.
    let life = life.ok_or(Refusal::NotFound)?;
    // A one-way request never opened a question (reading 9).
    let question = life.question.as_ref().ok_or(Refusal::NotOpen)?;
    // 2. Already answered: a retry of the accepted answer gets the acceptance back, whatever else it holds (readings 2, 3).
    if let Status::Answered(accepted) = &question.status {
        let is_retry = accepted.response_id == answer.response_id;
        return if is_retry { Ok(replay(life)) } else { Err(Refusal::AlreadyAnswered) };
    }
    // 3. Expired, cancelled or superseded.
    if question.status != Status::Pending {
        return Err(Refusal::NotOpen);
    }
    // 4. The question changed after this answer's was asked.
    if !question.digest.matches(&answer.digest) {
        return Err(Refusal::Digest);
    }
    // 5. This broker issues a nonce with every question, so every answer echoes one.
    if !answer.nonce.as_ref().is_some_and(|nonce| question.nonce.matches(nonce)) {
        return Err(Refusal::Nonce);
    }
    // 6. The shape that the question asks for.
    if !fits(&question.shape, &answer.value) {
        return Err(Refusal::Shape);
    }
    Ok(accept(&life, question, answer, now))
}

fn replay(life: Life) -> Step {
    Step { changes: Vec::new(), accepted: Accepted { news: News::Replayed, life } }
}

fn accept(life: &Life, question: &Question, answer: NewAnswer, now: Millis) -> Step {
    let NewAnswer { response_id, value, source, device_id, digest: _, nonce: _ } = answer;
    let answer = Answer { response_id, value, source, device_id, accepted_at: now };
    let question = question.ended(Status::Answered(answer), now);
    let condition = life.condition.over(None, now);
    Step::applied(
        vec![Change::End(question.clone()), Change::Show(condition.clone())],
        Life { condition, question: Some(question) },
    )
}

/// Whether the answer is one of the choices offered, byte for byte, or a text within its bound, in code points.
fn fits(shape: &AnswerShape<'_>, value: &AnswerValue<'_>) -> bool {
    match (shape, value) {
        (AnswerShape::Text { max_length }, AnswerValue::Text(text)) => {
            text.expose().chars().count() <= usize::from(*max_length)
        }
        (AnswerShape::Permission(choices) | AnswerShape::SingleChoice(choices), AnswerValue::Choice(id)) => {
            choices.iter().any(|choice| choice.id == id.expose())
        }
        _ => false,
    }
}
