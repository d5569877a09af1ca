//! The engine against a model of a condition that is written from the contract, in words of its own.
//!
//! Random sequences of commands go to both; after each the verdict and everything visible has to agree. A failure
//! shrinks to the shortest sequence that shows it.

use super::*;
use crate::secret::{Digest, Nonce};
use arc_validator::event::{AnswerShape, AnswerValue, Choice, Context, Private, RequestKind, Sender};
use proptest::prelude::*;
use std::collections::HashMap;

/// What may happen.
#[derive(Debug, Clone)]
enum Op {
    Create {
        key: u8,
        words: u8,
        spec: Option<Spec>,
    },
    Update {
        key: u8,
        words: u8,
        spec: Option<Spec>,
    },
    Answer {
        key: u8,
        response_id: u8,
        choice: u8,
        proof: Proof,
    },
    Resolve {
        key: u8,
    },
    Cancel {
        key: u8,
    },
    /// The clock moves, perhaps backwards.
    Tick(i64),
    /// An event that was sent before comes again, as it was or with other words.
    Again {
        back: usize,
        same: bool,
    },
}

/// A question: which of two sets of choices, and its deadline.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spec {
    choices: u8,
    deadline: Millis,
}

/// What an answerer shows.
#[derive(Debug, Clone, Copy)]
enum Proof {
    Current,
    /// What was issued with the question before the current one.
    Stale,
    StaleNonce,
    NoNonce,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let spec = (0u8..2, 0i64..12).prop_map(|(choices, deadline)| Spec { choices, deadline: deadline * 5 });
    let request = (0u8..2, 0u8..2, proptest::option::weighted(0.7, spec));
    let proof = prop_oneof![
        6 => Just(Proof::Current), 1 => Just(Proof::Stale), 1 => Just(Proof::StaleNonce), 1 => Just(Proof::NoNonce)
    ];
    let op = prop_oneof![
        4 => request.clone().prop_map(|(key, words, spec)| Op::Create { key, words, spec }),
        2 => request.prop_map(|(key, words, spec)| Op::Update { key, words, spec }),
        5 => (0u8..2, 0u8..3, 0u8..4, proof).prop_map(|(key, response_id, choice, proof)| {
            Op::Answer { key, response_id, choice, proof }
        }),
        1 => (0u8..2).prop_map(|key| Op::Resolve { key }),
        1 => (0u8..2).prop_map(|key| Op::Cancel { key }),
        2 => (-10i64..20).prop_map(Op::Tick),
        2 => (0usize..6, any::<bool>()).prop_map(|(back, same)| Op::Again { back, same }),
    ];
    proptest::collection::vec(op, 1..40)
}

// ---------------------------------------------------------------------------------------------------------------------
// The model: what the contract says, with numbers for words.

#[derive(Debug, Clone, PartialEq)]
struct ModelLife {
    words: u8,
    over: bool,
    asked: Vec<ModelQuestion>,
}

#[derive(Debug, Clone, PartialEq)]
struct ModelQuestion {
    words: u8,
    spec: Spec,
    end: Option<&'static str>,
    answer: Option<(u8, u8)>,
}

#[derive(Default)]
struct Model {
    lives: HashMap<u8, Vec<ModelLife>>,
}

impl Model {
    fn latest(&mut self, key: u8, now: Millis) -> Option<&mut ModelLife> {
        let life = self.lives.get_mut(&key)?.last_mut()?;
        if let Some(last) = life.asked.last_mut().filter(|q| q.end.is_none() && q.spec.deadline <= now) {
            last.end = Some("expired");
        }
        Some(life)
    }

