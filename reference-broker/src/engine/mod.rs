//! What a consumer decides, without clock, chance, network or store.
//!
//! [`decide`] is given what is known about the condition, one command and the instant; it returns what is to be written
//! and what is to be said. The contract's six answer rules stand in `answer`, in their order.

mod answer;
mod ask;
mod command;
mod expiry;
#[cfg(test)]
mod model;
mod record;
mod resolve;

pub(crate) use command::{Ask, AskSpec, Command, Deadline, Fresh, NewAnswer, Origin};
pub(crate) use expiry::expire;
pub(crate) use record::{Answer, Asker, Condition, Life, Millis, Question, Shown, Status};

/// What the store knows that bears on one command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// The event that the same sender sent earlier under the same `event_id`, where it was accepted.
    pub(crate) earlier: Option<Earlier>,
    /// The latest life of the key; for a command that names a question, the life and the very question.
    pub(crate) life: Option<Life>,
}

/// An event that was accepted before.
#[derive(Debug, Clone)]
pub(crate) struct Earlier {
    /// Whether it is the same JSON value as the event that has come now.
    pub(crate) same_content: bool,
    /// The records that it touched, as they are now.
    pub(crate) life: Life,
}

/// What follows from one command.
#[derive(Debug)]
pub(crate) struct Decision {
    /// To be written together, in this order, before anything is said.
    pub(crate) changes: Vec<Change>,
    /// What to say.
    pub(crate) verdict: Result<Accepted, Refusal>,
}

/// One write.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// A new condition.
    Open(Condition),
    /// The same condition looks different, or is over.
    Show(Condition),
    /// A new question in the condition of this id.
    Ask(String, Question),
    /// A pending question has ended.
    End(Question),
}

/// A command that was carried out, or had been before.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) news: News,
    /// The records after the command.
    pub(crate) life: Life,
}

/// What an accepted command amounted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    /// A condition was opened.
    Created,
    /// A condition was touched.
    Applied,
    /// The event, or the answer, had been accepted before; nothing was done.
    Replayed,
}

/// Why a command was refused. Nothing else than an observed expiry is written then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No such condition; for updates, none that is active (rule 1).
    NotFound,
    /// Answered already, with another `response_id` (rule 2).
    AlreadyAnswered,
    /// Expired, cancelled or superseded; or nothing was ever asked (rule 3).
    NotOpen,
    /// The digest is not that of the question (rule 4).
    Digest,
    /// The nonce is missing or not the one that was issued (rule 5).
    Nonce,
    /// The answer does not have the shape that the question asks for (rule 6).
    Shape,
    /// A question was to be asked whose deadline has passed (reading 4).
    PastDeadline,
    /// The same sender used this `event_id` for a different event (contract: Idempotency and ordering; reading 8).
    EventIdReused,
}

/// Decides one command (contract: Event lifecycle, Responses, Idempotency and ordering).
///
/// An event that was accepted before is a retry whatever happened since, and returns the original result. Everything
/// else meets the condition as it is at `now`: a question whose deadline has passed is expired first, and stays so.
pub(crate) fn decide(known: Known, command: Command, now: Millis, fresh: &Fresh) -> Decision {
    let Known { earlier, life } = known;
    if let Some(earlier) = earlier {
        return retry(earlier, now);
    }
    let (life, mut changes) = observe(life, now);
    let verdict = match command {
        Command::Create { key, ask } => ask::create(life, key, ask, now, fresh),
        Command::Update { ask } => ask::update(life, ask, now, fresh),
        Command::Answer(answer) => answer::answer(life, answer, now),
        Command::Resolve { outcome } => resolve::resolve(life, outcome, now),
        Command::Cancel => resolve::cancel(life, now),
    };
    let verdict = verdict.map(|step| {
        changes.extend(step.changes);
        step.accepted
    });
    Decision { changes, verdict }
}

/// A command's result where it was accepted.
struct Step {
    changes: Vec<Change>,
    accepted: Accepted,
}

impl Step {
    fn applied(changes: Vec<Change>, life: Life) -> Self {
        Self { changes, accepted: Accepted { news: News::Applied, life } }
    }

    fn unchanged(life: Life) -> Self {
        Self::applied(Vec::new(), life)
    }
}

fn retry(earlier: Earlier, now: Millis) -> Decision {
    let (life, changes) = observe(Some(earlier.life), now);
    let verdict = match life {
        Some(life) if earlier.same_content => Ok(Accepted { news: News::Replayed, life }),
        _ => Err(Refusal::EventIdReused),
    };
    Decision { changes, verdict }
}

/// The life as it is at `now`: an overdue question has expired, which is to be written whatever comes next, so that a
/// clock that steps back cannot open it again.
fn observe(life: Option<Life>, now: Millis) -> (Option<Life>, Vec<Change>) {
    let expired = life.as_ref().and_then(|life| life.question.as_ref()).and_then(|question| expire(question, now));
    match (life, expired) {
        (Some(life), Some(question)) => {
            let change = Change::End(question.clone());
            (Some(Life { question: Some(question), ..life }), vec![change])
        }
        (life, _) => (life, Vec::new()),
    }
}
