//! One JSON object: `findings` in order, then `summary`. Written as findings come, so it never holds them all.

use super::{Located, Report, Summary};
use serde::Serialize;
use std::io::{self, Write};

/// The JSON format.
#[derive(Debug, Default)]
pub struct Json {
    begun: bool,
    /// One finding, as it is written.
    line: Vec<u8>,
}

/// One finding as JSON: lines, columns (in characters) and events count from 1, offsets (in bytes) from 0.
#[derive(Serialize)]
pub(super) struct Entry<'a> {
    code: &'a str,
    level: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permitted: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    requirements: &'a [&'a str],
    section: &'a str,
    file: &'a str,
    event: u64,
    line: u64,
    column: u64,
    end_line: u64,
    end_column: u64,
    offset: u64,
    length: u64,
    pointer: &'a str,
}

impl<'a> From<&'a Located<'a>> for Entry<'a> {
    fn from(located: &'a Located<'a>) -> Self {
        let (finding, rule) = (located.finding, located.finding.rule);
        Self {
            code: rule.code,
            level: located.level.as_str(),
            message: &finding.message,
            permitted: finding.permitted.as_deref(),
            hint: finding.hint.as_deref(),
            requirements: rule.requirements,
            section: rule.section,
            file: located.path,
            event: located.event,
            line: located.start.line,
            column: located.start.column,
            end_line: located.end.line,
            end_column: located.end.column,
            offset: located.start.offset,
            length: located.end.offset - located.start.offset,
            pointer: &finding.pointer,
        }
    }
}

impl Json {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let separator = if self.begun { ",\n" } else { "{\"findings\":[\n" };
        self.begun = true;
        out.write_all(separator.as_bytes())
    }
}

impl Report for Json {
    fn finding(&mut self, out: &mut dyn Write, located: &Located<'_>) -> io::Result<()> {
        self.begin(out)?;
        // Each piece of JSON would be a write of its own.
        self.line.clear();
        serde_json::to_writer(&mut self.line, &Entry::from(located))?;
        out.write_all(&self.line)
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        if !self.begun {
            out.write_all(b"{\"findings\":[")?;
        }
        out.write_all(b"\n],\"summary\":")?;
        serde_json::to_writer(&mut *out, summary)?;
        out.write_all(b"}\n")
    }
}
