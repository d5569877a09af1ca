//! The golden event vectors, which any implementation may use, hold for this one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use arc_validator::{Example, Level};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use support::{read_json, root, vectors_in};

/// Every vector by its file's name.
fn vectors() -> BTreeMap<String, Value> {
    vectors_in("events")
}

fn codes_and_pointers(vector: &Value) -> Vec<(String, String)> {
    let findings = arc_validator::explain(vector["event"].to_string().as_bytes());
    findings.into_iter().map(|finding| (finding.rule.code.to_owned(), finding.pointer)).collect()
}

#[test]
fn each_vector_gives_its_verdict_code_and_pointer() {
    let vectors = vectors();
    assert!(vectors.len() >= 60, "only {} vectors", vectors.len());
    let mut wrong = Vec::new();
    for (name, vector) in vectors {
        let text = |member: &Value| member.as_str().unwrap().to_owned();
        let expected = vector["findings"].as_array().cloned().unwrap_or_default();
        let expected: Vec<_> = expected.iter().map(|f| (text(&f["code"]), text(&f["pointer"]))).collect();
        let found = codes_and_pointers(&vector);
        let is_valid = arc_validator::parse(vector["event"].to_string().as_bytes()).is_ok();
        if found != expected || vector["valid"] != is_valid {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_vector_is_well_formed_and_names_a_requirement() {
    let schema = jsonschema::validator_for(&read_json(&root().join("schemas/event-vector.schema.json"))).unwrap();
    let catalogue = read_json(&root().join("vectors/requirements.json"));
    let known: BTreeSet<_> =
        catalogue["requirements"].as_array().unwrap().iter().map(|r| r["id"].clone().to_string()).collect();
    for (name, vector) in vectors() {
        let errors: Vec<_> = schema.iter_errors(&vector).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert_eq!(vector["id"], name.as_str());
        assert!(known.contains(&vector["requirement"].to_string()), "{name} names an unknown requirement");
    }
}

#[test]
fn every_rule_names_known_requirements() {
    let catalogue = std::fs::read_to_string(root().join("vectors/requirements.json")).unwrap();
    let codes: BTreeSet<_> = vectors().values().flat_map(codes_and_pointers).map(|(code, _)| code).collect();
    for rule in arc_validator::rules() {
        for requirement in rule.requirements {
            assert!(catalogue.contains(&format!("\"{requirement}\"")), "{} names {requirement}", rule.code);
        }
        let is_shown_by_one_event = matches!(rule.bad, Example::Event(_)) && rule.level == Level::Error;
        let is_lint = rule.requirements.iter().all(|requirement| requirement.starts_with("PRO-"));
        assert!(!is_shown_by_one_event || is_lint || codes.contains(rule.code), "no vector breaks {}", rule.code);
    }
}
