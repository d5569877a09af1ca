//! How far a long file is, on a terminal's standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shows itself only for files that take long, and only where somebody looks.
pub(crate) struct Progress {
    total: Option<u64>,
    done: u64,
    is_shown: bool,
    last: Instant,
    is_watched: bool,
}

const INTERVAL: Duration = Duration::from_millis(200);

impl Progress {
    /// `total` is the file's size in bytes, where it is known.
    pub(crate) fn new(total: Option<u64>) -> Self {
        Self { total, done: 0, is_shown: false, last: Instant::now(), is_watched: io::stderr().is_terminal() }
    }

    /// So many bytes more were read.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.done += bytes as u64;
        if self.is_watched && self.last.elapsed() >= INTERVAL {
            self.last = Instant::now();
            self.is_shown = true;
            self.show();
        }
    }

    fn show(&self) {
        const MIB: u64 = 1 << 20;
        let of = match self.total {
            Some(total) if total > 0 => {
                let percent = (self.done * 100 / total).min(100);
                let filled = usize::try_from(percent / 4).unwrap_or_default();
                format!(" of {} MiB  [{:25}] {percent} %", total / MIB, "#".repeat(filled))
            }
            _ => " MiB".to_owned(),
        };
        // Not to be seen is no reason to stop.
        let _ = write!(io::stderr(), "\r{:>6}{of}", self.done / MIB);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
