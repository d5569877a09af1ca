//! Every rule there is.

use crate::lints::LINTS;
use crate::rules::{self, Rule};

/// All rules and lints, family by family.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let rules = [rules::JSON, rules::ENVELOPE, rules::REQUESTS, rules::ANSWER_SPECS, rules::RESPONSES, rules::STREAM];
    rules.into_iter().chain(LINTS.iter().copied()).flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_unique_and_speakable() {
        let mut seen = HashSet::new();
        for rule in rules() {
            assert!(seen.insert(rule.code), "{} stands twice", rule.code);
            assert!(rule.code.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{}", rule.code);
            assert!(rule.summary.ends_with('.') && rule.explanation.ends_with('.'), "{}", rule.code);
        }
    }
}
