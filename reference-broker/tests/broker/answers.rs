//! The six answer rules, through both doors.

use crate::support::*;
use serde_json::{Value, json};

/// One answer through one of the doors: what came back, as status and rule.
async fn send(server: &Server, door: Door, interaction: &Value, response: &Value) -> (u16, Value) {
    let reply = match door {
        Door::Events => {
            let mut event = event("response.submitted", json!({ "key": interaction["key"] }));
            event["response"] = response.clone();
            server.event(&event).await
        }
        Door::Respond => {
            let mut body = response.clone();
            let digest = body.as_object_mut().unwrap().remove("digest").unwrap();
            body["request_digest"] = digest;
            server.post(&path_of(interaction, "/respond"), &body).await
        }
    };
    (reply.status, reply.body["rule"].clone())
}

#[derive(Debug, Clone, Copy)]
enum Door {
    Events,
    Respond,
}

const DOORS: [Door; 2] = [Door::Events, Door::Respond];

fn good(interaction: &Value) -> Value {
    json!({
        "response_id": "r1",
        "digest": interaction["request_digest"],
        "nonce": interaction["nonce"],
        "choice_id": "deny",
    })
}

fn with(mut response: Value, member: &str, value: Value) -> Value {
    response[member] = value;
    response
}

fn without(mut response: Value, member: &str) -> Value {
    response.as_object_mut().unwrap().remove(member);
    response
}

/// The same length and alphabet, another value.
fn other_digit(text: &Value) -> Value {
    let text = text.as_str().unwrap();
    let last = if text.ends_with('0') { "1" } else { "0" };
    json!(format!("{}{last}", &text[..text.len() - 1]))
}

#[tokio::test]
async fn each_refusal_names_its_rule_and_leaves_the_question_open() {
    let server = Server::start().await;
    for door in DOORS {
        let key = format!("{door:?}");
        let asked = server.ask(&key).await;
        let good = good(&asked);
        let nonce = asked["nonce"].as_str().unwrap();
        let as_text = with(without(good.clone(), "choice_id"), "text", json!("deny"));
        for (response, rule) in [
            (with(good.clone(), "digest", other_digit(&good["digest"])), "digest"),
            (with(good.clone(), "digest", json!("0".repeat(64))), "digest"),
            (without(good.clone(), "nonce"), "nonce"),
            (with(good.clone(), "nonce", other_digit(&good["nonce"])), "nonce"),
            (with(good.clone(), "nonce", json!(nonce[..nonce.len() - 1])), "nonce"),
            (with(good.clone(), "nonce", json!(format!("{nonce}="))), "nonce"),
            (with(good.clone(), "nonce", json!(format!(" {nonce}"))), "nonce"),
            (with(good.clone(), "nonce", json!(nonce.to_ascii_lowercase())), "nonce"),
            (with(good.clone(), "choice_id", json!("allow_always")), "shape"),
            (with(good.clone(), "choice_id", json!("Deny")), "shape"),
            (as_text, "shape"),
        ] {
            assert_eq!(send(&server, door, &asked, &response).await, (400, json!(rule)), "{door:?} {response}");
            assert_eq!(server.status(&asked).await, "pending");
        }
        assert_eq!(send(&server, door, &asked, &good).await, (200, Value::Null));
    }
}

#[tokio::test]
async fn malformed_answers_are_refused_before_any_state_is_looked_at() {
    let server = Server::start().await;
    for door in DOORS {
        let asked = server.ask(&format!("{door:?}")).await;
        let good = good(&asked);
        for response in [
            with(good.clone(), "text", json!("both")),
            without(good.clone(), "choice_id"),
            with(good.clone(), "choice_id", json!("deny\n")),
            with(good.clone(), "choice_id", json!("")),
            with(good.clone(), "digest", json!(good["digest"].as_str().unwrap().to_ascii_uppercase() + "A")),
            with(good.clone(), "digest", json!("0".repeat(63))),
            with(good.clone(), "digest", json!("A".repeat(64))),
            with(good.clone(), "response_id", json!("")),
            with(good.clone(), "response_id", json!("r".repeat(129))),
            with(good.clone(), "nonce", Value::Null),
            with(good.clone(), "nonce", json!("")),
            with(good.clone(), "source", json!("a b")),
            with(good.clone(), "device_id", json!("")),
            with(good.clone(), "key", json!("k")),
            without(good.clone(), "response_id"),
        ] {
            assert_eq!(send(&server, door, &asked, &response).await, (400, Value::Null), "{door:?} {response}");
        }
        assert_eq!(send(&server, door, &asked, &good).await, (200, Value::Null));
    }
}

