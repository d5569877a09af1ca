//! Expiries that were told though they could not be written.

use crate::engine::Millis;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The latest instant as of which somebody was told that a deadline has passed while the disk was full or locked. The next
/// commit makes up for it before it decides anything, whatever the clock says by then: a clock that was set back in between
/// opens nothing again.
#[derive(Debug, Clone)]
pub(crate) struct Owed(Arc<AtomicI64>);

impl Owed {
    const NOTHING: Millis = Millis::MIN;

    pub(super) fn nothing() -> Self {
        Self(Arc::new(AtomicI64::new(Self::NOTHING)))
    }

    /// Deadlines up to `instant` count as passed from now on.
    pub(super) fn add(&self, instant: Millis) {
        self.0.fetch_max(instant, Ordering::SeqCst);
    }

    /// The instant up to which something is owed.
    pub(super) fn until(&self) -> Option<Millis> {
        Some(self.0.load(Ordering::SeqCst)).filter(|instant| *instant != Self::NOTHING)
    }

    /// Everything up to `instant` has been written.
    pub(super) fn settle(&self, instant: Millis) {
        // What was added in the meantime stays owed.
        let _ = self.0.compare_exchange(instant, Self::NOTHING, Ordering::SeqCst, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_is_settled() {
        let owed = Owed::nothing();
        assert_eq!(owed.until(), None);
        owed.add(5);
        owed.add(3);
        assert_eq!(owed.until(), Some(5));
        owed.add(7);
        owed.settle(5);
        assert_eq!(owed.until(), Some(7));
        owed.settle(7);
        assert_eq!(owed.until(), None);
    }
}
