//! The deliberate faults of the crash-test consumer, and the scenarios that caught each: `vectors/faults.json`, as a run of
//! the whole matrix wrote it.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// `vectors/faults.json` as embedded.
pub const SOURCE: &str = include_str!("../../vectors/faults.json");

/// One fault, and the requirements that it must break with the scenarios that showed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caught {
    /// The fault's name.
    pub fault: String,
    /// What the consumer does wrong.
    pub does: String,
    /// Requirement to the scenarios that failed.
    pub by: BTreeMap<String, BTreeSet<String>>,
}

/// The content of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// In the order of the requirements.
    pub faults: Vec<Caught>,
}

/// Every fault.
///
/// # Panics
/// Never: a test reads the embedded file.
pub fn all() -> &'static [Caught] {
    static FILE: LazyLock<File> =
        LazyLock::new(|| serde_json::from_str(SOURCE).expect("a test reads the embedded faults"));
    &FILE.faults
}

/// The faults that a requirement's scenarios caught, or that a scenario did.
pub fn with(id: &str) -> impl Iterator<Item = &'static Caught> {
    all().iter().filter(move |fault| fault.by.contains_key(id) || fault.by.values().any(|by| by.contains(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found_by_requirement_and_by_scenario() {
        let fault = all().iter().find(|fault| fault.fault == "DigestUnchecked").expect("it is one of them");
        let scenario = fault.by["ANS-06"].first().expect("something caught it");
        assert!(with("ANS-06").any(|other| other == fault));
        assert!(with(scenario).any(|other| other == fault));
        assert_eq!(with("ANS-99").count(), 0);
    }
}
