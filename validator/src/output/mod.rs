//! Findings in the forms that people and programs read. One format a file.

mod concise;
mod excerpt;
mod github;
mod human;
mod json;
mod junit;
mod mask;
mod ndjson;
mod path;
mod sarif;

pub use crate::finding::printable;
pub use concise::Concise;
pub use github::Github;
pub use human::Human;
pub use json::Json;
pub use junit::Junit;
pub use ndjson::Ndjson;
pub use sarif::Sarif;

use crate::finding::Finding;
use crate::input::{Document, Place};
use crate::rules::Level;
use std::fmt;
use std::io::{self, Write};

/// A finding with its place in a file.
#[derive(Debug, Clone)]
pub struct Located<'a> {
    /// What was found.
    pub finding: &'a Finding,
    /// How much it weighs in this run.
    pub level: Level,
    /// The file's name as the user gave it; `<stdin>` for the standard input.
    pub path: &'a str,
    /// The event's number in its file, from 1.
    pub event: u64,
    /// The first byte to underline.
    pub start: Place,
    /// The byte after the last one.
    pub end: Place,
    /// The event's bytes; empty where nothing was read.
    pub source: &'a [u8],
}

impl<'a> Located<'a> {
    /// Places a finding of `document`, with its rule's own level.
    pub fn new(finding: &'a Finding, path: &'a str, event: u64, document: &Document<'a>) -> Self {
        let source = document.bytes;
        let start = document.start.after(&source[..finding.span.start]);
        let end = start.after(&source[finding.span.clone()]);
        Self { finding, level: finding.rule.level, path, event, start, end, source }
    }
}

/// What a whole run came to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Files read, the standard input included.
    pub files: u64,
    /// Events seen, valid or not.
    pub events: u64,
    /// Events without a fault, whatever this run makes of faults, and without a finding that it makes an error.
    pub valid: u64,
    /// Findings of level error.
    pub errors: u64,
    /// Findings of level warning.
    pub warnings: u64,
    /// Findings of level info.
    pub infos: u64,
}

impl Summary {
    /// Counts one finding.
    pub fn count(&mut self, level: Level) {
        match level {
            Level::Error => self.errors += 1,
            Level::Warning => self.warnings += 1,
            Level::Info => self.infos += 1,
        }
    }
}

impl fmt::Display for Summary {
    /// One line for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, events, valid, errors, warnings, infos } = *self;
        let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (files, events) = (count(files, "file"), count(events, "event"));
        let (errors, warnings) = (count(errors, "error"), count(warnings, "warning"));
        write!(f, "{events} in {files}: {valid} valid, {errors}, {warnings}, {infos} info")
    }
}

/// One output format: hears of each finding in order, and of the end.
pub trait Report {
    /// Hears that a file is read, before its findings.
    fn source(&mut self, path: &str) {
        let _ = path;
    }

    /// Writes one finding, or keeps it for the end.
    ///
    /// # Errors
    /// What writing gives.
    fn finding(&mut self, out: &mut dyn Write, located: &Located<'_>) -> io::Result<()>;

    /// Writes what stands at the end.
    ///
    /// # Errors
    /// What writing gives.
    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()>;
}
