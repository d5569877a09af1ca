//! How many POST requests the token's holders may send: a token bucket.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use tokio::time::Instant;

/// Fills with `rate` permits a second, and holds those of one second.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: f64,
    level: Mutex<(f64, Instant)>,
}

impl Bucket {
    pub(crate) fn new(rate: NonZeroU32, now: Instant) -> Self {
        let rate = f64::from(rate.get());
        Self { rate, level: Mutex::new((rate, now)) }
    }

    /// Takes a permit, where there is one.
    pub(crate) fn take(&self, now: Instant) -> bool {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let (permits, at) = *level;
        let filled = (now.saturating_duration_since(at).as_secs_f64().mul_add(self.rate, permits)).min(self.rate);
        let is_left = filled >= 1.0;
        *level = (if is_left { filled - 1.0 } else { filled }, now.max(at));
        is_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_second_s_permits_may_go_at_once_and_come_back_evenly() {
        let begin = Instant::now();
        let bucket = Bucket::new(NonZeroU32::new(10).unwrap(), begin);
        let taken = |after: u64, tries: usize| {
            let now = begin + Duration::from_millis(after);
            (0..tries).filter(|_| bucket.take(now)).count()
        };
        assert_eq!([taken(0, 20), taken(99, 5), taken(100, 5), taken(350, 5)], [10, 0, 1, 2]);
        assert_eq!([taken(200, 5), taken(60_000, 20)], [0, 10]);
    }
}
