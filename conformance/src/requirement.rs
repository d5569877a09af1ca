//! The requirement catalogue: every normative statement of the contract that a program here judges.

use serde::Deserialize;
use std::sync::LazyLock;

/// `vectors/requirements.json` as embedded.
pub const SOURCE: &str = include_str!("../../vectors/requirements.json");

/// How strongly the contract speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A violation breaks the claim.
    Must,
    /// A violation is a note.
    Should,
}

impl Level {
    /// `must` or `should`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
        }
    }
}

/// One normative statement.
#[derive(Debug, Deserialize)]
pub struct Requirement {
    /// Family and number, as `ANS-06`.
    pub id: String,
    /// How strongly it is meant.
    pub level: Level,
    /// The claim that it belongs to: `consumer`, `agentnotify-http`, `interactions` …
    pub claim: String,
    /// The contract's section.
    pub section: String,
    /// What is required.
    pub statement: String,
    /// How it shows from outside.
    pub observe: String,
}

impl Requirement {
    /// The letters in front of the number.
    pub fn family(&self) -> &str {
        self.id.split_once('-').map_or(self.id.as_str(), |(family, _)| family)
    }
}

#[derive(Deserialize)]
struct Catalogue {
    requirements: Vec<Requirement>,
}

static CATALOGUE: LazyLock<Vec<Requirement>> = LazyLock::new(|| {
    let catalogue: Catalogue = serde_json::from_str(SOURCE).expect("a test parses the embedded catalogue");
    catalogue.requirements
});

/// Every requirement, in the catalogue's order.
pub fn all() -> &'static [Requirement] {
    &CATALOGUE
}

/// The requirement of that id.
pub fn find(id: &str) -> Option<&'static Requirement> {
    all().iter().find(|requirement| requirement.id.eq_ignore_ascii_case(id))
}

/// Where a requirement stands in the catalogue; unknown ids come last.
pub fn position(id: &str) -> usize {
    all().iter().position(|requirement| requirement.id == id).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_found() {
        let ids: BTreeSet<_> = all().iter().map(|r| r.id.as_str()).collect();
        assert_eq!(ids.len(), all().len());
        assert_eq!(find("ans-06").map(|r| (r.family(), r.level)), Some(("ANS", Level::Must)));
        assert!(find("ANS-99").is_none());
    }
}
