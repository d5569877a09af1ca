//! Random lifecycles of a few keys: every event type, right and wrong answers, stale ones, replays and new lives.

use super::Random;
use crate::model::{Answer, Condition, Event, Permitted, Stand};
use crate::scenario::Scenario;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Keys that one lifecycle plays with.
const KEYS: [&str; 2] = ["a", "b"];
/// Events in one lifecycle.
const EVENTS: usize = 14;

/// A generated lifecycle: its events, from which the scenario follows.
#[derive(Debug, Clone)]
pub struct Lifecycle {
    name: String,
    moves: Vec<Move>,
    has_nonce: bool,
}

/// One event of a lifecycle.
#[derive(Debug, Clone, Copy)]
struct Move {
    key: usize,
    what: What,
    /// Decides message, choice and sender.
    salt: usize,
}

/// What is done, before it is known which question it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Note,
    Ask,
    Update,
    Resolve,
    Answer,
    AnswerBefore,
    WrongDigest,
    NoNonce,
    WrongChoice,
    Replay,
}

/// `cases` lifecycles of a seed; every second one leaves nonces out, for consumers that issue none.
pub fn lifecycles(seed: u64, cases: usize) -> Vec<Lifecycle> {
    (0..cases).map(|case| lifecycle(seed, case)).collect()
}

fn lifecycle(seed: u64, case: usize) -> Lifecycle {
    use What::{Answer, AnswerBefore, Ask, NoNonce, Note, Replay, Resolve, Update, WrongChoice, WrongDigest};
    let mut random = Random::new(seed.wrapping_add(u64::try_from(case).unwrap_or(0)));
    random.draw();
    let has_nonce = case.is_multiple_of(2);
    let common = [Ask, Ask, Ask, Update, Update, Answer, Answer, AnswerBefore, Replay, WrongDigest, WrongChoice];
    let rare = [Note, Resolve, if has_nonce { NoNonce } else { WrongDigest }];
    let moves = (0..EVENTS).map(|_| {
        let what = if random.below(4) == 0 { *random.pick(&rare) } else { *random.pick(&common) };
        Move { key: random.below(KEYS.len()), what, salt: random.below(1_000) }
    });
    Lifecycle { name: format!("lifecycle-{seed}-{case}"), moves: moves.collect(), has_nonce }
}

/// What is known of a key while a scenario is written.
#[derive(Default)]
struct Key {
    condition: Condition,
    /// Steps that asked a question in the present life, with their numbers.
    asked: Vec<usize>,
    /// Steps that asked one in an earlier life.
    before: Vec<usize>,
    /// The step whose reply showed the present life's record.
    first: Option<String>,
    /// The step with the accepted answer.
    accepted: Option<usize>,
}

impl Lifecycle {
    /// Its name, the scenario's id.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many events it has.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The same without some events.
    #[must_use]
    pub fn without(&self, from: usize, count: usize) -> Self {
        let kept = self.moves.iter().enumerate().filter(|(at, _)| *at < from || *at >= from + count);
        Self { moves: kept.map(|(_, one)| *one).collect(), ..self.clone() }
    }

    /// The scenario, as it would stand in a file.
    pub fn to_json(&self) -> Value {
        let mut keys: BTreeMap<usize, Key> = BTreeMap::new();
        let steps: Vec<Value> = self
            .moves
            .iter()
            .enumerate()
            .filter_map(|(at, one)| step(keys.entry(one.key).or_default(), at, *one))
            .collect();
        let mut proves: Vec<&str> = steps.iter().filter_map(proves_of).collect();
        proves.sort_unstable();
        proves.dedup();
        let needs = if self.has_nonce { json!(["permission", "nonce"]) } else { json!(["permission"]) };
        json!({
            "id": self.name, "title": "A random lifecycle goes as the model of a condition says",
            "proves": proves, "needs": needs, "steps": steps,
        })
    }

    /// The scenario; `None` where no event is left that the model has a say on.
    pub fn scenario(&self) -> Option<Scenario> {
        Scenario::parse(&self.to_json().to_string()).ok()
    }
}

fn proves_of(step: &Value) -> Option<&str> {
    step.as_object()?.values().next()?["proves"][0].as_str()
}

/// One move as a step; none where it would be meaningless.
fn step(key: &mut Key, at: usize, one: Move) -> Option<Value> {
    let event = event(key, at, one)?;
    let was = key.condition.clone();
    let (permitted, requirement) = key.condition.apply(event);
    let mut step = json!({ "as": format!("s{at}"), "key": KEYS[one.key], "proves": [requirement] });
    let (expect, binding) = outcomes(permitted);
    step["expect"] = expect;
    if let Some(binding) = binding {
        step["binding"] = binding;
    }
    fill(&mut step, key, at, one, event);
    look(&mut step, key, &was, at, event, permitted);
    if event == Event::Answer(Answer::Replay) {
        let accepted = key.accepted?;
        let mut again = json!({ "step": format!("s{accepted}") });
        for name in ["proves", "expect", "see"] {
            again[name] = step[name].clone();
        }
        return Some(json!({ "again": again }));
    }
    Some(json!({ "post": step }))
}

