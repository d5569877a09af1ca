//! Files that people write are held against their JSON Schema before they are read, so that an error has a place.

use serde_json::Value;

/// Checks a value against the text of a schema. The error names the first offending place.
pub fn check(schema: &str, value: &Value) -> Result<(), String> {
    let schema: Value = serde_json::from_str(schema).map_err(|e| format!("the schema is not JSON: {e}"))?;
    let validator = jsonschema::validator_for(&schema).map_err(|e| format!("the schema is not one: {e}"))?;
    match validator.iter_errors(value).next() {
        None => Ok(()),
        Some(error) => Err(format!("{}: {error}", error.instance_path())),
    }
}
