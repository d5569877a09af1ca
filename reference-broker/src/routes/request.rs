//! POST /v1/interactions/request: a question opened without an event.

use super::interactions::interaction;
use crate::app::App;
use crate::body::JsonBody;
use crate::engine::{Ask, AskSpec, Command, Deadline, News, Origin, Refusal};
use crate::error::ApiError;
use crate::form::{Form, parse};
use crate::store::{Job, Target};
use arc_validator::event::{AnswerShape, Context, Private, RequestKind, Sender};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use std::borrow::Cow;
use std::sync::Arc;

/// 201 for a question in a new condition; 200 where the key's condition is active: with the pending question where it is
/// the same, with a new one that supersedes it where it is not.
pub(super) async fn request(State(app): State<Arc<App>>, JsonBody(body): JsonBody) -> Result<Response, ApiError> {
    let accepted = app.submit(read(&body)?).await?;
    let status = if accepted.news == News::Created { StatusCode::CREATED } else { StatusCode::OK };
    let question = accepted.life.question.as_ref().ok_or(Refusal::NotFound)?;
    Ok((status, interaction(question)).into_response())
}

fn read(body: &[u8]) -> Result<Job, ApiError> {
    let node = parse(body)?;
    let form = Form::of(&node)?;
    let shape = shape(&form)?;
    let ask = Ask {
        origin: origin(&form)?,
        kind: match shape {
            AnswerShape::Permission(_) => RequestKind::Permission,
            AnswerShape::SingleChoice(_) | AnswerShape::Text { .. } => RequestKind::Question,
        },
        notification_type: None,
        title: None,
        message: form.text("prompt", 1..=2_000)?.map(Private::from).ok_or_else(|| form.missing("prompt"))?,
        priority: None,
        spec: Some(AskSpec { shape, deadline: deadline(&form)? }),
    };
    let key = key(&form)?;
    form.end()?;
    Ok(Job { target: key.clone().map_or(Target::New, Target::Key), event: None, command: Command::Create { key, ask } })
}

/// A question without a key has a condition of its own.
fn key(form: &Form<'_>) -> Result<Option<String>, ApiError> {
    match form.text("key", 1..=100)? {
        Some(key) if key.chars().all(char::is_whitespace) => Err(form.wrong("key", "at least one visible character")),
        key => Ok(key),
    }
}

fn origin(form: &Form<'_>) -> Result<Origin, ApiError> {
    let text = |name, longest| Ok::<_, ApiError>(form.text(name, 0..=longest)?.map(Cow::Owned));
    let sender = Sender {
        id: Cow::Owned(form.text("agent", 1..=100)?.ok_or_else(|| form.missing("agent"))?),
        name: None,
        version: None,
        instance_id: text("agent_instance", 100)?,
    };
    let context = Context {
        session_id: text("session_id", 100)?,
        project: text("project", 200)?,
        turn_id: text("turn_id", 200)?,
        native_request_id: text("native_request_id", 200)?,
        ..Context::default()
    };
    Ok(Origin { sender, context: Some(context) })
}

fn shape(form: &Form<'_>) -> Result<AnswerShape<'static>, ApiError> {
    let kind = form.text("kind", 1..=64)?.ok_or_else(|| form.missing("kind"))?;
    let choices = form.choices("choices")?;
    let max_length = form.integer("text_max_length", 1..=2_000)?;
    match (kind.as_str(), choices, max_length) {
        ("permission", Some(choices), None) => Ok(AnswerShape::Permission(choices)),
        ("single_choice", Some(choices), None) => Ok(AnswerShape::SingleChoice(choices)),
        ("text", None, max_length) => {
            Ok(AnswerShape::Text { max_length: max_length.unwrap_or(AnswerShape::DEFAULT_TEXT_MAX_LENGTH) })
        }
        ("permission" | "single_choice", None, _) => Err(form.missing("choices")),
        ("permission" | "single_choice", ..) => Err(form.wrong("text_max_length", "only where the kind is text")),
        ("text", Some(_), _) => Err(form.wrong("choices", "only where the kind is permission or single_choice")),
        _ => Err(form.wrong("kind", "permission, single_choice, text")),
    }
}

fn deadline(form: &Form<'_>) -> Result<Deadline, ApiError> {
    let seconds = form.integer("ttl_seconds", 30..=3_600)?.unwrap_or(600);
    Ok(Deadline::After(i64::from(seconds) * 1_000))
}
