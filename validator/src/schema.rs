//! The contract as JSON Schema, compiled once, and what it says about a place.

use crate::event::EventType;
use crate::explain::Tree;
use crate::timestamp::parse_millis;
use jsonschema::{Draft, Validator};
use serde_json::Value;
use std::sync::LazyLock;

/// schemas/arc-0.2.schema.json, JSON Schema 2020-12.
pub const SOURCE: &str = include_str!("../../schemas/arc-0.2.schema.json");

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(SOURCE).expect("the embedded schema is JSON, as the tests show"));

static VALIDATOR: LazyLock<Validator<Tree>> = LazyLock::new(|| {
    jsonschema::options_for()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_format("date-time", |text| parse_millis(text.as_bytes()).is_some())
        .build(&DOCUMENT)
        .expect("the embedded schema is valid, as the tests show")
});

/// The compiled schema; `format` is asserted with our own RFC 3339 grammar.
pub(crate) fn validator() -> &'static Validator<Tree> {
    &VALIDATOR
}

/// The value at one place of an event, as the contract describes it.
#[derive(Debug)]
pub(crate) struct Place {
    /// The members that may stand in it, in the schema's order.
    members: Vec<(&'static str, Place)>,
    /// Each item of an array.
    item: Option<Box<Place>>,
    /// The values that are permitted, where the contract lists them.
    pub(crate) options: Vec<&'static str>,
    pub(crate) is_timestamp: bool,
    /// What is permitted, in words.
    pub(crate) permitted: Option<String>,
}

static EVENT: LazyLock<Place> = LazyLock::new(|| Place::new(&DOCUMENT));

/// The place that these steps lead to; `None` where the contract has no such member.
pub(crate) fn at(steps: &[&str]) -> Option<&'static Place> {
    steps.iter().try_fold(&*EVENT, |place, step| place.member(step).or(place.item.as_deref()))
}

impl Place {
    /// Everything below one schema. The contract's does not contain itself, as the tests show.
    fn new(schema: &'static Value) -> Self {
        let schema = follow(schema);
        let properties = schema.get("properties").and_then(Value::as_object);
        let members = properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), Self::new(schema)));
        let options = schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let options: Vec<_> = options.collect();
        Self {
            members: members.collect(),
            item: schema.get("items").map(|item| Box::new(Self::new(item))),
            is_timestamp: schema.get("format").is_some_and(|format| format == "date-time"),
            permitted: permitted(schema, &options),
            options,
        }
    }

    fn member(&self, name: &str) -> Option<&Self> {
        self.members.iter().find(|(member, _)| *member == name).map(|(_, place)| place)
    }

    /// The names of the members that may stand in it, in the schema's order.
    pub(crate) fn members(&self) -> impl Iterator<Item = &'static str> {
        self.members.iter().map(|(name, _)| *name)
    }
}

/// What a schema permits, in words.
fn permitted(schema: &Value, options: &[&str]) -> Option<String> {
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    let number = |key: &str| schema.get(key).and_then(Value::as_u64);
    if let Some(constant) = schema.get("const") {
        return Some(format!("exactly {constant}"));
    }
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
    use crate::json;

    #[test]
    fn the_schema_is_a_valid_2020_12_schema() {
        assert!(jsonschema::draft202012::meta::is_valid(&DOCUMENT));
        let event = br#"{"arc_version": "0.2", "event_id": "e", "event_type": "request.resolved",
            "occurred_at": "2026-08-26T01:15:00Z", "sender": {"id": "s"}, "request": {"key": "k"}}"#;
        assert!(validator().is_valid(&json::read(event).0.unwrap()));
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
        let mut places = vec![at(&[]).unwrap()];
        while let Some(place) = places.pop() {
            for (name, member) in &place.members {
                let words = member.permitted.as_deref().unwrap_or_else(|| panic!("{name} says nothing"));
                assert!(words.len() > 5, "{name}: {words}");
                places.extend([Some(member), member.item.as_deref()].into_iter().flatten());
            }
        }
        let permitted = |steps: &[&str]| at(steps).unwrap().permitted.as_deref();
        assert_eq!(permitted(&["request", "title"]), Some("a string of 1 to 200 characters"));
        assert_eq!(
            permitted(&["request", "response", "choices", "3", "id"]),
            Some("1 to 64 letters, digits, underscores or hyphens")
        );
    }
}