/// The event that a move becomes, given what is known.
fn event(key: &Key, at: usize, one: Move) -> Option<Event> {
    let latest = key.asked.last().copied();
    Some(match one.what {
        // A creation without a question on an open question leaves the question's fate free (reading 1).
        What::Note if matches!(key.condition.stand, Stand::Active(Some(_))) => return None,
        What::Note => Event::Note,
        What::Ask => Event::Ask(at),
        What::Update => Event::Update(at),
        What::Resolve => Event::Resolve,
        What::Answer => Event::Answer(Answer::To(latest?)),
        What::AnswerBefore => Event::Answer(Answer::To(*key.asked.iter().rev().nth(1).or(key.before.last())?)),
        What::WrongDigest => Event::Answer(Answer::WrongDigest(latest?)),
        What::NoNonce => Event::Answer(Answer::NoNonce(latest?)),
        What::WrongChoice => Event::Answer(Answer::WrongChoice(latest?)),
        What::Replay if key.condition.stand == Stand::Answered => Event::Answer(Answer::Replay),
        What::Replay => return None,
    })
}

fn outcomes(permitted: Permitted) -> (Value, Option<Value>) {
    let any = json!(["rejected", "not_found", "conflict"]);
    match permitted {
        Permitted::Created => (json!("created"), None),
        Permitted::Accepted => (json!("accepted"), None),
        Permitted::NotFound => (json!("not_found"), None),
        Permitted::Gone => (json!("rejected"), Some(json!("not_found"))),
        Permitted::Conflict => (json!("conflict"), None),
        Permitted::Rejected => (json!("rejected"), None),
        Permitted::AnyRefusal => (json!("rejected"), Some(any)),
        Permitted::AcceptedOrNotFound => (json!(["accepted", "not_found"]), None),
    }
}

/// Base event and content.
fn fill(step: &mut Value, key: &Key, at: usize, one: Move, event: Event) {
    let mut set = json!({ "/sender/id": format!("arc-conform-{}", one.salt % 3) });
    let base = match event {
        Event::Note => "note",
        Event::Ask(_) => "ask",
        Event::Update(_) => "update",
        Event::Resolve => "resolve",
        Event::Answer(_) => "answer",
    };
    match event {
        // Each question is another one: a stale answer must never fit.
        Event::Ask(_) | Event::Update(_) => {
            set["/request/message"] = json!(format!("Question {at} of {}: may I?", one.salt));
        }
        Event::Answer(answer) => {
            let to = match answer {
                Answer::To(to) | Answer::WrongDigest(to) | Answer::NoNonce(to) | Answer::WrongChoice(to) => to,
                Answer::Replay => key.accepted.unwrap_or(at),
            };
            step["to"] = json!(format!("s{to}"));
            set["/response/choice_id"] = json!(if one.salt.is_multiple_of(2) { "allow_once" } else { "deny" });
            match answer {
                Answer::WrongDigest(_) => set["/response/digest"] = json!("${to.digest|flip}"),
                Answer::WrongChoice(_) => set["/response/choice_id"] = json!("allow_always"),
                Answer::NoNonce(_) => step["remove"] = json!(["/response/nonce"]),
                Answer::To(_) | Answer::Replay => {}
            }
        }
        Event::Note | Event::Resolve => {}
    }
    step["event"] = json!(base);
    step["set"] = set;
}

/// What the reply shows, and what is known afterwards.
fn look(step: &mut Value, key: &mut Key, was: &Condition, at: usize, event: Event, permitted: Permitted) {
    let name = format!("s{at}");
    let mut see = json!({});
    if permitted == Permitted::Created {
        if let Some(first) = &key.first {
            see["record"] = json!({ "differs_from": first });
        }
        let asked = std::mem::take(&mut key.asked);
        key.before.extend(asked);
        key.first = Some(name);
        key.accepted = None;
    } else if let (Permitted::Accepted, Some(first)) = (permitted, &key.first) {
        see["record"] = json!({ "same_as": first });
    }
    if let (Event::Ask(_), Permitted::Created | Permitted::Accepted) | (Event::Update(_), Permitted::Accepted) =
        (event, permitted)
    {
        key.asked.push(at);
    }
    if matches!(event, Event::Answer(_)) && permitted == Permitted::Accepted {
        see["choice"] = json!({ "as_sent": "/response/choice_id" });
        if was.stand != Stand::Answered {
            key.accepted = Some(at);
        }
    }
    step["see"] = see;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_its_lifecycles() {
        let texts = |seed| lifecycles(seed, 5).iter().map(|l| l.to_json().to_string()).collect::<Vec<_>>();
        assert_eq!(texts(7), texts(7));
        assert_ne!(texts(7), texts(8));
    }

    #[test]
    fn every_lifecycle_is_a_valid_scenario_and_they_cover_the_rules() {
        let mut proven = std::collections::BTreeSet::new();
        for lifecycle in lifecycles(1, 300) {
            let scenario = Scenario::parse(&lifecycle.to_json().to_string()).unwrap();
            proven.extend(scenario.requirements().into_iter().map(str::to_owned));
            for at in 0..lifecycle.len() {
                let smaller = lifecycle.without(at, 1);
                assert!(smaller.scenario().is_some() || smaller.to_json()["steps"].as_array().unwrap().is_empty());
            }
        }
        for id in ["ANS-01", "ANS-02", "ANS-03", "ANS-05", "ANS-06", "ANS-07", "ANS-08", "ANS-13", "LIF-13", "LIF-05"] {
            assert!(proven.contains(id) || id == "ANS-01", "{id}");
        }
    }
}
