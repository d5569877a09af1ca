//! What a broker is started with.

use crate::clock::Clock;
use crate::secret::Token;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

/// The broker's settings.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The `SQLite` file; created, for its owner alone, where it is missing.
    pub database: PathBuf,
    /// What every request under /v1 has to bear.
    pub token: Token,
    /// POST requests a second; unlimited unless set.
    pub rate_limit: Option<NonZeroU32>,
    /// Conditions that ended longer ago are forgotten, with their questions and the names of their events; kept for
    /// ever unless set. A condition is also kept until the deadline of its last question has passed.
    pub retain: Option<Duration>,
    /// How long a client may take for a request's header, for its body, and between two requests; 30 seconds.
    pub patience: Duration,
    /// How long a write tries to get the database's write lock when another process holds it; 5 seconds.
    pub lock_patience: Duration,
    /// The most bytes that the database may have; unlimited unless set.
    pub max_bytes: Option<u64>,
    /// Where the time comes from; the system unless a test says otherwise.
    pub clock: Clock,
}

impl Config {
    /// The usual settings.
    pub fn new(database: impl Into<PathBuf>, token: Token) -> Self {
        Self {
            database: database.into(),
            token,
            rate_limit: None,
            retain: None,
            patience: Duration::from_secs(30),
            lock_patience: Duration::from_secs(5),
            max_bytes: None,
            clock: Clock::default(),
        }
    }
}
