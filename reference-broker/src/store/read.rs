//! Reads: lives, questions and notifications, from any connection.

use super::rows;
use crate::engine::{Condition, Life, Millis, Question};
use rusqlite::{Connection, OptionalExtension as _, Result};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The latest life of a key.
pub(super) fn life_of_key(connection: &Connection, key: &str) -> Result<Option<Life>> {
    let condition = connection
        .prepare_cached("SELECT * FROM conditions WHERE key = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([key], rows::condition)
        .optional()?;
    condition.map(|condition| with_latest_question(connection, condition)).transpose()
}

/// The life that a question belongs to, with that very question.
pub(super) fn life_of_question(connection: &Connection, id: &str) -> Result<Option<Life>> {
    let Some(question) = question(connection, id)? else {
        return Ok(None);
    };
    let condition = connection
        .prepare_cached("SELECT c.* FROM conditions c JOIN questions q ON q.condition_id = c.id WHERE q.id = ?1")?
        .query_row([id], rows::condition)?;
    Ok(Some(Life { condition, question: Some(question) }))
}

/// What an accepted event touched, as it is now.
pub(super) fn life_of_event(connection: &Connection, condition_id: &str, question_id: Option<&str>) -> Result<Life> {
    let condition = connection
        .prepare_cached("SELECT * FROM conditions WHERE id = ?1")?
        .query_row([condition_id], rows::condition)?;
    match question_id {
        Some(id) => Ok(Life { condition, question: question(connection, id)? }),
        None => with_latest_question(connection, condition),
    }
}

fn with_latest_question(connection: &Connection, condition: Condition) -> Result<Life> {
    let question = connection
        .prepare_cached("SELECT * FROM questions WHERE condition_id = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([&condition.id], rows::question)
        .optional()?;
    Ok(Life { condition, question })
}

/// One question by its id.
pub(super) fn question(connection: &Connection, id: &str) -> Result<Option<Question>> {
    connection.prepare_cached("SELECT * FROM questions WHERE id = ?1")?.query_row([id], rows::question).optional()
}

/// Pending questions whose deadline has come, at most `limit`.
pub(super) fn overdue(connection: &Connection, now: Millis, limit: u32) -> Result<Vec<Question>> {
    connection
        .prepare_cached(
            "SELECT * FROM questions WHERE status = 'pending' AND expires_at <= ?1 ORDER BY expires_at LIMIT ?2",
        )?
        .query_map((now, limit), rows::question)?
        .collect()
}

/// The earliest deadline of a pending question.
pub(super) fn next_deadline(connection: &Connection) -> Result<Option<Millis>> {
    connection
        .prepare_cached("SELECT min(expires_at) FROM questions WHERE status = 'pending'")?
        .query_row([], |row| row.get(0))
}

/// A few connections for reads, lent out one at a time.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Reader {
    pub(crate) fn new(connections: Vec<Connection>) -> Self {
        Self { permits: Arc::new(Semaphore::new(connections.len())), idle: Arc::new(Mutex::new(connections)) }
    }

    /// One question by its id.
    pub(crate) async fn question(&self, id: String) -> Result<Option<Question>> {
        self.with(move |connection| question(connection, &id)).await
    }

    /// Runs one read on a thread that may block.
    async fn with<T: Send + 'static>(&self, read: impl FnOnce(&Connection) -> Result<T> + Send + 'static) -> Result<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed");
        let idle = Arc::clone(&self.idle);
        let task = tokio::task::spawn_blocking(move || {
            let connection = lock(&idle).pop().expect("a permit stands for a connection");
            let result = read(&connection);
            lock(&idle).push(connection);
            drop(permit);
            result
        });
        task.await.expect("reads do not panic")
    }
}

fn lock(idle: &Mutex<Vec<Connection>>) -> std::sync::MutexGuard<'_, Vec<Connection>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}
