//! Both lanes, and the schema alone, give one verdict on whatever comes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

const EXAMPLES: [&str; 4] = [
    include_str!("../../vectors/examples/create.json"),
    include_str!("../../vectors/examples/update.json"),
    include_str!("../../vectors/examples/answer.json"),
    include_str!("../../vectors/examples/resolve.json"),
];

/// A valid event of each type and answer kind, with every optional member somewhere.
fn seeds() -> Vec<Value> {
    let mut seeds: Vec<Value> = EXAMPLES.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let mut text_question = seeds[0].clone();
    text_question["request"]["response"] =
        json!({"kind": "text", "text_max_length": 80, "expires_at": "2026-08-26T01:25:00.5+02:00"});
    text_question["request"]["kind"] = json!("question");
    text_question["context"] =
        json!({"session_id": "s", "pid": 4711, "turn_id": "t", "native_request_id": "n", "cwd": ""});
    text_question["extensions"] =
        json!({"x-agentnotify": {"notification_type": "custom_1"}, "x-acme.trace": {"a": [1, {"b": null}]}});
    seeds.push(text_question);
    let mut choice_question = seeds[0].clone();
    choice_question["request"]["response"]["kind"] = json!("single_choice");
    choice_question["request"].as_object_mut().unwrap().remove("key");
    choice_question["sender"] = json!({"id": "s", "name": "n", "version": "1", "instance_id": ""});
    seeds.push(choice_question);
    let mut text_answer = seeds[2].clone();
    text_answer["response"] = json!({"response_id": "r", "digest": "0".repeat(64), "text": "yes\n", "device_id": "d"});
    seeds.push(text_answer);
    seeds
}

/// Every place of a value, as the places of `Value::pointer`.
fn places(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, inner)| {
            places(inner, format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), out);
        }),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, inner)| places(inner, format!("{at}/{i}"), out)),
        _ => {}
    }
    out.push(at);
}

#[derive(Debug, Clone)]
enum Change {
    Remove(Index),
    Replace(Index, Value),
    Add(Index, String, Value),
    Rename(Index, String),
    Byte(Index, u8),
    Cut(Index),
    Insert(Index, String),
}

