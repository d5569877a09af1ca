//! The contract as JSON Schema, compiled once, and what it says about a place.

use crate::event::EventType;
use crate::timestamp::parse_millis;
use jsonschema::{Draft, Validator};
use serde_json::Value;
use std::sync::LazyLock;

/// schemas/arc-0.2.schema.json, JSON Schema 2020-12.
pub const SOURCE: &str = include_str!("../../schemas/arc-0.2.schema.json");

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(SOURCE).expect("the embedded schema is JSON, as the tests show"));

static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_format("date-time", |text| parse_millis(text.as_bytes()).is_some())
        .build(&DOCUMENT)
        .expect("the embedded schema is valid, as the tests show")
});

/// The compiled schema; `format` is asserted with our own RFC 3339 grammar.
pub(crate) fn validator() -> &'static Validator {
    &VALIDATOR
}

/// The subschema that describes the value at these steps, its `$ref` followed; `None` where the contract has no such
/// member.
pub(crate) fn at(steps: &[&str]) -> Option<&'static Value> {
    steps.iter().try_fold(&*DOCUMENT, |schema, step| {
        let schema = follow(schema);
        schema.get("properties").and_then(|properties| properties.get(step)).or_else(|| schema.get("items"))
    })
}

/// The names of the members that may stand in the object at these steps, in the schema's order.
pub(crate) fn members(steps: &[&str]) -> Vec<&'static str> {
    let schema = at(steps).map(follow);
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.map(|properties| properties.keys().map(String::as_str).collect()).unwrap_or_default()
}

/// The values that are permitted at these steps, where the contract lists them.
pub(crate) fn options(steps: &[&str]) -> Vec<&'static str> {
    let options = at(steps).map(follow).and_then(|schema| schema.get("enum")).and_then(Value::as_array);
    options.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What is permitted at these steps, in words.
pub(crate) fn permitted(steps: &[&str]) -> Option<String> {
    let schema = follow(at(steps)?);
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    let number = |key: &str| schema.get(key).and_then(Value::as_u64);
    if let Some(constant) = schema.get("const") {
        return Some(format!("exactly {constant}"));
    }
    let options = options(steps);
    if !options.is_empty() {
        return Some(format!("one of {}", options.join(", ")));
    }
    if schema.get("pattern").is_some() {
        return text("description").map(str::to_owned);
    }
    Some(match (text("type")?, text("format")) {
        (_, Some(_)) => "an RFC 3339 timestamp such as 2026-08-26T01:15:00Z".to_owned(),
        ("string", _) => match (number("minLength"), number("maxLength")?) {
            (Some(min), max) => format!("a string of {min} to {max} characters"),
            (None, max) => format!("a string of up to {max} characters"),
        },
        ("integer", _) => match (number("minimum")?, number("maximum")) {
            (min, Some(max)) => format!("an integer of {min} to {max}"),
            (min, None) => format!("an integer of {min} or more"),
        },
        ("array", _) => format!("an array of {} to {} items", number("minItems")?, number("maxItems")?),
        ("object", _) => "an object".to_owned(),
        (other, _) => format!("a value of type {other}"),
    })
}

/// Whether the request of such an event may not have this member.
pub(crate) fn forbids_in_request(event_type: EventType, name: &str) -> bool {
    let request = match event_type {
        EventType::Created => "createdRequest",
        EventType::Updated => "updatedRequest",
        EventType::Submitted => "submittedRequest",
        EventType::Resolved => "resolvedRequest",
    };
    DOCUMENT["$defs"][request]["properties"][name] == false
}

fn follow(schema: &'static Value) -> &'static Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| DOCUMENT.pointer(pointer)).unwrap_or(schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_a_valid_2020_12_schema() {
        assert!(jsonschema::draft202012::meta::is_valid(&DOCUMENT));
        assert!(validator().is_valid(&serde_json::json!({
            "arc_version": "0.2", "event_id": "e", "event_type": "request.resolved",
            "occurred_at": "2026-08-26T01:15:00Z", "sender": {"id": "s"}, "request": {"key": "k"}
        })));
    }

    #[test]
    fn every_object_of_the_schema_is_closed() {
        fn walk(schema: &Value, path: &str) {
            if schema.get("type").is_some_and(|t| t == "object") {
                assert_eq!(schema.get("additionalProperties"), Some(&Value::Bool(false)), "{path} is open");
            }
            match schema {
                Value::Object(members) => {
                    members.iter().for_each(|(name, value)| walk(value, &format!("{path}/{name}")));
                }
                Value::Array(items) => items.iter().for_each(|value| walk(value, path)),
                _ => {}
            }
        }
        walk(&DOCUMENT, "");
    }

    #[test]
    fn every_member_says_what_it_permits() {
        let mut objects = vec![vec![]];
        while let Some(steps) = objects.pop() {
            for name in members(&steps) {
                let mut inner = steps.clone();
                inner.push(name);
                let words = permitted(&inner).unwrap_or_else(|| panic!("{inner:?} says nothing"));
                assert!(words.len() > 5, "{inner:?}: {words}");
                objects.push(inner);
            }
        }
        assert_eq!(permitted(&["request", "title"]).as_deref(), Some("a string of 1 to 200 characters"));
        assert_eq!(
            permitted(&["request", "response", "choices", "3", "id"]).as_deref(),
            Some("1 to 64 letters, digits, underscores or hyphens")
        );
    }
}
