//! Probes: the contract in small questions to a running consumer, one requirement each. They show that the dummy is
//! what it says; they share nothing with the kit.

mod answers;
mod binding;
mod envelope;
mod lifecycle;
mod peer;
mod routes;

pub(crate) use peer::{Got, Peer};

use std::future::Future;
use std::pin::Pin;

/// One question: whether the consumer behaves as the requirement says.
pub(crate) struct Probe {
    pub(crate) requirement: &'static str,
    pub(crate) name: &'static str,
    /// It waits for a deadline or measures a time.
    pub(crate) is_timed: bool,
    /// Nothing else is asked meanwhile.
    pub(crate) is_alone: bool,
    pub(crate) run: for<'a> fn(&'a Peer) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>>,
}

/// Writes a list of probes; `timed` stands before those that wait for a deadline or measure a time, `alone` before such a one
/// that is asked by itself.
macro_rules! probes {
    ($($requirement:literal $($when:ident)? $name:literal |$peer:ident| $body:block)+) => {
        /// The probes of this family.
        pub(super) const PROBES: &[super::Probe] = &[$(super::Probe {
            requirement: $requirement,
            name: $name,
            is_timed: !concat!("", $(stringify!($when))?).is_empty(),
            is_alone: matches!(concat!("", $(stringify!($when))?).as_bytes(), b"alone"),
            run: |$peer| Box::pin(async move { $body }),
        },)+];
    };
}
use probes;

/// Every probe.
pub(crate) fn all() -> impl Iterator<Item = &'static Probe> {
    [envelope::PROBES, lifecycle::PROBES, answers::PROBES, binding::PROBES, routes::PROBES].into_iter().flatten()
}

/// The requirements that the consumer does not meet, and by which probe; `wanted` is asked for a requirement, and
/// whether its probe is timed.
pub(crate) async fn unmet(url: &str, token: &str, wanted: impl Fn(&str, bool) -> bool) -> Vec<(&'static str, String)> {
    let peer = Peer::new(url, token);
    let mut unmet = envelope::unmet_cases(&peer, &|requirement: &str| wanted(requirement, false)).await;
    for (is_timed, is_alone) in [(false, false), (true, false), (true, true)] {
        let now = |probe: &&Probe| probe.is_timed == is_timed && probe.is_alone == is_alone;
        let chosen = all().filter(|probe| now(probe) && wanted(probe.requirement, is_timed));
        let run = |probe: &'static Probe| {
            let peer = peer.clone();
            (probe, tokio::spawn(async move { (probe.run)(&peer).await }))
        };
        for (probe, run) in chosen.map(run).collect::<Vec<_>>() {
            if !run.await.unwrap_or(false) {
                unmet.push((probe.requirement, probe.name.to_owned()));
            }
        }
    }
    unmet
}
