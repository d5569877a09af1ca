//! The line around a finding, cut to what fits, with nothing in it that a terminal would act on or a log should not hold.

use super::Located;
use super::mask::masked;
use crate::finding::is_invisible;
use std::ops::Range;

/// One line of an event with the part to underline.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// What is shown, cut at both ends as needed.
    pub(super) text: String,
    /// Columns before the underlined part.
    pub(super) indent: usize,
    /// Columns underlined, at least one.
    pub(super) width: usize,
}

/// Characters shown before and after the offending part.
const BEFORE: usize = 30;
const MOST: usize = 90;

/// The excerpt for a finding; `None` where there is nothing to show.
pub(super) fn excerpt(located: &Located<'_>) -> Option<Excerpt> {
    let span = &located.finding.span;
    let masked = masked(located.source);
    let line = line_around(&masked, span.start);
    let before = String::from_utf8_lossy(&masked[line.start..span.start]);
    let within = String::from_utf8_lossy(&masked[span.start..span.end.clamp(span.start, line.end)]);
    let after = String::from_utf8_lossy(&masked[span.end.clamp(span.start, line.end)..line.end]);
    if before.is_empty() && within.is_empty() && after.is_empty() {
        return None;
    }
    let mut shown = Excerpt::default();
    let skipped = before.chars().count().saturating_sub(BEFORE);
    if skipped > 0 {
        shown.push('…');
    }
    before.chars().skip(skipped).for_each(|c| shown.push(c));
    shown.indent = shown.width;
    let cut = within.chars().count() > MOST;
    within.chars().take(MOST).for_each(|c| shown.push(c));
    let underlined = (shown.width - shown.indent).max(1);
    after.chars().take(if cut { 0 } else { BEFORE }).for_each(|c| shown.push(c));
    if cut || after.chars().nth(BEFORE).is_some() {
        shown.push('…');
    }
    shown.width = underlined;
    Some(shown)
}

impl Excerpt {
    /// Appends a character as it may be shown; `width` counts the columns so far.
    fn push(&mut self, c: char) {
        let before = self.text.len();
        match c {
            '\t' => self.text.push(' '),
            c if c.is_control() || is_invisible(c) => self.text.extend(c.escape_unicode()),
            c => self.text.push(c),
        }
        self.width += unicode_width::UnicodeWidthStr::width(&self.text[before..]);
    }
}

fn line_around(source: &[u8], at: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |newline| at + newline);
    start..end
}
