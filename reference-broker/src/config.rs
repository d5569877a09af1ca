//! What a broker is started with.

use crate::clock::Clock;
use crate::secret::Token;
use std::path::PathBuf;

/// The broker's settings.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The `SQLite` file; created, for its owner alone, where it is missing.
    pub database: PathBuf,
    /// What every request under /v1 has to bear.
    pub token: Token,
    /// Where the time comes from; the system unless a test says otherwise.
    pub clock: Clock,
}

impl Config {
    /// The usual settings.
    pub fn new(database: impl Into<PathBuf>, token: Token) -> Self {
        Self { database: database.into(), token, clock: Clock::default() }
    }
}
