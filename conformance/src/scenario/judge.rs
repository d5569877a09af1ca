//! Holds one exchange against what the contract permits.

use super::expand::{Scope, Unresolved};
use super::expectation::{Expectation, Relation, See, Shape};
use crate::exchange::{Exchange, Reply};
use crate::profile::{Class, Outcome, Profile};
use serde_json::{Map, Value};

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// As the contract wants it.
    Right,
    /// Not as the contract wants it: what it permits, and what came where the exchange does not say it itself.
    Wrong { permitted: String, got: Option<String> },
    /// It could not be found out.
    Open(String),
}

/// Whether the outcome is one that the contract permits.
pub(crate) fn outcome(profile: &Profile, permitted: &[Outcome], or_closed: bool, reply: &Reply) -> Finding {
    let is_right = match reply {
        Reply::TimedOut | Reply::RateLimited | Reply::Unreachable(_) => return Finding::Open(reply.describe()),
        Reply::Closed(_) => or_closed,
        Reply::Http { status, .. } => {
            let class = profile.class(*status);
            class != Class::Unexpected && (permitted.is_empty() || permitted.iter().any(|o| satisfies(*o, class)))
        }
    };
    if is_right {
        Finding::Right
    } else {
        Finding::Wrong { permitted: words(profile, permitted, or_closed), got: None }
    }
}

/// Whether a reply of that class is that outcome. Where only a refusal is prescribed, any refusal will do; whether a
/// success is a new condition or an old one is told by the record and, in the binding, by the exact status.
fn satisfies(outcome: Outcome, class: Class) -> bool {
    match outcome {
        Outcome::Created | Outcome::Accepted => class == Class::Success,
        Outcome::NotFound => class == Class::NotFound,
        Outcome::Conflict => class == Class::Conflict,
        Outcome::Rejected | Outcome::TooLarge => matches!(class, Class::Refused | Class::NotFound | Class::Conflict),
        Outcome::Unauthorized => class == Class::Unauthorized,
    }
}

fn words(profile: &Profile, permitted: &[Outcome], or_closed: bool) -> String {
    let word = |outcome: &Outcome| {
        let statuses = profile.statuses(&[*outcome]);
        let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
        format!("{} ({})", outcome.as_str(), statuses.join(", "))
    };
    let mut words: Vec<String> = permitted.iter().map(word).collect();
    if words.is_empty() {
        words.push("any reply but a server error".to_owned());
    }
    if or_closed {
        words.push("the connection closed".to_owned());
    }
    words.join(" or ")
}

/// Whether the status is exactly one that the binding prescribes, and by which requirement it does.
pub(crate) fn exact<'p>(
    profile: &'p Profile,
    permitted: &[Outcome],
    exchange: &Exchange,
) -> Option<(&'p str, Finding)> {
    let requirement = permitted.iter().find_map(|o| profile.outcomes.get(o)?.requirement.as_deref())?;
    let Reply::Http { status, .. } = exchange.reply else { return None };
    let mut statuses = profile.statuses(permitted);
    if exchange.resent {
        statuses.extend(profile.statuses(&[Outcome::Created, Outcome::Accepted]));
    }
    let permitted = || statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(" or ");
    let is_right = statuses.contains(&status);
    let finding = if is_right { Finding::Right } else { Finding::Wrong { permitted: permitted(), got: None } };
    Some((requirement, finding))
}

/// What the reply shows, member by member. A member that the reply does not show says nothing, unless its presence
/// is what is expected.
pub(crate) fn members(
    profile: &Profile,
    expectation: &Expectation,
    scope: &Scope<'_>,
    exchange: &Exchange,
) -> Result<Vec<Finding>, Unresolved> {
    let raw = exchange.reply.json().unwrap_or(Value::Null);
    let viewed = profile.view(&exchange.request.url, raw.clone());
    let sent = exchange.request.body.as_deref().and_then(|body| serde_json::from_slice(body).ok());
    let sent: Value = sent.unwrap_or(Value::Null);
    let mut findings = Vec::new();
    for (name, see) in &expectation.see {
        let body = if name.is_empty() || name.starts_with('/') { &raw } else { &viewed };
        if matches!(see, See::Relation(Relation::Is(Shape::CountIfAccepted))) && !exchange.reply.is_ok() {
            continue;
        }
        findings.extend(member(profile, scope, (&sent, body), name, see)?);
    }
    Ok(findings)
}

