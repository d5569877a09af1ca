//! Streams that keep the rules give no error, whatever they hold; with one breach they give that breach, there and only
//! there; and the work may be split over threads without a byte of difference.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use arc_validator::stream::Stream;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use std::process::Command;

const KEYS: [&str; 5] = ["build", "lint", "deploy", "Größe", "💩"];
/// 2026-08-26T01:15:00Z.
const START: i64 = 1_787_706_900;
/// Seconds from a question to its deadline.
const PATIENCE: i64 = 1_000_000;

/// What happens next, as far as the state of its condition permits it.
#[derive(Debug, Clone)]
enum Step {
    Create { key: usize, asks: Asks },
    Update { key: usize, asks: Asks },
    Answer { key: usize, with: usize },
    Resolve { key: usize },
    Retry { of: Index },
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Asks {
    Nothing,
    Choice { count: usize },
    Text { most: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let key = 0..KEYS.len();
    prop_oneof![
        3 => (key.clone(), asks()).prop_map(|(key, asks)| Step::Create { key, asks }),
        2 => (key.clone(), asks()).prop_map(|(key, asks)| Step::Update { key, asks }),
        3 => (key.clone(), any::<usize>()).prop_map(|(key, with)| Step::Answer { key, with }),
        2 => key.prop_map(|key| Step::Resolve { key }),
        1 => any::<Index>().prop_map(|of| Step::Retry { of }),
    ]
}

fn asks() -> impl Strategy<Value = Asks> {
    prop_oneof![
        Just(Asks::Nothing),
        (2_usize..=12).prop_map(|count| Asks::Choice { count }),
        (1_usize..=2000).prop_map(|most| Asks::Text { most }),
    ]
}

/// One condition as the generator sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Condition {
    Unknown,
    Open(Asks),
    /// With the number of the line that holds the accepted answer, from 0.
    Answered(usize),
    Resolved,
}

/// A stream that keeps the rules, and where each condition stands at its end.
struct Kept {
    lines: Vec<Value>,
    conditions: [Condition; KEYS.len()],
}

impl Kept {
    fn new(steps: &[Step]) -> Self {
        let mut kept = Self { lines: Vec::new(), conditions: [Condition::Unknown; KEYS.len()] };
        for step in steps {
            kept.take(step);
        }
        kept
    }

    /// Takes a step, or passes it over where the state of its condition does not permit it.
    fn take(&mut self, step: &Step) {
        match step {
            Step::Create { key, asks } => {
                self.push("request.created", *key, &ask(*asks, self.now()));
                self.conditions[*key] = Condition::Open(*asks);
            }
            Step::Update { key, asks } => {
                let Condition::Open(open) = self.conditions[*key] else { return };
                self.push("request.updated", *key, &ask(*asks, self.now()));
                self.conditions[*key] = Condition::Open(if *asks == Asks::Nothing { open } else { *asks });
            }
            Step::Answer { key, with } => {
                let Condition::Open(asks @ (Asks::Choice { .. } | Asks::Text { .. })) = self.conditions[*key] else {
                    return;
                };
                let answer = fitting(asks, *with);
                self.answer(*key, &answer);
                self.conditions[*key] = Condition::Answered(self.lines.len() - 1);
            }
            Step::Resolve { key } => {
                let outcome = match self.conditions[*key] {
                    Condition::Unknown => return,
                    Condition::Answered(_) => json!({"outcome": "answered"}),
                    Condition::Open(_) | Condition::Resolved => json!({"outcome": "cancelled"}),
                };
                self.push("request.resolved", *key, &outcome);
                if let Condition::Open(_) = self.conditions[*key] {
                    self.conditions[*key] = Condition::Resolved;
                }
            }
            Step::Retry { of } if !self.lines.is_empty() => {
                let again = self.lines[of.index(self.lines.len())].clone();
                self.lines.push(again);
            }
            Step::Retry { .. } => {}
        }
    }

    /// Seconds since the start; each event takes one.
    fn now(&self) -> i64 {
        i64::try_from(self.lines.len()).unwrap()
    }

    fn push(&mut self, event_type: &str, key: usize, request: &Value) {
        let mut event = json!({
            "arc_version": "0.2", "event_id": format!("evt_{}", self.lines.len()), "event_type": event_type,
            "occurred_at": instant(self.now()), "sender": {"id": "codex"}, "request": request,
        });
        event["request"]["key"] = KEYS[key].into();
        self.lines.push(event);
    }

    fn answer(&mut self, key: usize, answer: &Value) {
        let response_id = format!("resp_{}", self.lines.len());
        self.push("response.submitted", key, &json!({}));
        let event = self.lines.last_mut().unwrap();
        event["sender"]["id"] = "agentnotify".into();
        event["response"] = answer.clone();
        event["response"]["response_id"] = response_id.into();
        event["response"]["digest"] = "0123456789abcdef".repeat(4).into();
    }

