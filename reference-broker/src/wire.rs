//! Records as JSON: `notification` in camelCase, `interaction` in `snake_case`, as `AgentNotify` names their members.

use crate::engine::{Answer, Condition, Life, Question, Status};
use crate::instant;
use arc_validator::event::{AnswerShape, AnswerValue, Choice, Outcome, Private, RequestKind};
use serde::Serialize;
use serde_json::Number;

/// The reply to every accepted event.
#[derive(Serialize)]
pub(crate) struct Envelope<'a> {
    notification: Notification<'a>,
    /// Null only where the condition never had a question (reading 42).
    interaction: Option<Interaction<'a>>,
}

/// A page of questions, newest first.
#[derive(Serialize)]
pub(crate) struct Interactions<'a> {
    pub(crate) interactions: Vec<Interaction<'a>>,
    /// The id to ask for the next page `before`; null on the last page.
    pub(crate) next: Option<String>,
}

/// A page of notifications, newest first.
#[derive(Serialize)]
pub(crate) struct Notifications<'a> {
    pub(crate) notifications: Vec<Notification<'a>>,
    /// The id to ask for the next page `before`; null on the last page.
    pub(crate) next: Option<String>,
}

/// What a person sees.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Notification<'a> {
    id: &'a str,
    key: &'a str,
    agent: &'a str,
    agent_instance: Option<&'a str>,
    project: Option<&'a str>,
    #[serde(rename = "type")]
    presentation: &'a str,
    priority: &'static str,
    title: Option<&'a str>,
    message: &'a str,
    cwd: Option<&'a str>,
    pid: Option<Number>,
    status: &'static str,
    created_at: String,
    updated_at: String,
    resolved_at: Option<String>,
    metadata: Metadata<'a>,
}

/// What else the producer said about the condition.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    agent_name: Option<&'a str>,
    agent_version: Option<&'a str>,
    kind: &'static str,
    session_id: Option<&'a str>,
    correlation_id: Option<&'a str>,
    turn_id: Option<&'a str>,
    native_request_id: Option<&'a str>,
    /// Why it closed, as the producer said; advisory.
    outcome: Option<&'static str>,
}

/// The question that the producer waits on.
#[derive(Serialize)]
pub(crate) struct Interaction<'a> {
    id: &'a str,
    key: &'a str,
    agent: &'a str,
    agent_instance: Option<&'a str>,
    project: Option<&'a str>,
    session_id: Option<&'a str>,
    turn_id: Option<&'a str>,
    native_request_id: Option<&'a str>,
    kind: &'static str,
    prompt: &'a str,
    choices: Option<Vec<ChoiceView<'a>>>,
    text_max_length: Option<u16>,
    status: &'static str,
    request_digest: &'a str,
    nonce: &'a str,
    created_at: String,
    updated_at: String,
    expires_at: String,
    answered_at: Option<String>,
    response: Option<Response<'a>>,
}

#[derive(Serialize)]
struct ChoiceView<'a> {
    id: &'a str,
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
}

/// The one accepted answer.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the wire's names")]
struct Response<'a> {
    response_id: &'a str,
    choice_id: Option<&'a str>,
    text: Option<&'a str>,
    source: Option<&'a str>,
    device_id: Option<&'a str>,
    created_at: String,
}

impl<'a> From<&'a Life> for Envelope<'a> {
    fn from(life: &'a Life) -> Self {
        Self { notification: (&life.condition).into(), interaction: life.question.as_ref().map(Interaction::from) }
    }
}

