//! What every route shares.

use crate::clock::Clock;
use crate::engine::{Accepted, Question, expire};
use crate::error::ApiError;
use crate::secret::Token;
use crate::store::{Job, Reader, Writer};
use crate::waiters::Waiters;
use std::sync::Arc;
use tokio::sync::watch;

/// The broker behind its routes.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) token: Token,
    pub(crate) clock: Clock,
    pub(crate) writer: Writer,
    pub(crate) reader: Reader,
    pub(crate) waiters: Arc<Waiters>,
    /// True when the broker is to stop.
    pub(crate) stopping: watch::Sender<bool>,
}

impl App {
    /// Carries out one command, by whichever door it came in.
    pub(crate) async fn submit(&self, job: Job) -> Result<Accepted, ApiError> {
        Ok(self.writer.submit(job).await??)
    }

    /// Returns when the broker is to stop.
    pub(crate) async fn stopped(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// A question as it is now. One whose deadline has come is expired first, in the store where that can be written.
    pub(crate) async fn question(&self, id: &str) -> Result<Question, ApiError> {
        let now = self.clock.now();
        let swept = self.writer.sweep(now).await;
        let question = self.reader.question(id.to_owned()).await?.ok_or(crate::engine::Refusal::NotFound)?;
        let overdue = if swept.is_err() { expire(&question, now) } else { None };
        Ok(overdue.unwrap_or(question))
    }
}