    fn request(&mut self, may_open: bool, key: u8, words: u8, spec: Option<Spec>, now: Millis) -> &'static str {
        let question = |spec| ModelQuestion { words, spec, end: None, answer: None };
        let too_late = spec.is_some_and(|spec| spec.deadline <= now);
        match self.latest(key, now) {
            Some(life) if !life.over => {
                if too_late {
                    return "past deadline";
                }
                life.words = words;
                let open = life.asked.last_mut().filter(|q| q.end.is_none());
                let wanted = spec.or(open.as_ref().map(|q| q.spec));
                match (wanted, open) {
                    (Some(spec), Some(open)) if open.words == words && open.spec == spec => {}
                    (Some(spec), open) => {
                        if let Some(open) = open {
                            open.end = Some("superseded");
                        }
                        life.asked.push(question(spec));
                    }
                    (None, _) => {}
                }
                "applied"
            }
            _ if !may_open => "not found",
            _ if too_late => "past deadline",
            _ => {
                let asked = spec.map(question).into_iter().collect();
                self.lives.entry(key).or_default().push(ModelLife { words, over: false, asked });
                "created"
            }
        }
    }

    fn answer(&mut self, key: u8, response_id: u8, choice: u8, proof: Proof, now: Millis) -> &'static str {
        let Some(life) = self.latest(key, now) else { return "not found" };
        let Some(question) = life.asked.last_mut() else { return "not open" };
        match (question.answer, question.end, proof) {
            (Some((first, _)), ..) => return if first == response_id { "replayed" } else { "answered already" },
            (None, Some(_), _) => return "not open",
            (None, None, Proof::Stale) => return "digest",
            (None, None, Proof::StaleNonce | Proof::NoNonce) => return "nonce",
            (None, None, Proof::Current) => {}
        }
        if choice >= 2 + question.spec.choices {
            return "shape";
        }
        question.end = Some("answered");
        question.answer = Some((response_id, choice));
        life.over = true;
        "applied"
    }

    fn withdraw(&mut self, key: u8, is_over: bool, now: Millis) -> &'static str {
        let Some(life) = self.latest(key, now) else { return "not found" };
        if let Some(open) = life.asked.last_mut().filter(|q| q.end.is_none()) {
            open.end = Some("cancelled");
        }
        life.over |= is_over;
        "applied"
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The engine, with a store in memory that does what it is told.

#[derive(Default)]
struct Book {
    conditions: Vec<Condition>,
    questions: Vec<(String, Question)>,
    drawn: u32,
    /// Accepted events: what they said, and what they touched.
    events: HashMap<usize, (String, String, Option<String>)>,
}

impl Book {
    fn life(&self, condition: &Condition, question: Option<&str>) -> Life {
        let mut of_condition = self.questions.iter().filter(|(id, _)| *id == condition.id).map(|(_, q)| q);
        let question = match question {
            Some(id) => of_condition.find(|q| q.id == id),
            None => of_condition.next_back(),
        };
        Life { condition: condition.clone(), question: question.cloned() }
    }

    fn latest(&self, key: &str) -> Option<Life> {
        self.conditions.iter().rfind(|c| c.key == key).map(|condition| self.life(condition, None))
    }

    /// Decides and writes, as the store's writer does.
    fn send(&mut self, key: u8, event: Option<(usize, &str)>, command: Command, now: Millis) -> &'static str {
        let earlier = event.and_then(|(id, content)| {
            let (before, condition, question) = self.events.get(&id)?;
            let condition = self.conditions.iter().find(|c| c.id == *condition).expect("conditions stay");
            Some(Earlier { same_content: before == content, life: self.life(condition, question.as_deref()) })
        });
        let is_new = earlier.is_none();
        let life = self.latest(&key.to_string());
        self.drawn += 1;
        let fresh = Fresh {
            condition_id: format!("c{}", self.drawn),
            question_id: format!("q{}", self.drawn),
            nonce: Nonce::from(format!("n{}", self.drawn)),
        };
        let Decision { changes, verdict } = decide(Known { earlier, life }, command, now, fresh);
        let accepted = verdict.as_ref().ok();
        for change in changes {
            self.write(change, accepted.map(|accepted| accepted.life.condition.id.clone()));
        }
        if let (Some((id, content)), Some(accepted), true) = (event, accepted, is_new) {
            let question = accepted.life.question.as_ref().map(|q| q.id.clone());
            self.events.insert(id, (content.to_owned(), accepted.life.condition.id.clone(), question));
        }
        if let Some(accepted) = accepted {
            let stored = self.conditions.iter().find(|c| c.id == accepted.life.condition.id).expect("it was written");
            assert_eq!(self.life(stored, accepted.life.question.as_ref().map(|q| q.id.as_str())), accepted.life);
        }
        word(&verdict)
    }

    fn write(&mut self, change: Change, condition: Option<String>) {
        match change {
            Change::Open(condition) => self.conditions.push(condition),
            Change::Show(condition) => {
                let stored = self.conditions.iter_mut().find(|c| c.id == condition.id).expect("it is there");
                assert!(stored.is_active(), "a condition that is over is never written again");
                *stored = condition;
            }
            Change::Ask(question) => self.questions.push((condition.expect("only what is accepted asks"), question)),
            Change::End(question) => {
                let (_, stored) = self.questions.iter_mut().find(|(_, q)| q.id == question.id).expect("it is there");
                assert!(stored.is_pending(), "only a pending question ends");
                *stored = question;
            }
        }
    }

    /// What the model shows, read from the book.
    fn visible(&self, key: u8) -> Vec<ModelLife> {
        let of_key = self.conditions.iter().filter(|c| c.key == key.to_string());
        of_key.map(|condition| self.visible_life(condition)).collect()
    }

    fn visible_life(&self, condition: &Condition) -> ModelLife {
        let asked = self.questions.iter().filter(|(id, _)| *id == condition.id).map(|(_, q)| visible_question(q));
        ModelLife { words: number(&condition.shown.message), over: !condition.is_active(), asked: asked.collect() }
    }
}

