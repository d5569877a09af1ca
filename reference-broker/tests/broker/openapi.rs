//! The description of the routes is held against every reply of the whole suite.

use crate::support::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::OnceLock;

fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| serde_json::from_str(include_str!("../../../schemas/openapi.json")).unwrap())
}

fn validators() -> &'static HashMap<String, jsonschema::Validator> {
    static VALIDATORS: OnceLock<HashMap<String, jsonschema::Validator>> = OnceLock::new();
    VALIDATORS.get_or_init(|| {
        let components = &document()["components"];
        let build = |name: &String| {
            let schema = json!({ "$ref": format!("#/components/schemas/{name}"), "components": components });
            (name.clone(), jsonschema::options().should_validate_formats(true).build(&schema).unwrap())
        };
        components["schemas"].as_object().unwrap().keys().map(build).collect()
    })
}

/// Whether a path is one of this template's.
fn fits(template: &str, path: &str) -> bool {
    let (template, path): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    template.len() == path.len()
        && template.iter().zip(path).all(|(part, given)| part.starts_with('{') || *part == given)
}

/// Fails where a reply has a status or a body that the description does not declare.
pub(crate) fn check(method: &str, path: &str, reply: &Reply) {
    let paths = document()["paths"].as_object().unwrap();
    // A template without a placeholder goes before one with.
    let exact = paths.get(path);
    let item = exact.or_else(|| paths.iter().find(|(template, _)| fits(template, path)).map(|(_, item)| item));
    let operation = item.and_then(|item| item.get(method));
    let schema = if let Some(operation) = operation {
        let response = &operation["responses"][reply.status.to_string()];
        assert!(response.is_object(), "{method} {path} does not declare {reply:?}");
        response["content"]["application/json"]["schema"]["$ref"].as_str()
    } else {
        assert!(matches!(reply.status, 401 | 403 | 404 | 405), "{method} {path} is not described: {reply:?}");
        Some("#/components/schemas/error")
    };
    if let Some(name) = schema.and_then(|schema| schema.strip_prefix("#/components/schemas/")) {
        let errors: Vec<_> = validators()[name].iter_errors(&reply.body).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{method} {path}: {errors:?} in {reply:?}");
    }
}

#[tokio::test]
async fn every_route_described_is_there() {
    let server = Server::start().await;
    let described = server.get("/openapi.json").await;
    assert_eq!(&described.body, document());
    for (template, item) in document()["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let url = server.client.url.clone() + &template.replace("{id}", "none");
            let request = server.client.http.request(method.to_uppercase().parse().unwrap(), url).bearer_auth(TOKEN);
            let response = request.send().await.unwrap();
            let (status, body) = (response.status().as_u16(), response.text().await.unwrap());
            assert!(status != 405 && !body.contains("no such route"), "{method} {template}: {status} {body}");
        }
    }
}

#[test]
fn the_event_described_is_the_contract_s() {
    let contract: Value = serde_json::from_str(arc_validator::schema::SOURCE).unwrap();
    let schemas = &document()["components"]["schemas"];
    assert_eq!(schemas["event"], hoisted(&contract));
    for (name, definition) in contract["$defs"].as_object().unwrap() {
        assert_eq!(schemas[format!("event.{name}")], hoisted(definition), "{name}");
    }
}

/// A part of the contract's schema as it stands among the description's components.
fn hoisted(node: &Value) -> Value {
    match node {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !["$schema", "$id", "$defs"].contains(&name.as_str()))
            .map(|(name, value)| match value.as_str() {
                Some(target) if name == "$ref" => {
                    (name.clone(), target.replace("#/$defs/", "#/components/schemas/event.").into())
                }
                _ => (name.clone(), hoisted(value)),
            })
            .collect(),
        Value::Array(items) => items.iter().map(hoisted).collect(),
        other => other.clone(),
    }
}
