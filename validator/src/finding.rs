//! What is wrong, where, and what would be right.

use crate::lints::{secrets, suspicion};
use crate::rules::{LANES_DISAGREE, Level, Rule};
use std::fmt;
use std::ops::Range;

/// One thing that is wrong, or worth knowing, about one event.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule that found it: code, level, requirements, section.
    pub rule: &'static Rule,
    /// JSON Pointer (RFC 6901) of the offending member itself; where a member is missing, of the place where it should
    /// stand. Empty for the whole event.
    pub pointer: String,
    /// The bytes to underline: the name of a member that may not stand there, the value of a member that is wrong, the
    /// opening brace of an object that lacks a member. Offsets count from the start of the event's bytes.
    pub span: Range<usize>,
    /// What is wrong. Holds names and numbers, never a text that a person wrote.
    pub message: String,
    /// What the contract permits here.
    pub permitted: Option<String>,
    /// What to do about it, where there is a good guess.
    pub hint: Option<String>,
}

/// The findings of bytes that are no valid event. At least one of them is an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Invalid {
    /// Sorted by place.
    pub findings: Vec<Finding>,
}

impl Finding {
    pub(crate) fn new(rule: &'static Rule, pointer: impl Into<String>, span: Range<usize>, message: String) -> Self {
        Self { rule, pointer: pointer.into(), span, message, permitted: None, hint: None }
    }

    pub(crate) fn permitted(mut self, permitted: impl Into<String>) -> Self {
        self.permitted = Some(permitted.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Stars out what looks like a secret in the names that the finding quotes. Even a member's name may be one.
    pub(crate) fn mask(&mut self) {
        if suspicion::may_hold_secret(self.pointer.as_bytes()) {
            star_secrets(&mut self.pointer);
            star_secrets(&mut self.message);
        }
    }

    /// The fast lane refused what the explaining lane finds nothing wrong with: a fault of this library.
    pub(crate) fn lanes_disagree(len: usize) -> Self {
        let message = "the validator cannot say what is wrong with this event".to_owned();
        Self::new(&LANES_DISAGREE, "", 0..len, message).hint("this is a fault of the validator; please report it")
    }

    /// Whether it alone makes the event invalid.
    pub fn is_error(&self) -> bool {
        self.rule.level == Level::Error
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "{}: ", printable(&self.pointer))?;
        }
        f.write_str(&self.message)?;
        if let Some(permitted) = &self.permitted {
            write!(f, "; permitted: {permitted}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

impl fmt::Display for Invalid {
    /// The first error, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.findings.iter().find(|finding| finding.is_error()) {
            Some(first) => first.fmt(f),
            None => f.write_str("not a valid event"),
        }
    }
}

impl std::error::Error for Invalid {}

fn star_secrets(text: &mut String) {
    let found: Vec<_> = secrets(text).map(|(_, part)| part).collect();
    for part in found.into_iter().rev() {
        text.replace_range(part.clone(), &"*".repeat(part.len()));
    }
}

/// Sorts findings by place, the wider one first where two begin together.
pub(crate) fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let place = |f: &Finding| (f.span.start, std::cmp::Reverse(f.span.end), f.rule.code);
        place(a).cmp(&place(b))
    });
}

/// Appends one step to a JSON Pointer.
pub(crate) fn push_pointer(pointer: &mut String, step: &str) {
    pointer.push('/');
    for c in step.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(c),
        }
    }
}

/// A name from an event as it may be printed: nothing that a terminal would act on, and not too long.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => printable(&text[..end]) + "…",
        None => printable(text),
    }
}

/// A text in which nothing is left that a terminal would act on or that nobody would see.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_invisible(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// Characters that change how their neighbours look, or that nobody sees.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}
