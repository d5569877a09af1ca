//! The one thread that writes. Commands that wait together share one transaction, each decided in its turn; nobody is
//! answered before the commit.

use super::carry::{carry_out, sweep};
use super::open::Files;
use super::prune::prune;
use super::read;
use super::writer::{Message, Reply, Said, Work, WriteError};
use crate::clock::Clock;
use crate::engine::{self, Millis, Question};
use crate::metrics::Metrics;
use crate::waiters::Waiters;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// Commands that share one commit at most.
const BATCH: usize = 512;
/// Questions that one commit lets expire at most.
const SWEEP: u32 = 1_024;

/// What the writer works with.
pub(crate) struct Tools {
    /// The lock on the database, kept until the last write is done.
    #[expect(dead_code, reason = "held, not used")]
    pub(crate) files: Files,
    pub(crate) connection: Connection,
    pub(crate) clock: Clock,
    pub(crate) waiters: Arc<Waiters>,
    pub(crate) metrics: Arc<Metrics>,
    /// So long it tries to get the write lock that another process holds.
    pub(crate) lock_patience: Duration,
}

/// The thread itself.
pub(super) struct Worker {
    tools: Tools,
    deadline: watch::Sender<Option<Millis>>,
}

impl Worker {
    pub(super) fn new(tools: Tools, deadline: watch::Sender<Option<Millis>>) -> Self {
        Self { tools, deadline }
    }

    /// Serves until the last handle has gone.
    pub(super) fn run(self, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::with_capacity(BATCH);
        while messages.blocking_recv_many(&mut batch, BATCH) > 0 {
            let (work, replies) = batch.drain(..).map(|message| (message.work, message.reply)).unzip();
            self.serve(work, replies);
        }
    }

    /// One transaction for the whole batch. Where it cannot be committed nothing of it is there, and all are told.
    fn serve(&self, work: Vec<Work>, replies: Vec<Reply>) {
        match self.commit(work) {
            Ok(done) => {
                self.tools.metrics.committed(done.said.len());
                // Only a change wakes the timer.
                self.deadline.send_if_modified(|known| std::mem::replace(known, done.deadline) != done.deadline);
                done.ended.into_iter().for_each(|question| self.ended(question));
                for (reply, said) in replies.into_iter().zip(done.said) {
                    // Whoever has hung up may ask again: the command is a retry then.
                    let _ = reply.send(Ok(said));
                }
            }
            Err(error) => {
                self.tools.metrics.failed();
                tracing::error!(%error, commands = replies.len(), "nothing was written");
                self.release_overdue();
                for reply in replies {
                    let _ = reply.send(Err(error.clone()));
                }
            }
        }
    }

    fn ended(&self, question: Question) {
        tracing::info!(question = question.id, status = question.status.as_str(), "question ended");
        self.tools.waiters.release(question);
    }

    /// A deadline passes also where that cannot be written: whoever waits is told.
    fn release_overdue(&self) {
        let now = self.tools.clock.now();
        let overdue = read::overdue(&self.tools.connection, now, SWEEP).unwrap_or_default();
        overdue.iter().filter_map(|question| engine::expire(question, now)).for_each(|q| self.tools.waiters.release(q));
    }

    fn commit(&self, work: Vec<Work>) -> Result<Done, WriteError> {
        let transaction = begin(&self.tools)?;
        let mut done = Done::default();
        if self.deadline.borrow().is_some_and(|deadline| self.tools.clock.now() >= deadline) {
            sweep(&transaction, self.tools.clock.now(), SWEEP, &mut done.ended)?;
        }
        for work in work {
            let now = self.tools.clock.now();
            done.said.push(match work {
                Work::Job(job) => Said::Verdict(Box::new(carry_out(&transaction, *job, now, &mut done.ended)?)),
                Work::Sweep => Said::Swept,
                Work::Prune(ended_before) => Said::Pruned(prune(&transaction, ended_before, now)?),
            });
        }
        done.deadline = read::next_deadline(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// Takes the write lock at once, so that nothing that was read under it can be stale; where another process has it,
/// tries again for a while.
fn begin(tools: &Tools) -> rusqlite::Result<Transaction<'_>> {
    let give_up = Instant::now() + tools.lock_patience;
    loop {
        match Transaction::new_unchecked(&tools.connection, TransactionBehavior::Immediate) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < give_up => {
                tools.metrics.busy();
            }
            begun => return begun,
        }
    }
}

/// What a committed batch leaves to be said.
#[derive(Default)]
struct Done {
    said: Vec<Said>,
    ended: Vec<Question>,
    deadline: Option<Millis>,
}
