//! The one thread that writes. Commands that wait together share one transaction, each decided in its turn; nobody is
//! answered before the commit.

use super::open::Files;
use super::{read, write};
use crate::clock::Clock;
use crate::engine::{self, Accepted, Change, Command, Decision, Earlier, Known, Millis, Question, Refusal};
use crate::fresh::fresh;
use crate::waiters::Waiters;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::{mpsc, oneshot, watch};

/// Commands that may wait for the writer; the next one makes its sender wait.
const QUEUE: usize = 4_096;
/// Commands that share one commit at most.
const BATCH: usize = 512;
/// Questions that one commit lets expire at most.
const SWEEP: u32 = 1_024;

/// Which condition a command means.
#[derive(Debug)]
pub(crate) enum Target {
    /// The latest life of this key.
    Key(String),
    /// The question with this id.
    Question(String),
}

/// An event's name and content: what makes a retry.
#[derive(Debug)]
pub(crate) struct EventName {
    pub(crate) sender_id: String,
    pub(crate) event_id: String,
    /// SHA-256 of the event's JSON value.
    pub(crate) content: [u8; 32],
}

/// One command on its way to the writer.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) target: Target,
    /// The event that carries the command; none where it came through the interactions routes.
    pub(crate) event: Option<EventName>,
    pub(crate) command: Command,
}

/// What the writer says to one command.
pub(crate) type Verdict = Result<Accepted, Refusal>;

/// The command was not carried out, or nobody can say whether it was; it may be sent again.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum WriteError {
    /// `SQLite` could not write.
    #[error("the store cannot write: {0}")]
    Store(Arc<rusqlite::Error>),
    /// The system has no random bits.
    #[error("the system gives no random bits: {0}")]
    Random(getrandom::Error),
    /// The broker is stopping.
    #[error("the broker is stopping")]
    Stopped,
}

impl From<rusqlite::Error> for WriteError {
    fn from(source: rusqlite::Error) -> Self {
        Self::Store(Arc::new(source))
    }
}

/// A job, or none where only the expiry that is due is asked for; and who waits for it.
#[derive(Debug)]
struct Message {
    job: Option<Job>,
    reply: oneshot::Sender<Result<Option<Verdict>, WriteError>>,
}

/// A handle to the writer's thread, which ends when the last handle is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Message>,
    deadline: watch::Receiver<Option<Millis>>,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(
        files: Files,
        connection: Connection,
        clock: Clock,
        waiters: Arc<Waiters>,
    ) -> rusqlite::Result<(Self, JoinHandle<()>)> {
        let (queue, messages) = mpsc::channel(QUEUE);
        let (deadline_sender, deadline) = watch::channel(read::next_deadline(&connection)?);
        let worker = Worker { _files: files, connection, clock, waiters, deadline: deadline_sender };
        let thread = std::thread::Builder::new()
            .name("arc-writer".into())
            .spawn(move || worker.run(messages))
            .expect("the system starts one thread");
        Ok((Self { queue, deadline }, thread))
    }

    /// Carries out one command; returns after its commit.
    pub(crate) async fn submit(&self, job: Job) -> Result<Verdict, WriteError> {
        let verdict = self.send(Some(job)).await?;
        Ok(verdict.expect("a job has a verdict"))
    }

    /// Lets every question expire whose deadline has come; returns after the commit.
    pub(crate) async fn sweep(&self, now: Millis) -> Result<(), WriteError> {
        while self.deadline.borrow().is_some_and(|deadline| now >= deadline) {
            self.send(None).await?;
        }
        Ok(())
    }

    /// The earliest deadline of a pending question, and its changes.
    pub(crate) fn deadline(&self) -> watch::Receiver<Option<Millis>> {
        self.deadline.clone()
    }

    async fn send(&self, job: Option<Job>) -> Result<Option<Verdict>, WriteError> {
        let (reply, verdict) = oneshot::channel();
        self.queue.send(Message { job, reply }).await.map_err(|_| WriteError::Stopped)?;
        verdict.await.map_err(|_| WriteError::Stopped)?
    }
}

struct Worker {
    /// The lock on the database, kept until the last write is done.
    _files: Files,
    connection: Connection,
    clock: Clock,
    waiters: Arc<Waiters>,
    deadline: watch::Sender<Option<Millis>>,
}

