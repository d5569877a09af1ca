//! `arc-conform list` and `arc-conform explain`.

use crate::args::{ExplainArgs, Format, ListArgs};
use crate::exit;
use crate::failure::{self, Failure, usage};
use arc_conformance::caught;
use arc_conformance::reading::{self, Reading};
use arc_conformance::requirement::{self, Requirement};
use arc_conformance::scenario::{self, Scenario};
use arc_validator::advised;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

pub(crate) fn list(args: &ListArgs) -> Result<ExitCode, Failure> {
    let scenarios = scenario::golden();
    let text = match args.format {
        Format::Terminal => requirement::all().iter().map(|r| line(r, &scenarios)).collect(),
        Format::Json => format!("{:#}\n", as_json(&scenarios)),
    };
    print(&text)
}

fn line(requirement: &Requirement, scenarios: &[Scenario]) -> String {
    let by = proving(requirement, scenarios).count();
    let Requirement { id, claim, statement, .. } = requirement;
    format!("{id}  {:<6}  {claim:<16}  {by:>2} scenarios  {statement}\n", requirement.level.as_str())
}

fn as_json(scenarios: &[Scenario]) -> serde_json::Value {
    let entry = |r: &Requirement| {
        let by: Vec<&str> = proving(r, scenarios).map(|s| s.id.as_str()).collect();
        let faults: Vec<&str> = caught::with(&r.id).map(|fault| fault.fault.as_str()).collect();
        let numbers: BTreeSet<u8> = proving(r, scenarios).flat_map(|s| s.readings.iter().copied()).collect();
        serde_json::json!({
            "id": r.id, "level": r.level.as_str(), "claim": r.claim, "section": r.section,
            "statement": r.statement, "observe": r.observe, "scenarios": by, "readings": numbers, "faults": faults,
        })
    };
    requirement::all().iter().map(entry).collect()
}

fn proving<'a>(requirement: &'a Requirement, scenarios: &'a [Scenario]) -> impl Iterator<Item = &'a Scenario> {
    scenarios.iter().filter(|scenario| scenario.requirements().contains(&requirement.id.as_str()))
}

pub(crate) fn explain(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    let scenarios = scenario::golden();
    let text = requirement::find(&args.id)
        .map(|requirement| explain_requirement(requirement, &scenarios))
        .or_else(|| scenarios.iter().find(|scenario| scenario.id == args.id).map(explain_scenario));
    let unknown = || {
        let known = requirement::all().iter().map(|r| r.id.as_str()).chain(scenarios.iter().map(|s| s.id.as_str()));
        failure::unknown(&args.id, "requirement and no scenario", known, failure::LIST)
    };
    print(&text.ok_or_else(unknown)?)
}

/// What is open in the contract, and what the kit demands all the same.
pub(crate) fn readings(numbers: &BTreeSet<u8>) -> String {
    let mut text = String::new();
    for reading in numbers.iter().filter_map(|number| reading::find(*number)) {
        let Reading { number, point, demand, .. } = reading;
        let _ = writeln!(text, "  {number}. {point}: {demand}");
    }
    text
}

fn explain_requirement(requirement: &Requirement, scenarios: &[Scenario]) -> String {
    let Requirement { id, claim, section, statement, observe, .. } = requirement;
    let level = requirement.level.as_str();
    let mut text = format!("{id} ({level}, claim {claim}, section {section:?})\n{statement}\n\nObserved: {observe}\n");
    let by: Vec<&Scenario> = proving(requirement, scenarios).collect();
    let numbers: BTreeSet<u8> = by.iter().flat_map(|scenario| scenario.readings.iter().copied()).collect();
    if !numbers.is_empty() {
        let _ = write!(text, "\nReadings of the contract on which its scenarios rest:\n{}", readings(&numbers));
    }
    text.push_str(if by.is_empty() { "\nNo scenario judges it.\n" } else { "\nScenarios:\n" });
    for scenario in by {
        let _ = writeln!(text, "  {}: {}", scenario.id, scenario.title);
    }
    text.push_str(&faults(id));
    if requirement.claim == "producer" {
        text.push_str("\narc-conform producer judges it, in each run of a producer's command that bears on it.\n");
    }
    text
}

/// The faults of the crash-test consumer that a requirement's scenarios caught, or that a scenario did.
fn faults(id: &str) -> String {
    let mut text = String::new();
    for fault in caught::with(id) {
        let _ = writeln!(text, "  a consumer that {} ({})", fault.does, fault.fault);
    }
    if text.is_empty() { text } else { format!("\nFaults that were caught:\n{text}") }
}

fn explain_scenario(scenario: &Scenario) -> String {
    let mut text = format!("{}: {}\nProves: {}\n", scenario.id, scenario.title, scenario.requirements().join(", "));
    let numbers: BTreeSet<u8> = scenario.readings.iter().copied().collect();
    if !numbers.is_empty() {
        let _ = write!(text, "\nRests on these readings of the contract:\n{}", readings(&numbers));
    }
    text.push_str(&faults(&scenario.id));
    let file = scenario::files().iter().find(|(path, _)| path.ends_with(&format!("/{}.json", scenario.id)));
    if let Some((path, source)) = file {
        let _ = write!(text, "\nvectors/scenarios/{path}\n{source}");
    }
    text
}

/// A closed pipe is success.
pub(crate) fn print(text: &str) -> Result<ExitCode, Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(usage(format!("cannot write to standard output: {}", advised(&error))))
        }
        _ => Ok(ExitCode::from(exit::HOLDS)),
    }
}