fn visible_question(question: &Question) -> ModelQuestion {
    let answer = match &question.status {
        Status::Answered(Answer { response_id, value: AnswerValue::Choice(id), .. }) => {
            Some((response_id.parse().unwrap(), number(id)))
        }
        _ => None,
    };
    let choices = u8::try_from(question.shape.choices().len()).unwrap() - 2;
    let end = (!question.is_pending()).then(|| question.status.as_str());
    ModelQuestion {
        words: number(&question.prompt),
        spec: Spec { choices, deadline: question.expires_at },
        end,
        answer,
    }
}

fn number(text: &Private<'_>) -> u8 {
    text.expose().parse().unwrap()
}

fn word(verdict: &Result<Accepted, Refusal>) -> &'static str {
    match verdict {
        Ok(Accepted { news: News::Created, .. }) => "created",
        Ok(Accepted { news: News::Applied, .. }) => "applied",
        Ok(Accepted { news: News::Replayed, .. }) => "replayed",
        Err(Refusal::NotFound) => "not found",
        Err(Refusal::AlreadyAnswered) => "answered already",
        Err(Refusal::NotOpen) => "not open",
        Err(Refusal::Digest) => "digest",
        Err(Refusal::Nonce) => "nonce",
        Err(Refusal::Shape) => "shape",
        Err(Refusal::PastDeadline) => "past deadline",
        Err(Refusal::EventIdReused) => "event id reused",
    }
}

fn ask(words: u8, spec: Option<Spec>) -> Ask {
    let choice = |i: u8| Choice { id: i.to_string().into(), label: Private::from("L"), detail: None };
    Ask {
        origin: Origin {
            sender: Sender { id: "s".into(), name: None, version: None, instance_id: None },
            context: Some(Context::default()),
        },
        kind: RequestKind::Permission,
        notification_type: None,
        title: None,
        message: Private::from(words.to_string()),
        priority: None,
        spec: spec.map(|spec| AskSpec {
            shape: AnswerShape::Permission((0..2 + spec.choices).map(choice).collect()),
            deadline: Deadline::At(spec.deadline),
        }),
    }
}

/// An answer to the latest question of the key, proven as told.
fn new_answer(book: &Book, key: u8, response_id: u8, choice: u8, proof: Proof) -> NewAnswer {
    let question = book.latest(&key.to_string()).and_then(|life| life.question);
    let stale = || (Digest::from("0".repeat(64)), Nonce::from("stale".to_owned()));
    let current = question.map_or_else(stale, |q| (q.digest, q.nonce));
    let (digest, nonce) = match proof {
        Proof::Current => (current.0, Some(current.1)),
        Proof::Stale => (stale().0, Some(current.1)),
        Proof::StaleNonce => (current.0, Some(stale().1)),
        Proof::NoNonce => (current.0, None),
    };
    let value = AnswerValue::Choice(Private::from(choice.to_string()));
    NewAnswer { response_id: response_id.to_string(), digest, nonce, value, source: None, device_id: None }
}

