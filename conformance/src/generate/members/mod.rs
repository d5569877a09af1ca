//! Scenarios that follow from the event schema: what it says of each member is tried from both sides.

mod cases;
mod schema;

use crate::scenario::Scenario;
use cases::{About, Case, FILLS, Fate};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The text of the event schema.
pub(crate) use schema::SOURCE as SCHEMA;

/// One event whose members are varied.
struct Subject {
    name: &'static str,
    /// The base event, and what it carries beside.
    event: &'static str,
    set: Value,
    /// What is sent before it under the same key.
    after: Option<Value>,
    needs: &'static [&'static str],
    /// The places whose members are varied.
    under: &'static [&'static str],
    fills: &'static [&'static str],
}

/// Members of the envelope are varied on creations; the other types add what they have of their own. Unknown members
/// stand at each level of each.
fn subjects() -> [Subject; 8] {
    let context = json!({
        "session_id": "s", "correlation_id": "c", "project": "p", "cwd": "/srv/p", "pid": 7, "turn_id": "t",
        "native_request_id": "n",
    });
    let all = json!({
        "/sender/version": "1", "/sender/instance_id": "i", "/context": context,
    });
    let extended = json!({ "/extensions": { "x-example": { "a": 1 } } });
    let two_thousand = json!({ "/request/response/text_max_length": 2000 });
    let ask_text = json!({ "event": "ask_text", "set": two_thousand });
    let subject =
        |name, event, set, after, needs, under, fills| Subject { name, event, set, after, needs, under, fills };
    let (none, ascii) = (json!({}), &FILLS[..1]);
    let unheard: &[&str] = &["/request", "/unheard_of", "/response", "/sender/unheard_of", "/context/unheard_of"];
    let before = |event: &str| Some(json!({ "event": event, "set": { "/context": context } }));
    let with = |name: &str, value: &str| json!({ name: value, "/context": context });
    let question: &[&str] = &["/request/response/"];
    [
        subject("creation", "note", all, None, &[], &["/"], &FILLS),
        subject("extended-creation", "note", extended, None, &[], &["/extensions"], ascii),
        subject("question", "ask", none.clone(), None, &["permission"], question, &FILLS),
        subject("text-question", "ask_text", two_thousand.clone(), None, &["text"], question, ascii),
        subject("update", "update_note", json!({ "/context": context }), before("note"), &[], unheard, ascii),
        subject("answer", "answer", with("/response/device_id", "d"), before("ask"), &["permission"], unheard, &FILLS),
        subject("text-answer", "answer_text", none, Some(ask_text), &["text"], &["/response/text"], &FILLS),
        subject("resolution", "resolve", with("/request/outcome", "not_needed"), before("note"), &[], unheard, ascii),
    ]
}

/// The scenarios, ordered by subject and requirement.
///
/// # Panics
/// Never: a test makes them all.
pub fn members() -> &'static [Scenario] {
    static MEMBERS: LazyLock<Vec<Scenario>> = LazyLock::new(|| {
        let read = |value| serde_json::from_value(value).expect("a test reads every generated scenario");
        subjects().iter().flat_map(written).map(read).collect()
    });
    &MEMBERS
}

/// One scenario for each requirement that a subject's cases are about, as it would stand in a file.
fn written(subject: &Subject) -> Vec<Value> {
    let event = template(subject);
    let event_type = event["event_type"].as_str().unwrap_or_default();
    let mut by_requirement: BTreeMap<&str, Vec<Case>> = BTreeMap::new();
    let cases = cases::of(&event, subject.under, subject.fills);
    for case in cases.into_iter().filter(|case| !rests_on_state(case, event_type)) {
        by_requirement.entry(requirement(&case, event_type)).or_default().push(case);
    }
    by_requirement.into_iter().map(|(requirement, cases)| scenario(subject, requirement, &cases)).collect()
}

/// Whether a valid case is accepted depends on what happened before: another key names another condition, and whether an
/// answer needs a nonce depends on whether one was issued.
fn rests_on_state(case: &Case, event_type: &str) -> bool {
    let names_another = case.at == "/request/key" && event_type != "request.created";
    case.fate == Fate::Accepted && (names_another || case.at == "/response/nonce")
}

/// The event with placeholders in it: they are texts, and the schema's conditions do not look at them.
fn template(subject: &Subject) -> Value {
    let mut event = crate::scenario::base_events()[subject.event].clone();
    for (pointer, value) in subject.set.as_object().into_iter().flatten() {
        let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
        event.pointer_mut(parent).expect("it hangs on the base event")[name] = value.clone();
    }
    event
}