impl Worker {
    fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut batch = Vec::with_capacity(BATCH);
        while messages.blocking_recv_many(&mut batch, BATCH) > 0 {
            let (jobs, replies) = batch.drain(..).map(|message| (message.job, message.reply)).unzip();
            self.serve(jobs, replies);
        }
    }

    /// One transaction for the whole batch. Where it cannot be committed nothing of it is there, and all are told.
    fn serve(&mut self, jobs: Vec<Option<Job>>, replies: Vec<oneshot::Sender<Result<Option<Verdict>, WriteError>>>) {
        match self.commit(jobs) {
            Ok(done) => {
                self.deadline.send_replace(done.deadline);
                done.ended.into_iter().for_each(|question| self.waiters.release(question));
                for (reply, verdict) in replies.into_iter().zip(done.verdicts) {
                    // Whoever has hung up may ask again: the command is a retry then.
                    let _ = reply.send(Ok(verdict));
                }
            }
            Err(error) => {
                tracing::error!(%error, commands = replies.len(), "nothing was written");
                for reply in replies {
                    let _ = reply.send(Err(error.clone()));
                }
            }
        }
    }

    fn commit(&mut self, jobs: Vec<Option<Job>>) -> Result<Done, WriteError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut done = Done::default();
        if self.deadline.borrow().is_some_and(|deadline| self.clock.now() >= deadline) {
            sweep(&transaction, self.clock.now(), &mut done.ended)?;
        }
        for job in jobs {
            let verdict = job.map(|job| carry_out(&transaction, job, self.clock.now(), &mut done.ended)).transpose()?;
            done.verdicts.push(verdict);
        }
        done.deadline = read::next_deadline(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// What a committed batch leaves to be said.
#[derive(Default)]
struct Done {
    verdicts: Vec<Option<Verdict>>,
    ended: Vec<Question>,
    deadline: Option<Millis>,
}

/// Decides one command by what the store knows under the write lock, and writes what follows.
fn carry_out(connection: &Connection, job: Job, now: Millis, ended: &mut Vec<Question>) -> Result<Verdict, WriteError> {
    let known = know(connection, &job)?;
    let is_new_event = known.earlier.is_none();
    let Decision { changes, verdict } =
        engine::decide(known, job.command, now, fresh(now).map_err(WriteError::Random)?);
    if let Ok(accepted) = &verdict {
        write_all(connection, &changes, &accepted.life.condition.id, ended)?;
        if let Some(event) = job.event.filter(|_| is_new_event) {
            write::remember(connection, &event, &accepted.life, now)?;
        }
    } else {
        // A refusal writes nothing but an expiry that it met, which needs no condition.
        write_all(connection, &changes, "", ended)?;
    }
    Ok(verdict)
}

fn write_all(
    connection: &Connection,
    changes: &[Change],
    condition_id: &str,
    ended: &mut Vec<Question>,
) -> rusqlite::Result<()> {
    for change in changes {
        write::apply(connection, change, condition_id)?;
        if let Change::End(question) = change {
            ended.push(question.clone());
        }
    }
    Ok(())
}

fn know(connection: &Connection, job: &Job) -> rusqlite::Result<Known> {
    let earlier = job.event.as_ref().map(|event| earlier(connection, event)).transpose()?.flatten();
    if earlier.is_some() {
        return Ok(Known { earlier, life: None });
    }
    let life = match &job.target {
        Target::Key(key) => read::life_of_key(connection, key)?,
        Target::Question(id) => read::life_of_question(connection, id)?,
    };
    Ok(Known { earlier, life })
}

fn earlier(connection: &Connection, event: &EventName) -> rusqlite::Result<Option<Earlier>> {
    let found = connection
        .prepare_cached("SELECT content, condition_id, question_id FROM events WHERE sender_id = ?1 AND event_id = ?2")?
        .query_row([&event.sender_id, &event.event_id], |row| {
            Ok((row.get::<_, [u8; 32]>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
        })
        .optional()?;
    let Some((content, condition_id, question_id)) = found else {
        return Ok(None);
    };
    let life = read::life_of_event(connection, &condition_id, question_id.as_deref())?;
    Ok(Some(Earlier { same_content: content == event.content, life }))
}

fn sweep(connection: &Connection, now: Millis, ended: &mut Vec<Question>) -> rusqlite::Result<()> {
    for question in read::overdue(connection, now, SWEEP)? {
        if let Some(expired) = engine::expire(&question, now) {
            write::apply(connection, &Change::End(expired.clone()), "")?;
            ended.push(expired);
        }
    }
    Ok(())
}