fn awkward_value() -> impl Strategy<Value = Value> {
    let length = select(vec![
        0_usize, 1, 2, 12, 13, 64, 65, 100, 101, 128, 129, 160, 161, 200, 201, 500, 501, 512, 513, 1024, 1025, 2000,
        2001, 4000, 4001,
    ]);
    let unit = select(vec!["a", "é", "あ", "💩", " ", "\u{feff}", "0"]);
    prop_oneof![
        (unit, length).prop_map(|(unit, length)| json!(unit.repeat(length))),
        select(vec![
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(-1),
            json!(1.0),
            json!(0.5),
            json!(2000),
            json!(2001),
            json!(1e300),
            json!([]),
            json!({}),
            json!("0.2"),
            json!("0.1"),
            json!("request.created"),
            json!("request.updated"),
            json!("response.submitted"),
            json!("request.resolved"),
            json!("question"),
            json!("text"),
            json!("permission"),
            json!("single_choice"),
            json!("high"),
            json!("answered"),
            json!("2016-12-31T23:59:60Z"),
            json!("2026-02-30T00:00:00Z"),
            json!("a".repeat(64)),
            json!({"id": "a", "label": "A"}),
            json!([{"id": "a", "label": "A"}, {"id": "a", "label": "B"}]),
            json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B", "detail": "d"}]),
            json!("x-a"),
            json!("allow_once"),
        ]),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let name = select(vec![
        "key",
        "kind",
        "title",
        "message",
        "priority",
        "response",
        "outcome",
        "mesage",
        "x-a",
        "x-B",
        "choices",
        "text_max_length",
        "expires_at",
        "nonce",
        "choice_id",
        "text",
        "pid",
        "extensions",
        "context",
        "id",
        "x-agentnotify",
        "a/~b",
    ]);
    let place = any::<Index>;
    prop_oneof![
        3 => place().prop_map(Change::Remove),
        4 => (place(), awkward_value()).prop_map(|(at, value)| Change::Replace(at, value)),
        3 => (place(), name.clone(), awkward_value()).prop_map(|(at, name, value)| Change::Add(at, name.to_owned(), value)),
        2 => (place(), name).prop_map(|(at, name)| Change::Rename(at, name.to_owned())),
        1 => (place(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        1 => place().prop_map(Change::Cut),
        1 => (place(), select(vec![",", "\"", "\\ud800", "\\u00e9", "{", "]", " ", "\n", "1e999", "NaN", "//", "\u{1}", "\"x\":1,", "\"key\":\"k\","]))
            .prop_map(|(at, text)| Change::Insert(at, text.to_owned())),
    ]
}

fn edit(event: &mut Value, change: &Change) {
    let mut all = Vec::new();
    places(event, String::new(), &mut all);
    let parent_and_name =
        |place: &String| place.rsplit_once('/').map(|(p, n)| (p.to_owned(), n.replace("~1", "/").replace("~0", "~")));
    match change {
        Change::Remove(at) | Change::Rename(at, _) => {
            let Some((parent, name)) = parent_and_name(&all[at.index(all.len())]) else { return };
            match event.pointer_mut(&parent) {
                Some(Value::Object(members)) => {
                    let removed = members.remove(&name);
                    if let (Change::Rename(_, new), Some(value)) = (change, removed) {
                        members.insert(new.clone(), value);
                    }
                }
                Some(Value::Array(items)) => drop(items.remove(name.parse().unwrap())),
                _ => {}
            }
        }
        Change::Replace(at, value) => *event.pointer_mut(&all[at.index(all.len())]).unwrap() = value.clone(),
        Change::Add(at, name, value) => match event.pointer_mut(&all[at.index(all.len())]) {
            Some(Value::Object(members)) => drop(members.insert(name.clone(), value.clone())),
            Some(Value::Array(items)) => items.push(value.clone()),
            _ => {}
        },
        Change::Byte(..) | Change::Cut(_) | Change::Insert(..) => {}
    }
}

fn scratch(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Byte(at, byte) if !bytes.is_empty() => {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        Change::Cut(at) => bytes.truncate(at.index(bytes.len() + 1)),
        Change::Insert(at, text) => {
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..at, text.bytes());
        }
        _ => {}
    }
}

fn broken_event() -> impl Strategy<Value = Vec<u8>> {
    (select(seeds()), prop::collection::vec(change(), 0..4), any::<bool>()).prop_map(|(mut event, changes, pretty)| {
        for change in &changes {
            edit(&mut event, change);
        }
        let text = if pretty { serde_json::to_string_pretty(&event) } else { serde_json::to_string(&event) };
        let mut bytes = text.unwrap().into_bytes();
        for change in &changes {
            scratch(&mut bytes, change);
        }
        bytes
    })
}

fn agree(bytes: &[u8]) -> Result<(), TestCaseError> {
    let fast = arc_validator::parse(bytes);
    let findings = arc_validator::explain(bytes);
    let is_explained = findings.iter().any(arc_validator::Finding::is_error);
    prop_assert_eq!(fast.is_ok(), !is_explained, "{} {:?}", String::from_utf8_lossy(bytes), findings);
    for finding in &findings {
        prop_assert!(finding.span.start <= finding.span.end && finding.span.end <= bytes.len(), "{:?}", finding);
    }
    let by_schema_and_serde = serde_json::from_slice::<Value>(bytes).is_ok_and(|value| schema().is_valid(&value));
    let beyond_schema = ["duplicate-choice-id", "duplicate-member"];
    let only_beyond = findings.iter().filter(|f| f.is_error()).all(|f| beyond_schema.contains(&f.rule.code));
    prop_assert_eq!(by_schema_and_serde, only_beyond, "{} {:?}", String::from_utf8_lossy(bytes), findings);
    Ok(())
}

fn schema() -> &'static jsonschema::Validator {
    static SCHEMA: std::sync::LazyLock<jsonschema::Validator> = std::sync::LazyLock::new(|| {
        let document: Value = serde_json::from_str(arc_validator::schema::SOURCE).unwrap();
        let is_timestamp = |text: &str| arc_validator::timestamp::parse_millis(text.as_bytes()).is_some();
        jsonschema::options()
            .should_validate_formats(true)
            .with_format("date-time", is_timestamp)
            .build(&document)
            .unwrap()
    });
    &SCHEMA
}

#[test]
fn the_seeds_are_valid() {
    for event in seeds() {
        let bytes = event.to_string().into_bytes();
        assert!(arc_validator::parse(&bytes).is_ok(), "{:#?}", arc_validator::explain(&bytes));
        assert!(arc_validator::explain(&bytes).is_empty());
    }
}

/// How many events are generated: 20,000, or as many as `PROPTEST_CASES` says.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").map_or(20_000, |cases| cases.parse().expect("PROPTEST_CASES is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_lanes_and_the_schema_agree(bytes in broken_event()) {
        agree(&bytes)?;
    }
}
