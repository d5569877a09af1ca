//! What editors are told: every schema has its name, every data file keeps its schema, and the settings of docs/EDITORS.md
//! find both.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use arc_conformance::schema;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../docs/EDITORS.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap_or_else(|_| panic!("{}", folder.display())).map(|entry| entry.unwrap().path()).collect()
}

/// The files that a pattern of the settings names: `*` stands for a name, or for the beginning of one.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![root()];
    for part in pattern.trim_start_matches('/').split('/') {
        let named = |path: &PathBuf| match part.strip_prefix('*') {
            Some(end) => path.file_name().unwrap().to_str().unwrap().ends_with(end),
            None => path.ends_with(part),
        };
        found = found.iter().filter(|path| path.is_dir()).flat_map(|path| files(path)).filter(named).collect();
    }
    found
}

/// The first block of that language on the page.
fn block(language: &str) -> &'static str {
    PAGE.split_once(&format!("```{language}\n")).unwrap().1.split_once("```").unwrap().0
}

#[test]
fn every_schema_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    for path in files(&root().join("schemas")) {
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(stem) = file.strip_suffix(".schema.json") else {
            assert_eq!(file, "openapi.json", "only the routes are described otherwise");
            continue;
        };
        let schema = json(&path);
        let name = if stem == "arc-0.2" { "event" } else { stem };
        assert_eq!(schema["$id"], format!("urn:arc:0.2:{name}"), "{file}");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{file}");
        assert!(schema["title"].is_string(), "{file}");
        schema::compiled(&schema.to_string());
        assert!(names.insert(schema["$id"].to_string()), "{file}");
    }
}

#[test]
fn the_settings_find_every_data_file_and_each_keeps_its_schema() {
    let settings: Value = serde_json::from_str(block("json")).unwrap();
    let mut covered = BTreeSet::new();
    for entry in settings["json.schemas"].as_array().unwrap() {
        let path = root().join(entry["url"].as_str().unwrap().trim_start_matches("./"));
        let schema = schema::compiled(&fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display())));
        for pattern in entry["fileMatch"].as_array().unwrap() {
            let found = matching(pattern.as_str().unwrap());
            assert!(!found.is_empty(), "{pattern}");
            for file in found {
                assert_eq!(schema::check_with(&schema, &json(&file)), Ok(()), "{}", file.display());
                assert!(covered.insert(file), "two schemas for one file");
            }
        }
    }
    let all = ["/vectors/*.json", "/vectors/*/*.json", "/vectors/*/*/*.json"].into_iter().flat_map(matching);
    let bare: Vec<_> = all.filter(|file| !covered.contains(file)).collect();
    assert!(bare.is_empty(), "no schema for {bare:?}");
}

#[test]
fn the_configuration_shown_names_its_schema() {
    let first = block("toml").lines().next().unwrap();
    let path = first.strip_prefix("#:schema ./").unwrap();
    assert_eq!(json(&root().join(path))["$id"], "urn:arc:0.2:arc-toml");
}