impl<'a> From<&'a Condition> for Notification<'a> {
    fn from(c: &'a Condition) -> Self {
        Self {
            id: &c.id,
            key: &c.key,
            agent: &c.sender.id,
            agent_instance: c.sender.instance_id.as_deref(),
            project: c.context.project.as_deref(),
            presentation: c.shown.notification_type.as_deref().unwrap_or(default_type(c.shown.kind)),
            priority: c.shown.priority.as_str(),
            title: c.shown.title.as_ref().map(Private::expose),
            message: c.shown.message.expose(),
            cwd: c.context.cwd.as_deref(),
            pid: c.context.pid.as_deref().and_then(number),
            status: if c.is_active() { "active" } else { "resolved" },
            created_at: instant::format(c.created_at),
            updated_at: instant::format(c.updated_at),
            resolved_at: c.resolved_at.map(instant::format),
            metadata: Metadata {
                agent_name: c.sender.name.as_deref(),
                agent_version: c.sender.version.as_deref(),
                kind: c.shown.kind.as_str(),
                session_id: c.context.session_id.as_deref(),
                correlation_id: c.context.correlation_id.as_deref(),
                turn_id: c.context.turn_id.as_deref(),
                native_request_id: c.context.native_request_id.as_deref(),
                outcome: c.outcome.map(Outcome::as_str),
            },
        }
    }
}

impl<'a> From<&'a Question> for Interaction<'a> {
    fn from(q: &'a Question) -> Self {
        let answer = match &q.status {
            Status::Answered(answer) => Some(answer),
            _ => None,
        };
        let (choices, text_max_length) = match &q.shape {
            AnswerShape::Text { max_length } => (None, Some(*max_length)),
            AnswerShape::Permission(choices) | AnswerShape::SingleChoice(choices) => {
                (Some(choices.iter().map(ChoiceView::from).collect()), None)
            }
        };
        Self {
            id: &q.id,
            key: &q.key,
            agent: &q.asker.agent,
            agent_instance: q.asker.agent_instance.as_deref(),
            project: q.asker.project.as_deref(),
            session_id: q.asker.session_id.as_deref(),
            turn_id: q.asker.turn_id.as_deref(),
            native_request_id: q.asker.native_request_id.as_deref(),
            kind: q.shape.kind(),
            prompt: q.prompt.expose(),
            choices,
            text_max_length,
            status: q.status.as_str(),
            request_digest: q.digest.expose(),
            nonce: q.nonce.expose(),
            created_at: instant::format(q.created_at),
            updated_at: instant::format(q.updated_at),
            expires_at: instant::format(q.expires_at),
            answered_at: answer.map(|answer| instant::format(answer.accepted_at)),
            response: answer.map(Response::from),
        }
    }
}

impl<'a> From<&'a Choice<'_>> for ChoiceView<'a> {
    fn from(choice: &'a Choice<'_>) -> Self {
        Self { id: &choice.id, label: choice.label.expose(), detail: choice.detail.as_ref().map(Private::expose) }
    }
}

impl<'a> From<&'a Answer> for Response<'a> {
    fn from(answer: &'a Answer) -> Self {
        let (choice_id, text) = match &answer.value {
            AnswerValue::Choice(id) => (Some(id.expose()), None),
            AnswerValue::Text(text) => (None, Some(text.expose())),
        };
        Self {
            response_id: &answer.response_id,
            choice_id,
            text,
            source: answer.source.as_deref(),
            device_id: answer.device_id.as_deref(),
            created_at: instant::format(answer.accepted_at),
        }
    }
}

/// The `AgentNotify` type of a request that names none (contract: Request, `AgentNotify` defaults).
const fn default_type(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::Information => "info",
        RequestKind::Question => "input_required",
        RequestKind::Permission => "permission_required",
        RequestKind::Blocked => "blocked",
        RequestKind::Failure => "error",
        RequestKind::Completion => "completed",
    }
}

/// A process id as a JSON integer, however it was spelled; none where no 64-bit integer holds it.
fn number(spelling: &str) -> Option<Number> {
    let integral = |double: f64| {
        let exact = double.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&double);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a non-negative integer below 2^53"
        )]
        exact.then_some(double as u64)
    };
    spelling.parse::<u64>().ok().or_else(|| spelling.parse().ok().and_then(integral)).map(Number::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_ids_are_integers_however_spelled() {
        for (spelling, integer) in
            [("4711", 4711), ("4711.0", 4711), ("1e3", 1000), ("-0", 0), ("18446744073709551615", u64::MAX)]
        {
            assert_eq!(number(spelling), Some(integer.into()), "{spelling}");
        }
        assert_eq!(number("1e400"), None);
    }
}
