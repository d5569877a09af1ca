//! Files that people write are held against their JSON Schema before they are read, so that an error has a place.

use jsonschema::Validator;
use serde_json::Value;

/// A schema, ready to be used more than once.
///
/// # Panics
/// Where the text is no JSON Schema: the embedded ones are.
pub fn compiled(schema: &str) -> Validator {
    let schema: Value = serde_json::from_str(schema).expect("a test compiles each embedded schema");
    jsonschema::validator_for(&schema).expect("a test compiles each embedded schema")
}

/// Checks a value. The error names the first offending place.
pub fn check_with(schema: &Validator, value: &Value) -> Result<(), String> {
    let Some(error) = schema.iter_errors(value).next() else { return Ok(()) };
    Err(match error.instance_path().as_str() {
        "" => error.to_string(),
        place => format!("{place}: {error}"),
    })
}

/// Checks a value against the text of a schema, once.
pub fn check(schema: &str, value: &Value) -> Result<(), String> {
    check_with(&compiled(schema), value)
}