fn member(
    profile: &Profile,
    scope: &Scope<'_>,
    (sent, body): (&Value, &Value),
    name: &str,
    see: &See,
) -> Result<Option<Finding>, Unresolved> {
    let actual = profile.member(name, body);
    let relation = match see {
        See::Value(template) => {
            let wanted = scope.expand(template)?.unwrap_or(Value::Null);
            return Ok(actual.map(|actual| tell(*actual == wanted, || format!("{name} is {wanted}"), actual)));
        }
        See::Relation(relation) => relation,
    };
    Ok(match relation {
        Relation::Is(shape) => Some(shaped(*shape, name, actual, is_null(profile, name, body))),
        Relation::AsSent(pointer) => {
            let wanted = sent.pointer(pointer).unwrap_or(&Value::Null);
            actual.map(|actual| tell(actual == wanted, || format!("{name} is {wanted}, as it was sent"), actual))
        }
        Relation::Not(unwanted) => actual.map(|a| tell(a != unwanted, || format!("{name} is not {unwanted}"), a)),
        Relation::Lists(id) => Some(listed(scope, body, id, true)?),
        Relation::Omits(id) => Some(listed(scope, body, id, false)?),
        Relation::AtMost(most) => {
            let count = items(body).map_or(usize::MAX, Vec::len);
            Some(tell(count <= *most, || format!("a list of at most {most} items"), &count.into()))
        }
        Relation::SameAs(step) => actual
            .zip(shown(scope, step, name))
            .map(|(a, b)| tell(a == b, || format!("the same {name} as in {step}"), a)),
        Relation::DiffersFrom(steps) => differs(scope, steps.as_slice(), name, actual),
        Relation::Includes(members) => {
            let Some(actual) = actual else { return Ok(None) };
            Some(tell(
                includes(actual, members),
                || format!("{name} includes {}", Value::Object(members.clone())),
                actual,
            ))
        }
    })
}

fn differs(scope: &Scope<'_>, steps: &[String], name: &str, actual: Option<&Value>) -> Option<Finding> {
    let actual = actual?;
    let others: Vec<&Value> = steps.iter().filter_map(|step| shown(scope, step, name)).collect();
    if others.is_empty() {
        return None;
    }
    let permitted = || format!("another {name} than in {}", steps.join(", "));
    Some(tell(!others.contains(&actual), permitted, actual))
}

/// What an earlier step's reply showed under a name.
fn shown<'s>(scope: &'s Scope<'_>, step: &str, name: &str) -> Option<&'s Value> {
    scope.names.steps.get(step)?.get(name).filter(|value| !value.is_null())
}

fn is_null(profile: &Profile, name: &str, body: &Value) -> bool {
    let pointer = profile.members.get(name).map_or(name, String::as_str);
    body.pointer(pointer).is_some_and(Value::is_null)
}

fn shaped(shape: Shape, name: &str, actual: Option<&Value>, is_null: bool) -> Finding {
    let text = actual.and_then(Value::as_str);
    let (is_right, word) = match shape {
        Shape::Absent => (actual.is_none(), "absent or null"),
        Shape::Null => (is_null, "present and null"),
        Shape::Object => (actual.is_some_and(Value::is_object), "an object"),
        Shape::Text => (text.is_some_and(|text| !text.is_empty()), "a text"),
        Shape::SnakeCase => (actual.is_some_and(is_snake_case), "without upper case in member names"),
        Shape::CountIfAccepted => (actual.is_some_and(holds_number), "a number"),
        Shape::Digest => (text.is_some_and(is_digest), "64 lower-case hexadecimal digits"),
    };
    tell(is_right, || format!("{name} is {word}"), actual.unwrap_or(&Value::Null))
}

