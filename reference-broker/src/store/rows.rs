//! Rows to records: the inverse of `write`.

use crate::engine::{Answer, Asker, Condition, Question, Shown, Status};
use crate::secret::{Digest, Nonce};
use arc_validator::event::{
    AnswerShape, AnswerValue, Choice, Context, Outcome, Priority, Private, RequestKind, Sender,
};
use rusqlite::types::{FromSqlError, Type};
use rusqlite::{Error, Result, Row};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

type Text = Option<Cow<'static, str>>;

pub(super) fn condition(row: &Row<'_>) -> Result<Condition> {
    Ok(Condition {
        id: row.get("id")?,
        key: row.get("key")?,
        sender: Sender {
            id: Cow::Owned(row.get("sender_id")?),
            name: text(row, "sender_name")?,
            version: text(row, "sender_version")?,
            instance_id: text(row, "sender_instance")?,
        },
        context: context(row)?,
        shown: Shown {
            kind: word(row, "kind", RequestKind::parse)?,
            notification_type: row.get("notification_type")?,
            title: text(row, "title")?.map(Private::from),
            message: private(row, "message")?,
            priority: word(row, "priority", Priority::parse)?,
        },
        outcome: row.get::<_, Option<String>>("outcome")?.and_then(|word| Outcome::parse(&word)),
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        resolved_at: row.get("resolved_at")?,
    })
}

fn context(row: &Row<'_>) -> Result<Context<'static>> {
    Ok(Context {
        session_id: text(row, "session_id")?,
        correlation_id: text(row, "correlation_id")?,
        project: text(row, "project")?,
        cwd: text(row, "cwd")?,
        pid: text(row, "pid")?,
        turn_id: text(row, "turn_id")?,
        native_request_id: text(row, "native_request_id")?,
    })
}

pub(super) fn question(row: &Row<'_>) -> Result<Question> {
    Ok(Question {
        id: row.get("id")?,
        key: row.get("key")?,
        asker: Asker {
            agent: row.get("agent")?,
            agent_instance: row.get("agent_instance")?,
            project: row.get("project")?,
            session_id: row.get("session_id")?,
            turn_id: row.get("turn_id")?,
            native_request_id: row.get("native_request_id")?,
        },
        prompt: private(row, "prompt")?,
        shape: shape(row)?,
        expires_at: row.get("expires_at")?,
        digest: Digest::from(row.get::<_, String>("digest")?),
        nonce: Nonce::from(row.get::<_, String>("nonce")?),
        status: status(row)?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

fn shape(row: &Row<'_>) -> Result<AnswerShape<'static>> {
    match row.get_ref("kind")?.as_str()? {
        "permission" => Ok(AnswerShape::Permission(choices(row)?)),
        "single_choice" => Ok(AnswerShape::SingleChoice(choices(row)?)),
        _ => Ok(AnswerShape::Text { max_length: row.get("text_max_length")? }),
    }
}

fn status(row: &Row<'_>) -> Result<Status> {
    word(row, "status", |word| match word {
        "pending" => Some(Ok(Status::Pending)),
        "answered" => Some(answer(row).map(Status::Answered)),
        "expired" => Some(Ok(Status::Expired)),
        "cancelled" => Some(Ok(Status::Cancelled)),
        "superseded" => Some(Ok(Status::Superseded)),
        _ => None,
    })?
}

fn answer(row: &Row<'_>) -> Result<Answer> {
    let value = match text(row, "choice_id")? {
        Some(id) => AnswerValue::Choice(Private::from(id)),
        None => AnswerValue::Text(private(row, "text")?),
    };
    Ok(Answer {
        response_id: row.get("response_id")?,
        value,
        source: row.get("source")?,
        device_id: row.get("device_id")?,
        accepted_at: row.get("answered_at")?,
    })
}

/// One choice as it stands in the `choices` column.
#[derive(Serialize, Deserialize)]
struct ChoiceRow<'a> {
    id: Cow<'a, str>,
    label: Cow<'a, str>,
    detail: Option<Cow<'a, str>>,
}

fn choices(row: &Row<'_>) -> Result<Vec<Choice<'static>>> {
    let stored: Vec<ChoiceRow<'static>> = serde_json::from_str(row.get_ref("choices")?.as_str()?)
        .map_err(|source| Error::FromSqlConversionFailure(0, Type::Text, source.into()))?;
    let choice = |row: ChoiceRow<'static>| Choice {
        id: row.id,
        label: Private::from(row.label),
        detail: row.detail.map(Private::from),
    };
    Ok(stored.into_iter().map(choice).collect())
}

/// The `choices` column of a shape: NULL for a text.
pub(super) fn choices_column(shape: &AnswerShape<'_>) -> Option<String> {
    let row = |choice: &Choice<'_>| ChoiceRow {
        id: Cow::Owned(choice.id.clone().into_owned()),
        label: Cow::Owned(choice.label.expose().to_owned()),
        detail: choice.detail.as_ref().map(|detail| Cow::Owned(detail.expose().to_owned())),
    };
    let rows: Vec<_> = shape.choices().iter().map(row).collect();
    (!rows.is_empty()).then(|| serde_json::to_string(&rows).expect("texts always have a JSON form"))
}

fn text(row: &Row<'_>, column: &str) -> Result<Text> {
    Ok(row.get::<_, Option<String>>(column)?.map(Cow::Owned))
}

fn private(row: &Row<'_>, column: &str) -> Result<Private<'static>> {
    Ok(Private::from(row.get::<_, String>(column)?))
}

fn word<T>(row: &Row<'_>, column: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
    parse(row.get_ref(column)?.as_str()?)
        .ok_or_else(|| Error::FromSqlConversionFailure(0, Type::Text, FromSqlError::InvalidType.into()))
}
