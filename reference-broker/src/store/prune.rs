//! What is finished long enough is forgotten, so that a broker's file does not grow for ever.
//!
//! With a condition go its questions and the names of its events, so a late retry of one of them is a new event then.
//! Nothing that a person could answer comes back that way: a condition is kept until the deadline of each of its
//! questions has passed, too, and a question past its deadline is refused (reading 4).

use crate::engine::Millis;
use rusqlite::{Connection, Result, params};

/// Conditions that one commit forgets at most: whoever writes meanwhile waits for them.
const MOST: u32 = 200;

/// Forgets conditions that ended before `ended_before`; returns whether there may be more.
pub(super) fn prune(connection: &Connection, ended_before: Millis, now: Millis) -> Result<bool> {
    let ids: Vec<String> = connection
        .prepare_cached(
            "SELECT id FROM conditions c WHERE resolved_at < ?1 AND NOT EXISTS
               (SELECT 1 FROM questions q WHERE q.condition_id = c.id AND q.expires_at > ?2)
             ORDER BY resolved_at LIMIT ?3",
        )?
        .query_map(params![ended_before, now, MOST], |row| row.get(0))?
        .collect::<Result<_>>()?;
    for id in &ids {
        connection.prepare_cached("DELETE FROM events WHERE condition_id = ?1")?.execute([id])?;
        connection.prepare_cached("DELETE FROM questions WHERE condition_id = ?1")?.execute([id])?;
        connection.prepare_cached("DELETE FROM conditions WHERE id = ?1")?.execute([id])?;
    }
    Ok(ids.len() == MOST as usize)
}
