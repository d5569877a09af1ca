//! A fault becomes a finding: its rule and the bytes to underline.

use super::fault::{Fault, Kind};
use super::words;
use crate::event::EventType;
use crate::finding::{Finding, push_pointer};
use crate::json::{Member, Node};
use crate::rules::{
    AGENTNOTIFY_EXTENSION, ANSWER_SPEC, ANSWER_VALUE, ARC_VERSION, CHOICE, CHOICES, CONTEXT, DIGEST, EVENT_ID,
    EVENT_TYPE, EXTENSIONS, MISPLACED_RESPONSE, MISSING_KEY, MISSING_KIND, MISSING_MESSAGE, MISSING_RESPONSE,
    NOT_AN_EVENT, OCCURRED_AT, ONE_ANSWER, OUTCOME, REQUEST, RESOLVED_MEMBER, RESPONSE, Rule, SENDER, SUBMITTED_MEMBER,
    TEXT_MAX_LENGTH, UNKNOWN_MEMBER,
};
use crate::schema::{self, Place};
use std::ops::Range;

/// One fault, with what its words and its place are taken from.
pub(super) struct Scene<'s> {
    pub(super) fault: &'s Fault,
    pub(super) steps: &'s [&'s str],
    pub(super) event: &'s Node<'s>,
    /// The value at fault, where there is one.
    pub(super) value: Option<&'s Node<'s>>,
    /// What the contract says of it.
    pub(super) place: Option<&'static Place>,
    pub(super) event_type: Option<EventType>,
}

impl Fault {
    /// The finding for this fault of `event`.
    pub(super) fn locate(&self, event: &Node<'_>) -> Finding {
        let steps = &self.step_refs()[..];
        let event_type = event_type(event);
        let scene = Scene { fault: self, steps, event, value: event.at(steps), place: schema::at(steps), event_type };
        let second = second_answer(&scene);
        let mut pointer = String::new();
        for step in steps.iter().copied().chain(second.map(|member| &*member.name)) {
            push_pointer(&mut pointer, step);
        }
        Finding {
            rule: rule(steps, self.kind, event_type),
            pointer,
            span: second.map(|member| member.name_span.clone()).or_else(|| span(&scene)).unwrap_or(event.span.clone()),
            message: words::message(&scene),
            permitted: words::permitted(&scene),
            hint: words::hint(&scene),
        }
    }
}

/// The type of an event, where it is one of the four.
pub(super) fn event_type(event: &Node<'_>) -> Option<EventType> {
    event.get("event_type").and_then(Node::as_str).and_then(EventType::parse)
}

/// Of two answers the one to point at.
fn second_answer<'s>(scene: &Scene<'s>) -> Option<&'s Member<'s>> {
    let response = scene.value.filter(|_| scene.fault.kind == Kind::TwoAnswers)?;
    response.members().iter().rev().find(|member| member.name == "choice_id" || member.name == "text")
}

fn span(scene: &Scene<'_>) -> Option<Range<usize>> {
    let around = || scene.steps.split_last().and_then(|(last, around)| Some((scene.event.at(around)?, *last)));
    match scene.fault.kind {
        Kind::Missing => around().map(|(object, _)| opening(object)),
        Kind::NoAnswer => scene.value.map(opening),
        Kind::Unknown | Kind::Forbidden => {
            around().and_then(|(object, name)| object.member(name)).map(|member| member.name_span.clone())
        }
        _ => scene.value.map(|node| node.span.clone()),
    }
}

/// The brace that opens an object.
fn opening(node: &Node<'_>) -> Range<usize> {
    node.span.start..node.span.start + 1
}

/// Which rule a fault breaks, by where it stands and what kind it is.
fn rule(steps: &[&str], kind: Kind, event_type: Option<EventType>) -> &'static Rule {
    match (steps, kind) {
        ([], _) => &NOT_AN_EVENT,
        (["extensions", "x-agentnotify", ..], _) => &AGENTNOTIFY_EXTENSION,
        (["extensions", ..], _) => &EXTENSIONS,
        (_, Kind::Unknown) => &UNKNOWN_MEMBER,
        (["arc_version"], _) => &ARC_VERSION,
        (["event_id"], _) => &EVENT_ID,
        (["event_type"], _) => &EVENT_TYPE,
        (["occurred_at"], _) => &OCCURRED_AT,
        (["sender", ..], _) => &SENDER,
        (["context", ..], _) => &CONTEXT,
        (["request", "outcome"], _) => &OUTCOME,
        (["request", _], Kind::Forbidden) if event_type == Some(EventType::Submitted) => &SUBMITTED_MEMBER,
        (["request", _], Kind::Forbidden) => &RESOLVED_MEMBER,
        (["request", "key"], Kind::Missing) => &MISSING_KEY,
        (["request", "kind"], Kind::Missing) => &MISSING_KIND,
        (["request", "message"], Kind::Missing) => &MISSING_MESSAGE,
        (["request", "response", "choices", _, ..], _) => &CHOICE,
        (["request", "response", "choices"], _) => &CHOICES,
        (["request", "response", "text_max_length"], _) => &TEXT_MAX_LENGTH,
        (["request", "response", ..], _) => &ANSWER_SPEC,
        (["response"], Kind::Missing) => &MISSING_RESPONSE,
        (["response"], Kind::Forbidden) => &MISPLACED_RESPONSE,
        (["response"], Kind::NoAnswer | Kind::TwoAnswers) => &ONE_ANSWER,
        (["response", "digest"], _) => &DIGEST,
        (["response", "choice_id" | "text"], _) => &ANSWER_VALUE,
        (["response", ..], _) => &RESPONSE,
        _ => &REQUEST,
    }
}