/// The event of one op as a command, where the op is one that events carry.
fn command(book: &Book, op: &Op) -> Option<(u8, Command)> {
    Some(match *op {
        Op::Create { key, words, spec } => (key, Command::Create { key: key.to_string(), ask: ask(words, spec) }),
        Op::Update { key, words, spec } => (key, Command::Update { ask: ask(words, spec) }),
        Op::Answer { key, response_id, choice, proof } => {
            (key, Command::Answer(new_answer(book, key, response_id, choice, proof)))
        }
        Op::Resolve { key } => (key, Command::Resolve { outcome: None }),
        Op::Cancel { .. } | Op::Tick(_) | Op::Again { .. } => return None,
    })
}

fn by_model(model: &mut Model, op: &Op, now: Millis) -> &'static str {
    match *op {
        Op::Create { key, words, spec } => model.request(true, key, words, spec, now),
        Op::Update { key, words, spec } => model.request(false, key, words, spec, now),
        Op::Answer { key, response_id, choice, proof } => model.answer(key, response_id, choice, proof, now),
        Op::Resolve { key } => model.withdraw(key, true, now),
        Op::Cancel { key } => model.withdraw(key, false, now),
        Op::Tick(_) | Op::Again { .. } => unreachable!("no command"),
    }
}

/// Plays the ops to both and compares after each.
fn play(ops: &[Op]) {
    let (mut model, mut book, mut now) = (Model::default(), Book::default(), 0);
    let mut accepted: Vec<(usize, Op)> = Vec::new();
    for (id, op) in ops.iter().enumerate() {
        let (said, expected) = match op {
            Op::Tick(step) => {
                now += step;
                continue;
            }
            Op::Cancel { key } => (book.send(*key, None, Command::Cancel, now), by_model(&mut model, op, now)),
            Op::Again { back, same } => {
                let Some((first, first_op)) = accepted.iter().rev().nth(*back).cloned() else { continue };
                let content = format!("{first_op:?}{}", if *same { "" } else { "!" });
                let Some((key, command)) = command(&book, &first_op) else { continue };
                touch(&mut model, &book, first, now);
                let expected = if *same { "replayed" } else { "event id reused" };
                (book.send(key, Some((first, &content)), command, now), expected)
            }
            _ => {
                let Some((key, command)) = command(&book, op) else { continue };
                let said = book.send(key, Some((id, &format!("{op:?}"))), command, now);
                if matches!(said, "created" | "applied" | "replayed") {
                    accepted.push((id, op.clone()));
                }
                (said, by_model(&mut model, op, now))
            }
        };
        assert_eq!(said, expected, "op {id} at {now}: {op:?}");
        for key in 0..2 {
            let lives = model.lives.get(&key).cloned().unwrap_or_default();
            assert_eq!(book.visible(key), lives, "key {key} after op {id} at {now}: {op:?}");
        }
    }
}

/// A retry looks at what the event touched, and so meets an expiry that is due there.
fn touch(model: &mut Model, book: &Book, event: usize, now: Millis) {
    let (_, condition, question) = &book.events[&event];
    let condition = book.conditions.iter().find(|c| c.id == *condition).expect("conditions stay");
    let life = book.life(condition, question.as_deref());
    if life.question.is_some_and(|q| q.is_pending() && q.expires_at <= now) {
        model.latest(condition.key.parse().unwrap(), now);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_does_what_the_model_of_the_contract_does(ops in ops()) {
        play(&ops);
    }

    #[test]
    fn no_nonce_is_issued_twice_and_at_most_one_answer_is_accepted(ops in ops()) {
        let (mut book, mut now) = (Book::default(), 0);
        for op in &ops {
            match command(&book, op) {
                Some((key, command)) => { book.send(key, None, command, now); }
                None => if let Op::Tick(step) = op { now += step },
            }
        }
        let mut nonces: Vec<_> = book.questions.iter().map(|(_, q)| q.nonce.expose()).collect();
        nonces.sort_unstable();
        nonces.dedup();
        prop_assert_eq!(nonces.len(), book.questions.len());
        for condition in &book.conditions {
            let answered = |(id, q): &&(String, Question)| *id == condition.id && matches!(q.status, Status::Answered(_));
            prop_assert!(book.questions.iter().filter(answered).count() <= 1);
        }
    }
}
