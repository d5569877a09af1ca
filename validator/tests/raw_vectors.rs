//! The golden raw vectors, strict JSON byte by byte, hold for this implementation.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::Value;
use std::collections::BTreeMap;
use support::{read_json, root, vectors_in};

/// Every vector by its file's name.
fn vectors() -> BTreeMap<String, Value> {
    vectors_in("raw")
}

fn bytes(vector: &Value) -> Vec<u8> {
    match vector["text"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => BASE64_STANDARD.decode(vector["base64"].as_str().unwrap()).unwrap(),
    }
}

#[test]
fn each_vector_gives_its_verdict_code_pointer_and_offset() {
    let vectors = vectors();
    assert!(vectors.len() >= 30, "only {} vectors", vectors.len());
    let mut wrong = Vec::new();
    for (name, vector) in vectors {
        let bytes = bytes(&vector);
        let expected = vector["findings"].as_array().cloned().unwrap_or_default();
        let found: Vec<_> = arc_validator::explain(&bytes)
            .iter()
            .map(|f| serde_json::json!({ "code": f.rule.code, "pointer": f.pointer, "offset": f.span.start }))
            .collect();
        if found != expected || vector["valid"] != arc_validator::parse(&bytes).is_ok() {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_vector_is_well_formed_and_names_a_requirement() {
    let schema = jsonschema::validator_for(&read_json(&root().join("schemas/raw-vector.schema.json"))).unwrap();
    let catalogue = std::fs::read_to_string(root().join("vectors/requirements.json")).unwrap();
    for (name, vector) in vectors() {
        let errors: Vec<_> = schema.iter_errors(&vector).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert_eq!(vector["id"], name.as_str());
        assert!(catalogue.contains(&vector["requirement"].to_string()), "{name} names an unknown requirement");
    }
}
