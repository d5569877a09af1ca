//! Variants that are all accepted, each on a condition of its own; and the bounds from which some are generated.

use super::expand::{FRESH_LENGTH, Names, Scope};
use super::interpreter::{Halt, Play};
use super::outgoing::Outgoing;
use super::step::{Accept, Bound, Bounds, Fault, Refuse};
use super::{Change, Expectation, Message, OneOrMany};
use crate::exchange::Exchange;
use crate::profile::Outcome;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::sync::Arc;

/// One variant as it was played.
struct Played {
    names: Arc<Names>,
    outgoing: Outgoing,
    exchange: Exchange,
}

impl Play<'_> {
    pub(super) async fn accept(&mut self, accept: &Accept) -> Result<(), Halt> {
        let plays = accept.variants.iter().enumerate().map(|(at, variant)| self.variant(accept, at, variant));
        let played = join_all(plays).await;
        let expectation = or_success(&accept.expectation);
        let mut end = Ok(());
        for (variant, played) in accept.variants.iter().zip(played) {
            let played = played?;
            let key = played.outgoing.key.clone().unwrap_or_default();
            let scope = Scope { names: &played.names, key, to: "q", index: 0 };
            match self.judge(&expectation, &scope, &played.exchange, &variant.name) {
                Err(Halt::Failed) => end = Err(Halt::Failed),
                other => other?,
            }
        }
        end
    }

    /// Plays one variant: the event before it, then itself, under a key of its own.
    async fn variant(&self, accept: &Accept, at: usize, variant: &Fault) -> Result<Played, Halt> {
        let key = format!("{}-{}-{at}", accept.message.key.as_deref().unwrap_or("a"), self.at);
        let mut aside = self.aside();
        if let Some(after) = &accept.after {
            let before = Message { key: Some(key.clone()), ..(**after).clone() };
            let outgoing = aside.build(&before, &[], 0)?;
            let exchange = aside.send(&outgoing).await;
            aside.remember("q", outgoing.clone(), &exchange);
            self.track(&outgoing, &exchange);
            let given = Expectation { given: true, ..or_success(&Expectation::default()) };
            let names = aside.names.clone();
            let scope = Scope { names: &names, key: key.clone(), to: "q", index: 0 };
            aside.judge(&given, &scope, &exchange, &format!("the event before {}", variant.name))?;
        }
        let message = Message { key: Some(key), ..accept.message.clone() };
        let outgoing = aside.build(&message, &[&variant.change], at)?;
        let exchange = self.send(&outgoing).await;
        Ok(Played { names: aside.names, outgoing, exchange })
    }

    pub(super) async fn bounds(&mut self, bounds: &Bounds) -> Result<(), Halt> {
        let variants = each(bounds, |bound, fill| vec![at_bound(bound, fill)]);
        let accept = Accept {
            message: bounds.message.clone(),
            after: bounds.after.clone(),
            variants,
            expectation: bounds.expectation.clone(),
        };
        let accepted = self.accept(&accept).await;
        if let Err(Halt::Failed) | Ok(()) = accepted {
            let faults = each(bounds, beyond);
            self.refuse_generated(bounds, faults).await?;
        }
        accepted
    }

    async fn refuse_generated(&mut self, bounds: &Bounds, faults: Vec<Fault>) -> Result<(), Halt> {
        let mut message = bounds.message.clone();
        if let Some(after) = &bounds.after {
            let key = format!("{}-{}-refused", bounds.message.key.as_deref().unwrap_or("a"), self.at);
            message.key = Some(key.clone());
            let before = Message { key: Some(key), ..(**after).clone() };
            let given = Expectation { given: true, name: Some("q".to_owned()), ..or_success(&Expectation::default()) };
            let outgoing = self.build(&before, &[], 0)?;
            let exchange = self.send(&outgoing).await;
            self.settle(outgoing, &given, &exchange, None)?;
        }
        self.refuse(&Refuse { message, faults, expectation: bounds.expectation.clone() }).await
    }
}

fn or_success(expectation: &Expectation) -> Expectation {
    let expect = expectation.expect.clone().or(Some(OneOrMany::Many(vec![Outcome::Created, Outcome::Accepted])));
    Expectation { expect, ..expectation.clone() }
}

fn each(bounds: &Bounds, make: impl Fn(&Bound, &str) -> Vec<Fault>) -> Vec<Fault> {
    let make = &make;
    bounds.members.iter().flat_map(|bound| bounds.fill.iter().flat_map(move |fill| make(bound, fill))).collect()
}

fn at_bound(bound: &Bound, fill: &str) -> Fault {
    set(format!("{} of {} x {fill:?}", bound.at, bound.max), &bound.at, filled(bound.max, fill))
}

/// One code point too many; none at all, and the other JSON types, where these are refused.
fn beyond(bound: &Bound, fill: &str) -> Vec<Fault> {
    let at = &bound.at;
    let mut faults = vec![set(format!("{at} of {} x {fill:?}", bound.max + 1), at, filled(bound.max + 1, fill))];
    if bound.min > 0 && fill.is_ascii() {
        faults.push(set(format!("{at} empty"), at, json!("")));
    }
    if bound.types && fill.is_ascii() {
        for other in [json!(7), json!(true), json!([]), json!({})] {
            faults.push(set(format!("{at} of another type: {other}"), at, other));
        }
    }
    faults
}

/// A text of `length` code points that begins with a fresh word where there is room: ids and keys stay unique.
fn filled(length: usize, fill: &str) -> Value {
    if length < 2 * FRESH_LENGTH {
        return json!({ "$repeat": [fill, length] });
    }
    json!({ "$join": ["${fresh}", { "$repeat": [fill, length - FRESH_LENGTH] }] })
}

fn set(name: String, at: &str, value: Value) -> Fault {
    let set = serde_json::Map::from_iter([(at.to_owned(), value)]);
    Fault { name, change: Change { set, ..Change::default() } }
}
