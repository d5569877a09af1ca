//! `claim.json`: what a run says, so that others can check it (`schemas/claim.schema.json`).

use crate::claim::{Claim, Standing};
use crate::requirement::{self, Requirement};
use crate::run_event::Summary;
use crate::scenario::{self, Need};
use crate::schema;
use crate::verdict::{Judgement, Verdict};
use serde::{Deserialize, Serialize};

const SCHEMA: &str = include_str!("../../schemas/claim.schema.json");

/// The file's content.
#[derive(Debug, Serialize, Deserialize)]
pub struct ClaimFile {
    format: u32,
    arc_version: String,
    kit_version: String,
    vectors_sha256: String,
    profile: String,
    target: String,
    time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    three_types_only: bool,
    claims: Vec<Claim>,
    requirements: Vec<Entry>,
}

/// One requirement's verdict.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    id: String,
    verdict: Verdict,
    checks_passed: usize,
}

impl Entry {
    /// The judgement as the file has it, without its evidence.
    fn judgement(&self, requirement: &'static Requirement) -> Judgement {
        let Self { verdict, checks_passed: passed, .. } = *self;
        Judgement { requirement, verdict, passed, evidence: Vec::new() }
    }
}

/// What a run is about, beside what it found.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The profile's name.
    pub profile: String,
    /// The event endpoint.
    pub target: String,
    /// The seed of the random lifecycles.
    pub seed: Option<u64>,
    /// Whether the consumer takes no answers.
    pub three_types_only: bool,
}

impl ClaimFile {
    /// What a run says; `time` is RFC 3339.
    pub fn new(about: &About, summary: &Summary, time: String) -> Self {
        let entry = |judgement: &Judgement| Entry {
            id: judgement.requirement.id.clone(),
            verdict: judgement.verdict,
            checks_passed: judgement.passed,
        };
        Self {
            format: 1,
            arc_version: "0.2".to_owned(),
            kit_version: env!("CARGO_PKG_VERSION").to_owned(),
            vectors_sha256: scenario::fingerprint(),
            profile: about.profile.clone(),
            target: about.target.clone(),
            time,
            seed: about.seed,
            three_types_only: about.three_types_only,
            claims: summary.claims.clone(),
            requirements: summary.asked().map(entry).collect(),
        }
    }

    /// Reads a file's text. The error says what is wrong and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
        schema::check(SCHEMA, &value)?;
        serde_json::from_value(value).map_err(|e| e.to_string())
    }

    /// The lines of its claims.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.claims.iter().map(|claim| claim.line.as_str())
    }

    /// Recomputes the claims from the verdicts. What is returned speaks against the file; nothing where it is sound.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.vectors_sha256 != scenario::fingerprint() {
            problems.push(format!(
                "it rests on other vectors (kit {}) than this kit's ({}): run the kit again to compare",
                self.kit_version,
                env!("CARGO_PKG_VERSION")
            ));
        }
        let mut judgements = Vec::new();
        for entry in &self.requirements {
            match requirement::find(&entry.id) {
                None => problems.push(format!("{} is no requirement", entry.id)),
                Some(requirement) => {
                    if entry.verdict == Verdict::Pass && entry.checks_passed == 0 {
                        problems.push(format!("{} passed without a check", entry.id));
                    }
                    judgements.push(entry.judgement(requirement));
                }
            }
        }
        let holds = |name: &str| self.claims.iter().any(|c| c.name == name && c.standing == Standing::Holds);
        if self.three_types_only && holds("consumer") {
            problems.push("a consumer of three event types only is said to hold the claim consumer".to_owned());
        }
        if !is_explained(&judgements) {
            problems.push(
                "what is not applicable does not follow from any set of features that a consumer may lack".to_owned(),
            );
        }
        for claim in &self.claims {
            problems.extend(self.unsound(claim, &judgements));
        }
        if self.claims.is_empty() {
            problems.push("it claims nothing".to_owned());
        }
        problems
    }

    fn unsound(&self, claim: &Claim, judgements: &[Judgement]) -> Vec<String> {
        let listed = |id: &str| judgements.iter().filter(|j| j.requirement.id == id).count();
        let of_claim = requirement::all().iter().filter(|r| r.claim == claim.name);
        let mut problems: Vec<String> = of_claim
            .filter(|r| listed(&r.id) != 1)
            .map(|r| format!("{} is listed {} times, not once", r.id, listed(&r.id)))
            .collect();
        if Claim::weigh(&claim.name, judgements, self.three_types_only) != *claim {
            problems.push(format!("claim {} does not follow from the verdicts", claim.name));
        }
        problems
    }
}

