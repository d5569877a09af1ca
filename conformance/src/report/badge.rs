//! A badge: counts, never a bare word. As the JSON that badge services read, and as an SVG.

use crate::claim::{Claim, Standing};
use crate::run_event::{Reporter, RunEvent};
use askama::Template;
use std::io::{self, Write};

/// What a badge says, of the first claim that was asked for.
struct Text {
    label: String,
    message: String,
    /// Its name for badge services.
    color: &'static str,
    /// What the SVG's right half is filled with: dark enough for white letters (contrast of at least 4.5 to 1).
    fill: &'static str,
}

impl Text {
    fn of(event: &RunEvent<'_>) -> Option<Self> {
        let grey = |message: &str| {
            Some(Self { label: "ARC 0.2".to_owned(), message: message.to_owned(), color: "lightgrey", fill: "#5b6370" })
        };
        match event {
            RunEvent::Smoked(smoke) if smoke.trouble.is_some() => grey("not judged"),
            RunEvent::Ended(summary) => {
                summary.claims.first().map_or_else(|| grey("no claim asked"), |c| Some(c.into()))
            }
            _ => None,
        }
    }
}

impl From<&Claim> for Text {
    fn from(claim: &Claim) -> Self {
        let total = claim.passed + claim.not_applicable + claim.failed.len() + claim.open.len();
        let counts = format!("{}/{total} passed, {} n/a", claim.passed, claim.not_applicable);
        let open = if claim.open.is_empty() { String::new() } else { format!("{} open, ", claim.open.len()) };
        let (message, color, fill) = match claim.standing {
            Standing::Holds => (format!("holds: {counts}"), "green", "#1a7f37"),
            Standing::Broken => (format!("{} failed, {open}{counts}", claim.failed.len()), "red", "#b42318"),
            Standing::Open => (format!("{open}{counts}"), "yellow", "#8a5a00"),
        };
        Self { label: format!("ARC 0.2 {}", claim.name), message, color, fill }
    }
}

/// Writes the JSON of a badge service's endpoint.
#[derive(Debug)]
pub struct Badge<W> {
    out: W,
}

impl<W: Write> Badge<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Reporter for Badge<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        let Some(Text { label, message, color, .. }) = Text::of(event) else { return Ok(()) };
        let badge = serde_json::json!({ "schemaVersion": 1, "label": label, "message": message, "color": color });
        writeln!(self.out, "{badge}")?;
        self.out.flush()
    }
}

/// Writes an SVG.
#[derive(Debug)]
pub struct Svg<W> {
    out: W,
}

impl<W: Write> Svg<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

#[derive(Template)]
#[template(path = "badge.svg", escape = "html")]
struct Picture<'a> {
    label: &'a str,
    message: &'a str,
    fill: &'static str,
    label_width: usize,
    message_width: usize,
}

impl<W: Write> Reporter for Svg<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        let Some(Text { label, message, fill, .. }) = Text::of(event) else { return Ok(()) };
        let (label_width, message_width) = (width(&label), width(&message));
        let picture = Picture { label: &label, message: &message, fill, label_width, message_width };
        self.out.write_all(picture.render().map_err(io::Error::other)?.as_bytes())?;
        self.out.flush()
    }
}

/// The width of a half in pixels. The letters are set to this width, whatever the font.
fn width(text: &str) -> usize {
    text.chars().count() * 7 + 12
}
