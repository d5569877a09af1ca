//! The generated pages: which scenarios judge each requirement, and which deliberate faults they caught. `BLESS=1` writes
//! them anew.

mod support;

use arc_conformance::caught::{self, Caught};
use arc_conformance::reading::{self, Reading};
use arc_conformance::requirement::{self, Requirement};
use arc_conformance::scenario::{self, Scenario};
use arc_conformance::vectors;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::LazyLock;
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

/// Tests of the reference broker that are about one requirement; it is judged by all scenarios besides.
const BROKER_TESTS: &[(&str, &str)] = &[
    ("ENV-18", "a_text_keeps_its_bound_in_code_points_and_every_byte"),
    ("ENV-19", "malformed_answers_are_refused_before_any_state_is_looked_at"),
    ("ASK-06", "whichever_choice_is_sent_comes_back"),
    ("LIF-02", "fifty_copies_of_one_event_open_one_condition"),
    ("LIF-11", "a_retry_is_the_same_json_value_however_spelled"),
    ("ANS-01", "not_found_comes_before_everything"),
    ("ANS-02", "of_many_different_answers_one_wins_and_the_waiters_get_it"),
    ("ANS-03", "conflict_comes_before_digest_nonce_and_shape_and_a_retry_before_conflict"),
    ("ANS-05", "what_is_over_takes_no_answer"),
    ("ANS-06", "an_answer_to_one_question_does_not_answer_another"),
    ("ANS-07", "each_refusal_names_its_rule_and_leaves_the_question_open"),
    ("ANS-13", "each_refusal_names_its_rule_and_leaves_the_question_open"),
    ("ANS-16", "who_answers_and_from_where_never_matters"),
];

fn traceability() -> String {
    let scenarios = scenario::golden();
    let mut page = "# Traceability\n\nEvery normative statement of the contract that a program here judges, and what judges it, \
        generated from\n`vectors/requirements.json`. *must* breaks a claim, *should* is a note. Rules are those of `arc-validate` \
        ([LINTS.md](LINTS.md)); vectors\nare golden events, texts and streams; scenarios and the deliberate faults that they caught \
        are in [CHECKS.md](CHECKS.md). The\nreference broker is judged by all scenarios, and its own tests are named where they are \
        about one requirement. At the end stand\nthe [readings](#readings).\n"
        .to_owned();
    let mut family = "";
    for requirement in requirement::all() {
        if requirement.family() != family {
            family = requirement.family();
            let _ =
                write!(page, "\n## {family}\n\n| | level | claim | statement | judged by |\n|---|---|---|---|---|\n");
        }
        let Requirement { id, claim, statement, .. } = requirement;
        let by = judged_by(requirement, &scenarios).join("; ");
        let _ = writeln!(page, "| {id} | {} | {claim} | {} | {by} |", requirement.level.as_str(), cell(statement));
    }
    page.push_str(&readings());
    page
}

/// Everything that judges a requirement.
fn judged_by(requirement: &Requirement, scenarios: &[Scenario]) -> Vec<String> {
    let id = requirement.id.as_str();
    let mut by: Vec<String> = otherwise(id).map(str::to_owned).into_iter().collect();
    let (count, faults) = (proving(id, scenarios).count(), caught::with(id).count());
    let counts = [(count, "scenario"), (faults, "fault")].into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, what)| counted(count, what)).collect();
    if !counts.is_empty() {
        by.push(format!("[{}](CHECKS.md#{})", counts.join(", "), id.to_lowercase()));
    }
    if requirement.claim == "producer" {
        by.push("`arc-conform producer`".to_owned());
    }
    let rules = arc_validator::rules().filter(|rule| rule.requirements.contains(&id));
    let rules: Vec<_> = rules.map(|rule| format!("[{0}](LINTS.md#{0})", rule.code)).collect();
    if !rules.is_empty() {
        by.push(format!("rules {}", rules.join(", ")));
    }
    let vectors = golden_vectors(id);
    if vectors > 0 {
        by.push(counted(vectors, "vector"));
    }
    by.extend(BROKER_TESTS.iter().filter(|(of, _)| *of == id).map(|(_, test)| format!("broker test `{test}`")));
    by
}

/// How many golden events, texts and streams show a requirement.
fn golden_vectors(id: &str) -> usize {
    static COUNTS: LazyLock<BTreeMap<String, usize>> = LazyLock::new(|| {
        let folders = ["vectors/events/", "vectors/raw/", "vectors/streams/"];
        let files = vectors::files().iter().filter(|(path, _)| folders.iter().any(|folder| path.starts_with(folder)));
        let mut counts = BTreeMap::new();
        for (path, bytes) in files {
            let vector: serde_json::Value = serde_json::from_slice(bytes).expect(path);
            *counts.entry(vector["requirement"].as_str().expect(path).to_owned()).or_default() += 1;
        }
        counts
    });
    COUNTS.get(id).copied().unwrap_or(0)
}

fn readings() -> String {
    let mut page = "\n## Readings\n\nWhere the contract is open: what the reference broker does, and what the kit demands of others. \
        Scenarios name the readings\non which they rest.\n\n| | point | the broker | demanded of others |\n|---|---|---|---|\n"
        .to_owned();
    for Reading { number, point, broker, demand } in reading::all() {
        let _ = writeln!(page, "| {number} | {} | {} | {} |", cell(point), cell(broker), cell(demand));
    }
    page
}

#[test]
fn every_requirement_is_traced_to_something_that_judges_it() {
    let scenarios = scenario::golden();
    for requirement in requirement::all() {
        assert!(!judged_by(requirement, &scenarios).is_empty(), "{}", requirement.id);
    }
}

#[test]
fn the_broker_tests_that_are_named_are_there() {
    let folder = at_the_top("reference-broker/tests/broker");
    let files = std::fs::read_dir(folder).expect("the broker's tests").map(|file| file.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let source: String = files.map(|path| std::fs::read_to_string(path).expect("a test file")).collect();
    for (id, test) in BROKER_TESTS {
        assert!(requirement::all().iter().any(|requirement| requirement.id == *id), "{id}");
        assert!(source.contains(&format!("fn {test}()")), "{test}");
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
fn the_traceability_page_is_fresh() {
    settle("docs/TRACEABILITY.md", &traceability());
}

#[test]
fn the_checks_page_is_fresh() {
    settle("docs/CHECKS.md", &checks());
}
