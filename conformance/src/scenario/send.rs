//! The exchanges of a play: what a step sends, what its reply shows, and what is resolved at the end.

use super::expand::Scope;
use super::hold::Held;
use super::interpreter::{Halt, Play};
use super::outgoing::{self, Outgoing};
use super::{Change, Expectation, Message};
use crate::exchange::{Exchange, Reply};
use crate::profile::Class;
use serde_json::{Map, Value};
use std::sync::{Arc, PoisonError};

/// Readings 30 and 34: a second on each side of a deadline belongs to the consumer.
const TOLERANCE_MILLIS: i64 = 1_000;

impl Play<'_> {
    pub(super) async fn post(&mut self, message: &Message, expectation: &Expectation) -> Result<(), Halt> {
        let outgoing = self.build(message, &[], 0)?;
        let exchange = self.send(&outgoing).await;
        self.settle(outgoing, expectation, &exchange, message.to.as_deref())
    }

    pub(super) async fn again(&mut self, step: &str, expectation: &Expectation) -> Result<(), Halt> {
        let Some(outgoing) = self.sent.get(step).cloned() else {
            return Err(Halt::Mistake(format!("no step is called {step:?}")));
        };
        let exchange = self.send(&outgoing).await;
        self.settle(outgoing, expectation, &exchange, None)
    }

    /// Remembers an exchange under its name and judges it.
    pub(super) fn settle(
        &mut self,
        outgoing: Outgoing,
        expectation: &Expectation,
        exchange: &Exchange,
        to: Option<&str>,
    ) -> Result<(), Halt> {
        self.in_time(expectation.before.as_ref(), exchange)?;
        if expectation.given && outgoing.came_too_late(exchange.ended) {
            return Err(Halt::Late);
        }
        let key = outgoing.key.clone().unwrap_or_else(|| self.names.key("a"));
        if let Some(name) = &expectation.name {
            self.remember(name, outgoing, exchange);
        }
        let names = self.names.clone();
        let scope = Scope { names: &names, key, to: to.unwrap_or("q"), index: 0 };
        self.judge(expectation, &scope, exchange, "")
    }

    /// A positive check of a moment counts only when its reply came while the moment lasted.
    pub(super) fn in_time(&self, before: Option<&String>, exchange: &Exchange) -> Result<(), Halt> {
        let Some(step) = before else { return Ok(()) };
        let is_late = exchange.ended > self.deadline(step)? - TOLERANCE_MILLIS;
        if is_late { Err(Halt::Late) } else { Ok(()) }
    }

    pub(super) fn remember(&mut self, name: &str, outgoing: Outgoing, exchange: &Exchange) {
        let shown = self.shown(&outgoing, exchange);
        Arc::make_mut(&mut self.names).steps.insert(name.to_owned(), shown);
        self.sent.insert(name.to_owned(), outgoing);
    }

    /// What a reply shows: each member that the profile knows, null where it does not show it; and the key.
    pub(super) fn shown(&self, outgoing: &Outgoing, exchange: &Exchange) -> Map<String, Value> {
        let profile = &self.stage.profile;
        let body = self.viewed(exchange);
        let value = |name: &str| profile.member(name, &body).cloned().unwrap_or(Value::Null);
        let mut shown: Map<String, Value> = profile.members.keys().map(|name| (name.clone(), value(name))).collect();
        let text = |name: &str| profile.member(name, &body).and_then(Value::as_str);
        let key = outgoing.key.as_deref().or_else(|| shown_key(text));
        shown.insert("key".to_owned(), key.map_or(Value::Null, Value::from));
        let deadline = outgoing.deadline.clone().map_or(Value::Null, Value::String);
        shown.insert("expires_at".to_owned(), deadline);
        shown
    }

    /// A reply's body as the profile's pointers read it.
    pub(super) fn viewed(&self, exchange: &Exchange) -> Value {
        self.stage.profile.view(&exchange.request.url, exchange.reply.json().unwrap_or(Value::Null))
    }

    pub(super) fn deadline(&self, step: &str) -> Result<i64, Halt> {
        let deadline = self.sent.get(step).and_then(|outgoing| outgoing.expires_at);
        deadline.ok_or_else(|| Halt::Mistake(format!("step {step:?} asks no question with a deadline")))
    }

    pub(super) fn key(&self, message: &Message) -> String {
        self.names.key(message.key.as_deref().unwrap_or("a"))
    }

    /// Builds a message's bytes.
    pub(super) fn build(&self, message: &Message, changes: &[&Change], index: usize) -> Result<Outgoing, Halt> {
        let to = message.to.as_deref().unwrap_or("q");
        let scope = Scope { names: &self.names, key: self.key(message), to, index };
        outgoing::build(&scope, message, changes).map_err(|e| self.unresolved(e))
    }

    pub(super) async fn send(&self, outgoing: &Outgoing) -> Exchange {
        let request = outgoing.request(self.stage.events_url());
        let exchange = self.stage.client.send(request).await;
        self.track(outgoing, &exchange);
        exchange
    }

    /// Learns the secrets that a reply issued, and which conditions are open.
    pub(super) fn track(&self, outgoing: &Outgoing, exchange: &Exchange) {
        let Reply::Http { status, .. } = exchange.reply else { return };
        let profile = &self.stage.profile;
        let body = self.viewed(exchange);
        let text = |name: &str| profile.member(name, &body).and_then(Value::as_str);
        for (name, word) in [("digest", "<digest>"), ("nonce", "<nonce>")] {
            if let Some(secret) = text(name) {
                self.stage.redactor.learn(secret, word);
            }
        }
        if profile.class(status) != Class::Success {
            return;
        }
        let Some(key) = outgoing.key.as_deref().or_else(|| shown_key(text)) else { return };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match outgoing.event_type.as_str() {
            "response.submitted" | "request.resolved" => open.remove(key),
            _ => open.insert(key.to_owned()),
        };
    }

    /// Resolves what is still open. Never judged.
    pub(super) async fn tear_down(&self) {
        self.held.values().for_each(Held::give_up);
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        let resolve = |key: String| async move {
            let outgoing = outgoing::resolve(&self.names, key);
            self.stage.client.send(outgoing.request(self.stage.events_url())).await
        };
        futures_util::future::join_all(open.into_iter().map(resolve)).await;
    }
}

/// The key that a reply shows where none was sent (reading 31).
fn shown_key<'v>(text: impl Fn(&str) -> Option<&'v str>) -> Option<&'v str> {
    ["record_key", "question_key"].into_iter().find_map(text)
}
