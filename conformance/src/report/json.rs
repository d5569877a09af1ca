//! The JSON report (`schemas/report.schema.json`).

use super::worst;
use crate::claim::Claim;
use crate::known_failures::Known;
use crate::run_event::{Reporter, RunEvent, Summary};
use crate::scenario;
use crate::trace::Story;
use crate::verdict::{Evidence, Judgement, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Collects a run and writes it as one JSON object at its end.
#[derive(Debug)]
pub struct Json<W> {
    out: W,
    report: Report,
}

#[derive(Debug, Default, Serialize)]
struct Report {
    format: u32,
    arc_version: &'static str,
    kit_version: &'static str,
    vectors_sha256: String,
    target: String,
    profile: String,
    run: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    first_look: String,
    /// Why the consumer was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
    scenarios: Vec<Played>,
    requirements: Vec<Judged>,
    claims: Vec<Claim>,
    requests: u64,
    rate_limited: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_failures: Option<Known>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Played {
    id: String,
    verdict: Verdict,
    checks: usize,
    /// The requirements that it judged.
    requirements: BTreeMap<String, Verdict>,
    seconds: f64,
    /// What was said around a failure.
    #[serde(skip_serializing_if = "Story::is_empty")]
    story: Story,
}

#[derive(Debug, Serialize)]
struct Judged {
    id: &'static str,
    level: &'static str,
    claim: &'static str,
    section: &'static str,
    statement: &'static str,
    verdict: Verdict,
    checks_passed: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
}

impl From<&Judgement> for Judged {
    fn from(judgement: &Judgement) -> Self {
        let requirement = judgement.requirement;
        Self {
            id: &requirement.id,
            level: requirement.level.as_str(),
            claim: &requirement.claim,
            section: &requirement.section,
            statement: &requirement.statement,
            verdict: judgement.verdict,
            checks_passed: judgement.passed,
            evidence: judgement.evidence.clone(),
        }
    }
}

impl<W: Write> Json<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        let kit_version = env!("CARGO_PKG_VERSION");
        let vectors_sha256 = scenario::fingerprint();
        Self { out, report: Report { format: 1, arc_version: "0.2", kit_version, vectors_sha256, ..Report::default() } }
    }

    fn write(&mut self) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.out, &self.report)?;
        writeln!(self.out)?;
        self.out.flush()
    }

    fn ended(&mut self, summary: &Summary) -> io::Result<()> {
        self.report.scenarios.sort_by(|a, b| a.id.cmp(&b.id));
        self.report.requirements = summary.judgements.iter().map(Judged::from).collect();
        self.report.claims.clone_from(&summary.claims);
        self.report.requests = summary.requests;
        self.report.rate_limited = summary.rate_limited;
        self.report.minimal.clone_from(&summary.minimal);
        self.report.known_failures.clone_from(&summary.known);
        self.report.seconds = summary.took.as_secs_f64();
        self.write()
    }
}

impl<W: Write> Reporter for Json<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Began { target, profile, run, seed, .. } => {
                self.report.seed = *seed;
                (*target).clone_into(&mut self.report.target);
                (*profile).clone_into(&mut self.report.profile);
                (*run).clone_into(&mut self.report.run);
            }
            RunEvent::Smoked(smoke) => {
                self.report.first_look.clone_from(&smoke.line);
                self.report.trouble.clone_from(&smoke.trouble);
                if smoke.trouble.is_some() {
                    return self.write();
                }
            }
            RunEvent::Played { scenario, checks, took, story } => {
                let verdict = checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::NotJudged);
                let (id, seconds) = ((*scenario).to_owned(), took.as_secs_f64());
                let (requirements, story) = (worst(checks), (*story).clone());
                let played = Played { id, verdict, checks: checks.len(), requirements, seconds, story };
                self.report.scenarios.push(played);
            }
            RunEvent::Ended(summary) => return self.ended(summary),
        }
        Ok(())
    }
}
