//! Every exchange of a play, in the order in which they ended, so that a failure can be shown as what was said between the
//! kit and the consumer.
//!
//! The client notes what it sends while a play is under way; nobody else has to know of it.

use crate::exchange::Exchange;
use crate::secret::Redactor;
use crate::verdict::{Check, Verdict};
use serde::Serialize;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// So many exchanges before the offending one are shown, and so many after it.
const BEFORE: usize = 12;
const AFTER: usize = 3;

tokio::task_local! {
    static TRACE: Trace;
}

#[derive(Debug, Clone, Default)]
struct Trace(Arc<Mutex<Vec<Exchange>>>);

/// Does some work and returns, beside what comes of it, every exchange that was had meanwhile.
pub async fn of<T>(work: impl Future<Output = T>) -> (T, Vec<Exchange>) {
    let trace = Trace::default();
    let done = TRACE.scope(trace.clone(), work).await;
    let exchanges = std::mem::take(&mut *trace.0.lock().unwrap_or_else(PoisonError::into_inner));
    (done, exchanges)
}

/// Lets work that is handed to another task belong to the play that began it.
pub(crate) fn carry<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    TRACE.scope(TRACE.try_with(Clone::clone).unwrap_or_default(), work)
}

/// Notes an exchange, where somebody keeps a trace.
pub(crate) fn note(exchange: &Exchange) {
    let _ = TRACE.try_with(|trace| trace.0.lock().unwrap_or_else(PoisonError::into_inner).push(exchange.clone()));
}

/// What was said around a failure, without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Story {
    /// Earlier exchanges that are left out.
    pub before: usize,
    /// The exchanges, by when they began.
    pub exchanges: Vec<Leg>,
    /// Later exchanges that are left out.
    pub after: usize,
}

/// One exchange of a story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Leg {
    /// Method, path and, for an event, its type.
    pub title: String,
    /// What was sent.
    pub sent: String,
    /// The status and its name, or how the exchange ended without one.
    pub answer: String,
    /// What came.
    pub got: String,
    /// When it began, in milliseconds after the story's first exchange.
    pub began: i64,
    /// When its reply was complete.
    pub ended: i64,
    /// Whether a check that did not pass rests on it.
    pub is_offending: bool,
}

impl Story {
    /// The story of a play whose checks did not all pass; empty where they did.
    pub fn tell(mut exchanges: Vec<Exchange>, checks: &[Check], redactor: &Redactor) -> Self {
        let is_red = |check: &&Check| check.verdict > Verdict::Disabled;
        let offences: Vec<&str> =
            checks.iter().filter(is_red).filter_map(|check| check.evidence.as_ref()).map(|e| e.sent.as_str()).collect();
        if offences.is_empty() {
            return Self::default();
        }
        exchanges.sort_by_key(|exchange| exchange.began);
        let zero = exchanges.first().map_or(0, |first| first.began);
        let mut legs: Vec<Leg> = exchanges.iter().map(|exchange| leg(exchange, zero, &offences, redactor)).collect();
        let at = legs.iter().position(|leg| leg.is_offending).unwrap_or(legs.len().saturating_sub(1));
        let after = legs.len().saturating_sub(at + AFTER + 1);
        legs.truncate(at + AFTER + 1);
        let before = at.saturating_sub(BEFORE);
        Self { before, exchanges: legs.split_off(before), after }
    }

    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.exchanges.is_empty()
    }
}

fn leg(exchange: &Exchange, zero: i64, offences: &[&str], redactor: &Redactor) -> Leg {
    let sent = exchange.sent(redactor);
    let is_offending = offences.contains(&sent.as_str());
    Leg {
        title: redactor.clean(&title(exchange)),
        answer: exchange.reply.headline(),
        got: exchange.got(redactor),
        began: exchange.began - zero,
        ended: exchange.ended - zero,
        is_offending,
        sent,
    }
}

fn title(exchange: &Exchange) -> String {
    let request = &exchange.request;
    let path = request.url.splitn(4, '/').nth(3).unwrap_or_default();
    let body: Option<Value> = request.body.as_deref().and_then(|body| serde_json::from_slice(body).ok());
    let event = body.as_ref().and_then(|body| body["event_type"].as_str()).unwrap_or_default();
    crate::exchange::shorten(format!("{} /{path} {event}", request.method).trim_end(), 120)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{Auth, Reply, Request};
    use crate::secret::Token;
    use crate::verdict::Evidence;

    fn exchange(number: usize) -> Exchange {
        let body = format!(r#"{{"event_id":"{number}","event_type":"request.created","token":"tok-canary"}}"#);
        let url = "http://127.0.0.1:1/v1/events".to_owned();
        let request = Request { method: "POST", url, auth: Auth::Token, body: Some(body.into_bytes()), chunked: false };
        let at = i64::try_from(number).unwrap();
        Exchange { request, reply: Reply::TimedOut, began: 100 + at, ended: 105 + at, resent: false }
    }

    fn failing(redactor: &Redactor, number: usize) -> Check {
        let evidence = Evidence { sent: exchange(number).sent(redactor), ..Evidence::default() };
        Check { requirement: "ANS-06".to_owned(), verdict: Verdict::Fail, evidence: Some(evidence) }
    }

    #[tokio::test]
    async fn exchanges_belong_to_the_play_that_had_them() {
        let play = |number| async move {
            note(&exchange(number));
            tokio::task::yield_now().await;
            tokio::spawn(carry(async move { note(&exchange(number + 10)) })).await.unwrap();
        };
        let (one, other) = futures_util::future::join(of(play(1)), of(play(2))).await;
        let ids = |exchanges: Vec<Exchange>| exchanges.iter().map(|e| e.began - 100).collect::<Vec<_>>();
        assert_eq!((ids(one.1), ids(other.1)), (vec![1, 11], vec![2, 12]));
        note(&exchange(3));
    }

    #[test]
    fn a_story_is_told_around_what_failed_and_holds_no_secret() {
        let redactor = Redactor::new(&Token::new("tok-canary"));
        let story = Story::tell((0..40).map(exchange).collect(), &[failing(&redactor, 20)], &redactor);
        assert_eq!((story.before, story.exchanges.len(), story.after), (8, 16, 16));
        let offending: Vec<&Leg> = story.exchanges.iter().filter(|leg| leg.is_offending).collect();
        assert_eq!((offending.len(), offending[0].began), (1, 20));
        assert_eq!(offending[0].title, "POST /v1/events request.created");
        assert!(!format!("{story:?}").contains("canary"), "{story:?}");
    }

    #[test]
    fn where_all_is_well_there_is_no_story() {
        let redactor = Redactor::new(&Token::new("t"));
        let pass = Check { verdict: Verdict::Pass, ..failing(&redactor, 0) };
        assert!(Story::tell(vec![exchange(0)], &[pass], &redactor).is_empty());
    }
}
