//! The generated pages: which scenarios judge each requirement, and which deliberate faults they caught. `BLESS=1` writes
//! them anew.

mod support;

use arc_conformance::caught::{self, Caught};
use arc_conformance::requirement::{self, Requirement};
use arc_conformance::scenario::{self, Scenario};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use support::caught::{at_the_top, blesses};

/// The claims that `arc-conform run` judges.
const CLAIMS: [&str; 5] = ["consumer", "agentnotify-http", "interactions", "durable", "private-logs"];

/// Requirements that no scenario proves by itself, and what judges them instead.
const JUDGED_OTHERWISE: &[(&str, &str)] =
    &[("HTP-07", "every reply 429 that a run meets is looked at; no scenario can make a consumer have a limit")];

fn proving<'a>(id: &'a str, scenarios: &'a [Scenario]) -> impl Iterator<Item = &'a Scenario> {
    scenarios.iter().filter(move |scenario| scenario.requirements().contains(&id))
}

fn otherwise(id: &str) -> Option<&'static str> {
    JUDGED_OTHERWISE.iter().find(|(other, _)| *other == id).map(|(_, why)| *why)
}

#[test]
fn every_requirement_of_the_claims_is_judged_or_says_why_not() {
    let scenarios = scenario::golden();
    for requirement in requirement::all().iter().filter(|r| CLAIMS.contains(&r.claim.as_str())) {
        let id = requirement.id.as_str();
        let is_proven = proving(id, &scenarios).next().is_some();
        assert_ne!(is_proven, otherwise(id).is_some(), "{id}");
        assert!(caught::with(id).next().is_some(), "no fault shows that {id} can fail");
    }
}

#[test]
fn what_caught_a_fault_is_a_scenario() {
    let known: BTreeSet<String> = scenario::golden().into_iter().map(|scenario| scenario.id).collect();
    let others = ["rate-limit", "consumer-log"];
    for fault in caught::all() {
        for id in fault.by.values().flatten() {
            assert!(known.contains(id) || others.contains(&id.as_str()), "{}: {id}", fault.fault);
        }
    }
}

/// Where scenarios stand in the tree.
fn link(scenario: &Scenario) -> String {
    let file = scenario::files().iter().find(|(path, _)| path.ends_with(&format!("/{}.json", scenario.id)));
    match file {
        Some((path, _)) => format!("[{}](../vectors/scenarios/{path})", scenario.id),
        None => format!("{} (from the schema)", scenario.id),
    }
}

fn requirements() -> String {
    let scenarios = scenario::golden();
    let mut page = "# Requirements\n\nEvery normative statement of the contract that a program here judges, generated from \
        `vectors/requirements.json`.\n*must* breaks a claim, *should* is a note. [CHECKS.md](CHECKS.md) shows each scenario \
        and the faults that it caught.\n"
        .to_owned();
    let mut family = "";
    for requirement in requirement::all() {
        if requirement.family() != family {
            family = requirement.family();
            let _ =
                write!(page, "\n## {family}\n\n| | level | claim | statement | judged by |\n|---|---|---|---|---|\n");
        }
        let Requirement { id, claim, statement, .. } = requirement;
        let by = judged_by(requirement, &scenarios);
        let _ = writeln!(page, "| {id} | {} | {claim} | {} | {by} |", requirement.level.as_str(), cell(statement));
    }
    page
}

fn judged_by(requirement: &Requirement, scenarios: &[Scenario]) -> String {
    if requirement.claim == "producer" {
        return "the events that a producer sends: `arc-validate`, `arc-conform producer`".to_owned();
    }
    let id = requirement.id.as_str();
    let (count, faults) = (proving(id, scenarios).count(), caught::with(id).count());
    let anchor = id.to_lowercase();
    match otherwise(id) {
        Some(why) => format!("{why}; [{}](CHECKS.md#{anchor})", counted(faults, "fault")),
        None => format!("[{}, {}](CHECKS.md#{anchor})", counted(count, "scenario"), counted(faults, "fault")),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A text in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn checks() -> String {
    let scenarios = scenario::golden();
    let faults = caught::all().len();
    let mut page = format!(
        "# Checks\n\nWhat judges each requirement, and which deliberate faults it caught: written from a run of the whole \
         matrix\n(`vectors/faults.json`), in which each of {faults} faulty consumers was judged by all of \
         {} scenarios,\nbut those that show only after a crash or in a log by the scenarios of these claims. A fault stands \
         where its\nrequirement says that it must; that it breaks nothing unrelated is a test, too.\n",
        scenarios.len(),
    );
    for requirement in requirement::all().iter().filter(|r| CLAIMS.contains(&r.claim.as_str())) {
        section(&mut page, requirement, &scenarios);
    }
    page
}

fn section(page: &mut String, requirement: &Requirement, scenarios: &[Scenario]) {
    let Requirement { id, claim, statement, .. } = requirement;
    let caught: Vec<&Caught> = caught::all().iter().filter(|fault| fault.by.contains_key(id)).collect();
    let mut by_scenario: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for fault in &caught {
        for scenario in &fault.by[id] {
            by_scenario.entry(scenario).or_default().push(&fault.fault);
        }
    }
    let _ = write!(page, "\n## {id}\n\n*{}*, claim {claim}. {statement}\n\n", requirement.level.as_str());
    if let Some(why) = otherwise(id) {
        let _ = write!(page, "Judged otherwise: {why}.\n\n");
    } else {
        page.push_str("| scenario | what holds of a conforming consumer | faults that it caught |\n|---|---|---|\n");
    }
    for scenario in proving(id, scenarios) {
        let faults = by_scenario.get(scenario.id.as_str()).map(|faults| faults.join(", ")).unwrap_or_default();
        let _ = writeln!(page, "| {} | {} | {faults} |", link(scenario), cell(&scenario.title));
    }
    page.push_str("\nFaults:\n\n");
    for fault in caught {
        let _ = writeln!(page, "- `{}` {}", fault.fault, fault.does);
    }
}

fn settle(path: &str, page: &str) {
    let path = at_the_top(path);
    if blesses() {
        std::fs::write(&path, page).expect("the page can be written");
    }
    let is_fresh = std::fs::read_to_string(&path).is_ok_and(|written| written == page);
    assert!(is_fresh, "{} is stale, run again with BLESS=1", path.display());
}

#[test]
fn the_requirements_page_is_fresh() {
    settle("docs/REQUIREMENTS.md", &requirements());
}

#[test]
fn the_checks_page_is_fresh() {
    settle("docs/CHECKS.md", &checks());
}
