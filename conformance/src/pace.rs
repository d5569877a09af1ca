//! How fast the kit may go: slots for requests under way, and the consumer's own rate limit, which is waited out.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, SemaphorePermit};

/// Shared by every request of a run.
#[derive(Debug)]
pub struct Pace {
    slots: Semaphore,
    not_before: Mutex<Option<Instant>>,
    rate: Option<Rate>,
    patience: Duration,
    requests: AtomicU64,
    limited: AtomicU64,
    unsaid: AtomicU64,
}

impl Pace {
    /// At most `jobs` requests at once; a request gives up after `patience` of 429.
    pub fn new(jobs: usize, patience: Duration) -> Self {
        Self {
            slots: Semaphore::new(jobs.max(1)),
            not_before: Mutex::new(None),
            rate: None,
            patience,
            requests: AtomicU64::new(0),
            limited: AtomicU64::new(0),
            unsaid: AtomicU64::new(0),
        }
    }

    /// The same with at most so many requests a second on average.
    #[must_use]
    pub fn at_most(self, a_second: Option<f64>) -> Self {
        Self { rate: a_second.map(Rate::new), ..self }
    }

    /// A free slot, in the order of asking.
    pub async fn slot(&self) -> Option<SemaphorePermit<'_>> {
        self.slots.acquire().await.ok()
    }

    /// Returns when the consumer's last Retry-After has passed.
    pub async fn ready(&self) {
        loop {
            let until = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
            match until.filter(|until| *until > Instant::now()) {
                Some(until) => tokio::time::sleep_until(until.into()).await,
                None => return,
            }
        }
    }

    /// Takes the next turn that the user's own rate permits, and returns when it has come.
    pub async fn turn(&self) {
        if let Some(rate) = &self.rate {
            tokio::time::sleep_until(rate.take(Instant::now()).into()).await;
        }
    }

    /// Takes a turn without waiting for it: for requests that have to meet. Those that follow wait the longer.
    pub fn jump(&self) {
        if let Some(rate) = &self.rate {
            rate.take(Instant::now());
        }
    }

    /// Counts one request on the wire.
    pub fn count(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Requests sent so far, 429 included.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// How many replies were 429, and how many of these did not say when to retry.
    pub fn limited(&self) -> (u64, u64) {
        (self.limited.load(Ordering::Relaxed), self.unsaid.load(Ordering::Relaxed))
    }

    /// A request's patience, beginning now.
    pub fn patience(&self) -> Patience {
        Patience { ends: Instant::now() + self.patience }
    }
}

/// The user's rate: turns, one gap apart.
#[derive(Debug)]
struct Rate {
    gap: Duration,
    next: Mutex<Option<Instant>>,
}

impl Rate {
    fn new(a_second: f64) -> Self {
        Self { gap: Duration::from_secs_f64(1.0 / a_second), next: Mutex::new(None) }
    }

    fn take(&self, now: Instant) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = next.map_or(now, |next| next.max(now));
        *next = Some(turn + self.gap);
        turn
    }
}

/// How long one request puts up with 429.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    ends: Instant,
}

impl Patience {
    /// Notes a 429 and makes everyone wait as long as it says, a second where it says nothing. `false` when patience
    /// is at its end.
    pub fn wait(self, retry_after: Option<&str>, pace: &Pace) -> bool {
        let said = retry_after.and_then(|text| text.trim().parse::<u64>().ok());
        pace.limited.fetch_add(1, Ordering::Relaxed);
        if retry_after.is_none() {
            pace.unsaid.fetch_add(1, Ordering::Relaxed);
        }
        let until = Instant::now() + Duration::from_secs(said.unwrap_or(1).min(60));
        let mut not_before = pace.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        *not_before = Some(not_before.map_or(until, |already| already.max(until)));
        until < self.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_a_gap_apart_and_idle_time_is_not_saved_up() {
        let rate = Rate::new(10.0);
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let turns = [0, 0, 0, 1_000, 1_050].map(|now| rate.take(after(now)));
        assert_eq!(turns, [0, 100, 200, 1_000, 1_100].map(after));
    }

    #[test]
    fn patience_ends() {
        let pace = Pace::new(1, Duration::from_secs(5));
        assert!(pace.patience().wait(Some("1"), &pace));
        assert!(!pace.patience().wait(Some("30"), &pace));
        assert!(pace.patience().wait(None, &pace));
        assert_eq!(pace.limited(), (3, 1));
    }
}