    /// A condition in a state.
    fn find(&self, is_wanted: impl Fn(Condition) -> bool) -> Option<usize> {
        self.conditions.iter().position(|condition| is_wanted(*condition))
    }

    /// The findings of all lines but retries: line from 1 and code.
    fn found(&self) -> Vec<(usize, &'static str)> {
        let mut stream = Stream::default();
        let check = |(line, event): (usize, &Value)| {
            let bytes = event.to_string().into_bytes();
            let event = arc_validator::parse(&bytes).unwrap_or_else(|invalid| panic!("{invalid}"));
            let findings = stream.check(&event, &bytes, line as u64);
            findings.into_iter().map(move |finding| (line, finding.rule.code))
        };
        (1..).zip(&self.lines).flat_map(check).filter(|(_, code)| *code != "retry").collect()
    }
}

fn instant(seconds: i64) -> String {
    let at = START + seconds;
    let (days, of_day) = (at.div_euclid(86_400), at.rem_euclid(86_400));
    // Days from the first of August 2026; the generator stays within it and the month after.
    let day = days - 20_666;
    let (month, day) = if day < 31 { (8, day + 1) } else { (9, day - 30) };
    format!("2026-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", of_day / 3600, of_day / 60 % 60, of_day % 60)
}

fn ask(asks: Asks, now: i64) -> Value {
    let deadline = instant(now + PATIENCE);
    let response = match asks {
        Asks::Nothing => return json!({"kind": "information", "message": "The build runs."}),
        Asks::Choice { count } => {
            let choices: Vec<_> =
                (0..count).map(|n| json!({"id": format!("c{n}"), "label": format!("Choice {n}")})).collect();
            json!({"kind": "single_choice", "choices": choices, "expires_at": deadline})
        }
        // The bound where none is named.
        Asks::Text { most: 500 } => json!({"kind": "text", "expires_at": deadline}),
        Asks::Text { most } => json!({"kind": "text", "text_max_length": most, "expires_at": deadline}),
    };
    json!({"kind": "question", "message": "Which one?", "response": response})
}

fn fitting(asks: Asks, with: usize) -> Value {
    match asks {
        Asks::Choice { count } => json!({"choice_id": format!("c{}", with % count)}),
        Asks::Text { most } => json!({"text": "💩".repeat(with % most + 1)}),
        Asks::Nothing => unreachable!("nothing is asked"),
    }
}

/// Breaks one rule at the end of a stream, or does nothing where no condition suits.
type Breach = fn(&mut Kept) -> Option<()>;

/// Each rule by its code, and a way to break it.
const BREACHES: &[(&str, Breach)] = &[
    ("event-id-reused", |kept| {
        let mut again = kept.lines.last()?.clone();
        again["sender"]["version"] = "other".into();
        kept.lines.push(again);
        Some(())
    }),
    ("unknown-condition", |kept| {
        let key = kept.find(|condition| condition == Condition::Unknown)?;
        kept.push("request.updated", key, &ask(Asks::Nothing, 0));
        Some(())
    }),
    ("finished-condition", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Answered(_) | Condition::Resolved))?;
        kept.push("request.updated", key, &ask(Asks::Nothing, 0));
        Some(())
    }),
    ("out-of-order", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Open(_)))?;
        kept.push("request.updated", key, &ask(Asks::Nothing, 0));
        kept.lines.last_mut()?["occurred_at"] = instant(-1).into();
        Some(())
    }),
    ("answer-to-nothing", |kept| {
        let key = kept.find(|condition| {
            matches!(condition, Condition::Unknown | Condition::Open(Asks::Nothing) | Condition::Resolved)
        })?;
        kept.answer(key, &json!({"choice_id": "c0"}));
        Some(())
    }),
    ("answer-wrong-kind", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Open(Asks::Text { .. })))?;
        kept.answer(key, &json!({"choice_id": "c0"}));
        Some(())
    }),
    ("answer-wrong-kind", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Open(Asks::Choice { .. })))?;
        kept.answer(key, &json!({"text": "c0"}));
        Some(())
    }),
    ("answer-not-offered", |kept| {
        let asks_choice = |condition| matches!(condition, Condition::Open(Asks::Choice { .. }));
        let key = kept.find(asks_choice)?;
        let Condition::Open(Asks::Choice { count }) = kept.conditions[key] else { return None };
        kept.answer(key, &json!({"choice_id": format!("c{count}")}));
        Some(())
    }),
    ("answer-too-long", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Open(Asks::Text { most: ..2000 })))?;
        let Condition::Open(Asks::Text { most }) = kept.conditions[key] else { return None };
        kept.answer(key, &json!({"text": "é".repeat(most + 1)}));
        Some(())
    }),
    ("answer-after-deadline", |kept| {
        let key =
            kept.find(|condition| matches!(condition, Condition::Open(Asks::Text { .. } | Asks::Choice { .. })))?;
        let Condition::Open(asks) = kept.conditions[key] else { return None };
        let now = kept.now();
        kept.answer(key, &fitting(asks, 0));
        kept.lines.last_mut()?["occurred_at"] = instant(now + PATIENCE).into();
        Some(())
    }),
    ("second-answer", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Answered(_)))?;
        kept.answer(key, &json!({"choice_id": "c0"}));
        Some(())
    }),
    ("response-id-reused", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Answered(_)))?;
        let Condition::Answered(line) = kept.conditions[key] else { return None };
        let accepted = kept.lines[line]["response"]["response_id"].clone();
        kept.answer(key, &json!({"choice_id": "never-offered"}));
        kept.lines.last_mut()?["response"]["response_id"] = accepted;
        Some(())
    }),
    ("outcome-without-answer", |kept| {
        let key = kept.find(|condition| matches!(condition, Condition::Open(_)))?;
        kept.push("request.resolved", key, &json!({"outcome": "answered"}));
        Some(())
    }),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_keeps_the_rules_gives_no_finding(steps in prop::collection::vec(step(), 0..60)) {
        prop_assert_eq!(Kept::new(&steps).found(), []);
    }

    #[test]
    fn each_breach_is_found_where_it_stands(
        before in prop::collection::vec(step(), 1..40),
        after in prop::collection::vec(asks(), 0..4),
    ) {
        for (code, breach) in BREACHES {
            let mut kept = Kept::new(&before);
            if breach(&mut kept).is_none() {
                continue;
            }
            let line = kept.lines.len();
            // What follows opens its conditions anew, so it is as it would be without the breach.
            for (key, asks) in after.iter().enumerate() {
                kept.take(&Step::Create { key, asks: *asks });
                kept.take(&Step::Resolve { key });
            }
            prop_assert_eq!(kept.found(), [(line, *code)]);
        }
    }
}

