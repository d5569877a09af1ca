//! Workflow commands, which GitHub Actions shows as annotations beside the lines they mean.

use super::path::relative;
use super::{Located, Report, Summary, concise};
use crate::finding::printable;
use crate::rules::Level;
use std::io::{self, Write};
use std::path::PathBuf;

/// The format for GitHub Actions. A step shows ten annotations of a kind; what is over that stands in the log as a plain
/// line, and a notice says how many did.
#[derive(Debug)]
pub struct Github {
    cwd: PathBuf,
    written: Summary,
    left_out: u64,
}

impl Github {
    /// Paths are written relative to `cwd`, which should be the root of the repository.
    pub fn new(cwd: PathBuf) -> Self {
        Self { cwd, written: Summary::default(), left_out: 0 }
    }

    /// Whether one more annotation of this kind is shown. Of the notices one place is kept for the last word.
    fn takes(&self, level: Level) -> bool {
        match level {
            Level::Error => self.written.errors < 10,
            Level::Warning => self.written.warnings < 10,
            Level::Info => self.written.infos < 9,
        }
    }
}

impl Report for Github {
    fn finding(&mut self, out: &mut dyn Write, located: &Located<'_>) -> io::Result<()> {
        if !self.takes(located.level) {
            self.left_out += 1;
            // Indented, so that no file's name can begin a command.
            return writeln!(out, "  {}", concise::line(located));
        }
        self.written.count(located.level);
        let (finding, start, end) = (located.finding, located.start, located.end);
        let command = match located.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Info => "notice",
        };
        let file = property(&relative(located.path, &self.cwd));
        // GitHub drops the columns of what spans lines, so they are not sent.
        let place = if start.line == end.line {
            format!("line={},endLine={},col={},endColumn={}", start.line, end.line, start.column, end.column)
        } else {
            format!("line={},endLine={}", start.line, end.line)
        };
        writeln!(out, "::{command} file={file},{place},title={}::{}", finding.rule.code, data(&finding.to_string()))
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        if self.left_out > 0 {
            let left_out = self.left_out;
            let what = if left_out == 1 { "finding has" } else { "findings have" };
            writeln!(
                out,
                "::notice title=arc-validate::{left_out} more {what} no annotation; the log lists all of them"
            )?;
        }
        writeln!(out, "{summary}")
    }
}

/// The message of a command: one line whatever it holds.
fn data(text: &str) -> String {
    printable(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// A property of a command, which also ends at a comma or a colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_stays_one_command() {
        assert_eq!(data("50 %\r\n::error::x\u{1b}[0m"), "50 %25%0D%0A::error::x\\u{1b}[0m");
        assert_eq!(property("a,b:c%\n.json"), "a%2Cb%3Ac%25%0A.json");
    }
}
