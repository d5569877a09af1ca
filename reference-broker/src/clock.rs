//! The only module that asks for the time.

use crate::engine::Millis;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

/// Where the broker's time comes from: the system, or a hand that a test moves.
#[derive(Debug, Clone, Default)]
pub struct Clock(Source);

#[derive(Debug, Clone, Default)]
enum Source {
    #[default]
    System,
    Hand(watch::Sender<Millis>),
}

/// A sleeping timer looks at the clock at least so often: clocks are set, machines are suspended.
const GLANCE: Duration = Duration::from_secs(1);

impl Clock {
    /// A clock that stands still at `millis` (UTC, since 1970) until [`Clock::set`] moves it.
    pub fn standing_at(millis: i64) -> Self {
        Self(Source::Hand(watch::Sender::new(millis)))
    }

    /// Moves a standing clock, also backwards; the system's clock cannot be moved.
    pub fn set(&self, millis: i64) {
        if let Source::Hand(hand) = &self.0 {
            hand.send_replace(millis);
        }
    }

    /// UTC milliseconds since 1970-01-01T00:00:00Z.
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub fn now(&self) -> i64 {
        match &self.0 {
            Source::Hand(hand) => *hand.borrow(),
            Source::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
        }
    }

    /// Returns when `instant` has come, by this clock.
    pub(crate) async fn until(&self, instant: Millis) {
        match &self.0 {
            Source::Hand(hand) => {
                // The sender lives in `self`, so the wait cannot fail.
                let _ = hand.subscribe().wait_for(|now| *now >= instant).await;
            }
            Source::System => {
                while let Ok(left @ 1..) = u64::try_from(instant.saturating_sub(self.now())) {
                    tokio::time::sleep(Duration::from_millis(left).min(GLANCE)).await;
                }
            }
        }
    }
}
