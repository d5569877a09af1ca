//! What a consumer does not offer is not applicable; what it offers and breaks is a violation. A refusal on principle is the
//! only way not to offer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod crash_dummy;
mod support;

use arc_conformance::claim::Standing;
use arc_conformance::plan::Selection;
use arc_conformance::requirement;
use arc_conformance::run_event::Summary;
use arc_conformance::runner::End;
use arc_conformance::verdict::Verdict;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use crash_dummy::{Behaviour, Dummy};
use serde_json::Value;

/// Which status the front answers itself; the plain dummy answers the rest.
type Rule = fn(&Value) -> Option<u16>;

/// A consumer with another one behind it.
async fn front(dummy: &Dummy, rule: Rule) -> String {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
    let base = dummy.url().to_owned();
    let pass = move |request: Request| {
        let (http, base) = (http.clone(), base.clone());
        async move {
            let (parts, body) = request.into_parts();
            let body = to_bytes(body, 1 << 20).await.unwrap();
            let event = serde_json::from_slice(&body).unwrap_or_default();
            if let Some(status) = rule(&event) {
                return (StatusCode::from_u16(status).unwrap(), "{\"error\":\"not here\"}").into_response();
            }
            let mut behind = http.request(parts.method, format!("{base}{}", parts.uri)).body(body);
            if let Some(token) = parts.headers.get("authorization") {
                behind = behind.header("authorization", token);
            }
            let reply = behind.send().await.unwrap();
            let status = reply.status();
            let mut response = Response::new(Body::from(reply.bytes().await.unwrap()));
            *response.status_mut() = status;
            response
        }
    };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(pass)).await });
    url
}

async fn judged(rule: Rule) -> Box<Summary> {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let url = front(&dummy, rule).await;
    match support::judge(&url, dummy.token(), support::profile(&[], false), Selection::default()).await {
        End::Judged(summary) => summary,
        End::Unreachable(why) => panic!("{why}"),
    }
}

fn kind(event: &Value) -> Option<&str> {
    event["request"]["response"]["kind"].as_str()
}

fn verdict(summary: &Summary, id: &str) -> Verdict {
    summary.judgements[requirement::position(id)].verdict
}

#[tokio::test]
async fn a_kind_that_is_refused_on_principle_is_not_applicable() {
    let summary = judged(|event| (kind(event) == Some("text")).then_some(400)).await;
    assert_eq!(verdict(&summary, "ASK-10"), Verdict::NotApplicable);
    assert_eq!(summary.claims[0].standing, Standing::Holds, "{}", summary.claims[0].line);
}

#[tokio::test]
async fn a_kind_over_which_the_consumer_breaks_down_is_not_excused() {
    let summary = judged(|event| (kind(event) == Some("text")).then_some(500)).await;
    assert!(verdict(&summary, "ASK-10") > Verdict::Pass, "{:?}", verdict(&summary, "ASK-10"));
    assert_eq!(summary.claims[0].standing, Standing::Broken, "{}", summary.claims[0].line);
}

#[tokio::test]
async fn a_consumer_that_takes_no_question_is_an_arc_0_1_consumer() {
    let summary = judged(|event| kind(event).map(|_| 400)).await;
    assert_eq!(verdict(&summary, "LIF-01"), Verdict::Fail);
    let line = &summary.claims[0].line;
    assert!(line.contains("It is an ARC 0.1 consumer, and must say so"), "{line}");
    let evidence = &summary.judgements[requirement::position("LIF-01")].evidence[0];
    assert!(evidence.sent.contains("request.created") && evidence.got.starts_with("400"), "{evidence:?}");
}

#[tokio::test]
async fn a_consumer_of_text_questions_alone_is_no_arc_0_1_consumer() {
    let summary = judged(|event| kind(event).filter(|kind| *kind != "text").map(|_| 400)).await;
    let line = &summary.claims[0].line;
    assert!(!line.contains("ARC 0.1"), "{line}");
    assert_ne!(verdict(&summary, "LIF-01"), Verdict::Fail);
}
