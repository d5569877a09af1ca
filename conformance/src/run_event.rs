//! What happens in a run, as one linear stream. Every reporter reads it, the runner knows none of them.

use crate::claim::Claim;
use crate::smoke::Smoke;
use crate::verdict::{Check, Judgement};
use std::time::Duration;

/// One thing that happened.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// The run begins.
    Began {
        /// The event endpoint.
        target: &'a str,
        /// The profile's name.
        profile: &'a str,
        /// The run's prefix.
        run: &'a str,
        /// The seed of the random lifecycles, where there are some.
        seed: Option<u64>,
        /// How many scenarios will be played.
        scenarios: usize,
    },
    /// The first look at the consumer.
    Smoked(&'a Smoke),
    /// A scenario came to its end.
    Played {
        /// Its id.
        scenario: &'a str,
        /// What it found.
        checks: &'a [Check],
        /// How long it took.
        took: Duration,
    },
    /// The run is over.
    Ended(&'a Summary),
}

/// What a run comes to.
#[derive(Debug)]
pub struct Summary {
    /// One judgement for each requirement.
    pub judgements: Vec<Judgement>,
    /// The claims that were asked for.
    pub claims: Vec<Claim>,
    /// Requests on the wire.
    pub requests: u64,
    /// Replies that were 429.
    pub rate_limited: u64,
    /// A lifecycle that failed, made as small as it fails: a scenario file's content.
    pub minimal: Option<serde_json::Value>,
    /// Wall-clock time.
    pub took: Duration,
}

impl Summary {
    /// The judgements that the claims rest on.
    pub fn asked(&self) -> impl Iterator<Item = &Judgement> {
        let is_asked = |judgement: &&Judgement| self.claims.iter().any(|c| c.name == judgement.requirement.claim);
        self.judgements.iter().filter(is_asked)
    }
}

/// Reads the stream of a run.
pub trait Reporter {
    /// Takes one event. An error ends the run, except a closed pipe.
    fn take(&mut self, event: &RunEvent<'_>) -> std::io::Result<()>;
}
