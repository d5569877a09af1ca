//! Faults in words: what is wrong, what is permitted, what was probably meant.

use super::fault::{Fault, Kind};
use super::locate::Scene;
use crate::event::EventType;
use crate::finding::shown;
use crate::json::{Node, Value};
use crate::schema;
use crate::words::most_alike;

/// What is wrong.
pub(super) fn message(scene: &Scene<'_>) -> String {
    let name = shown_steps(scene.steps);
    match scene.fault.kind {
        Kind::Missing => format!("{name} is missing"),
        Kind::Unknown if is_extension(scene.steps) => format!("{name} is not the name of an extension"),
        Kind::Unknown => format!("the contract has no member {name}"),
        Kind::Forbidden => format!("{name} may not stand {}", where_forbidden(scene)),
        Kind::Type(expected) => {
            let found = scene.value.map_or("something else", Node::type_name);
            if name.is_empty() {
                format!("an event is {expected}, not {found}")
            } else {
                format!("{name} is {found}, not {expected}")
            }
        }
        Kind::NoAnswer => format!("{name} carries neither `choice_id` nor `text`"),
        Kind::TwoAnswers => format!("{name} carries both `choice_id` and `text`"),
        Kind::Below | Kind::Above => format!("{name} {}", size(scene.value)),
        Kind::NotPermitted => format!("{name} is {}", not_what(scene)),
    }
}

/// What the contract permits at the place of the fault.
pub(super) fn permitted(scene: &Scene<'_>) -> Option<String> {
    match scene.fault.kind {
        Kind::Unknown if is_extension(scene.steps) => {
            Some("x- and 1 to 64 lower-case letters, digits, dots or hyphens, the first a letter or digit".to_owned())
        }
        Kind::Unknown => {
            let (_, object) = scene.steps.split_last()?;
            let members = schema::at(object)?.members().filter(|name| may_stand(object, name, scene.event_type));
            Some(members.collect::<Vec<_>>().join(", "))
        }
        Kind::NoAnswer | Kind::TwoAnswers => Some("exactly one of choice_id and text".to_owned()),
        Kind::Forbidden => None,
        _ => scene.place?.permitted.clone(),
    }
}

/// Whether these steps name an extension.
fn is_extension(steps: &[&str]) -> bool {
    matches!(steps, ["extensions", _])
}

/// Whether a known member of this object goes with the event's type.
fn may_stand(object: &[&str], name: &str, event_type: Option<EventType>) -> bool {
    match (object, event_type) {
        (["request"], Some(event_type)) => !schema::forbids_in_request(event_type, name),
        ([], Some(event_type)) => name != "response" || event_type == EventType::Submitted,
        _ => true,
    }
}

/// What to do, where there is a good guess.
pub(super) fn hint(scene: &Scene<'_>) -> Option<String> {
    match scene.fault.kind {
        Kind::Unknown => scene.fault.meant.map(|name| format!("did you mean `{name}`?")),
        Kind::NotPermitted => {
            let options = scene.place?.options.iter().copied();
            most_alike(scene.value?.as_str()?, options).map(|option| format!("did you mean \"{option}\"?"))
        }
        Kind::Forbidden if scene.steps == ["response"] => {
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
    most_alike(name, schema::at(object)?.members().filter(|candidate| siblings.get(candidate).is_none()))
}

fn shown_steps(steps: &[&str]) -> String {
    if steps.is_empty() { String::new() } else { format!("`{}`", shown(&steps.join("."))) }
}

fn where_forbidden(scene: &Scene<'_>) -> String {
    let text = |node: Option<&Node<'_>>| node.and_then(Node::as_str).map(shown).unwrap_or_default();
    if scene.steps.len() == 3 {
        return format!("on an answer of kind {}", text(scene.event.at(&["request", "response", "kind"])));
    }
    format!("on {}", text(scene.event.get("event_type")))
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

fn not_what(scene: &Scene<'_>) -> &'static str {
    match (scene.steps, scene.place) {
        (_, Some(place)) if place.is_timestamp => "no RFC 3339 timestamp",
        (["arc_version"], _) => "no version that this contract knows",
        (["request", "key"], _) => "nothing but white space",
        (_, Some(place)) if !place.options.is_empty() => "not one of the permitted values",
        _ => "not of the permitted form",
    }
}
