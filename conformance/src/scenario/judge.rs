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
    let as_sent = |pointer: &str| sent.pointer(pointer).unwrap_or(&Value::Null);
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
            let wanted = as_sent(pointer);
            actual.map(|actual| tell(actual == wanted, || format!("{name} is {wanted}, as it was sent"), actual))
        }
        Relation::InstantOf(pointer) => {
            let wanted = as_sent(pointer);
            let permitted = || format!("{name} is the instant {wanted}, as it was sent");
            actual.map(|actual| tell(is_same_instant(actual, wanted), permitted, actual))
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

/// Whether two timestamps name the same instant. A consumer may keep whole seconds.
fn is_same_instant(one: &Value, other: &Value) -> bool {
    let instant = |value: &Value| arc_validator::timestamp::parse_millis(value.as_str()?.as_bytes());
    instant(one).zip(instant(other)).is_some_and(|(one, other)| (one - other).abs() <= 1_000)
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
    let is_text = text.is_some_and(|text| !text.is_empty());
    let (is_right, word) = match shape {
        Shape::Absent => (actual.is_none(), "absent or null"),
        Shape::Null => (is_null, "present and null"),
        Shape::Object => (actual.is_some_and(Value::is_object), "an object"),
        Shape::Id => (is_text || actual.is_some_and(Value::is_number), "an id"),
        Shape::Text => (is_text, "a text"),
        Shape::SnakeCase => (actual.is_some_and(is_snake_case), "without upper case in member names"),
        Shape::CountIfAccepted => (actual.is_some_and(holds_number), "a number"),
        Shape::Digest => (text.is_some_and(is_digest), "64 lower-case hexadecimal digits"),
    };
    tell(is_right, || format!("{name} is {word}"), actual.unwrap_or(&Value::Null))
}

/// Whether the list in a reply holds an item with this id, or holds none.
fn listed(scope: &Scope<'_>, body: &Value, id: &str, is_wanted: bool) -> Result<Finding, Unresolved> {
    let id = scope.expand(&Value::String(id.to_owned()))?.unwrap_or_default();
    let listed = items(body).map(|items| items.iter().any(|item| item["id"] == id));
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
    use crate::exchange::{Auth, Request};
    use crate::scenario::expand::Names;
    use serde_json::json;

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

    /// What `see` finds in a reply to an event whose title is T. The earlier steps p and q showed titles.
    fn sees(see: &Value, body: &Value, status: u16) -> Vec<bool> {
        let expectation: Expectation = serde_json::from_value(json!({ "see": see })).unwrap();
        let shown = |title: &Value| Map::from_iter([("title".to_owned(), title.clone())]);
        let steps = [("p", json!("P")), ("q", json!("Q")), ("none", Value::Null)];
        let steps = steps.iter().map(|(name, title)| ((*name).to_owned(), shown(title))).collect();
        let names = Names { run: "r".to_owned(), play: "y".to_owned(), began: 0, steps };
        let scope = Scope { names: &names, key: names.key("a"), to: "q", index: 0 };
        let sent = Some(br#"{"request":{"title":"T"}}"#.to_vec());
        let url = "http://127.0.0.1:1/v1/events".to_owned();
        let request = Request { method: "POST", url, auth: Auth::Token, body: sent, chunked: false };
        let reply = Reply::Http { status, body: body.to_string().into_bytes() };
        let exchange = Exchange { request, reply, began: 0, ended: 0, resent: false };
        let findings = members(&Profile::agentnotify(), &expectation, &scope, &exchange).unwrap();
        findings.into_iter().map(|finding| finding == Finding::Right).collect()
    }

    #[test]
    fn a_member_is_held_against_what_is_expected_of_it() {
        let titled = |title: Value| json!({ "notification": { "title": title } });
        let listed = json!({ "items": [{ "id": "a", "n": 1 }, { "id": "b", "n": 2 }] });
        // What is expected of which member, the reply that shows it, and one that does not.
        let right_and_wrong = [
            (json!({ "title": "T" }), titled(json!("T")), titled(json!("U"))),
            (json!({ "title": "${q.title}" }), titled(json!("Q")), titled(json!("P"))),
            (json!({ "title": { "as_sent": "/request/title" } }), titled(json!("T")), titled(json!("U"))),
            (json!({ "title": { "not": "T" } }), titled(json!("U")), titled(json!("T"))),
            (json!({ "title": { "same_as": "p" } }), titled(json!("P")), titled(json!("Q"))),
            (json!({ "title": { "differs_from": ["p", "q"] } }), titled(json!("T")), titled(json!("Q"))),
            (json!({ "title": { "is": "absent" } }), titled(Value::Null), titled(json!("T"))),
            (json!({ "title": { "is": "null" } }), titled(Value::Null), titled(json!("T"))),
            (json!({ "title": { "is": "null" } }), titled(Value::Null), json!({ "notification": {} })),
            (json!({ "title": { "is": "text" } }), titled(json!("T")), titled(json!(""))),
            (json!({ "title": { "is": "object" } }), titled(json!({})), titled(json!("T"))),
            (json!({ "title": { "is": "digest" } }), titled(json!("0a".repeat(32))), titled(json!("0A".repeat(32)))),
            (
                json!({ "": { "is": "snake_case" } }),
                json!([{ "a_b": [{ "c": 1 }] }]),
                json!([{ "a_b": [{ "cD": 1 }] }]),
            ),
            (json!({ "": { "is": "snake_case" } }), json!({ "a": "A-B" }), json!({ "a-b": 1 })),
            (json!({ "": { "is": "count_if_accepted" } }), json!({ "n": 1 }), json!({ "n": "1" })),
            (json!({ "": { "is": "count_if_accepted" } }), json!(1), json!("1")),
            (json!({ "": { "lists": "b" } }), listed.clone(), json!({ "items": [{ "id": "a" }] })),
            (json!({ "": { "lists": "b" } }), json!([{ "id": "b" }]), json!([])),
            (json!({ "": { "omits": "b" } }), json!([{ "id": "a" }]), listed.clone()),
            (json!({ "": { "omits": "b" } }), json!([]), json!("no list")),
            (json!({ "": { "at_most": 2 } }), listed.clone(), json!([1, 2, 3])),
            (
                json!({ "/items": { "includes": { "id": "b", "n": 2 } } }),
                listed.clone(),
                json!({ "items": [{ "id": "b" }] }),
            ),
            (
                json!({ "/a": { "includes": { "n": 2 } } }),
                json!({ "a": { "n": 2, "o": 3 } }),
                json!({ "a": { "n": 3 } }),
            ),
        ];
        for (see, right, wrong) in &right_and_wrong {
            assert_eq!((sees(see, right, 200), sees(see, wrong, 200)), (vec![true], vec![false]), "{see}");
        }
    }

    #[test]
    fn what_a_reply_does_not_show_says_nothing() {
        let empty = json!({ "notification": {} });
        for see in [
            json!({ "title": "T" }),
            json!({ "title": { "as_sent": "/request/title" } }),
            json!({ "title": { "not": "T" } }),
            json!({ "title": { "same_as": "p" } }),
            json!({ "title": { "differs_from": "p" } }),
            json!({ "title": { "includes": { "n": 2 } } }),
        ] {
            assert_eq!(sees(&see, &empty, 200), Vec::<bool>::new(), "{see}");
        }
        let titled = json!({ "notification": { "title": "T" } });
        assert_eq!(sees(&json!({ "title": { "same_as": "none" } }), &titled, 200), Vec::<bool>::new());
        assert_eq!(sees(&json!({ "title": { "differs_from": "none" } }), &titled, 200), Vec::<bool>::new());
        assert_eq!(sees(&json!({ "": { "is": "count_if_accepted" } }), &json!("no"), 400), Vec::<bool>::new());
    }

    #[test]
    fn only_the_bindings_own_status_is_exact() {
        let profile = Profile::agentnotify();
        let exact_of = |permitted: &[Outcome], reply: Reply, resent: bool| {
            let request = Request { method: "POST", url: String::new(), auth: Auth::Token, body: None, chunked: false };
            let exchange = Exchange { request, reply, began: 0, ended: 0, resent };
            exact(&profile, permitted, &exchange).map(|(id, finding)| (id.to_owned(), finding == Finding::Right))
        };
        let said = |is_right| Some(("HTP-03".to_owned(), is_right));
        assert_eq!(exact_of(&[Outcome::Created], http(201), false), said(true));
        assert_eq!(exact_of(&[Outcome::Created], http(200), false), said(false));
        assert_eq!(exact_of(&[Outcome::Created], http(200), true), said(true));
        assert_eq!(exact_of(&[Outcome::Rejected], http(404), false), Some(("HTP-05".to_owned(), false)));
        assert_eq!(exact_of(&[Outcome::Created], Reply::TimedOut, false), None);
        assert_eq!(exact_of(&[], http(200), false), None);
    }

    #[test]
    fn what_was_permitted_is_said_with_its_statuses() {
        let words = |or_closed| words(&Profile::agentnotify(), &[Outcome::Created, Outcome::Conflict], or_closed);
        assert_eq!(words(false), "created (201) or conflict (409)");
        assert_eq!(words(true), "created (201) or conflict (409) or the connection closed");
    }

    #[test]
    fn an_outcome_is_no_other() {
        let rights = [(Outcome::Created, 201), (Outcome::Accepted, 200), (Outcome::NotFound, 404)];
        let more = [(Outcome::Conflict, 409), (Outcome::Unauthorized, 401), (Outcome::TooLarge, 413)];
        for (outcome, status) in rights.into_iter().chain(more) {
            assert!(is_right(&[outcome], &http(status)), "{outcome:?}");
            assert!(!is_right(&[outcome], &http(500)), "{outcome:?}");
        }
        assert!(!is_right(&[Outcome::Created], &http(400)) && !is_right(&[Outcome::Unauthorized], &http(400)));
        assert!(!is_right(&[Outcome::NotFound], &http(409)) && !is_right(&[Outcome::Conflict], &http(404)));
    }

    #[test]
    fn digests_are_lower_case_hexadecimal() {
        assert!(is_digest(&"0a".repeat(32)));
        assert!(!is_digest(&"0A".repeat(32)) && !is_digest(&"0a".repeat(31)) && !is_digest(&"0g".repeat(32)));
    }
}
