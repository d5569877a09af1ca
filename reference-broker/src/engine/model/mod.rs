//! The engine against a model of a condition that is written from the contract, in words of its own.
//!
//! Random sequences of commands go to both; after each the verdict and everything visible has to agree. A failure
//! shrinks to the shortest sequence that shows it.

mod book;
mod contract;
mod ops;

use super::*;
use crate::secret::{Digest, Nonce};
use arc_validator::event::{AnswerShape, AnswerValue, Choice, Context, Private, RequestKind, Sender};
use book::Book;
use contract::Model;
use ops::{Op, Proof, Spec, ops};
use proptest::prelude::*;

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
        Op::Create { key, words, spec } => (key, Command::Create { key: Some(key.to_string()), ask: ask(words, spec) }),
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