#[tokio::test]
async fn not_found_comes_before_everything() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let nowhere = json!({ "id": "int_nowhere", "key": "nowhere" });
    let bad = with(with(good(&asked), "digest", json!("0".repeat(64))), "choice_id", json!("none"));
    for door in DOORS {
        for response in [good(&asked), bad.clone()] {
            assert_eq!(send(&server, door, &nowhere, &response).await, (404, json!("not_found")));
        }
    }
}

#[tokio::test]
async fn conflict_comes_before_digest_nonce_and_shape_and_a_retry_before_conflict() {
    let server = Server::start().await;
    for first in DOORS {
        let asked = server.ask(&format!("{first:?}")).await;
        let good = good(&asked);
        assert_eq!(send(&server, first, &asked, &good).await, (200, Value::Null));
        let record = server.get(&path_of(&asked, "")).await.body;
        let spoiled = |response: Value| {
            [
                response.clone(),
                with(response.clone(), "digest", json!("0".repeat(64))),
                with(response.clone(), "nonce", json!("wrong")),
                with(response.clone(), "choice_id", json!("allow_once")),
                with(response.clone(), "choice_id", json!("none")),
                without(response, "nonce"),
            ]
        };
        // Also when the deadline is long past, and when the condition is resolved.
        for minutes in [0, 60] {
            server.clock.set(NOW + minutes * MINUTE);
            for second in DOORS {
                for response in spoiled(with(good.clone(), "response_id", json!("r2"))) {
                    assert_eq!(send(&server, second, &asked, &response).await, (409, json!("already_answered")));
                }
                for response in spoiled(good.clone()) {
                    assert_eq!(send(&server, second, &asked, &response).await, (200, Value::Null));
                }
            }
            assert_eq!(server.event(&resolved(asked["key"].as_str().unwrap())).await.status, 200);
        }
        assert_eq!(server.get(&path_of(&asked, "")).await.body, record);
        server.clock.set(NOW);
    }
}

#[tokio::test]
async fn what_is_over_takes_no_answer() {
    let server = Server::start().await;
    for door in DOORS {
        let key = |what: &str| format!("{what} {door:?}");
        let cancelled = server.ask(&key("cancelled")).await;
        server.post(&path_of(&cancelled, "/cancel"), &json!({})).await;
        let resolved_unanswered = server.ask(&key("resolved")).await;
        server.event(&resolved(&key("resolved"))).await;
        for asked in [&cancelled, &resolved_unanswered] {
            // In order: a question that is over is not open, whatever else is wrong.
            let spoiled = with(with(good(asked), "digest", json!("0".repeat(64))), "nonce", json!("wrong"));
            for response in [good(asked), spoiled] {
                assert_eq!(send(&server, door, asked, &response).await, (400, json!("not_open")));
            }
            assert_eq!(server.status(asked).await, "cancelled");
        }
    }
    let one_way = server.event(&created("one-way", one_way("Done."))).await;
    let asked = server.ask("another").await;
    let mut answer = answer(&asked, "r1", "deny");
    answer["request"]["key"] = "one-way".into();
    let reply = server.event(&answer).await;
    assert_eq!((reply.status, &reply.body["rule"]), (400, &json!("not_open")));
    assert_eq!(one_way.body["interaction"], Value::Null);
}

