//! Every text of an event with its place.

use crate::event::{AnswerValue, Ask, Body, Event, Private};

/// One text.
pub(super) struct Text<'e> {
    /// Member names joined by dots, as in `request.response.choices.0.label`.
    pub(super) place: String,
    pub(super) content: &'e str,
    /// Whether a person is meant to read it.
    pub(super) is_read: bool,
}

/// All texts but those that name a version, a type or an instant, and but digest and nonce, which only look like secrets.
pub(super) fn texts<'e>(event: &'e Event<'_>) -> Vec<Text<'e>> {
    let mut out = Vec::new();
    let mut add = |place: &str, text: Option<&'e str>, is_read: bool| {
        out.extend(text.map(|content| Text { place: place.to_owned(), content, is_read }));
    };
    let sender = &event.sender;
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
        Body::Created { ask, .. } | Body::Updated { ask, .. } => asked(ask, &mut add),
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

fn asked<'e>(ask: &'e Ask<'_>, add: &mut impl FnMut(&str, Option<&'e str>, bool)) {
    add("request.title", ask.title.as_ref().map(Private::expose), true);
    add("request.message", Some(ask.message.expose()), true);
    let choices = ask.response.as_ref().map(|spec| spec.shape.choices()).unwrap_or_default();
    for (i, choice) in choices.iter().enumerate() {
        add(&format!("request.response.choices.{i}.label"), Some(choice.label.expose()), true);
        add(&format!("request.response.choices.{i}.detail"), choice.detail.as_ref().map(Private::expose), true);
    }
}
