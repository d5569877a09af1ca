//! For people: where, which rule, what is wrong, the line itself, what would be right.

use super::excerpt::excerpt;
use super::{Located, Report, Summary};
use crate::finding::{printable, shown};
use crate::rules::Level;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// The format for terminals. It always writes colour; the stream it writes to takes it out where it is not wanted.
#[derive(Debug, Default)]
pub struct Human;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

fn style(level: Level) -> Style {
    let color = match level {
        Level::Error => AnsiColor::Red,
        Level::Warning => AnsiColor::Yellow,
        Level::Info => AnsiColor::Cyan,
    };
    color.on_default().bold()
}

impl Report for Human {
    fn finding(&mut self, out: &mut dyn Write, located: &Located<'_>) -> io::Result<()> {
        let (finding, rule, level) = (located.finding, located.finding.rule, style(located.level));
        let place = format!("{}:{}:{}", printable(located.path), located.start.line, located.start.column);
        let word = located.level.as_str();
        write!(out, "{BOLD}{place}{BOLD:#} {level}{word}[{}]{level:#}", rule.code)?;
        if !finding.pointer.is_empty() {
            write!(out, " {DIM}{}{DIM:#}", shown(&finding.pointer))?;
        }
        writeln!(out, "\n  {}", finding.message)?;
        if let Some(excerpt) = excerpt(located) {
            let underline = "^".repeat(excerpt.width);
            writeln!(out, "  {DIM}|{DIM:#} {}", excerpt.text)?;
            writeln!(out, "  {DIM}|{DIM:#} {}{level}{underline}{level:#}", " ".repeat(excerpt.indent))?;
        }
        if let Some(permitted) = &finding.permitted {
            writeln!(out, "  permitted: {permitted}")?;
        }
        if let Some(hint) = &finding.hint {
            writeln!(out, "  hint: {hint}")?;
        }
        writeln!(out)
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let verdict = if summary.errors == 0 { AnsiColor::Green } else { AnsiColor::Red }.on_default().bold();
        writeln!(out, "{verdict}{summary}{verdict:#}")
    }
}
