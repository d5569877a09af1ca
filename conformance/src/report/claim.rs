//! `claim.json`.

use crate::claim_file::{About, ClaimFile};
use crate::clock;
use crate::run_event::{Reporter, RunEvent};
use std::io::{self, Write};

/// Writes the claim file at the end of a run that judged its target.
#[derive(Debug)]
pub struct ClaimJson<W> {
    out: W,
    about: About,
}

impl<W: Write> ClaimJson<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, about: About::default() }
    }
}

impl<W: Write> Reporter for ClaimJson<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Began { target, profile, seed, .. } => {
                (*target).clone_into(&mut self.about.target);
                (*profile).clone_into(&mut self.about.profile);
                self.about.seed = *seed;
            }
            RunEvent::Smoked(smoke) => self.about.three_types_only = smoke.three_types_only,
            RunEvent::Played { .. } => {}
            RunEvent::Ended(summary) => {
                let file = ClaimFile::new(&self.about, summary, clock::rfc3339(clock::now_millis()));
                serde_json::to_writer_pretty(&mut self.out, &file)?;
                writeln!(self.out)?;
                self.out.flush()?;
            }
        }
        Ok(())
    }
}
