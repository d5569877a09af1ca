//! What every route shares.

use crate::clock::Clock;
use crate::engine::{Accepted, Millis, Question, Refusal, expire};
use crate::error::ApiError;
use crate::metrics::Metrics;
use crate::rate::Bucket;
use crate::secret::Token;
use crate::store::{Filter, Job, Page, Reader, Writer};
use crate::waiters::Waiters;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// So long a read waits for the expiry that is due to be written.
const SWEEP_PATIENCE: Duration = Duration::from_millis(100);

/// The broker behind its routes.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) token: Token,
    /// How fast POST requests may come; none where that does not matter.
    pub(crate) rate: Option<Bucket>,
    /// How long a client may take for a request's body.
    pub(crate) patience: Duration,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) clock: Clock,
    pub(crate) writer: Writer,
    pub(crate) reader: Reader,
    pub(crate) waiters: Arc<Waiters>,
    /// True when the broker is to stop.
    pub(crate) stopping: watch::Sender<bool>,
}

impl App {
    /// Carries out one command, by whichever door it came in.
    pub(crate) async fn submit(&self, job: Job) -> Result<Box<Accepted>, ApiError> {
        Ok(self.writer.submit(job).await??)
    }

    /// Returns when the broker is to stop.
    pub(crate) async fn stopped(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// A question as it is now.
    pub(crate) async fn question(&self, id: &str) -> Result<Question, ApiError> {
        let now = self.expired().await;
        let question = self.reader.question(id.to_owned()).await?.ok_or(Refusal::NotFound)?;
        Ok(as_of(question, now))
    }

    /// A page of questions as they are now.
    pub(crate) async fn questions(&self, filter: Filter) -> Result<Page<Question>, ApiError> {
        let now = self.expired().await;
        let status = filter.status;
        let page = self.reader.questions(filter).await?.ok_or_else(no_such_page)?;
        let rows = page.rows.into_iter().map(|question| as_of(question, now));
        // What has expired on its way out is pending no more.
        let rows = rows.filter(|question| status.is_none_or(|status| status == question.status.as_str())).collect();
        Ok(Page { rows, ..page })
    }

    /// Lets what is due expire in the store before it is read. Where that cannot be written, what is read is expired
    /// on its way out, and owed to the store.
    async fn expired(&self) -> Millis {
        let now = self.writer.as_of(self.clock.now());
        // The writer says why it could not; where it is held up, the read goes on.
        if !matches!(tokio::time::timeout(SWEEP_PATIENCE, self.writer.sweep(now)).await, Ok(Ok(()))) {
            self.writer.owe(now);
        }
        now
    }
}

fn as_of(question: Question, now: Millis) -> Question {
    expire(&question, now).unwrap_or(question)
}

/// The page is to begin before something that is not there.
pub(crate) fn no_such_page() -> ApiError {
    ApiError::invalid("before: there is nothing with that id")
}
