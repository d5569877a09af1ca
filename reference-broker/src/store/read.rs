//! Reads: lives, questions and notifications, from any connection.

use super::list::{self, Filter, Page};
use super::rows;
use crate::engine::{Condition, Life, Millis, Question};
use crate::id::number;
use rusqlite::{Connection, OptionalExtension as _, Result};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The latest life of a key.
pub(super) fn life_of_key(connection: &Connection, key: &str) -> Result<Option<Life>> {
    let condition = connection
        .prepare_cached("SELECT * FROM conditions WHERE key = ?1 ORDER BY life DESC LIMIT 1")?
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
        .prepare_cached("SELECT c.* FROM conditions c JOIN questions q ON q.condition = c.seq WHERE q.seq = ?1")?
        .query_row([number(id)], rows::condition)?;
    Ok(Some(Life { condition, question: Some(question) }))
}

/// What an accepted event touched, as it is now.
pub(super) fn life_of_event(connection: &Connection, condition: i64, question: Option<i64>) -> Result<Life> {
    let condition = connection
        .prepare_cached("SELECT * FROM conditions WHERE seq = ?1")?
        .query_row([condition], rows::condition)?;
    let Some(question) = question else {
        return with_latest_question(connection, condition);
    };
    let question =
        connection.prepare_cached("SELECT * FROM questions WHERE seq = ?1")?.query_row([question], rows::question)?;
    Ok(Life { condition, question: Some(question) })
}

fn with_latest_question(connection: &Connection, condition: Condition) -> Result<Life> {
    let question = connection
        .prepare_cached("SELECT * FROM questions WHERE condition = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([number(&condition.id)], rows::question)
        .optional()?;
    Ok(Life { condition, question })
}

/// One condition by its id.
fn condition(connection: &Connection, id: &str) -> Result<Option<Condition>> {
    let mut statement = connection.prepare_cached("SELECT * FROM conditions WHERE seq = ?1 AND id = ?2")?;
    statement.query_row((number(id), id), rows::condition).optional()
}

/// One question by its id.
pub(super) fn question(connection: &Connection, id: &str) -> Result<Option<Question>> {
    let mut statement = connection.prepare_cached("SELECT * FROM questions WHERE seq = ?1 AND id = ?2")?;
    statement.query_row((number(id), id), rows::question).optional()
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

/// The numbers of the last condition and of the last question.
pub(super) fn last_numbers(connection: &Connection) -> Result<(i64, i64)> {
    const LAST: &str =
        "SELECT ifnull((SELECT max(seq) FROM conditions), 0), ifnull((SELECT max(seq) FROM questions), 0)";
    connection.query_row(LAST, [], |row| Ok((row.get(0)?, row.get(1)?)))
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

    /// One notification by its id.
    pub(crate) async fn condition(&self, id: String) -> Result<Option<Condition>> {
        self.with(move |connection| condition(connection, &id)).await
    }

    /// A page of questions; none where it is to begin before a question that is not there.
    pub(crate) async fn questions(&self, filter: Filter) -> Result<Option<Page<Question>>> {
        self.with(move |connection| list::questions(connection, &filter)).await
    }

    /// A page of notifications; none where it is to begin before one that is not there.
    pub(crate) async fn conditions(&self, filter: Filter) -> Result<Option<Page<Condition>>> {
        self.with(move |connection| list::conditions(connection, &filter)).await
    }

    /// How many questions are open.
    pub(crate) async fn pending(&self) -> Result<i64> {
        self.with(|connection| {
            connection
                .prepare_cached("SELECT count(*) FROM questions WHERE status = 'pending'")?
                .query_row([], |row| row.get(0))
        })
        .await
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
