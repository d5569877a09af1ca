//! The one thread that writes. Commands that wait together share one transaction, each decided in its turn; nobody is
//! answered before the commit.

use super::carry::{carry_out, sweep};
use super::open::Files;
use super::owed::Owed;
use super::prune::prune;
use super::read;
use super::writer::{Message, Reply, Said, Work, WriteError};
use crate::clock::Clock;
use crate::engine::{self, Accepted, Millis, Question};
use crate::fresh::Source;
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
    pub(crate) metrics: Arc<Metrics>,
    /// So long it tries to get the write lock that another process holds.
    pub(crate) lock_patience: Duration,
}

/// The thread itself.
pub(super) struct Worker {
    tools: Tools,
    source: Source,
    deadline: watch::Sender<Option<Millis>>,
    owed: Owed,
    outbox: mpsc::UnboundedSender<Mail>,
}

/// What a batch leaves to be said, handed to the runtime in one piece: a thread beside it that woke each task by itself
/// would wake the runtime for each.
pub(crate) struct Mail {
    ended: Vec<Question>,
    replies: Vec<(Reply, Result<Said, WriteError>)>,
}

/// Delivers what the writer says: first to those who wait for a question's end, then to those who sent commands.
pub(crate) async fn deliver(mut mail: mpsc::UnboundedReceiver<Mail>, waiters: Arc<Waiters>) {
    while let Some(Mail { ended, replies }) = mail.recv().await {
        for question in ended {
            tracing::info!(question = question.id, status = question.status.as_str(), "question ended");
            waiters.release(question);
        }
        for (reply, said) in replies {
            // Whoever has hung up may ask again: the command is a retry then.
            let _ = reply.send(said);
        }
    }
}

impl Worker {
    pub(super) fn new(
        tools: Tools,
        source: Source,
        deadline: watch::Sender<Option<Millis>>,
        owed: Owed,
        outbox: mpsc::UnboundedSender<Mail>,
    ) -> Self {
        Self { tools, source, deadline, owed, outbox }
    }

    /// Serves until the last handle has gone.
    pub(super) fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::with_capacity(BATCH);
        while messages.blocking_recv_many(&mut batch, BATCH) > 0 {
            let (work, replies) = batch.drain(..).map(|message| (message.work, message.reply)).unzip();
            self.serve(work, replies);
        }
    }

    /// One transaction for the whole batch. Where it cannot be committed nothing of it is there, and all are told.
    fn serve(&mut self, work: Vec<Work>, replies: Vec<Reply>) {
        let seen = self.latest(&work);
        let mail = match self.commit(work, seen) {
            Ok(done) => {
                done.said.iter().for_each(log);
                self.tools.metrics.committed(done.said.len());
                // Only a change wakes the timer.
                self.deadline.send_if_modified(|known| std::mem::replace(known, done.deadline) != done.deadline);
                Mail { ended: done.ended, replies: replies.into_iter().zip(done.said.into_iter().map(Ok)).collect() }
            }
            Err(error) => {
                self.tools.metrics.failed();
                tracing::error!(%error, commands = replies.len(), "nothing was written");
                let replies = replies.into_iter().map(|reply| (reply, Err(error.clone()))).collect();
                Mail { ended: self.overdue(seen), replies }
            }
        };
        // Nobody waits any more when the broker has stopped.
        let _ = self.outbox.send(mail);
    }

    /// The latest instant that this batch knows of: now, or one at which the clock stood before it was set back.
    fn latest(&self, work: &[Work]) -> Millis {
        let told = work.iter().filter_map(|work| if let Work::Sweep(now) = work { Some(*now) } else { None });
        told.chain(self.owed.until()).fold(self.tools.clock.now(), Millis::max)
    }

    /// A deadline passes also where that cannot be written: whoever waits is told.
    fn overdue(&self, seen: Millis) -> Vec<Question> {
        let overdue = read::overdue(&self.tools.connection, seen, SWEEP).unwrap_or_default();
        if !overdue.is_empty() {
            self.owed.add(seen);
        }
        overdue.iter().filter_map(|question| engine::expire(question, seen)).collect()
    }

    fn commit(&mut self, work: Vec<Work>, seen: Millis) -> Result<Done, WriteError> {
        let transaction = begin(&self.tools)?;
        let mut done = Done::default();
        let owed = self.owed.until().filter(|until| *until <= seen);
        if self.deadline.borrow().is_some_and(|deadline| seen >= deadline) {
            while sweep(&transaction, seen, SWEEP, &mut done.ended)? && owed.is_some() {}
        }
        for work in work {
            let now = self.tools.clock.now();
            done.said.push(match work {
                Work::Job(job) => Said::Verdict(carry_out(&transaction, *job, now, &mut self.source, &mut done.ended)?),
                Work::Sweep(_) => Said::Swept,
                Work::Prune(ended_before) => Said::Pruned(prune(&transaction, ended_before, now)?),
            });
        }
        done.deadline = read::next_deadline(&transaction)?;
        transaction.commit()?;
        if let Some(until) = owed {
            self.owed.settle(until);
        }
        Ok(done)
    }
}

/// Ids, kinds and outcomes; nothing that a person wrote or reads, and nothing that authorizes.
fn log(said: &Said) {
    let Said::Verdict(verdict) = said else { return };
    match verdict.as_deref() {
        Ok(Accepted { news, life }) => tracing::info!(
            ?news,
            condition = life.condition.id,
            kind = life.condition.shown.kind.as_str(),
            question = life.question.as_ref().map(|question| question.id.as_str()),
            status = life.question.as_ref().map(|question| question.status.as_str()),
            "accepted"
        ),
        Err(refusal) => tracing::info!(?refusal, "refused"),
    }
}

/// Takes the write lock at once, so that nothing that was read under it can be stale; where another process has it,
/// tries again for a while.
fn begin(tools: &Tools) -> rusqlite::Result<Transaction<'_>> {
    let give_up = Instant::now() + tools.lock_patience;
    loop {
        let begun = Transaction::new_unchecked(&tools.connection, TransactionBehavior::Immediate);
        let is_busy = matches!(&begun, Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy));
        if !is_busy {
            return begun;
        }
        tools.metrics.busy();
        if Instant::now() >= give_up {
            return begun;
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