/// Whether the list in a reply holds an item with this id, or holds none.
fn listed(scope: &Scope<'_>, body: &Value, id: &str, is_wanted: bool) -> Result<Finding, Unresolved> {
    let id = scope.expand_text(&Value::String(id.to_owned()))?;
    let listed = items(body).map(|items| items.iter().any(|item| item["id"] == *id));
    let permitted =
        || format!("a list that {} an item with id {id}", if is_wanted { "holds" } else { "does not hold" });
    Ok(tell(listed == Some(is_wanted), permitted, body))
}

/// The list in a reply: the reply itself, or its first member that is one.
fn items(body: &Value) -> Option<&Vec<Value>> {
    body.as_array().or_else(|| body.as_object()?.values().find_map(Value::as_array))
}

fn is_snake_case(value: &Value) -> bool {
    match value {
        Value::Object(members) => members
            .iter()
            .all(|(name, value)| !name.chars().any(char::is_uppercase) && !name.contains('-') && is_snake_case(value)),
        Value::Array(items) => items.iter().all(is_snake_case),
        _ => true,
    }
}

fn holds_number(value: &Value) -> bool {
    value.is_number() || value.as_object().is_some_and(|members| members.values().any(Value::is_number))
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Whether an object, or each object of a list taken together, has these members.
fn includes(actual: &Value, members: &Map<String, Value>) -> bool {
    let has = |value: &Value| members.iter().all(|(name, wanted)| value.get(name) == Some(wanted));
    actual.as_array().map_or_else(|| has(actual), |items| items.iter().any(has))
}

fn tell(is_right: bool, permitted: impl FnOnce() -> String, actual: &Value) -> Finding {
    if is_right {
        return Finding::Right;
    }
    Finding::Wrong { permitted: permitted(), got: Some(actual.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn http(status: u16) -> Reply {
        Reply::Http { status, body: Vec::new() }
    }

    fn is_right(permitted: &[Outcome], reply: &Reply) -> bool {
        outcome(&Profile::agentnotify(), permitted, false, reply) == Finding::Right
    }

    #[test]
    fn a_refusal_is_any_client_error_but_one_about_the_token() {
        for status in [400, 404, 409, 410, 413, 422] {
            assert!(is_right(&[Outcome::Rejected], &http(status)), "{status}");
        }
        for status in [200, 201, 302, 401, 403, 500, 503] {
            assert!(!is_right(&[Outcome::Rejected], &http(status)), "{status}");
        }
        assert!(!is_right(&[Outcome::Conflict], &http(400)));
        assert!(!is_right(&[Outcome::NotFound], &http(400)));
        assert!(!is_right(&[], &http(500)));
        assert!(is_right(&[], &http(400)));
    }

    #[test]
    fn silence_is_neither_right_nor_wrong() {
        let profile = Profile::agentnotify();
        for reply in [Reply::TimedOut, Reply::RateLimited, Reply::Unreachable("refused".to_owned())] {
            assert!(matches!(outcome(&profile, &[Outcome::Rejected], false, &reply), Finding::Open(_)));
        }
        let closed = Reply::Closed("reset".to_owned());
        assert_eq!(outcome(&profile, &[Outcome::TooLarge], true, &closed), Finding::Right);
        assert!(matches!(outcome(&profile, &[Outcome::Rejected], false, &closed), Finding::Wrong { .. }));
    }

    #[test]
    fn digests_are_lower_case_hexadecimal() {
        assert!(is_digest(&"0a".repeat(32)));
        assert!(!is_digest(&"0A".repeat(32)) && !is_digest(&"0a".repeat(31)) && !is_digest(&"0g".repeat(32)));
    }
}
