//! How a condition ends without an answer, and how a question is withdrawn.

use super::record::{Condition, Life, Millis, Status};
use super::{Change, Refusal, Step};
use arc_validator::event::Outcome;

/// `request.resolved`: closes the condition and withdraws the question still open in it. A condition that is over stays
/// as it is, also where an answer ended it (contract: Event lifecycle; reading 12). The outcome is kept, and means
/// nothing (contract: Outcome).
pub(super) fn resolve(life: Option<Life>, outcome: Option<Outcome>, now: Millis) -> Result<Step, Refusal> {
    let life = life.ok_or(Refusal::NotFound)?;
    if !life.condition.is_active() {
        return Ok(Step::unchanged(life));
    }
    let (question, mut changes) = withdraw(&life, now);
    let condition = life.condition.over(outcome, now);
    changes.push(Change::Show(condition.clone()));
    Ok(Step::applied(changes, Life { condition, question }))
}

/// POST …/cancel: the question is over, the condition goes on (reading 39). A question that is over stays as it is
/// (reading 44).
pub(super) fn cancel(life: Option<Life>, now: Millis) -> Result<Step, Refusal> {
    let life = life.ok_or(Refusal::NotFound)?;
    let (question, changes) = withdraw(&life, now);
    Ok(Step::applied(changes, Life { question, ..life }))
}

fn withdraw(life: &Life, now: Millis) -> (Option<super::Question>, Vec<Change>) {
    match &life.question {
        Some(open) if open.is_pending() => {
            let cancelled = open.ended(Status::Cancelled, now);
            (Some(cancelled.clone()), vec![Change::End(cancelled)])
        }
        other => (other.clone(), Vec::new()),
    }
}

impl Condition {
    /// The same condition, over.
    pub(super) fn over(&self, outcome: Option<Outcome>, now: Millis) -> Self {
        Self { outcome, updated_at: now, resolved_at: Some(now), ..self.clone() }
    }
}
