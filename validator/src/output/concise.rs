//! One line a finding: `path:line:column: level[code] message`, which editors make clickable.

use super::{Located, Report, Summary};
use crate::finding::printable;
use std::io::{self, Write};

/// The one-line format.
#[derive(Debug, Default)]
pub struct Concise;

/// The finding on one line, without its line break.
pub(super) fn line(located: &Located<'_>) -> String {
    let (finding, start) = (located.finding, located.start);
    let path = printable(located.path);
    let (level, code) = (located.level.as_str(), finding.rule.code);
    let line = format!("{path}:{}:{}: {level}[{code}] {}", start.line, start.column, printable(&finding.message));
    match &finding.hint {
        Some(hint) => format!("{line} ({})", printable(hint)),
        None => line,
    }
}

impl Report for Concise {
    fn finding(&mut self, out: &mut dyn Write, located: &Located<'_>) -> io::Result<()> {
        writeln!(out, "{}", line(located))
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        writeln!(out, "{summary}")
    }
}
