//! Everything that the plays of one run share.

use crate::client::Client;
use crate::privacy::Log;
use crate::profile::Profile;
use crate::scenario::Need;
use crate::secret::Redactor;
use crate::spawned::Spawned;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One run's consumer, and the means to talk to it.
#[derive(Debug)]
pub struct Stage {
    /// Sends requests.
    pub client: Client,
    /// How the consumer speaks.
    pub profile: Profile,
    /// Scheme, host, port and path in front of the profile's paths.
    pub base: String,
    /// The run's own prefix, part of every name that it makes.
    pub run: String,
    /// Keeps secrets out of what people read.
    pub redactor: Redactor,
    /// What the consumer offers of the optional.
    pub offers: BTreeSet<Need>,
    /// The consumer's process, where the kit started it.
    pub spawned: Option<Spawned>,
    /// The consumer's log, where the kit may read it.
    pub log: Option<Log>,
    /// Further URLs of the same consumer.
    pub fleet: Fleet,
}

/// Base URLs beside the first: several processes behind one store are one consumer, whichever of them is asked.
#[derive(Debug, Default)]
pub struct Fleet {
    also: Vec<String>,
    turn: AtomicUsize,
}

impl Fleet {
    /// These, beside the first.
    pub fn new(also: Vec<String>) -> Self {
        Self { also, turn: AtomicUsize::new(0) }
    }

    /// Whose turn it is: each request goes to the next, so that calls which race meet at different doors.
    fn next<'a>(&'a self, first: &'a str) -> &'a str {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % (self.also.len() + 1);
        turn.checked_sub(1).map_or(first, |at| &self.also[at])
    }
}

impl Stage {
    /// The event endpoint; in a fleet that of the next in turn.
    pub fn events_url(&self) -> String {
        format!("{}{}", self.door(), self.profile.events)
    }

    /// The base URL to ask next.
    pub fn door(&self) -> &str {
        self.fleet.next(&self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fleet_is_asked_in_turn() {
        let fleet = Fleet::new(vec!["b".to_owned(), "c".to_owned()]);
        let asked: String = (0..7).map(|_| fleet.next("a")).collect();
        assert_eq!(asked, "abcabca");
        assert_eq!(Fleet::default().next("a"), "a");
    }
}
