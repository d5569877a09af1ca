//! One JSON object a line, each written as soon as it is found; the last one is the summary.

use super::json::Entry;
use super::{Located, Report, Summary};
use serde::Serialize;
use std::io::{self, Write};

/// The NDJSON format.
#[derive(Debug, Default)]
pub struct Ndjson;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Finding(Entry<'a>),
    Summary(&'a Summary),
}

impl Line<'_> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")?;
        // Whoever reads along wants the line now.
        out.flush()
    }
}

impl Report for Ndjson {
    fn finding(&mut self, out: &mut dyn Write, located: &Located<'_>) -> io::Result<()> {
        Line::Finding(Entry::from(located)).write(out)
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        Line::Summary(summary).write(out)
    }
}
