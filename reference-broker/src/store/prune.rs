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
    let numbers: Vec<i64> = connection
        .prepare_cached(
            "SELECT seq FROM conditions c WHERE resolved_at < ?1 AND NOT EXISTS
               (SELECT 1 FROM questions q WHERE q.condition = c.seq AND q.expires_at > ?2)
             ORDER BY resolved_at LIMIT ?3",
        )?
        .query_map(params![ended_before, now, MOST], |row| row.get(0))?
        .collect::<Result<_>>()?;
    for number in &numbers {
        connection.prepare_cached("DELETE FROM events WHERE condition = ?1")?.execute([number])?;
        connection.prepare_cached("DELETE FROM questions WHERE condition = ?1")?.execute([number])?;
        connection.prepare_cached("DELETE FROM conditions WHERE seq = ?1")?.execute([number])?;
    }
    Ok(numbers.len() == MOST as usize)
}
