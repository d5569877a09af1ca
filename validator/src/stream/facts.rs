//! What a stream needs to know of an event, without any of its texts.

use crate::event::{AnswerShape, AnswerSpec, AnswerValue, Body, Event, Outcome, Response};
use crate::hash;

/// What a stream remembers of one event: fingerprints, instants and lengths.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The pair of sender and event id.
    pub(super) event: u64,
    /// Everything else that it says.
    pub(super) content: u32,
    pub(super) sender: u32,
    pub(super) occurred_at: i64,
    pub(super) key: Option<u64>,
    pub(super) saying: Saying,
}

/// What the event says, by its type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Saying {
    Created(Option<Question>),
    Updated(Option<Question>),
    Submitted(Answer),
    Resolved(Option<Outcome>),
}

/// What a valid answer looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Question {
    pub(super) shape: Shape,
    pub(super) expires_at: i64,
}

/// The shape of a valid answer: one of these choices (the first `count` count), or a text of that many code points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Choice { ids: [u32; 12], count: u8 },
    Text { max_length: u16 },
}

/// One answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answer {
    pub(super) response_id: u32,
    /// What was answered, and not how or where: with another nonce it is the same answer still.
    pub(super) content: u32,
    pub(super) value: Value,
}

/// What was answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    Choice(u32),
    /// Code points.
    Text(usize),
}

impl Facts {
    /// The facts of an event.
    pub fn of(event: &Event<'_>) -> Self {
        let saying = match &event.body {
            Body::Created { ask, .. } => Saying::Created(ask.response.as_ref().map(Question::of)),
            Body::Updated { ask, .. } => Saying::Updated(ask.response.as_ref().map(Question::of)),
            Body::Submitted { response, .. } => Saying::Submitted(Answer::of(response)),
            Body::Resolved { outcome, .. } => Saying::Resolved(*outcome),
        };
        let sender = hash::of(&*event.sender.id);
        Self {
            event: hash::of((sender, &*event.event_id)),
            content: content(event),
            sender: hash::half(sender),
            occurred_at: event.occurred_at.millis(),
            key: event.key().map(hash::of),
            saying,
        }
    }
}

/// The fingerprint of all that an event says. Its parts are taken one by one, so that none has to wait for another.
fn content(event: &Event<'_>) -> u32 {
    let Event {
        event_id,
        occurred_at,
        sender,
        context,
        body,
        notification_type,
        extensions,
        names_text_bound,
        spelling: _,
    } = event;
    let envelope = hash::of((event_id, occurred_at, notification_type, extensions, names_text_bound));
    hash::short((envelope, hash::of(sender), hash::of(context), hash::of(body)))
}

impl Question {
    fn of(spec: &AnswerSpec<'_>) -> Self {
        let shape = match &spec.shape {
            AnswerShape::Text { max_length } => Shape::Text { max_length: *max_length },
            AnswerShape::Permission(choices) | AnswerShape::SingleChoice(choices) => {
                let mut ids = [0; 12];
                let mut count = 0;
                for (slot, choice) in ids.iter_mut().zip(choices) {
                    *slot = hash::short(&*choice.id);
                    count += 1;
                }
                Shape::Choice { ids, count }
            }
        };
        Self { shape, expires_at: spec.expires_at.millis() }
    }
}

impl Answer {
    fn of(response: &Response<'_>) -> Self {
        let value = match &response.value {
            AnswerValue::Choice(id) => Value::Choice(hash::short(id.expose())),
            AnswerValue::Text(text) => Value::Text(text.expose().chars().count()),
        };
        Self { response_id: hash::short(&*response.response_id), content: hash::short(&response.value), value }
    }
}

impl Shape {
    pub(super) fn offers(&self, choice: u32) -> bool {
        matches!(self, Self::Choice { ids, count } if ids[..usize::from(*count)].contains(&choice))
    }
}
