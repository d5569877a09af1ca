//! What most likely stands behind a violation: a first place to look, told beside what was seen and never instead of it.

use crate::caught::{self, Caught};
use crate::verdict::{Evidence, Verdict};

/// More faults than these say nothing about which of them it is.
const FEW: usize = 3;

/// A sentence or two, or nothing where there is no good guess: what the exchange shows, and which deliberate faults of the
/// crash-test consumer made the same scenario fail.
pub fn of(requirement: &str, verdict: Verdict, evidence: &Evidence) -> String {
    let shown = likely(verdict, evidence);
    let by = |fault: &&Caught| fault.by.get(requirement).is_some_and(|by| by.contains(&evidence.scenario));
    let same: Vec<&str> = caught::with(requirement).filter(by).map(|fault| fault.does.as_str()).collect();
    if verdict != Verdict::Fail || same.is_empty() || same.len() > FEW {
        return shown.to_owned();
    }
    format!("{shown} So fails a consumer that {}.", same.join(", or one that ")).trim_start().to_owned()
}

/// What the exchange shows.
fn likely(verdict: Verdict, evidence: &Evidence) -> &'static str {
    match verdict {
        Verdict::Fail => of_violation(&evidence.permitted, &evidence.got),
        Verdict::Inconclusive => of_doubt(evidence),
        Verdict::KitError => "The kit or the scenario is wrong, not the consumer; please report it.",
        _ => "",
    }
}

fn of_violation(permitted: &str, got: &str) -> &'static str {
    let status = status(got);
    let wants_refusal = ["rejected", "not_found", "conflict", "too_large", "unauthorized"]
        .iter()
        .any(|word| permitted.starts_with(word));
    let wants_success = ["created", "accepted"].iter().any(|word| permitted.starts_with(word));
    match status {
        Some(500..=599) => "The consumer broke down over this request; its own log says where.",
        Some(200..=299) if wants_refusal => {
            "The rule is not enforced at this place, or only after the request has taken effect."
        }
        Some(400..=499) if wants_success => {
            "The consumer is stricter than the contract here, or it has lost the state that the request rests on."
        }
        Some(400..=499) if wants_refusal => {
            "The request is refused as it should be, but not as what it is: an earlier rule speaks first, or the refusal is \
             mapped to another status."
        }
        Some(_) if permitted.starts_with(|c: char| c.is_ascii_digit()) => {
            "The outcome is right; its mapping to a status is not the binding's."
        }
        None if got.contains("connection was closed") => {
            "The consumer closed the connection, by a crash of its handler or by a limit in front of it."
        }
        None if permitted.starts_with("exactly ") => {
            "Check and change are not one step: another request comes between reading the state and writing it."
        }
        None if got.match_indices(" in ").any(|(at, word)| self::status(&got[at + word.len()..]).is_some()) => {
            "The event is taken, but what it says is not what is stored or shown."
        }
        _ => "",
    }
}

fn of_doubt(evidence: &Evidence) -> &'static str {
    if evidence.step.ends_with("(set-up)") {
        return "What the check rests on did not come out; whatever failed there is told under its own requirement.";
    }
    match evidence.got.as_str() {
        got if got.contains("429") => "The rate limit is stricter than patience; --rate keeps below it.",
        got if got.contains("time limit") => "The consumer is slow or hangs; --timeout gives it longer.",
        _ => "",
    }
}

fn status(got: &str) -> Option<u16> {
    got.get(..3).filter(|_| got.as_bytes().get(3).is_none_or(|byte| *byte == b' ')).and_then(|text| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(permitted: &str, got: &str) -> &'static str {
        likely(Verdict::Fail, &Evidence { permitted: permitted.to_owned(), got: got.to_owned(), ..Evidence::default() })
    }

    #[test]
    fn each_kind_of_violation_has_its_cause() {
        for (permitted, got, word) in [
            ("rejected (400)", "500 {}", "broke down"),
            ("rejected (400)", "200 {}", "not enforced"),
            ("created (201)", "400 {}", "stricter"),
            ("conflict (409)", "400 {}", "another status"),
            ("201", "200 {}", "mapping"),
            ("created (201)", "the connection was closed without a reply (eof)", "closed"),
            ("exactly 1 of 8 accepted", "2 accepted, the last of them in 200 {}", "not one step"),
            ("title is \"a\"", "\"b\" in 200 {}", "stored or shown"),
        ] {
            assert!(cause(permitted, got).contains(word), "{permitted}, {got}: {}", cause(permitted, got));
        }
        assert_eq!(cause("rejected (400)", "2000 words"), "");
    }

    #[test]
    fn faults_that_made_the_same_scenario_fail_are_named_where_they_are_few() {
        let evidence = |scenario: &str| Evidence { scenario: scenario.to_owned(), ..Evidence::default() };
        let of = |requirement: &str, scenario: &str| super::of(requirement, Verdict::Fail, &evidence(scenario));
        assert!(of("ENV-02", "env-version-0-1").starts_with("So fails a consumer that takes"));
        assert_eq!(of("ENV-02", "ans-digest"), "");
        assert_eq!(super::of("ENV-02", Verdict::Inconclusive, &evidence("env-version-0-1")), "");
    }
}