fn scenario(subject: &Subject, requirement: &str, cases: &[Case]) -> Value {
    let with = |fate| cases.iter().filter(|case| case.fate == fate).map(|case| &case.change).collect::<Vec<_>>();
    let (accepted, refused, free) = (with(Fate::Accepted), with(Fate::Refused), with(Fate::Free));
    let message = json!({ "event": subject.event, "set": subject.set });
    let step = |more: Value| {
        let mut step = message.clone();
        step.as_object_mut().expect("it is one").extend(more.as_object().cloned().unwrap_or_default());
        step
    };
    let accept = |variants: &[&Value], more: Value| {
        let mut accept = step(more);
        accept["variants"] = json!(variants);
        if let Some(after) = &subject.after {
            accept["after"] = after.clone();
        }
        json!({ "accept": accept })
    };
    let mut steps = Vec::new();
    if !accepted.is_empty() {
        steps.push(accept(&accepted, json!({})));
    }
    if !free.is_empty() {
        steps.push(accept(&free, json!({ "expect": ["created", "accepted", "rejected"] })));
    }
    if !refused.is_empty() {
        if let Some(after) = &subject.after {
            let mut before = after.clone();
            for (name, value) in [("key", "r"), ("as", "q"), ("expect", "created")] {
                before[name] = value.into();
            }
            before["given"] = true.into();
            steps.push(json!({ "post": before }));
        }
        let mut more = json!({ "key": "r", "faults": refused });
        if subject.after.is_some() {
            // Reading 47: whether the form of an event or its condition is looked at first is free.
            more["expect"] = json!(["rejected", "not_found", "conflict"]);
        }
        steps.push(json!({ "refuse": step(more) }));
    }
    json!({
        "id": format!("schema-{}-{}", subject.name, requirement.to_lowercase()),
        "title": format!("Members of a {} are what the schema says", subject.name.replace('-', " ")),
        "proves": [requirement],
        "readings": if free.is_empty() { json!([16, 47]) } else { json!([15]) },
        "needs": subject.needs,
        "steps": steps,
    })
}

/// The requirement that a case is about.
fn requirement(case: &Case, event_type: &str) -> &'static str {
    let at = case.at.as_str();
    match (case.about, event_type, at) {
        // A consumer may do either, but never break down.
        _ if case.fate == Fate::Free => "ENV-19",
        (About::Name, ..) => "ENV-15",
        (About::CodePoints, ..) => "ENV-18",
        (About::Absence | About::Place, _, "/response") => "ENV-13",
        (About::Absence, _, "/request/key") => "ENV-09",
        (About::Absence, _, "/request/kind" | "/request/message") => "ENV-10",
        (About::Place, "request.resolved", _) => "ENV-11",
        (About::Place, "response.submitted", _) => "ENV-12",
        (_, _, "/request/outcome") => "ENV-14",
        _ => place(at),
    }
}

/// The requirement that says what may stand at a place.
fn place(at: &str) -> &'static str {
    const PLACES: [(&str, &str); 13] = [
        ("/arc_version", "ENV-01"),
        ("/event_id", "ENV-03"),
        ("/event_type", "ENV-04"),
        ("/occurred_at", "ENV-05"),
        ("/sender", "ENV-06"),
        ("/context", "ENV-07"),
        ("/extensions", "ENV-16"),
        ("/request/response/choices/", "ASK-04"),
        ("/request/response/choices", "ASK-02"),
        ("/request/response/text_max_length", "ASK-03"),
        ("/request/response", "ASK-01"),
        ("/request", "ENV-08"),
        ("/response", "ANS-09"),
    ];
    PLACES.iter().find(|(beginning, _)| at.starts_with(beginning)).map_or("ENV-19", |(_, requirement)| requirement)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Change, Message, Step, event_bytes};

    #[test]
    fn every_generated_scenario_is_valid_and_has_an_id_of_its_own() {
        let mut ids = std::collections::BTreeSet::new();
        for value in subjects().iter().flat_map(written) {
            let scenario = Scenario::parse(&value.to_string()).unwrap_or_else(|e| panic!("{value:#}: {e}"));
            assert!(ids.insert(scenario.id));
        }
    }

    fn is_valid(message: &Message, change: &Change) -> bool {
        let bytes = event_bytes(message, change).unwrap();
        arc_validator::parse(&bytes).is_ok()
    }

    /// The validator reads the same contract another way.
    #[test]
    fn the_validator_gives_the_same_verdict_on_every_case() {
        let mut cases = 0;
        for scenario in members() {
            for step in &scenario.steps {
                match step {
                    Step::Accept(accept) if accept.expectation.expect.is_none() => {
                        for variant in &accept.variants {
                            assert!(is_valid(&accept.message, &variant.change), "{} {}", scenario.id, variant.name);
                            cases += 1;
                        }
                    }
                    Step::Refuse(refuse) => {
                        assert!(is_valid(&refuse.message, &Change::default()), "{}", scenario.id);
                        for fault in &refuse.faults {
                            assert!(!is_valid(&refuse.message, &fault.change), "{} {}", scenario.id, fault.name);
                            cases += 1;
                        }
                    }
                    _ => {}
                }
            }
        }
        assert!(cases > 400, "{cases}");
    }

    /// Every member that the schema knows is varied somewhere, and every bound in it is tried from both sides.
    #[test]
    fn every_member_and_every_bound_of_the_schema_is_tried() {
        let text: String = subjects().iter().flat_map(written).map(|scenario| scenario.to_string()).collect();
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        for (name, node) in schema["$defs"].as_object().unwrap() {
            for (member, node) in node["properties"].as_object().into_iter().flatten() {
                if name == "extensions" || node == false || node.get("$ref").is_some() {
                    continue;
                }
                assert!(text.contains(&format!("/{member} ")), "{name}/{member} is not varied");
                if let Some(max) = node["maxLength"].as_u64() {
                    // Only the nonce that was issued is right, however long it is.
                    let is_at_bound = member == "nonce" || text.contains(&format!("/{member} of {max} x "));
                    assert!(is_at_bound, "{name}/{member} at its bound");
                    assert!(text.contains(&format!("/{member} of {} x ", max + 1)), "{name}/{member} over its bound");
                }
            }
        }
    }
}
