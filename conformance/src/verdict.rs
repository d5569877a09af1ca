//! The six verdicts, kept apart, and how checks add up to a requirement's verdict.

use crate::cause;
use crate::requirement::{self, Level, Requirement};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the kit says about a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing here observes the requirement, or no reply showed what would have.
    NotJudged,
    /// It rests on something optional that the consumer does not offer or declare.
    NotApplicable,
    /// Each check that was made came out.
    Pass,
    /// The user switched at least one of its checks off.
    Disabled,
    /// At least one check could not be brought to an end, and none failed.
    Inconclusive,
    /// The kit itself is at fault.
    KitError,
    /// At least one check failed.
    Fail,
}

impl Verdict {
    /// For people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotJudged => "not judged",
            Self::NotApplicable => "not applicable",
            Self::Pass => "pass",
            Self::Disabled => "disabled",
            Self::Inconclusive => "inconclusive",
            Self::KitError => "kit error",
            Self::Fail => "fail",
        }
    }
}

/// How the evidence of a scenario that was not begun starts; why follows.
pub const NOT_BEGUN: &str = "not begun: ";

/// What stands behind a verdict that is not a pass.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The scenario.
    pub scenario: String,
    /// Its step, counted from 1, and what was done there.
    pub step: String,
    /// What was sent, without secrets.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sent: String,
    /// What the contract permits.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub permitted: String,
    /// What came, without secrets.
    pub got: String,
    /// What most likely stands behind it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cause: String,
    /// A command that sends the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub curl: String,
}

impl Evidence {
    /// What is known, each with its label, in the order in which people read it.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let lines = [
            ("sent", self.sent.as_str()),
            ("permitted", &self.permitted),
            ("got", &self.got),
            ("likely", &self.cause),
            ("again", &self.curl),
        ];
        lines.into_iter().filter(|(_, text)| !text.is_empty())
    }

    /// Whether nothing was asked.
    pub fn is_not_begun(&self) -> bool {
        self.got.starts_with(NOT_BEGUN)
    }

    /// The place in the scenario.
    pub fn place(&self) -> String {
        let step = if self.step.is_empty() { String::new() } else { format!(" step {}", self.step) };
        format!("scenario {}{step}", self.scenario)
    }
}

/// The outcome of one check of one requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The requirement's id.
    pub requirement: String,
    /// What came out.
    pub verdict: Verdict,
    /// Why, unless it passed.
    pub evidence: Option<Evidence>,
}

/// A requirement with all that was found about it.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The requirement.
    pub requirement: &'static Requirement,
    /// The verdict.
    pub verdict: Verdict,
    /// How many checks came out.
    pub passed: usize,
    /// What stands behind the verdict.
    pub evidence: Vec<Evidence>,
}

impl Judgement {
    /// Where it stands beside others in what people read: violations, the kit's own faults, what is open.
    pub fn is_told(&self) -> bool {
        matches!(self.verdict, Verdict::Fail | Verdict::KitError | Verdict::Inconclusive)
    }

    /// Whether a claim can hold beside it.
    pub fn permits_claim(&self) -> bool {
        match self.requirement.level {
            Level::Must => matches!(self.verdict, Verdict::Pass | Verdict::NotApplicable),
            Level::Should => true,
        }
    }
}

/// Adds checks up: one judgement for each requirement of the catalogue, in its order.
pub fn sum(checks: &[Check]) -> Vec<Judgement> {
    let mut by_requirement: BTreeMap<&str, Vec<&Check>> = BTreeMap::new();
    for check in checks {
        by_requirement.entry(check.requirement.as_str()).or_default().push(check);
    }
    let none = Vec::new();
    let of = |r: &'static Requirement| judgement(r, by_requirement.get(r.id.as_str()).unwrap_or(&none));
    requirement::all().iter().map(of).collect()
}

fn judgement(requirement: &'static Requirement, checks: &[&Check]) -> Judgement {
    let verdict = checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::NotJudged);
    let passed = checks.iter().filter(|check| check.verdict == Verdict::Pass).count();
    let behind = checks.iter().filter(|check| check.verdict == verdict).filter_map(|check| check.evidence.clone());
    let mut evidence: Vec<Evidence> = behind.collect();
    for evidence in evidence.iter_mut().filter(|evidence| evidence.cause.is_empty()) {
        evidence.cause = cause::of(&requirement.id, verdict, evidence);
    }
    // What people wrote explains more than what was generated.
    evidence.sort_by_key(|e| (e.scenario.starts_with("lifecycle-"), e.scenario.clone()));
    Judgement { requirement, verdict, passed, evidence }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict_of(verdicts: &[Verdict]) -> Verdict {
        let check = |verdict: &Verdict| Check { requirement: "ANS-06".to_owned(), verdict: *verdict, evidence: None };
        let checks: Vec<_> = verdicts.iter().map(check).collect();
        sum(&checks)[requirement::position("ANS-06")].verdict
    }

    #[test]
    fn the_worst_check_decides() {
        use Verdict::{Disabled, Fail, Inconclusive, KitError, NotApplicable, NotJudged, Pass};
        assert_eq!(verdict_of(&[]), NotJudged);
        assert_eq!(verdict_of(&[Pass, NotApplicable]), Pass);
        assert_eq!(verdict_of(&[NotApplicable]), NotApplicable);
        assert_eq!(verdict_of(&[Pass, Disabled]), Disabled);
        assert_eq!(verdict_of(&[Pass, Disabled, Inconclusive]), Inconclusive);
        assert_eq!(verdict_of(&[Pass, KitError, Inconclusive]), KitError);
        assert_eq!(verdict_of(&[Pass, Fail, KitError]), Fail);
    }
}
