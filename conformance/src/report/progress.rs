//! A progress bar on standard error while a run lasts, where that is a terminal.

use crate::run_event::{Reporter, RunEvent};
use crate::verdict::Verdict;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io;

/// Draws the bar; where standard error is no terminal, nothing.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    failed: usize,
}

impl Progress {
    /// A bar on standard error.
    pub fn new() -> Self {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} scenarios{msg}, {elapsed}");
        let bar = ProgressBar::hidden().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, failed: 0 }
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Reporter for Progress {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Began { scenarios, .. } => self.bar.set_length(u64::try_from(*scenarios).unwrap_or(u64::MAX)),
            RunEvent::Smoked(_) => {}
            RunEvent::Played { checks, .. } => {
                // What was printed before the first scenario ended stands above the bar.
                if self.bar.position() == 0 {
                    self.bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                if checks.iter().any(|check| check.verdict == Verdict::Fail) {
                    self.failed += 1;
                    self.bar.set_message(format!(", {} with violations", self.failed));
                }
                self.bar.inc(1);
            }
            RunEvent::Ended(_) => self.bar.finish_and_clear(),
        }
        Ok(())
    }
}
