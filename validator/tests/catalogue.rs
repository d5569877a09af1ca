//! The catalogue of rules is whole: each rule is shown by an example that breaks it alone, and each requirement that events
//! can show has a rule.

use arc_validator::stream::Stream;
use arc_validator::{Example, Rule, rules};
use std::collections::BTreeSet;
use std::path::Path;

/// Requirements of the claims consumer and producer that no rule names, and why not.
const BEYOND_EVENTS: &[(&[&str], &str)] = &[
    (&["PRO-01"], "every rule of level error is a part of it"),
    (
        &[
            "ASK-06", "ASK-09", "LIF-01", "LIF-02", "LIF-03", "LIF-04", "LIF-05", "LIF-06", "LIF-07", "LIF-08",
            "LIF-09", "LIF-10", "LIF-11", "LIF-12", "LIF-13", "LIF-14", "LIF-15", "LIF-16",
        ],
        "what a consumer does with an event shows in its replies, not in the event",
    ),
    (
        &[
            "ANS-01", "ANS-02", "ANS-03", "ANS-04", "ANS-05", "ANS-06", "ANS-07", "ANS-08", "ANS-10", "ANS-11",
            "ANS-12", "ANS-13", "ANS-14", "ANS-15", "ANS-16", "ANS-17",
        ],
        "how a consumer judges answers shows in its replies, not in the answers",
    ),
    (&["DIG-01", "DIG-02", "DIG-03", "NON-01", "NON-02"], "the consumer issues digest and nonce outside of events"),
];

/// The codes of everything that is found in an example.
fn found(example: &Example) -> Vec<&'static str> {
    let mut stream = Stream::default();
    let check = |(line, bytes): (u64, Vec<u8>)| match arc_validator::parse(&bytes) {
        Ok(event) => {
            let mut findings = arc_validator::lint(&event, &bytes);
            // An example of one event may well be about a condition that another event would have opened.
            if matches!(example, Example::Stream(_)) {
                findings.extend(stream.check(&event, &bytes, line));
            }
            findings
        }
        Err(invalid) => invalid.findings,
    };
    let findings = (1..).zip(example.documents()).flat_map(check);
    findings.map(|finding| finding.rule.code).collect()
}

fn shown_rules() -> impl Iterator<Item = &'static Rule> {
    rules().filter(|rule| !matches!(rule.bad, Example::Unshown(_)))
}

#[test]
fn each_bad_example_breaks_its_rule_and_no_other() {
    let wrong: Vec<_> =
        shown_rules().map(|rule| (rule.code, found(&rule.bad))).filter(|(code, found)| *found != [*code]).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(shown_rules().count() > 40);
}

#[test]
fn each_good_example_breaks_no_rule() {
    let wrong: Vec<_> =
        rules().map(|rule| (rule.code, found(&rule.good))).filter(|(_, found)| !found.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn only_what_no_event_of_sensible_size_shows_goes_unshown() {
    let unshown: Vec<_> =
        rules().filter(|rule| matches!(rule.bad, Example::Unshown(_))).map(|rule| rule.code).collect();
    assert_eq!(unshown, ["too-large", "validator-fault"]);
}

#[test]
fn every_requirement_that_events_can_show_has_a_rule() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/requirements.json");
    let catalogue: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let of_events = catalogue["requirements"].as_array().unwrap().iter();
    let of_events = of_events.filter(|r| r["claim"] == "consumer" || r["claim"] == "producer");
    let demanded: BTreeSet<_> = of_events.map(|requirement| requirement["id"].as_str().unwrap()).collect();
    let named: BTreeSet<_> = rules().flat_map(|rule| rule.requirements).copied().collect();
    let excused = BEYOND_EVENTS.iter().flat_map(|(ids, _)| *ids).copied().collect::<BTreeSet<_>>();

    let without_rule: Vec<_> = demanded.iter().filter(|id| !named.contains(*id) && !excused.contains(*id)).collect();
    assert!(without_rule.is_empty(), "no rule names {without_rule:?}");
    let needless: Vec<_> = excused.iter().filter(|id| named.contains(*id) || !demanded.contains(*id)).collect();
    assert!(needless.is_empty(), "take {needless:?} off the lists above");
}