#[test]
fn each_breach_is_possible() {
    // Open with each kind of question, answered, resolved; the last key is unknown.
    let create = |key, asks| Step::Create { key, asks };
    let answered = [create(3, Asks::Text { most: 5 }), Step::Answer { key: 3, with: 0 }];
    let resolved = [create(2, Asks::Nothing), Step::Resolve { key: 2 }];
    let open = [create(0, Asks::Choice { count: 2 }), create(1, Asks::Text { most: 3 })];
    let steps = [answered.as_slice(), &resolved, &open].concat();
    for (code, breach) in BREACHES {
        let mut kept = Kept::new(&steps);
        assert_eq!(breach(&mut kept), Some(()), "{code}");
        assert_eq!(kept.found(), [(kept.lines.len(), *code)]);
    }
    assert!(
        arc_validator::rules()
            .filter(|rule| is_of_streams(rule))
            .all(|rule| { rule.code == "retry" || BREACHES.iter().any(|(code, _)| *code == rule.code) })
    );
}

fn is_of_streams(rule: &arc_validator::Rule) -> bool {
    matches!(rule.bad, arc_validator::Example::Stream(_))
}

/// Some megabytes of a stream in which every twentieth line has a fault: of JSON, of an event, or of the stream.
fn faulty_stream() -> String {
    let mut kept = Kept { lines: Vec::new(), conditions: [Condition::Unknown; KEYS.len()] };
    let mut lines = Vec::new();
    for n in 0..16_000_usize {
        let key = n % KEYS.len();
        match n / KEYS.len() % 4 {
            0 => kept.push("request.created", key, &ask(Asks::Choice { count: 12 }, 0)),
            1 => kept.push("request.updated", key, &ask(Asks::Nothing, 0)),
            2 => kept.answer(key, &json!({"choice_id": "c11"})),
            _ => kept.push("request.resolved", key, &json!({"outcome": "answered"})),
        }
        let event = kept.lines.last_mut().unwrap();
        event["extensions"] = json!({"x-padding": "é".repeat(120)});
        let line = event.to_string();
        lines.push(match n % 60 {
            19 => line[..line.len() - 1].to_owned(),
            39 => line.replace(r#""occurred_at""#, r#""ocurred_at""#),
            59 => line.replace(KEYS[key], "never opened"),
            _ => line,
        });
    }
    lines.join("\n")
}

#[test]
fn threads_change_no_byte() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("stream.ndjson");
    let stream = faulty_stream();
    assert!(stream.len() > 5 << 20, "only {} bytes", stream.len());
    std::fs::write(&path, stream).unwrap();
    let run = |threads: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arc-validate"));
        let output = command.args(["--format", "json", "--threads", threads]).arg(&path).output().unwrap();
        (output.status.code(), output.stdout)
    };
    let one = run("1");
    let report: Value = serde_json::from_slice(&one.1).unwrap();
    assert_eq!((one.0, &report["summary"]["events"]), (Some(1), &16_000.into()));
    assert!(report["summary"]["errors"].as_u64().unwrap() >= 700);
    for threads in ["2", "3"] {
        assert!(run(threads) == one, "{threads} threads say something else");
    }
}