#[tokio::test]
async fn an_answer_settles_both_halves_and_both_doors() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let mut answer = respond(&asked, "r1", "allow_once");
    answer["source"] = "desktop".into();
    answer["device_id"] = "d 1".into();
    let reply = server.post(&path_of(&asked, "/respond"), &answer).await;
    assert_eq!(
        reply.body["response"],
        json!({ "response_id": "r1", "choice_id": "allow_once", "text": null, "source": "desktop", "device_id": "d 1", "created_at": instant(NOW) })
    );
    assert_eq!((reply.status, &reply.body["answered_at"]), (200, &json!(instant(NOW))));
    // The condition is over: updates find nothing, a creation is a new life with a question and a nonce of its own.
    assert_eq!(server.event(&updated("k", one_way("Still?"))).await.status, 404);
    let over = server.event(&resolved("k")).await;
    assert_eq!(over.body["notification"]["status"], "resolved");
    let next = server.ask("k").await;
    assert_eq!(next["request_digest"], asked["request_digest"]);
    assert_ne!(next["nonce"], asked["nonce"]);
    let reply = server.event(&crate::support::answer(&asked, "r1", "allow_once")).await;
    assert_eq!((reply.status, &reply.body["rule"]), (400, &json!("nonce")));
    assert_eq!(server.status(&next).await, "pending");
}

#[tokio::test]
async fn a_text_keeps_its_bound_in_code_points_and_every_byte() {
    let server = Server::start().await;
    for (key, bound, fits, too_long) in [
        ("emoji", Some(3), "💩💩💩", "e\u{301}ab"),
        ("spaces", Some(3), " y\n", "    "),
        ("default", None, &"ü".repeat(500), &"ü".repeat(501)),
    ] {
        let asked = server.event(&created(key, text("Why?", bound))).await.body["interaction"].clone();
        let answer = |text: &str| {
            let answer = with(good(&asked), "text", json!(text));
            without(answer, "choice_id")
        };
        assert_eq!(send(&server, Door::Events, &asked, &answer(too_long)).await, (400, json!("shape")));
        assert_eq!(send(&server, Door::Events, &asked, &good(&asked)).await, (400, json!("shape")));
        assert_eq!(send(&server, Door::Respond, &asked, &answer(fits)).await, (200, Value::Null));
        let record = server.get(&path_of(&asked, "")).await.body;
        assert_eq!(record["response"]["text"], fits);
        assert_eq!(record["response"]["choice_id"], Value::Null);
    }
}

#[tokio::test]
async fn an_answer_to_one_question_does_not_answer_another() {
    let server = Server::start().await;
    let (one, two) = (server.ask("k1").await, server.ask("k2").await);
    let crossed = with(good(&one), "response_id", json!("r9"));
    assert_eq!(send(&server, Door::Events, &two, &crossed).await.0, 400);
    assert_eq!(send(&server, Door::Respond, &two, &crossed).await.0, 400);
    assert_eq!((server.status(&one).await, server.status(&two).await), ("pending".into(), "pending".into()));
}

#[tokio::test]
async fn of_many_different_answers_one_wins_and_the_waiters_get_it() {
    const RIVALS: usize = 64;
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let waiters: Vec<_> = (0..8)
        .map(|_| {
            let (client, path) = (server.client.clone(), path_of(&asked, "/wait?timeout=30"));
            tokio::spawn(async move { client.get(&path).await })
        })
        .collect();
    let rivals: Vec<_> = (0..RIVALS)
        .map(|i| {
            let (client, asked) = (server.client.clone(), asked.clone());
            let (id, choice) = (format!("r{i}"), if i % 2 == 0 { "allow_once" } else { "deny" });
            tokio::spawn(async move {
                let reply = if i % 3 == 0 {
                    client.event(&answer(&asked, &id, choice)).await
                } else {
                    client.post(&path_of(&asked, "/respond"), &respond(&asked, &id, choice)).await
                };
                (id, choice, reply.status)
            })
        })
        .collect();
    let mut winners = Vec::new();
    for rival in rivals {
        match rival.await.unwrap() {
            (id, choice, 200) => winners.push((id, choice)),
            (_, _, status) => assert_eq!(status, 409),
        }
    }
    let [(id, choice)] = winners.as_slice() else { panic!("{winners:?}") };
    for waiter in waiters {
        let response = &waiter.await.unwrap().body["response"];
        assert_eq!((&response["response_id"], &response["choice_id"]), (&json!(id), &json!(choice)));
    }
}
