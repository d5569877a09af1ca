//! Everything that the plays of one run share.

use crate::client::Client;
use crate::privacy::Log;
use crate::profile::Profile;
use crate::scenario::Need;
use crate::secret::Redactor;
use crate::spawned::Spawned;
use std::collections::BTreeSet;

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
}

impl Stage {
    /// The event endpoint.
    pub fn events_url(&self) -> String {
        format!("{}{}", self.base, self.profile.events)
    }
}