/// Whether some set of features that a consumer may lack makes not applicable what is said to be: each scenario of such a
/// requirement needs one of them, and what the core claim has passed has a scenario that needs none. Who asks no
/// question of any kind is no consumer of four event types (LIF-01).
fn is_explained(judgements: &[Judgement]) -> bool {
    let bits = |needs: &[Need]| needs.iter().fold(0, |bits, need| bits | 1_u32 << *need as u32);
    let scenarios = scenario::golden();
    let proofs: Vec<(Vec<&str>, u32)> = scenarios.iter().map(|s| (s.requirements(), bits(&s.needs))).collect();
    // What each scenario of a requirement needs.
    let needs_of = |id: &str| proofs.iter().filter(|(ids, _)| ids.contains(&id)).map(|(_, needs)| *needs).collect();
    let judged: Vec<(&Judgement, Vec<u32>)> = judgements.iter().map(|j| (j, needs_of(&j.requirement.id))).collect();
    let takes_no_answer = judgements.iter().any(|j| j.requirement.id == "LIF-01" && j.verdict == Verdict::Fail);
    let kinds = bits(&[Need::Permission, Need::SingleChoice, Need::Text]);
    let all = proofs.iter().fold(0, |all, (_, needs)| all | needs);
    (0..=all).filter(|lacked| takes_no_answer || lacked & kinds != kinds).any(|lacked| {
        let explains = |(judgement, needs): &(&Judgement, Vec<u32>)| {
            let is_played = needs.iter().any(|needs| needs & lacked == 0);
            match (judgement.verdict, judgement.requirement.claim.as_str()) {
                _ if needs.is_empty() => true,
                (Verdict::NotApplicable, _) => !is_played,
                (Verdict::Pass, "consumer") => is_played,
                _ => true,
            }
        };
        judged.iter().all(explains)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::verdict::{Check, sum};

    fn file() -> ClaimFile {
        let consumer = requirement::all().iter().filter(|r| r.claim == "consumer");
        let pass =
            |r: &requirement::Requirement| Check { requirement: r.id.clone(), verdict: Verdict::Pass, evidence: None };
        let judgements = sum(&consumer.map(pass).collect::<Vec<_>>());
        let claims = vec![Claim::weigh("consumer", &judgements, false)];
        let summary = Summary { judgements, claims, ..Summary::default() };
        ClaimFile::new(&About::default(), &summary, "2026-08-26T01:15:00Z".to_owned())
    }

    #[test]
    fn what_was_written_is_sound() {
        let text = serde_json::to_string(&file()).unwrap();
        assert_eq!(ClaimFile::parse(&text).unwrap().problems(), Vec::<String>::new());
    }

    #[test]
    fn who_asks_nothing_is_told_so_in_a_sound_file() {
        let needs_a_question = |id: &str| {
            let of: Vec<Scenario> = scenario::golden().into_iter().filter(|s| s.requirements().contains(&id)).collect();
            let kinds = [Need::Permission, Need::SingleChoice, Need::Text];
            !of.is_empty() && of.iter().all(|s| s.needs.iter().any(|need| kinds.contains(need)))
        };
        let verdict = |id: &str| match id {
            "LIF-01" => Verdict::Fail,
            id if needs_a_question(id) => Verdict::NotApplicable,
            _ => Verdict::Pass,
        };
        let consumer = requirement::all().iter().filter(|r| r.claim == "consumer");
        let checks: Vec<Check> =
            consumer.map(|r| Check { requirement: r.id.clone(), verdict: verdict(&r.id), evidence: None }).collect();
        let judgements = sum(&checks);
        let claims = vec![Claim::weigh("consumer", &judgements, true)];
        let summary = Summary { judgements, claims, ..Summary::default() };
        let about = About { three_types_only: true, ..About::default() };
        let file = ClaimFile::new(&about, &summary, "2026-08-26T01:15:00Z".to_owned());
        assert!(checks.iter().any(|check| check.verdict == Verdict::NotApplicable));
        assert_eq!(file.problems(), Vec::<String>::new());
    }

    #[test]
    fn what_was_changed_is_not() {
        let mut failed = file();
        failed.requirements[3].verdict = Verdict::Fail;
        let mut missing = file();
        missing.requirements.remove(5);
        let mut unchecked = file();
        unchecked.requirements[0].checks_passed = 0;
        let mut other_vectors = file();
        other_vectors.vectors_sha256 = "0".repeat(64);
        let mut boast = file();
        boast.claims[0].line = "This consumer is the best.".to_owned();
        let mut three = file();
        three.three_types_only = true;
        // Nothing but one requirement was judged, and the claim weighed anew.
        let mut hollow = file();
        hollow.requirements[1..].iter_mut().for_each(|entry| entry.verdict = Verdict::NotApplicable);
        let judgements: Vec<Judgement> =
            hollow.requirements.iter().map(|entry| entry.judgement(requirement::find(&entry.id).unwrap())).collect();
        hollow.claims = vec![Claim::weigh("consumer", &judgements, false)];
        assert_eq!(hollow.problems().len(), 1, "{:?}", hollow.problems());
        for file in [failed, missing, unchecked, other_vectors, boast, three, hollow] {
            assert!(!file.problems().is_empty(), "{file:?}");
        }
    }
}
