//! Faults in words: what is wrong, what is permitted, what was probably meant.

use super::fault::{Fault, Kind};
use crate::event::EventType;
use crate::finding::shown;
use crate::json::{Node, Value};
use crate::schema;
use crate::words::most_alike;

/// What is wrong at `node`, the value of the member at fault.
pub(super) fn message(fault: &Fault, node: Option<&Node<'_>>, event: &Node<'_>) -> String {
    let name = shown_steps(&fault.steps);
    match fault.kind {
        Kind::Missing => format!("{name} is missing"),
        Kind::Unknown if fault.steps[0] == "extensions" && fault.steps.len() == 2 => {
            format!("{name} is not the name of an extension")
        }
        Kind::Unknown => format!("the contract has no member {name}"),
        Kind::Forbidden => format!("{name} may not stand {}", where_forbidden(fault, event)),
        Kind::Type(expected) => {
            let found = node.map_or("something else", Node::type_name);
            if name.is_empty() {
                format!("an event is {expected}, not {found}")
            } else {
                format!("{name} is {found}, not {expected}")
            }
        }
        Kind::NoAnswer => format!("{name} carries neither `choice_id` nor `text`"),
        Kind::TwoAnswers => format!("{name} carries both `choice_id` and `text`"),
        Kind::Below | Kind::Above => format!("{name} {}", size(node)),
        Kind::NotPermitted => format!("{name} is {}", not_what(fault)),
    }
}

/// What the contract permits at the place of the fault.
pub(super) fn permitted(fault: &Fault, event: &Node<'_>) -> Option<String> {
    let steps = fault.step_refs();
    match fault.kind {
        Kind::Unknown if steps.first() == Some(&"extensions") && steps.len() == 2 => {
            Some("x- and 1 to 64 lower-case letters, digits, dots or hyphens, the first a letter or digit".to_owned())
        }
        Kind::Unknown => {
            let object = steps.split_last().map_or(&[][..], |(_, object)| object);
            let members = schema::members(object).into_iter().filter(|name| may_stand(object, name, event));
            Some(members.collect::<Vec<_>>().join(", "))
        }
        Kind::NoAnswer | Kind::TwoAnswers => Some("exactly one of choice_id and text".to_owned()),
        Kind::Forbidden => None,
        _ => schema::permitted(&steps),
    }
}

/// Whether a known member of this object goes with the event's type.
fn may_stand(object: &[&str], name: &str, event: &Node<'_>) -> bool {
    let event_type = event.get("event_type").and_then(Node::as_str).and_then(EventType::parse);
    match (object, event_type) {
        (["request"], Some(event_type)) => !schema::forbids_in_request(event_type, name),
        ([], Some(event_type)) => name != "response" || event_type == EventType::Submitted,
        _ => true,
    }
}

/// What to do, where there is a good guess.
pub(super) fn hint(fault: &Fault, event: &Node<'_>) -> Option<String> {
    match fault.kind {
        Kind::Unknown => did_you_mean(fault, event).map(|name| format!("did you mean `{name}`?")),
        Kind::NotPermitted => {
            let steps = fault.step_refs();
            let text = event.at(&steps)?.as_str()?;
            most_alike(text, schema::options(&steps)).map(|option| format!("did you mean \"{option}\"?"))
        }
        Kind::Forbidden if fault.steps == ["response"] => {
            Some("to ask for an answer, put the answer specification into request.response".to_owned())
        }
        _ => None,
    }
}

/// The member of the same object that an unknown one is probably a misspelling of, and that is not there already.
pub(super) fn did_you_mean(fault: &Fault, event: &Node<'_>) -> Option<&'static str> {
    let steps = fault.step_refs();
    let (name, object) = steps.split_last()?;
    let siblings = event.at(object)?;
    most_alike(name, schema::members(object).into_iter().filter(|candidate| siblings.get(candidate).is_none()))
}

fn shown_steps(steps: &[String]) -> String {
    if steps.is_empty() { String::new() } else { format!("`{}`", shown(&steps.join("."))) }
}

fn where_forbidden(fault: &Fault, event: &Node<'_>) -> String {
    let text = |node: Option<&Node<'_>>| node.and_then(Node::as_str).map(shown).unwrap_or_default();
    if fault.steps.len() == 3 {
        let spec = event.at(&["request", "response", "kind"]);
        return format!("on an answer of kind {}", text(spec));
    }
    format!("on {}", text(event.get("event_type")))
}

fn size(node: Option<&Node<'_>>) -> String {
    match node.map(|node| &node.value) {
        Some(Value::String(text)) if text.is_empty() => "is empty".to_owned(),
        Some(Value::String(text)) => format!("has {}", count(text.chars().count(), "character")),
        Some(Value::Array(items)) => format!("has {}", count(items.len(), "item")),
        Some(Value::Number(number)) => format!("is {}", shown(number)),
        _ => "is out of bounds".to_owned(),
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn not_what(fault: &Fault) -> &'static str {
    match schema::at(&fault.step_refs()).and_then(|schema| schema.get("$ref")).and_then(serde_json::Value::as_str) {
        Some("#/$defs/timestamp") => "no RFC 3339 timestamp",
        _ if fault.steps == ["arc_version"] => "no version that this contract knows",
        _ if fault.steps == ["request", "key"] => "nothing but white space",
        _ if schema::options(&fault.step_refs()).is_empty() => "not of the permitted form",
        _ => "not one of the permitted values",
    }
}
