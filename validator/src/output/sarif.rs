//! SARIF 2.1.0, as GitHub and other platforms take it: every result has a place under a relative URI.

use super::path::{encode, relative};
use super::{Located, Report, Summary};
use crate::catalogue::rules;
use crate::input::Place;
use crate::rules::{Level, Rule};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// The SARIF format. Results are written as they are found.
#[derive(Debug)]
pub struct Sarif {
    cwd: PathBuf,
    begun: bool,
}

impl Sarif {
    /// Paths are written relative to `cwd`, which should be the root of the repository.
    pub fn new(cwd: PathBuf) -> Self {
        Self { cwd, begun: false }
    }

    /// Everything before the first result.
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.begun {
            return Ok(());
        }
        self.begun = true;
        out.write_all(
            br#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":"#,
        )?;
        let rules = rules().map(Descriptor::from).collect();
        let driver = Driver { name: "arc-validate", version: env!("CARGO_PKG_VERSION"), rules };
        serde_json::to_writer(&mut *out, &Tool { driver })?;
        out.write_all(br#","columnKind":"unicodeCodePoints","results":["#)
    }
}

impl Report for Sarif {
    fn finding(&mut self, out: &mut dyn Write, located: &Located<'_>) -> io::Result<()> {
        let separator: &[u8] = if self.begun { b",\n" } else { b"\n" };
        self.begin(out)?;
        out.write_all(separator)?;
        let uri = encode(&relative(located.path, &self.cwd));
        serde_json::to_writer(out, &Outcome::new(located, uri)).map_err(io::Error::from)
    }

    fn finish(&mut self, out: &mut dyn Write, _: &Summary) -> io::Result<()> {
        self.begin(out)?;
        out.write_all(b"\n]}]}\n")
    }
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
struct Text<T> {
    text: T,
}

/// SARIF's `reportingDescriptor`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Text<&'static str>,
    full_description: Text<&'static str>,
    help: Text<String>,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: &'static [&'static str],
    section: &'static str,
}

impl From<&'static Rule> for Descriptor {
    fn from(rule: &'static Rule) -> Self {
        let help = format!("{} {} (ARC 0.2, {})", rule.summary, rule.explanation, rule.section);
        Self {
            id: rule.code,
            short_description: Text { text: rule.summary },
            full_description: Text { text: rule.explanation },
            help: Text { text: help },
            default_configuration: Configuration { level: level(rule.level) },
            properties: Properties { tags: rule.requirements, section: rule.section },
        }
    }
}

/// SARIF's `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text<String>,
    locations: [Location<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[Logical<'a>; 1]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u64,
    end_line: u64,
    end_column: u64,
    byte_offset: u64,
    byte_length: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical<'a> {
    fully_qualified_name: &'a str,
    kind: &'static str,
}

impl<'a> Outcome<'a> {
    fn new(located: &Located<'a>, uri: String) -> Self {
        let (finding, rule) = (located.finding, located.finding.rule);
        let pointer = Some(finding.pointer.as_str()).filter(|pointer| !pointer.is_empty());
        let logical_locations = pointer.map(|name| [Logical { fully_qualified_name: name, kind: "property" }]);
        let region = Region::new(located.start, located.end);
        let physical_location = Physical { artifact_location: Artifact { uri }, region };
        Self {
            rule_id: rule.code,
            rule_index: rules().position(|known| std::ptr::eq(known, rule)),
            level: level(located.level),
            message: Text { text: finding.to_string() },
            locations: [Location { physical_location, logical_locations }],
        }
    }
}

impl Region {
    fn new(start: Place, end: Place) -> Self {
        Self {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            byte_offset: start.offset,
            byte_length: end.offset - start.offset,
        }
    }
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}
