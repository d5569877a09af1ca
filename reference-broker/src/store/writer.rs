//! The way to the thread that writes: what it may be asked for, and what it says.

use super::owed::Owed;
use super::read;
use super::worker::{Mail, Tools, Worker};
use crate::engine::{Accepted, Command, Millis, Refusal};
use crate::fresh::Source;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::{mpsc, oneshot, watch};

/// Commands that may wait for the writer; the next one makes its sender wait.
const QUEUE: usize = 4_096;

/// Which condition a command means.
#[derive(Debug)]
pub(crate) enum Target {
    /// One that does not exist yet.
    New,
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
pub(crate) type Verdict = Result<Box<Accepted>, Refusal>;

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
pub(super) enum Work {
    Job(Box<Job>),
    /// The expiry that is due at this instant, which every batch begins with.
    Sweep(Millis),
    /// Forget conditions that ended before this instant.
    Prune(Millis),
}

/// What the writer has done.
#[derive(Debug)]
pub(super) enum Said {
    Verdict(Verdict),
    Swept,
    /// Whether there may be more to forget.
    Pruned(bool),
}

pub(super) type Reply = oneshot::Sender<Result<Said, WriteError>>;

/// Work, and who waits for it.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) work: Work,
    pub(super) reply: Reply,
}

/// A handle to the writer's thread, which ends when the last handle is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Message>,
    deadline: watch::Receiver<Option<Millis>>,
    owed: Owed,
}

impl Writer {
    /// Starts the thread; its mail is for [`deliver`](super::deliver).
    pub(crate) fn start(tools: Tools) -> rusqlite::Result<(Self, mpsc::UnboundedReceiver<Mail>, JoinHandle<()>)> {
        let (queue, messages) = mpsc::channel(QUEUE);
        let (outbox, mail) = mpsc::unbounded_channel();
        let (deadline_sender, deadline) = watch::channel(read::next_deadline(&tools.connection)?);
        let owed = Owed::nothing();
        let (condition, question) = read::last_numbers(&tools.connection)?;
        let worker = Worker::new(tools, Source::after(condition, question), deadline_sender, owed.clone(), outbox);
        let thread = std::thread::Builder::new()
            .name("arc-writer".into())
            .spawn(move || worker.run(messages))
            .expect("the system starts one thread");
        Ok((Self { queue, deadline, owed }, mail, thread))
    }

    /// Carries out one command; returns after its commit.
    pub(crate) async fn submit(&self, job: Job) -> Result<Verdict, WriteError> {
        match self.send(Work::Job(Box::new(job))).await? {
            Said::Verdict(verdict) => Ok(verdict),
            Said::Swept | Said::Pruned(_) => unreachable!("a job gets a verdict"),
        }
    }

    /// Lets every question expire whose deadline has come; returns after the commit.
    pub(crate) async fn sweep(&self, now: Millis) -> Result<(), WriteError> {
        while self.deadline.borrow().is_some_and(|deadline| now >= deadline) {
            self.send(Work::Sweep(now)).await?;
        }
        Ok(())
    }

    /// Somebody is told now what has expired as of `instant`, though it could not be written.
    pub(crate) fn owe(&self, instant: Millis) {
        self.owed.add(instant);
    }

    /// The instant as of which things are told: `now`, or a later one that somebody was told of already.
    pub(crate) fn as_of(&self, now: Millis) -> Millis {
        self.owed.until().map_or(now, |until| until.max(now))
    }

    /// Forgets some of the conditions that ended before an instant; returns whether there may be more.
    pub(crate) async fn prune(&self, ended_before: Millis) -> Result<bool, WriteError> {
        Ok(matches!(self.send(Work::Prune(ended_before)).await?, Said::Pruned(true)))
    }

    /// Returns when the thread has died.
    pub(crate) async fn died(&self) {
        self.queue.closed().await;
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
