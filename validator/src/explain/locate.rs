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
use std::ops::Range;

impl Fault {
    /// The finding for this fault of `event`.
    pub(super) fn locate(self, event: &Node<'_>) -> Finding {
        let steps = self.step_refs();
        let message = words::message(&self, event.at(&steps), event);
        Finding {
            rule: rule(&steps, self.kind, event_type(event)),
            pointer: pointer(&self.pointed_at(event)),
            span: self.span(event),
            message,
            permitted: words::permitted(&self, event),
            hint: words::hint(&self, event),
        }
    }

    /// The member to point at: of two answers the second.
    fn pointed_at(&self, event: &Node<'_>) -> Vec<String> {
        let mut steps = self.steps.clone();
        if let Some(second) = self.second_answer(event) {
            steps.push(second.name.clone().into_owned());
        }
        steps
    }

    fn span(&self, event: &Node<'_>) -> Range<usize> {
        let steps = self.step_refs();
        let (last, object) = steps.split_last().map_or(("", &[][..]), |(last, object)| (*last, object));
        if let Some(second) = self.second_answer(event) {
            return second.name_span.clone();
        }
        match self.kind {
            Kind::Missing => event.at(object).map(opening),
            Kind::NoAnswer => event.at(&steps).map(opening),
            Kind::Unknown | Kind::Forbidden => {
                event.at(object).and_then(|object| object.member(last)).map(|member| member.name_span.clone())
            }
            _ => event.at(&steps).map(|node| node.span.clone()),
        }
        .unwrap_or_else(|| event.span.clone())
    }

    fn second_answer<'e>(&self, event: &'e Node<'e>) -> Option<&'e Member<'e>> {
        let response = event.get("response").filter(|_| self.kind == Kind::TwoAnswers)?;
        response.members().iter().rev().find(|member| member.name == "choice_id" || member.name == "text")
    }
}

/// The brace that opens an object.
fn opening(node: &Node<'_>) -> Range<usize> {
    node.span.start..node.span.start + 1
}

fn event_type(event: &Node<'_>) -> Option<EventType> {
    event.get("event_type").and_then(Node::as_str).and_then(EventType::parse)
}

fn pointer(steps: &[String]) -> String {
    let mut pointer = String::new();
    for step in steps {
        push_pointer(&mut pointer, step);
    }
    pointer
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
