//! How a condition is opened and changed, and when that asks a new question.

use super::record::{Asker, Condition, Life, Millis, Question, Shown, Status};
use super::{Accepted, Ask, AskSpec, Change, Deadline, Fresh, News, Refusal, Step};
use crate::digest::{Displayed, digest};
use arc_validator::event::AnswerShape;

/// `request.created`: updates the active condition under its key, or opens a new one (contract: Event lifecycle).
pub(super) fn create(
    life: Option<Life>,
    key: Option<String>,
    ask: Ask,
    now: Millis,
    fresh: &Fresh,
) -> Result<Step, Refusal> {
    match life {
        Some(life) if life.condition.is_active() => change(&life, ask, now, fresh),
        _ => open(key, ask, now, fresh),
    }
}

/// `request.updated`: changes the active condition, and never makes one (contract: Event lifecycle).
pub(super) fn update(life: Option<Life>, ask: Ask, now: Millis, fresh: &Fresh) -> Result<Step, Refusal> {
    match life {
        Some(life) if life.condition.is_active() => change(&life, ask, now, fresh),
        _ => Err(Refusal::NotFound),
    }
}

fn open(key: Option<String>, mut ask: Ask, now: Millis, fresh: &Fresh) -> Result<Step, Refusal> {
    let spec = ask.spec.take();
    let condition = Condition {
        id: fresh.condition_id(),
        key: key.unwrap_or_else(|| fresh.key()),
        sender: ask.origin.sender.clone(),
        context: ask.origin.context.clone().unwrap_or_default(),
        shown: shown(ask),
        outcome: None,
        created_at: now,
        updated_at: now,
        resolved_at: None,
    };
    let terms = spec.map(|spec| Terms::of(spec, &condition, None, now)).transpose()?;
    let question = terms.map(|terms| terms.ask(&condition, fresh, now));
    let mut changes = vec![Change::Open(condition.clone())];
    changes.extend(question.clone().map(|question| Change::Ask(condition.id.clone(), question)));
    Ok(Step { changes, accepted: Accepted { news: News::Created, life: Life { condition, question } } })
}

/// Replaces what is visible. The answer specification alone is kept where the event brings none and a question is
/// open (readings 1, 40).
fn change(life: &Life, mut ask: Ask, now: Millis, fresh: &Fresh) -> Result<Step, Refusal> {
    let open = life.question.as_ref().filter(|question| question.is_pending());
    let spec = ask.spec.take();
    let condition = Condition {
        sender: ask.origin.sender.clone(),
        context: ask.origin.context.clone().unwrap_or_else(|| life.condition.context.clone()),
        shown: shown(ask),
        updated_at: now,
        ..life.condition.clone()
    };
    let terms = match (spec, open) {
        (Some(spec), open) => Some(Terms::of(spec, &condition, open, now)?),
        (None, Some(open)) => Some(Terms { shape: open.shape.clone(), expires_at: open.expires_at }),
        (None, None) => None,
    };
    let mut changes = vec![Change::Show(condition.clone())];
    let asked = terms.map(|terms| terms.ask(&condition, fresh, now));
    let question = match (asked, open) {
        // Nothing that is displayed has changed: the person's question, digest and nonce stay (readings 5, 41).
        (Some(asked), Some(open)) if asked.digest == open.digest => Some(open.clone()),
        (Some(asked), open) => {
            changes.extend(open.map(|open| Change::End(open.ended(Status::Superseded, now))));
            changes.push(Change::Ask(condition.id.clone(), asked.clone()));
            Some(asked)
        }
        (None, _) => life.question.clone(),
    };
    Ok(Step::applied(changes, Life { condition, question }))
}

fn shown(ask: Ask) -> Shown {
    Shown {
        kind: ask.kind,
        notification_type: ask.notification_type,
        title: ask.title,
        message: ask.message,
        priority: ask.priority.unwrap_or(ask.kind.default_priority()),
    }
}

/// An answer specification with its deadline as an instant.
struct Terms {
    shape: AnswerShape<'static>,
    expires_at: Millis,
}

impl Terms {
    /// A question that nobody could answer in time is refused before anything is stored (reading 4).
    fn of(spec: AskSpec, condition: &Condition, open: Option<&Question>, now: Millis) -> Result<Self, Refusal> {
        let AskSpec { shape, deadline } = spec;
        let same = |open: &&Question| digest(&displayed(condition, &shape, open.expires_at)) == open.digest;
        let expires_at = match deadline {
            Deadline::At(instant) => instant,
            Deadline::After(span) => open.filter(same).map_or(now.saturating_add(span), |open| open.expires_at),
        };
        if now >= expires_at {
            return Err(Refusal::PastDeadline);
        }
        Ok(Self { shape, expires_at })
    }

    fn ask(self, condition: &Condition, fresh: &Fresh, now: Millis) -> Question {
        let digest = digest(&displayed(condition, &self.shape, self.expires_at));
        Question {
            id: fresh.question_id(),
            key: condition.key.clone(),
            asker: asker(condition),
            prompt: condition.shown.message.clone(),
            shape: self.shape,
            expires_at: self.expires_at,
            digest,
            nonce: fresh.nonce(),
            status: Status::Pending,
            created_at: now,
            updated_at: now,
        }
    }
}

fn displayed<'a>(condition: &'a Condition, shape: &'a AnswerShape<'static>, expires_at: Millis) -> Displayed<'a> {
    let Condition { sender, context, shown, .. } = condition;
    Displayed { sender, project: context.project.as_deref(), shown, shape, expires_at }
}

fn asker(condition: &Condition) -> Asker {
    let owned = |text: &Option<std::borrow::Cow<'static, str>>| text.as_deref().map(str::to_owned);
    let Condition { sender, context, .. } = condition;
    Asker {
        agent: sender.id.clone().into_owned(),
        agent_instance: owned(&sender.instance_id),
        project: owned(&context.project),
        session_id: owned(&context.session_id),
        turn_id: owned(&context.turn_id),
        native_request_id: owned(&context.native_request_id),
    }
}
