//! What happens in a run, as one linear stream. Every reporter reads it, the runner knows none of them.

use crate::claim::Claim;
use crate::known_failures::{Entry, Known};
use crate::smoke::Smoke;
use crate::trace::Story;
use crate::verdict::{Check, Judgement, Verdict};
use std::io;
use std::time::Duration;

/// Who is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Judged {
    /// The kit asks, a consumer answers.
    #[default]
    Consumer,
    /// A producer asks, the kit answers.
    Producer,
}

impl Judged {
    /// Who asks, and who answers: the two sides of each exchange.
    pub fn sides(self) -> (&'static str, &'static str) {
        match self {
            Self::Consumer => ("arc-conform", "consumer"),
            Self::Producer => ("producer", "arc-conform"),
        }
    }
}

/// One thing that happened.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// The run begins.
    Began {
        /// Who is judged.
        judged: Judged,
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
        /// What was said, where not all checks passed.
        story: &'a Story,
    },
    /// The run is over.
    Ended(&'a Summary),
}

/// What a run comes to.
#[derive(Debug, Default)]
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
    /// What the list of known failures comes to, where there is one.
    pub known: Option<Known>,
    /// Wall-clock time.
    pub took: Duration,
}

impl Summary {
    /// The judgements that the claims rest on; where no claim is weighed, whatever was judged.
    pub fn asked(&self) -> impl Iterator<Item = &Judgement> {
        let is_asked = |judgement: &&Judgement| match self.claims.as_slice() {
            [] => judgement.verdict != Verdict::NotJudged,
            claims => claims.iter().any(|claim| claim.name == judgement.requirement.claim),
        };
        self.judgements.iter().filter(is_asked)
    }

    /// The entry of the list of known failures that speaks of this judgement.
    pub fn known_entry(&self, judgement: &Judgement) -> Option<&Entry> {
        self.known.as_ref().and_then(|known| known.entry(&judgement.requirement.id))
    }
}

/// Reads the stream of a run.
pub trait Reporter {
    /// Takes one event. An error ends the run, except a closed pipe.
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()>;
}

/// Tells every reporter. A closed pipe is no error: whoever reads has seen enough.
pub fn tell(reporters: &mut [Box<dyn Reporter>], event: &RunEvent<'_>) -> io::Result<()> {
    for reporter in reporters {
        match reporter.take(event) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
    }
    Ok(())
}
