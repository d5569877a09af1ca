//! Every text of an event with its place.

use crate::event::{AnswerValue, Ask, Body, Event, Private};

/// One text.
pub(super) struct Text<'e> {
    pub(super) place: Place,
    pub(super) content: &'e str,
    /// Whether a person is meant to read it.
    pub(super) is_read: bool,
}

/// Where a text stands. Written out only for the few that something is said of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// Member names joined by dots.
    Member(&'static str),
    /// A member of the choice of this index.
    Choice(usize, &'static str),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Member(names) => f.write_str(names),
            Self::Choice(index, name) => write!(f, "request.response.choices.{index}.{name}"),
        }
    }
}

/// All texts but those that name a version, a type or an instant, and but digest and nonce, which only look like secrets.
pub(super) fn texts<'e>(event: &'e Event<'_>) -> Vec<Text<'e>> {
    let mut out = Vec::with_capacity(16);
    let sender = &event.sender;
    let mut add = |name: &'static str, content: Option<&'e str>, is_read: bool| {
        out.extend(content.map(|content| Text { place: Place::Member(name), content, is_read }));
    };
    add("event_id", Some(&event.event_id), false);
    add("sender.id", Some(&sender.id), false);
    add("sender.name", sender.name.as_deref(), true);
    add("sender.version", sender.version.as_deref(), false);
    add("sender.instance_id", sender.instance_id.as_deref(), false);
    if let Some(context) = &event.context {
        add("context.session_id", context.session_id.as_deref(), false);
        add("context.correlation_id", context.correlation_id.as_deref(), false);
        add("context.project", context.project.as_deref(), true);
        add("context.cwd", context.cwd.as_deref(), false);
        add("context.turn_id", context.turn_id.as_deref(), false);
        add("context.native_request_id", context.native_request_id.as_deref(), false);
    }
    add("request.key", event.key(), false);
    match &event.body {
        Body::Created { ask, .. } | Body::Updated { ask, .. } => {
            add("request.title", ask.title.as_ref().map(Private::expose), true);
            add("request.message", Some(ask.message.expose()), true);
            out.extend(choices(ask));
        }
        Body::Submitted { response, .. } => {
            add("response.response_id", Some(&response.response_id), false);
            add("response.device_id", response.device_id.as_deref(), false);
            if let AnswerValue::Text(text) = &response.value {
                add("response.text", Some(text.expose()), true);
            }
        }
        Body::Resolved { .. } => {}
    }
    out
}

fn choices<'e>(ask: &'e Ask<'_>) -> impl Iterator<Item = Text<'e>> {
    let choices = ask.response.as_ref().map(|spec| spec.shape.choices()).unwrap_or_default();
    choices.iter().enumerate().flat_map(|(i, choice)| {
        let text = |name, content| Text { place: Place::Choice(i, name), content, is_read: true };
        let detail = choice.detail.as_ref().map(|detail| text("detail", detail.expose()));
        [Some(text("label", choice.label.expose())), detail].into_iter().flatten()
    })
}
