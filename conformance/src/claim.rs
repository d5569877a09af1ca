//! Claims, in the contract's wording, and when they hold.

use crate::requirement::Level;
use crate::verdict::{Judgement, Verdict};
use serde::{Deserialize, Serialize};

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Each MUST requirement passed or is not applicable, and at least one passed.
    Holds,
    /// A MUST requirement failed.
    Broken,
    /// None failed, but at least one was not brought to a verdict.
    Open,
}

/// One claim with the requirements that carry it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Its name: `consumer`, `agentnotify-http`, `interactions` …
    pub name: String,
    /// Whether it holds.
    pub standing: Standing,
    /// MUST requirements that passed.
    pub passed: usize,
    /// MUST requirements that are not applicable.
    pub not_applicable: usize,
    /// Ids of MUST requirements that failed.
    pub failed: Vec<String>,
    /// Ids of MUST requirements without a verdict.
    pub open: Vec<String>,
    /// Ids of SHOULD requirements that failed: notes.
    pub notes: Vec<String>,
    /// The claim's line.
    pub line: String,
}

impl Claim {
    /// Weighs one claim. `three_types_only` says that the consumer implements the three request types and takes no answer.
    pub fn weigh(name: &str, judgements: &[Judgement], three_types_only: bool) -> Self {
        let of_claim = || judgements.iter().filter(|j| j.requirement.claim == name);
        let must = |test: fn(Verdict) -> bool| {
            let chosen = of_claim().filter(|j| j.requirement.level == Level::Must && test(j.verdict));
            chosen.map(|j| j.requirement.id.clone()).collect::<Vec<_>>()
        };
        let passed = must(|v| v == Verdict::Pass).len();
        let not_applicable = must(|v| v == Verdict::NotApplicable).len();
        let failed = must(|v| v == Verdict::Fail);
        let open = must(|v| !matches!(v, Verdict::Pass | Verdict::NotApplicable | Verdict::Fail));
        let notes = of_claim().filter(|j| j.requirement.level == Level::Should && j.verdict == Verdict::Fail);
        let notes = notes.map(|j| j.requirement.id.clone()).collect();
        let standing = match (failed.is_empty(), open.is_empty() && passed > 0) {
            (false, _) => Standing::Broken,
            (true, true) => Standing::Holds,
            (true, false) => Standing::Open,
        };
        let mut claim =
            Self { name: name.to_owned(), standing, passed, not_applicable, failed, open, notes, line: String::new() };
        claim.line = claim.words(three_types_only);
        claim
    }

    fn words(&self, three_types_only: bool) -> String {
        let total = self.passed + self.not_applicable + self.failed.len() + self.open.len();
        match self.standing {
            Standing::Holds => format!(
                "Claim {} holds: {} ({total} of {total} MUST requirements judged: {} passed, {} not applicable.)",
                self.name,
                sentence(&self.name),
                self.passed,
                self.not_applicable,
            ),
            Standing::Broken if self.name == "consumer" && three_types_only => format!(
                "Claim consumer does not hold: this consumer implements only the three request types. It is an ARC 0.1 \
                 consumer, and must say so. ({} of {total} MUST requirements failed.)",
                self.failed.len(),
            ),
            Standing::Broken => format!(
                "Claim {} does not hold: {} of {total} MUST requirements failed: {}.",
                self.name,
                self.failed.len(),
                self.failed.join(", "),
            ),
            Standing::Open => format!(
                "Claim {} is open: no violation was found, but {} of {total} MUST requirements have no verdict: {}.",
                self.name,
                self.open.len(),
                self.open.join(", "),
            ),
        }
    }
}

/// What a claim says, in the contract's words where it has them.
fn sentence(name: &str) -> &'static str {
    match name {
        "consumer" => {
            "this consumer implements the ARC 0.2 request creation, update, response, and resolution lifecycle."
        }
        "agentnotify-http" => "it does so over the AgentNotify HTTP binding.",
        "interactions" => "its loopback routes implement the interactions model.",
        "durable" => "what it acknowledged survives a crash.",
        "private-logs" => "its logs hold no prompt, choice, answer, digest, nonce or token.",
        "producer" => "This producer emits ARC 0.2 events.",
        _ => "each of its requirements is met.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirement;
    use crate::verdict::{Check, sum};

    /// All of a claim's requirements with one verdict, but one with another.
    fn claim(other: Option<(&str, Verdict)>) -> Claim {
        let consumer = requirement::all().iter().filter(|r| r.claim == "consumer");
        let checks: Vec<Check> = consumer
            .map(|r| {
                let verdict = other.filter(|(id, _)| *id == r.id).map_or(Verdict::Pass, |(_, verdict)| verdict);
                Check { requirement: r.id.clone(), verdict, evidence: None }
            })
            .collect();
        Claim::weigh("consumer", &sum(&checks), false)
    }

    #[test]
    fn a_claim_holds_only_when_each_must_passed_or_is_not_applicable() {
        assert_eq!(claim(None).standing, Standing::Holds);
        assert_eq!(claim(Some(("ANS-07", Verdict::NotApplicable))).standing, Standing::Holds);
        assert_eq!(claim(Some(("ANS-07", Verdict::Fail))).standing, Standing::Broken);
        for verdict in [Verdict::Inconclusive, Verdict::Disabled, Verdict::KitError, Verdict::NotJudged] {
            assert_eq!(claim(Some(("ANS-07", verdict))).standing, Standing::Open, "{verdict:?}");
        }
    }

    #[test]
    fn a_should_is_a_note() {
        let claim = claim(Some(("NON-02", Verdict::Fail)));
        assert_eq!((claim.standing, claim.notes), (Standing::Holds, vec!["NON-02".to_owned()]));
    }

    #[test]
    fn nothing_that_ran_is_no_success() {
        assert_eq!(Claim::weigh("consumer", &sum(&[]), false).standing, Standing::Open);
    }

    #[test]
    fn three_types_make_an_arc_0_1_consumer() {
        let fail = Check { requirement: "LIF-01".to_owned(), verdict: Verdict::Fail, evidence: None };
        assert!(Claim::weigh("consumer", &sum(&[fail]), true).line.contains("ARC 0.1 consumer"));
    }
}
