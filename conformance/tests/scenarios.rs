//! Every scenario file is what its schema and the catalogue say.

use arc_conformance::requirement::{self, Level};
use arc_conformance::scenario::{self, Scenario, Step};
use arc_conformance::{profile::Profile, schema};
use std::collections::BTreeSet;

fn parsed() -> Vec<(&'static str, Scenario)> {
    let read = |(path, text): &(&'static str, &'static str)| {
        (*path, Scenario::parse(text).unwrap_or_else(|error| panic!("{path}: {error}")))
    };
    scenario::files().iter().map(read).collect()
}

#[test]
fn every_file_is_valid_and_named_after_its_scenario() {
    for (path, scenario) in parsed() {
        let family = path.split('/').next().unwrap();
        assert_eq!(path, format!("{family}/{}.json", scenario.id));
    }
    assert!(parsed().len() >= 60);
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<String> = parsed().into_iter().map(|(_, scenario)| scenario.id).collect();
    assert_eq!(ids.len(), scenario::files().len());
}

#[test]
fn every_requirement_is_known_and_no_scenario_mixes_levels() {
    for (path, scenario) in parsed() {
        let find = |id| requirement::find(id).unwrap_or_else(|| panic!("{path}: {id} is not in the catalogue"));
        let levels: BTreeSet<&str> = scenario.requirements().into_iter().map(|id| find(id).level.as_str()).collect();
        // A SHOULD that fails ends its scenario: a MUST behind it would go unjudged.
        assert_eq!(levels.len(), 1, "{path}");
    }
}

#[test]
fn every_requirement_of_the_claims_has_a_scenario() {
    let scenarios = scenario::golden();
    let judged: BTreeSet<&str> = scenarios.iter().flat_map(Scenario::requirements).collect();
    let claims = ["consumer", "agentnotify-http"];
    let missing: Vec<&str> = requirement::all()
        .iter()
        .filter(|r| claims.contains(&r.claim.as_str()) && !judged.contains(r.id.as_str()))
        .map(|r| r.id.as_str())
        .collect();
    // A rate limit is judged when one is met, and no scenario can make a consumer have one.
    assert_eq!(missing, ["HTP-07"]);
}

#[test]
fn a_step_that_is_judged_says_what_is_permitted() {
    for (path, scenario) in parsed() {
        let has_default = |step: &&Step| matches!(step, Step::Refuse(_) | Step::Accept(_) | Step::Bounds(_));
        for expectation in scenario.steps.iter().filter(|s| !has_default(s)).filter_map(Step::expectation) {
            assert!(!expectation.given || expectation.expect.is_some(), "{path}: set-up without an outcome");
            assert!(expectation.binding.is_none() || expectation.expect.is_some(), "{path}");
        }
    }
}

#[test]
fn the_catalogue_and_the_profile_are_valid() {
    let catalogue = serde_json::from_str(requirement::SOURCE).unwrap();
    assert_eq!(schema::check(include_str!("../../schemas/requirements.schema.json"), &catalogue), Ok(()));
    let profile = Profile::agentnotify();
    for id in profile.outcomes.values().filter_map(|binding| binding.requirement.as_deref()) {
        assert_eq!(requirement::find(id).map(|r| r.level), Some(Level::Must), "{id}");
    }
}

#[test]
fn a_broken_scenario_says_where() {
    let text = r#"{ "id": "a", "title": "T", "proves": ["ANS-01"], "steps": [{ "post": { "evnt": "ask" } }] }"#;
    let error = Scenario::parse(text).unwrap_err();
    assert!(error.starts_with("/steps/0"), "{error}");
}
