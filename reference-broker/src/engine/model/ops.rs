//! What may happen to a broker.

use crate::engine::Millis;
use proptest::prelude::*;

/// What may happen.
#[derive(Debug, Clone)]
pub(super) enum Op {
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
pub(super) struct Spec {
    pub(super) choices: u8,
    pub(super) deadline: Millis,
}

/// What an answerer shows.
#[derive(Debug, Clone, Copy)]
pub(super) enum Proof {
    Current,
    /// What was issued with the question before the current one.
    Stale,
    StaleNonce,
    NoNonce,
}

pub(super) fn ops() -> impl Strategy<Value = Vec<Op>> {
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
