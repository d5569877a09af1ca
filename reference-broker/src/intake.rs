//! An event's bytes become a command: validated exactly as `arc-validate` does, and named so that its retry is known.

use crate::engine::{Ask, AskSpec, Command, Deadline, NewAnswer, Origin};
use crate::error::ApiError;
use crate::fingerprint::fingerprint;
use crate::secret::{Digest, Nonce};
use crate::store::{EventName, Job, Target};
use arc_validator::event::{
    self, AnswerShape, AnswerSpec, AnswerValue, Body, Choice, Context, Event, Private, Response, Sender,
};
use arc_validator::json;
use std::borrow::Cow;

/// Reads one event; whatever is wrong with it is refused before anything is stored.
///
/// A created event without a key is identified by its sender and `event_id` alone (contract: Event lifecycle), which
/// every event is remembered by. Its condition is given a key all the same, so that it can be answered and resolved
/// (reading 31).
pub(crate) fn event(bytes: &[u8]) -> Result<Job, ApiError> {
    let event = arc_validator::parse(bytes).map_err(|invalid| ApiError::invalid(invalid.to_string()))?;
    let tree = json::parse(bytes).map_err(|_| ApiError::invalid("the body is not strict JSON"))?;
    let name = EventName {
        sender_id: event.sender.id.to_string(),
        event_id: event.event_id.to_string(),
        content: fingerprint(&tree),
    };
    let key = event.key().map(str::to_owned);
    let command = command(event, key.clone());
    Ok(Job { target: key.map_or(Target::New, Target::Key), event: Some(name), command })
}

fn command(event: Event<'_>, key: Option<String>) -> Command {
    let Event { sender, context, body, notification_type, .. } = event;
    let origin = || Origin { sender: own_sender(sender), context: context.map(own_context) };
    let notification_type = notification_type.map(Cow::into_owned);
    match body {
        Body::Created { ask, .. } => Command::Create { key, ask: own_ask(ask, origin(), notification_type) },
        Body::Updated { ask, .. } => Command::Update { ask: own_ask(ask, origin(), notification_type) },
        Body::Submitted { response, .. } => Command::Answer(answer(response)),
        Body::Resolved { outcome, .. } => Command::Resolve { outcome },
    }
}

/// An answer as a command.
pub(crate) fn answer(response: Response<'_>) -> NewAnswer {
    NewAnswer {
        response_id: response.response_id.into_owned(),
        digest: Digest::from(response.digest),
        nonce: response.nonce.map(Nonce::from),
        value: match response.value {
            AnswerValue::Choice(id) => AnswerValue::Choice(own_private(id)),
            AnswerValue::Text(text) => AnswerValue::Text(own_private(text)),
        },
        source: response.source.map(Cow::into_owned),
        device_id: response.device_id.map(Cow::into_owned),
    }
}

fn own_ask(ask: event::Ask<'_>, origin: Origin, notification_type: Option<String>) -> Ask {
    Ask {
        origin,
        kind: ask.kind,
        notification_type,
        title: ask.title.map(own_private),
        message: own_private(ask.message),
        priority: ask.priority,
        spec: ask.response.map(own_spec),
    }
}

fn own_spec(spec: AnswerSpec<'_>) -> AskSpec {
    let own_all = |choices: Vec<Choice<'_>>| choices.into_iter().map(own_choice).collect();
    let shape = match spec.shape {
        AnswerShape::Permission(choices) => AnswerShape::Permission(own_all(choices)),
        AnswerShape::SingleChoice(choices) => AnswerShape::SingleChoice(own_all(choices)),
        AnswerShape::Text { max_length } => AnswerShape::Text { max_length },
    };
    AskSpec { shape, deadline: Deadline::At(spec.expires_at.millis()) }
}

fn own_choice(choice: Choice<'_>) -> Choice<'static> {
    Choice { id: own(choice.id), label: own_private(choice.label), detail: choice.detail.map(own_private) }
}

fn own_sender(sender: Sender<'_>) -> Sender<'static> {
    Sender {
        id: own(sender.id),
        name: sender.name.map(own),
        version: sender.version.map(own),
        instance_id: sender.instance_id.map(own),
    }
}

fn own_context(context: Context<'_>) -> Context<'static> {
    Context {
        session_id: context.session_id.map(own),
        correlation_id: context.correlation_id.map(own),
        project: context.project.map(own),
        cwd: context.cwd.map(own),
        pid: context.pid.map(own),
        turn_id: context.turn_id.map(own),
        native_request_id: context.native_request_id.map(own),
    }
}

fn own_private(text: Private<'_>) -> Private<'static> {
    Private::from(text.into_inner().into_owned())
}

fn own(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
