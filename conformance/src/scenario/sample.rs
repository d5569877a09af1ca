//! One event several times: can what the replies show be guessed?

use super::interpreter::{Halt, Play};
use super::judge::Finding;
use super::step::Sample;
use super::{Expectation, Message, OneOrMany};
use crate::profile::Outcome;
use futures_util::future::join_all;
use serde_json::Value;
use std::collections::BTreeSet;

/// What a value that cannot be guessed carries at least (NON-02).
const BITS: f64 = 96.0;

impl Play<'_> {
    pub(super) async fn sample(&mut self, sample: &Sample) -> Result<(), Halt> {
        let outgoing = (0..sample.times).map(|at| {
            let key = format!("{}-{}-{at}", sample.message.key.as_deref().unwrap_or("a"), self.at);
            self.build(&Message { key: Some(key), ..sample.message.clone() }, &[], at)
        });
        let outgoing: Vec<_> = outgoing.collect::<Result<_, _>>()?;
        let exchanges = join_all(outgoing.iter().map(|one| self.send(one))).await;
        let given =
            Expectation { expect: Some(OneOrMany::One(Outcome::Created)), given: true, ..sample.expectation.clone() };
        let mut values = Vec::new();
        for (outgoing, exchange) in outgoing.into_iter().zip(&exchanges) {
            let shown = self.shown(&outgoing, exchange);
            self.settle(outgoing, &given, exchange, None)?;
            values.extend(shown.get(&sample.member).and_then(Value::as_str).map(str::to_owned));
        }
        let finding = match weakness(&values) {
            None => Finding::Right,
            Some(got) => Finding::Wrong {
                permitted: format!("{} without pattern, of at least {BITS} bits", sample.member),
                got: Some(got),
            },
        };
        let is_right = self.note(&sample.expectation, vec![finding], &exchanges[0], "the sample");
        if is_right { Ok(()) } else { Err(Halt::Failed) }
    }
}

/// Why values can be guessed, without showing them.
fn weakness(values: &[String]) -> Option<String> {
    let distinct: BTreeSet<&String> = values.iter().collect();
    if distinct.len() < values.len() || values.is_empty() {
        return Some(format!("{} different ones among {}", distinct.len(), values.len()));
    }
    if values.is_sorted() || values.iter().rev().is_sorted() {
        return Some("each is greater, or each less, than the one before".to_owned());
    }
    let bits = varying_bits(values);
    (bits < BITS).then(|| format!("at most {bits:.0} bits that vary"))
}

/// An upper bound on what varies: for each place the logarithm of how many characters are used at places like it, where
/// more than half of what chance would bring is seen there.
fn varying_bits(values: &[String]) -> f64 {
    let alphabet: BTreeSet<char> = values.iter().flat_map(|value| value.chars()).collect();
    let length = values.iter().map(|value| value.chars().count()).min().unwrap_or(0);
    let expected = alphabet.len().min(values.len() / 2);
    let varies = |at: &usize| {
        let seen: BTreeSet<char> = values.iter().filter_map(|value| value.chars().nth(*at)).collect();
        2 * seen.len() > expected
    };
    let places = u32::try_from((0..length).filter(varies).count()).unwrap_or(u32::MAX);
    let letters = u32::try_from(alphabet.len()).unwrap_or(u32::MAX);
    f64::from(places) * f64::from(letters).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_values_are_strong() {
        for bytes in [12, 16, 24, 32] {
            let values: Vec<String> = (0..64).map(|_| crate::fresh::hex(bytes)).collect();
            assert_eq!(weakness(&values), None, "{bytes} bytes");
        }
    }

    #[test]
    fn short_counted_and_prefixed_values_are_weak() {
        let short: Vec<String> = (0..64).map(|_| crate::fresh::hex(8)).collect();
        let counted: Vec<String> = (0..64).map(|n| format!("{n:032}")).collect();
        let shuffled: Vec<String> = (0..64).map(|n| format!("nonce-for-this-question-{:08}", (n * 37) % 64)).collect();
        let prefixed: Vec<String> = (0..64).map(|_| format!("{}{}", "ab".repeat(20), crate::fresh::hex(4))).collect();
        let same = vec!["x".repeat(40); 64];
        for values in [short, counted, shuffled, prefixed, same] {
            assert!(weakness(&values).is_some(), "{}", values[0]);
        }
    }
}
