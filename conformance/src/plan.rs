//! Which scenarios are played.

use crate::requirement;
use crate::scenario::{Scenario, Step, base_events};

/// What the user switched on or off: requirement ids, families, claims or scenario ids.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these; all where empty.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
}

impl Selection {
    /// Whether a scenario is played.
    pub fn takes(&self, scenario: &Scenario) -> bool {
        (self.only.is_empty() || self.only.iter().any(|word| names(scenario, word)))
            && !self.skip.iter().any(|word| names(scenario, word))
    }

    /// Every word that names something.
    pub fn words(scenarios: &[Scenario]) -> Vec<&str> {
        let requirements = requirement::all().iter().flat_map(|r| [r.id.as_str(), r.family(), r.claim.as_str()]);
        let mut words: Vec<&str> = scenarios.iter().map(|scenario| scenario.id.as_str()).chain(requirements).collect();
        words.retain(|word| scenarios.iter().any(|scenario| names(scenario, word)));
        words
    }

    /// The first word that names nothing.
    pub fn unknown<'a>(&'a self, scenarios: &[Scenario]) -> Option<&'a str> {
        let words = self.only.iter().chain(&self.skip);
        words.map(String::as_str).find(|word| !scenarios.iter().any(|scenario| names(scenario, word)))
    }
}

/// Whether a word means this scenario: its id, a requirement that it proves, or that one's family or claim.
fn names(scenario: &Scenario, word: &str) -> bool {
    scenario.id == word
        || scenario.requirements().into_iter().filter_map(requirement::find).any(|requirement| {
            requirement.id.eq_ignore_ascii_case(word)
                || requirement.family().eq_ignore_ascii_case(word)
                || requirement.claim == word
        })
}

/// What a scenario costs, as far as it can be told beforehand.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// Requests at least: what is played again, probed or torn down comes on top.
    pub requests: usize,
    /// Replies that are judged, once for each requirement.
    pub checks: usize,
    /// Seconds that are waited for deadlines.
    pub seconds: f64,
}

impl Cost {
    /// Of one scenario.
    pub fn of(scenario: &Scenario) -> Self {
        let mut cost = Self::default();
        for step in &scenario.steps {
            let requests = requests(step);
            cost.requests += requests;
            if let Some(expectation) = step.expectation().filter(|expectation| !expectation.given) {
                let own = expectation.proves.len();
                let proves = if own > 0 { own } else { scenario.proves.len() };
                cost.checks += requests * proves;
            }
            match step {
                Step::Wait(wait) => {
                    let moment = deadline(scenario, &wait.deadline_of) + wait.plus;
                    cost.seconds = cost.seconds.max(moment);
                }
                Step::StillHeld(still) => cost.seconds += still.seconds,
                _ => {}
            }
        }
        let rounds = usize::try_from(scenario.rounds).unwrap_or(1);
        Self { requests: cost.requests * rounds, checks: cost.checks * rounds, ..cost }
    }
}

fn requests(step: &Step) -> usize {
    match step {
        Step::Post(_) | Step::Again(_) | Step::Call(_) | Step::Hold(_) => 1,
        // The control comes on top.
        Step::Refuse(refuse) => refuse.faults.len() + 1,
        Step::Accept(accept) => accept.variants.len() * if accept.after.is_some() { 2 } else { 1 },
        Step::Bounds(bounds) => bounds.members.len() * bounds.fill.len() * if bounds.after.is_some() { 3 } else { 2 },
        Step::Race(race) => race.times,
        Step::Sample(sample) => sample.times,
        Step::Meet(meet) => meet.posts.len() + meet.responds.len(),
        Step::StillHeld(_) | Step::Release(_) | Step::Restart(_) | Step::Wait(_) => 0,
    }
}

/// Seconds from a scenario's beginning to the deadline of the question that a step asks.
fn deadline(scenario: &Scenario, step: &str) -> f64 {
    const AT: &str = "/request/response/expires_at";
    let asks = scenario.steps.iter().filter_map(|s| if let Step::Post(post) = s { Some(post) } else { None });
    let message = asks.filter(|post| post.expectation.name.as_deref() == Some(step)).map(|post| &post.message).next();
    let own = message.and_then(|message| message.change.set.get(AT));
    let base = message.and_then(|message| base_events().get(&message.event)?.pointer(AT));
    let text = own.or(base).and_then(serde_json::Value::as_str).unwrap_or_default();
    let seconds = text.strip_prefix("${in:").or_else(|| text.strip_prefix("${at:"));
    seconds.and_then(|rest| rest.split(['}', '|']).next()?.parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario;

    #[test]
    fn words_name_ids_requirements_families_and_claims() {
        let all = scenario::golden();
        let count = |only: &str, skip: &str| {
            let list = |word: &str| if word.is_empty() { Vec::new() } else { vec![word.to_owned()] };
            let selection = Selection { only: list(only), skip: list(skip) };
            all.iter().filter(|scenario| selection.takes(scenario)).count()
        };
        assert_eq!(count("", ""), all.len());
        assert_eq!(count(&all[0].id, ""), 1);
        assert!(count("ans-06", "") >= 1);
        assert_eq!(count("DIG", "") + count("", "DIG"), all.len());
        assert_eq!(count("DIG", "DIG"), 0);
        let selection = Selection { only: vec!["ans-6".to_owned()], skip: Vec::new() };
        assert_eq!(selection.unknown(&all), Some("ans-6"));
    }

    #[test]
    fn each_scenario_has_its_cost_and_each_wait_its_moment() {
        for scenario in scenario::golden() {
            let cost = Cost::of(&scenario);
            assert!(cost.requests > 0, "{}", scenario.id);
            let waits = scenario.steps.iter().any(|step| matches!(step, Step::Wait(_) | Step::StillHeld(_)));
            assert_eq!(cost.seconds > 0.0, waits, "{}: {cost:?}", scenario.id);
        }
    }
}
