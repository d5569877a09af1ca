//! Every rule there is.

use crate::lints::{CLARITY, PRIVACY, TIMES};
use crate::rules::{self, Rule};

/// Rules of one subject.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// Stable name; no rule has the same.
    pub name: &'static str,
    /// What its rules are about.
    pub title: &'static str,
    /// The rules.
    pub rules: &'static [&'static Rule],
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family { name: "json", title: "Strict JSON", rules: rules::JSON },
    Family { name: "envelope", title: "The envelope", rules: rules::ENVELOPE },
    Family { name: "requests", title: "Requests", rules: rules::REQUESTS },
    Family { name: "answer-specs", title: "Answer specifications", rules: rules::ANSWER_SPECS },
    Family { name: "answers", title: "Answers", rules: rules::RESPONSES },
    Family { name: "streams", title: "Streams", rules: rules::STREAM },
    Family { name: "clarity", title: "Clarity", rules: CLARITY },
    Family { name: "times", title: "Times", rules: TIMES },
    Family { name: "privacy", title: "Privacy", rules: PRIVACY },
];

/// All rules and lints, family by family.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|family| family.rules).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_unique_and_speakable() {
        let mut seen: HashSet<_> = FAMILIES.iter().map(|family| family.name).collect();
        for rule in rules() {
            assert!(seen.insert(rule.code), "{} stands twice", rule.code);
            assert!(rule.code.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')), "{}", rule.code);
            assert!(rule.summary.ends_with('.') && rule.explanation.ends_with('.'), "{}", rule.code);
        }
    }
}
