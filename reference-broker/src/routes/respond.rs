//! POST /v1/interactions/{id}/respond: the second door for answers, to the same record (readings 47, 48, 49).

use super::Id;
use super::interactions::interaction;
use crate::app::App;
use crate::body::JsonBody;
use crate::engine::{Command, NewAnswer, Refusal};
use crate::error::ApiError;
use crate::form::{Form, parse};
use crate::secret::{Digest, Nonce};
use crate::store::{Job, Target};
use arc_validator::event::{AnswerValue, Private};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

/// Decided by the six rules, exactly like a response.submitted event.
pub(super) async fn respond(
    State(app): State<Arc<App>>,
    Id(id): Id,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let command = Command::Answer(read(&body)?);
    let accepted = app.submit(Job { target: Target::Question(id), event: None, command }).await?;
    accepted.life.question.as_ref().map(interaction).ok_or_else(|| Refusal::NotFound.into())
}

fn read(body: &[u8]) -> Result<NewAnswer, ApiError> {
    let node = parse(body)?;
    let form = Form::of(&node)?;
    let answer = NewAnswer {
        response_id: form.text("response_id", 1..=128)?.ok_or_else(|| form.missing("response_id"))?,
        digest: digest(&form)?,
        nonce: form.text("nonce", 1..=128)?.map(Nonce::from),
        value: value(&form)?,
        source: form.word("source")?,
        device_id: form.text("device_id", 1..=128)?,
    };
    form.end()?;
    Ok(answer)
}

fn digest(form: &Form<'_>) -> Result<Digest, ApiError> {
    let is_digest = |text: &String| text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let wrong = || form.wrong("request_digest", "64 lower-case hexadecimal digits");
    match form.text("request_digest", 64..=64).map_err(|_| wrong())? {
        Some(text) => Some(text).filter(is_digest).map(Digest::from).ok_or_else(wrong),
        None => Err(form.missing("request_digest")),
    }
}

fn value(form: &Form<'_>) -> Result<AnswerValue<'static>, ApiError> {
    match (form.word("choice_id")?, form.text("text", 1..=2_000)?) {
        (Some(id), None) => Ok(AnswerValue::Choice(Private::from(id))),
        (None, Some(text)) => Ok(AnswerValue::Text(Private::from(text))),
        _ => Err(ApiError::invalid("an answer has exactly one of choice_id and text")),
    }
}
