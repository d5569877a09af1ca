//! What one unit of a file comes to, apart from what stood before it. Judging takes no state, so it runs on any thread.

use arc_validator::Finding;
use arc_validator::input::{Document, Lines, Unit};
use arc_validator::stream::Facts;
use std::io;

/// A judged unit.
pub(crate) struct Judged<'a> {
    pub(crate) document: Document<'a>,
    /// What the stream has to know of a valid event; nothing without lifecycle checks.
    pub(crate) facts: Option<Facts>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) is_valid: bool,
}

/// Judges one unit by itself.
pub(crate) fn judge(unit: Unit<'_>, lifecycle: bool) -> Judged<'_> {
    match unit {
        Unit::Document(document) => {
            let seen = document.see(|event| (lifecycle.then(|| Facts::of(event)), document.lint(event)));
            match seen {
                Ok((facts, findings)) => Judged { document, facts, findings, is_valid: true },
                Err(invalid) => Judged { document, facts: None, findings: invalid.findings, is_valid: false },
            }
        }
        Unit::Unreadable { start, finding } => {
            Judged { document: Document::new(b"", start), facts: None, findings: vec![finding], is_valid: false }
        }
    }
}

/// Judges lines, in their order.
pub(crate) fn judge_all(lines: Lines<'_>, lifecycle: bool) -> io::Result<Vec<Judged<'_>>> {
    let mut judged = Vec::new();
    lines.each(|unit| {
        judged.push(judge(unit, lifecycle));
        Ok(())
    })?;
    Ok(judged)
}
