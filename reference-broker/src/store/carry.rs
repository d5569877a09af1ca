//! One command under the write lock: what is known, what follows, what is written.

use super::writer::{EventName, Job, Target, Verdict, WriteError};
use super::{read, write};
use crate::engine::{self, Change, Decision, Earlier, Known, Millis, Question};
use crate::fresh::Source;
use rusqlite::{Connection, OptionalExtension as _};

/// Decides one command by what the store knows under the write lock, and writes what follows.
pub(super) fn carry_out(
    connection: &Connection,
    job: Job,
    now: Millis,
    source: &mut Source,
    ended: &mut Vec<Question>,
) -> Result<Verdict, WriteError> {
    let known = know(connection, &job)?;
    let is_new_event = known.earlier.is_none();
    let fresh = source.draw().map_err(WriteError::Random)?;
    let Decision { changes, verdict } = engine::decide(known, job.command, now, &fresh);
    for change in changes {
        write::apply(connection, &change)?;
        if let Change::End(question) = change {
            ended.push(question);
        }
    }
    if let (Ok(accepted), Some(event), true) = (&verdict, job.event, is_new_event) {
        write::remember(connection, &event, &accepted.life, now)?;
    }
    Ok(verdict.map(Box::new))
}

fn know(connection: &Connection, job: &Job) -> rusqlite::Result<Known> {
    let earlier = job.event.as_ref().map(|event| earlier(connection, event)).transpose()?.flatten();
    if earlier.is_some() {
        return Ok(Known { earlier, life: None });
    }
    let life = match &job.target {
        Target::New => None,
        Target::Key(key) => read::life_of_key(connection, key)?,
        Target::Question(id) => read::life_of_question(connection, id)?,
    };
    Ok(Known { earlier, life })
}

fn earlier(connection: &Connection, event: &EventName) -> rusqlite::Result<Option<Earlier>> {
    let found = connection
        .prepare_cached("SELECT content, condition, question FROM events WHERE sender_id = ?1 AND event_id = ?2")?
        .query_row([&event.sender_id, &event.event_id], |row| {
            Ok((row.get::<_, [u8; 32]>(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let Some((content, condition, question)) = found else {
        return Ok(None);
    };
    let life = read::life_of_event(connection, condition, question)?;
    Ok(Some(Earlier { same_content: content == event.content, life }))
}

/// Lets overdue questions expire, at most `limit` of them; returns whether there may be more.
pub(super) fn sweep(
    connection: &Connection,
    now: Millis,
    limit: u32,
    ended: &mut Vec<Question>,
) -> rusqlite::Result<bool> {
    let overdue = read::overdue(connection, now, limit)?;
    let may_be_more = overdue.len() == limit as usize;
    for question in overdue {
        if let Some(expired) = engine::expire(&question, now) {
            write::apply(connection, &Change::End(expired.clone()))?;
            ended.push(expired);
        }
    }
    Ok(may_be_more)
}
