//! Decisions to rows.

use super::rows::choices_column;
use crate::engine::{Answer, Change, Condition, Life, Millis, Question, Status};
use crate::id::number;
use arc_validator::event::{AnswerShape, AnswerValue, Outcome, Private};
use rusqlite::{Connection, Result, params};

/// Writes one change.
pub(super) fn apply(connection: &Connection, change: &Change) -> Result<()> {
    match change {
        Change::Open(condition) | Change::Show(condition) => put(connection, condition),
        Change::Ask(condition_id, question) => ask(connection, question, condition_id),
        Change::End(question) => end(connection, question),
    }
}

/// Remembers an accepted event, so that its retry finds what it touched.
pub(super) fn remember(
    connection: &Connection,
    event: &super::writer::EventName,
    life: &Life,
    now: Millis,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO events (sender_id, event_id, content, condition, question, accepted_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            event.sender_id,
            event.event_id,
            event.content,
            number(&life.condition.id),
            life.question.as_ref().map(|question| number(&question.id)),
            now
        ])?;
    Ok(())
}

/// A condition that is new, or the same one as it is now.
fn put(connection: &Connection, c: &Condition) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO conditions (seq, id, key, sender_id, sender_name, sender_version, sender_instance, session_id,
               correlation_id, project, cwd, pid, turn_id, native_request_id, kind, notification_type, title, message,
               priority, outcome, created_at, updated_at, resolved_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
               ?23)
             ON CONFLICT (seq) DO UPDATE SET sender_id = excluded.sender_id, sender_name = excluded.sender_name,
               sender_version = excluded.sender_version, sender_instance = excluded.sender_instance,
               session_id = excluded.session_id, correlation_id = excluded.correlation_id,
               project = excluded.project, cwd = excluded.cwd, pid = excluded.pid, turn_id = excluded.turn_id,
               native_request_id = excluded.native_request_id, kind = excluded.kind,
               notification_type = excluded.notification_type, title = excluded.title, message = excluded.message,
               priority = excluded.priority, outcome = excluded.outcome, updated_at = excluded.updated_at,
               resolved_at = excluded.resolved_at",
        )?
        .execute(params![
            number(&c.id),
            c.id,
            c.key,
            c.sender.id,
            c.sender.name,
            c.sender.version,
            c.sender.instance_id,
            c.context.session_id,
            c.context.correlation_id,
            c.context.project,
            c.context.cwd,
            c.context.pid,
            c.context.turn_id,
            c.context.native_request_id,
            c.shown.kind.as_str(),
            c.shown.notification_type,
            c.shown.title.as_ref().map(Private::expose),
            c.shown.message.expose(),
            c.shown.priority.as_str(),
            c.outcome.map(Outcome::as_str),
            c.created_at,
            c.updated_at,
            c.resolved_at,
        ])?;
    Ok(())
}

fn ask(connection: &Connection, q: &Question, condition_id: &str) -> Result<()> {
    let text_max_length = match q.shape {
        AnswerShape::Text { max_length } => Some(max_length),
        AnswerShape::Permission(_) | AnswerShape::SingleChoice(_) => None,
    };
    connection
        .prepare_cached(
            "INSERT INTO questions (seq, id, condition, key, agent, agent_instance, project, session_id, turn_id,
               native_request_id, prompt, kind, choices, text_max_length, expires_at, digest, nonce, status,
               created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
        )?
        .execute(params![
            number(&q.id),
            q.id,
            number(condition_id),
            q.key,
            q.asker.agent,
            q.asker.agent_instance,
            q.asker.project,
            q.asker.session_id,
            q.asker.turn_id,
            q.asker.native_request_id,
            q.prompt.expose(),
            q.shape.kind(),
            choices_column(&q.shape),
            text_max_length,
            q.expires_at,
            q.digest.expose(),
            q.nonce.expose(),
            q.status.as_str(),
            q.created_at,
            q.updated_at,
        ])?;
    Ok(())
}

/// Only a pending question ever changes, also where the engine and the file should disagree.
fn end(connection: &Connection, q: &Question) -> Result<()> {
    let answer = match &q.status {
        Status::Answered(answer) => Some(answer),
        _ => None,
    };
    let (choice_id, text) = match answer.map(|answer| &answer.value) {
        Some(AnswerValue::Choice(id)) => (Some(id.expose()), None),
        Some(AnswerValue::Text(text)) => (None, Some(text.expose())),
        None => (None, None),
    };
    let changed = connection
        .prepare_cached(
            "UPDATE questions SET status = ?2, updated_at = ?3, response_id = ?4, choice_id = ?5, text = ?6,
               source = ?7, device_id = ?8, answered_at = ?9
             WHERE seq = ?1 AND status = 'pending'",
        )?
        .execute(params![
            number(&q.id),
            q.status.as_str(),
            q.updated_at,
            answer.map(|answer| &answer.response_id),
            choice_id,
            text,
            answer.and_then(|answer: &Answer| answer.source.as_ref()),
            answer.and_then(|answer: &Answer| answer.device_id.as_ref()),
            answer.map(|answer| answer.accepted_at),
        ])?;
    if changed == 1 { Ok(()) } else { Err(rusqlite::Error::StatementChangedRows(changed)) }
}
