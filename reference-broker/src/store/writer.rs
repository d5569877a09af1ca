//! The one thread that writes. Commands that wait together share one transaction, each decided in its turn; nobody is
//! answered before the commit.

use super::open::Files;
use super::prune::prune;
use super::{read, write};
use crate::clock::Clock;
use crate::engine::{self, Accepted, Change, Command, Decision, Earlier, Known, Millis, Question, Refusal};
use crate::fresh::fresh;
use crate::metrics::Metrics;
use crate::waiters::Waiters;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Transaction, TransactionBehavior};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
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

/// What the writer is asked for.
#[derive(Debug)]
enum Work {
    Job(Box<Job>),
    /// The expiry that is due, which every batch begins with.
    Sweep,
    /// Forget conditions that ended before this instant.
    Prune(Millis),
}

/// What the writer has done.
#[derive(Debug)]
enum Said {
    Verdict(Box<Verdict>),
    Swept,
    /// Whether there may be more to forget.
    Pruned(bool),
}

type Reply = oneshot::Sender<Result<Said, WriteError>>;

/// Work, and who waits for it.
#[derive(Debug)]
struct Message {
    work: Work,
    reply: Reply,
}

/// A handle to the writer's thread, which ends when the last handle is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Message>,
    deadline: watch::Receiver<Option<Millis>>,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(tools: Tools) -> rusqlite::Result<(Self, JoinHandle<()>)> {
        let (queue, messages) = mpsc::channel(QUEUE);
        let (deadline_sender, deadline) = watch::channel(read::next_deadline(&tools.connection)?);
        let worker = Worker { tools, deadline: deadline_sender };
        let thread = std::thread::Builder::new()
            .name("arc-writer".into())
            .spawn(move || worker.run(messages))
            .expect("the system starts one thread");
        Ok((Self { queue, deadline }, thread))
    }

    /// Carries out one command; returns after its commit.
    pub(crate) async fn submit(&self, job: Job) -> Result<Verdict, WriteError> {
        match self.send(Work::Job(Box::new(job))).await? {
            Said::Verdict(verdict) => Ok(*verdict),
            Said::Swept | Said::Pruned(_) => unreachable!("a job gets a verdict"),
        }
    }

    /// Lets every question expire whose deadline has come; returns after the commit.
    pub(crate) async fn sweep(&self, now: Millis) -> Result<(), WriteError> {
        while self.deadline.borrow().is_some_and(|deadline| now >= deadline) {
            self.send(Work::Sweep).await?;
        }
        Ok(())
    }

    /// Forgets some of the conditions that ended before an instant; returns whether there may be more.
    pub(crate) async fn prune(&self, ended_before: Millis) -> Result<bool, WriteError> {
        Ok(matches!(self.send(Work::Prune(ended_before)).await?, Said::Pruned(true)))
    }

    /// The earliest deadline of a pending question, and its changes.
    pub(crate) fn deadline(&self) -> watch::Receiver<Option<Millis>> {
        self.deadline.clone()
    }

    async fn send(&self, work: Work) -> Result<Said, WriteError> {
        let (reply, said) = oneshot::channel();
        self.queue.send(Message { work, reply }).await.map_err(|_| WriteError::Stopped)?;
        said.await.map_err(|_| WriteError::Stopped)?
    }
}

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

struct Worker {
    tools: Tools,
    deadline: watch::Sender<Option<Millis>>,
}

impl Worker {
    fn run(self, mut messages: mpsc::Receiver<Message>) {
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
                self.deadline.send_replace(done.deadline);
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
            sweep(&transaction, self.tools.clock.now(), &mut done.ended)?;
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

/// Decides one command by what the store knows under the write lock, and writes what follows.
fn carry_out(connection: &Connection, job: Job, now: Millis, ended: &mut Vec<Question>) -> Result<Verdict, WriteError> {
    let known = know(connection, &job)?;
    let is_new_event = known.earlier.is_none();
    let Decision { changes, verdict } =
        engine::decide(known, job.command, now, fresh(now).map_err(WriteError::Random)?);
    log(&verdict);
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

/// Ids, kinds and outcomes; nothing that a person wrote or reads, and nothing that authorizes.
fn log(verdict: &Verdict) {
    match verdict {
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
