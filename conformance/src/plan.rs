//! Which scenarios are played.

use crate::requirement;
use crate::scenario::Scenario;

/// What the user switched on or off: requirement ids, families, claims or scenario ids.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these; all where empty.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
}

impl Selection {
    /// Whether a scenario is played.
    pub fn takes(&self, scenario: &Scenario) -> bool {
        (self.only.is_empty() || self.only.iter().any(|word| names(scenario, word)))
            && !self.skip.iter().any(|word| names(scenario, word))
    }

    /// The first word that names nothing.
    pub fn unknown<'a>(&'a self, scenarios: &[Scenario]) -> Option<&'a str> {
        let words = self.only.iter().chain(&self.skip);
        words.map(String::as_str).find(|word| !scenarios.iter().any(|scenario| names(scenario, word)))
    }
}

/// Whether a word means this scenario: its id, a requirement that it proves, or that one's family or claim.
fn names(scenario: &Scenario, word: &str) -> bool {
    scenario.id == word
        || scenario.requirements().into_iter().filter_map(requirement::find).any(|requirement| {
            requirement.id.eq_ignore_ascii_case(word)
                || requirement.family().eq_ignore_ascii_case(word)
                || requirement.claim == word
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario;

    #[test]
    fn words_name_ids_requirements_families_and_claims() {
        let all = scenario::golden();
        let count = |only: &str, skip: &str| {
            let list = |word: &str| if word.is_empty() { Vec::new() } else { vec![word.to_owned()] };
            let selection = Selection { only: list(only), skip: list(skip) };
            all.iter().filter(|scenario| selection.takes(scenario)).count()
        };
        assert_eq!(count("", ""), all.len());
        assert_eq!(count(&all[0].id, ""), 1);
        assert!(count("ans-06", "") >= 1);
        assert_eq!(count("DIG", "") + count("", "DIG"), all.len());
        assert_eq!(count("DIG", "DIG"), 0);
        let selection = Selection { only: vec!["ans-6".to_owned()], skip: Vec::new() };
        assert_eq!(selection.unknown(&all), Some("ans-6"));
    }
}
