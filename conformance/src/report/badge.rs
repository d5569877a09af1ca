//! A badge's JSON endpoint: counts, never a bare word.

use crate::claim::{Claim, Standing};
use crate::run_event::{Reporter, RunEvent};
use std::io::{self, Write};

/// Writes the endpoint's JSON, as badge services read it, for the first claim that was asked for.
#[derive(Debug)]
pub struct Badge<W> {
    out: W,
}

impl<W: Write> Badge<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }

    fn write(&mut self, label: &str, message: &str, color: &str) -> io::Result<()> {
        let badge = serde_json::json!({ "schemaVersion": 1, "label": label, "message": message, "color": color });
        writeln!(self.out, "{badge}")?;
        self.out.flush()
    }
}

fn message(claim: &Claim) -> (String, &'static str) {
    let total = claim.passed + claim.not_applicable + claim.failed.len() + claim.open.len();
    let counts = format!("{}/{total} passed, {} n/a", claim.passed, claim.not_applicable);
    match claim.standing {
        Standing::Holds => (format!("holds: {counts}"), "green"),
        Standing::Broken => (format!("{} failed, {counts}", claim.failed.len()), "red"),
        Standing::Open => (format!("{} open, {counts}", claim.open.len()), "yellow"),
    }
}

impl<W: Write> Reporter for Badge<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Smoked(smoke) if smoke.trouble.is_some() => self.write("ARC 0.2", "not judged", "lightgrey"),
            RunEvent::Ended(summary) => match summary.claims.first() {
                Some(claim) => {
                    let (message, color) = message(claim);
                    self.write(&format!("ARC 0.2 {}", claim.name), &message, color)
                }
                None => self.write("ARC 0.2", "no claim asked", "lightgrey"),
            },
            _ => Ok(()),
        }
    }
}
