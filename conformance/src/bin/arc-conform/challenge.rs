//! `arc-conform challenge`: an issue text that disputes a verdict, filled in from a JSON report.

use crate::args::ChallengeArgs;
use crate::failure::{self, Failure, usage};
use crate::list::{print, readings};
use arc_conformance::requirement;
use arc_conformance::scenario::{self, Scenario};
use arc_conformance::schema;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::ExitCode;

const SCHEMA: &str = include_str!("../../../../schemas/report.schema.json");

pub(crate) fn challenge(args: &ChallengeArgs) -> Result<ExitCode, Failure> {
    let report = report(args)?;
    let requirements = report["requirements"].as_array().map_or(&[][..], Vec::as_slice);
    let is_disputed = |judged: &&Value| {
        text(judged, "id").eq_ignore_ascii_case(&args.id)
            || judged["evidence"].as_array().into_iter().flatten().any(|e| text(e, "scenario") == args.id)
    };
    let disputed: Vec<&Value> = requirements.iter().filter(is_disputed).collect();
    if disputed.is_empty() {
        return Err(undisputed(args));
    }
    print(&issue(&args.id, &report, &disputed))
}

/// Nothing of that name stands in the report.
fn undisputed(args: &ChallengeArgs) -> Failure {
    let ChallengeArgs { id, from } = args;
    if requirement::find(id).is_some() {
        let from = from.display();
        return usage(format!("{id:?} has no verdict in {from}; dispute one that it holds, or run without --only"));
    }
    let known = requirement::all().iter().map(|requirement| requirement.id.as_str());
    failure::unknown(id, "requirement, and no scenario that found anything", known, failure::LIST)
}

fn report(args: &ChallengeArgs) -> Result<Value, Failure> {
    let text = failure::read("the report", &args.from)?;
    let next = "take the file that `arc-conform run --report json=FILE` writes";
    let is_none = |error| failure::is_no("report of arc-conform", &args.from, error, next);
    let report = serde_json::from_str(&text).map_err(|e| is_none(format!("not JSON: {e}")))?;
    schema::check(SCHEMA, &report).map_err(is_none)?;
    Ok(report)
}

fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap_or_default()
}

fn issue(id: &str, report: &Value, disputed: &[&Value]) -> String {
    let verdict = disputed.iter().map(|judged| text(judged, "verdict").replace('_', " ")).next().unwrap_or_default();
    let mut out = format!("# {id}: the verdict \"{verdict}\" is disputed\n\n");
    out.push_str("## What the contract says, and why the verdict is wrong\n\n");
    out.push_str("<!-- Quote the sentence of the contract, and say what it permits here. This part is yours. -->\n\n");
    for judged in disputed {
        requirement_part(&mut out, judged, id);
    }
    let seed = report["seed"].as_u64().map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let _ = write!(
        out,
        "## The run\n\n- kit {}, contract {}, vectors `{}`\n- profile {}, run {}{seed}\n- first look: {}\n",
        text(report, "kit_version"),
        text(report, "arc_version"),
        text(report, "vectors_sha256"),
        text(report, "profile"),
        text(report, "run"),
        text(report, "first_look"),
    );
    out
}

fn requirement_part(out: &mut String, judged: &Value, id: &str) {
    let _ = write!(
        out,
        "## {} ({}, claim {}, section {:?})\n\n> {}\n\nVerdict: **{}**, {} checks passed.\n\n",
        text(judged, "id"),
        text(judged, "level"),
        text(judged, "claim"),
        text(judged, "section"),
        text(judged, "statement"),
        text(judged, "verdict").replace('_', " "),
        judged["checks_passed"],
    );
    let evidence = judged["evidence"].as_array().map_or(&[][..], Vec::as_slice);
    let of_scenario = |e: &&Value| id.eq_ignore_ascii_case(text(judged, "id")) || text(e, "scenario") == id;
    let shown: Vec<&Value> = evidence.iter().filter(of_scenario).collect();
    let named: BTreeSet<&str> = shown.iter().map(|e| text(e, "scenario")).collect();
    let scenarios = scenario::golden();
    let proving = |s: &&Scenario| named.contains(s.id.as_str()) || (named.is_empty() && proves(s, text(judged, "id")));
    let numbers: BTreeSet<u8> = scenarios.iter().filter(proving).flat_map(|s| s.readings.iter().copied()).collect();
    if !numbers.is_empty() {
        let _ = write!(out, "Readings of the contract on which the checks rest:\n\n{}\n", readings(&numbers));
    }
    for evidence in shown {
        evidence_part(out, evidence);
    }
}

fn proves(scenario: &Scenario, requirement: &str) -> bool {
    scenario.requirements().contains(&requirement)
}

fn evidence_part(out: &mut String, evidence: &Value) {
    let step = Some(text(evidence, "step")).filter(|step| !step.is_empty());
    let step = step.map(|step| format!(", step {step}")).unwrap_or_default();
    let _ = write!(out, "### Scenario {}{step}\n\n", text(evidence, "scenario"));
    for (label, member) in
        [("sent", "sent"), ("permitted", "permitted"), ("got", "got"), ("likely", "cause"), ("again", "curl")]
    {
        let text = text(evidence, member);
        if !text.is_empty() {
            // Indented code: nothing in it is markup.
            let _ = writeln!(out, "    {label:<9} {}", text.replace(['\n', '\r'], " "));
        }
    }
    out.push('\n');
}
