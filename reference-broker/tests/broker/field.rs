//! Faults that others have met in the field, each as a small test of its own.

use crate::support::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

#[tokio::test]
async fn an_answer_without_a_target_answers_nothing() {
    let server = Server::start().await;
    let (one, _) = (server.ask("k1").await, server.ask("k2").await);
    let mut nowhere = answer(&one, "r1", "deny");
    nowhere["request"] = json!({});
    assert_eq!(server.event(&nowhere).await.status, 400);
    let list = server.get("/v1/interactions?pending=true").await;
    assert_eq!(list.body["interactions"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn of_a_question_asked_again_and_again_only_the_last_is_answered() {
    let server = Server::start().await;
    let mut asked = vec![server.ask("k").await];
    for version in 2..=4 {
        let update = updated("k", permission(&format!("May I, version {version}?"), 10 * MINUTE));
        asked.push(server.event(&update).await.body["interaction"].clone());
    }
    assert_eq!(server.event(&answer(&asked[0], "r1", "deny")).await.status, 400);
    assert_eq!(server.event(&answer(&asked[3], "r1", "deny")).await.status, 200);
    let list = server.get("/v1/interactions").await;
    let statuses: Vec<_> = list.body["interactions"].as_array().unwrap().iter().map(|q| q["status"].clone()).collect();
    assert_eq!(statuses, ["answered", "superseded", "superseded", "superseded"]);
}

#[tokio::test]
async fn the_answer_to_an_earlier_life_is_a_replay_and_not_an_answer_to_the_next() {
    let server = Server::start().await;
    let first = server.ask("k").await;
    let accepted = answer(&first, "r1", "deny");
    server.event(&accepted).await;
    server.event(&resolved("k")).await;
    let second = server.ask("k").await;
    let replay = server.event(&accepted).await;
    assert_eq!((replay.status, &replay.body["interaction"]["id"]), (200, &first["id"]));
    assert_eq!(server.status(&second).await, "pending");
}

#[tokio::test]
async fn who_answers_and_from_where_never_matters() {
    let server = Server::start().await;
    for (i, (sender, context, source)) in [
        (json!({ "id": "codex", "name": "Codex" }), Value::Null, Value::Null),
        (json!({ "id": "stranger" }), json!({ "session_id": "other", "project": "other", "pid": 1 }), json!("relay")),
        (json!({ "id": "admin" }), json!({ "cwd": "/", "turn_id": "t" }), json!("desktop")),
    ]
    .into_iter()
    .enumerate()
    {
        let asked = server.ask(&format!("k{i}")).await;
        let mut dressed = answer(&asked, "r1", "deny");
        dressed["sender"] = sender;
        for (place, value) in [("/context", context), ("/response/source", source)] {
            if !value.is_null() {
                let (parent, member) = place.rsplit_once('/').unwrap();
                dressed.pointer_mut(parent).unwrap()[member] = value;
            }
        }
        let mut bare = dressed.clone();
        bare["response"].as_object_mut().unwrap().remove("nonce");
        assert_eq!(server.event(&bare).await.body["rule"], "nonce");
        assert_eq!(server.event(&dressed).await.status, 200);
    }
}

#[tokio::test]
async fn what_is_displayed_comes_back_byte_for_byte() {
    let server = Server::start().await;
    let strange = " \u{202e}a\u{0}b\r\n\t\u{2028}é e\u{301} 💩 \\ \" </script> ";
    let mut request = permission(strange, MINUTE);
    request["title"] = strange.into();
    request["response"]["choices"] = json!([
        { "id": "zz", "label": strange, "detail": strange }, { "id": "-", "label": "b" }, { "id": "AA", "label": "a" }
    ]);
    let body = server.event(&created("k", request.clone())).await.body;
    let shown = server.get(&path_of(&body["interaction"], "")).await.body;
    let list = server.get("/v1/interactions").await.body["interactions"][0].clone();
    for interaction in [&body["interaction"], &shown, &list] {
        assert_eq!(interaction["prompt"], strange);
        assert_eq!(interaction["choices"], request["response"]["choices"]);
    }
    assert_eq!((&body["notification"]["title"], &body["notification"]["message"]), (&json!(strange), &json!(strange)));
}

#[tokio::test]
async fn when_it_occurred_guards_nothing() {
    let server = Server::start().await;
    for (i, at) in ["2026-08-25T21:15:00Z", "2026-08-26T02:15:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"]
        .into_iter()
        .chain(["2016-12-31T23:59:60Z", "2017-01-01T00:59:60+01:00", "2026-08-26t01:15:00.123456789z"])
        .enumerate()
    {
        let mut event = created(&format!("k{i}"), one_way("Done."));
        event["occurred_at"] = at.into();
        assert_eq!(server.event(&event).await.status, 201, "{at}");
    }
}

#[tokio::test]
async fn a_deadline_may_lie_at_the_end_of_time() {
    let server = Server::start().await;
    let mut request = permission("May I?", MINUTE);
    request["response"]["expires_at"] = "9999-12-31T23:59:59.999-23:59".into();
    let asked = server.event(&created("k", request)).await.body["interaction"].clone();
    assert_eq!(asked["expires_at"], "9999-12-31T23:59:59.999-23:59");
    assert_eq!(server.event(&answer(&asked, "r1", "deny")).await.status, 200);
}

#[tokio::test]
async fn people_take_their_time() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    for _ in 0..3 {
        let reply = server.get(&path_of(&asked, "/wait?timeout=1")).await;
        assert_eq!(reply.body, asked);
    }
    // The producer has gone; the answer is recorded all the same, once, and readable.
    assert_eq!(server.event(&answer(&asked, "r1", "deny")).await.status, 200);
    assert_eq!(server.get(&path_of(&asked, "/wait?timeout=1")).await.body["response"]["choice_id"], "deny");
}

#[tokio::test]
async fn four_ends_are_four_results() {
    let server = Server::start().await;
    let [denied, cancelled, expired, withdrawn] =
        [server.ask("d").await, server.ask("c").await, server.ask("e").await, server.ask("w").await];
    server.event(&answer(&denied, "r1", "deny")).await;
    server.post(&path_of(&cancelled, "/cancel"), &json!({})).await;
    let mut not_needed = resolved("w");
    not_needed["request"]["outcome"] = "not_needed".into();
    server.event(&not_needed).await;
    server.clock.set(NOW + 10 * MINUTE);
    for (asked, status, choice) in [
        (denied, "answered", json!("deny")),
        (cancelled, "cancelled", Value::Null),
        (expired, "expired", Value::Null),
        (withdrawn, "cancelled", Value::Null),
    ] {
        let body = server.get(&path_of(&asked, "")).await.body;
        assert_eq!((&body["status"], &body["response"]["choice_id"]), (&json!(status), &choice));
        assert_ne!(body["updated_at"], Value::Null);
    }
}

/// The vectors through the broker's door: one verdict.
#[tokio::test]
async fn the_broker_s_door_and_the_validator_agree_on_every_vector() {
    let server = Server::start().await;
    let vectors = ["events", "raw"].map(bodies).concat();
    assert!(vectors.len() >= 90, "{} vectors", vectors.len());
    for (name, body, is_valid) in vectors {
        // An empty database for each: their event_ids are alike.
        server.database().execute_batch("DELETE FROM events; DELETE FROM questions; DELETE FROM conditions").unwrap();
        let reply = server.client.raw("/v1/events", body.clone()).await;
        let parsed = arc_validator::parse(&body);
        assert_eq!(parsed.is_ok(), is_valid, "{name}");
        if let Err(invalid) = parsed {
            assert_eq!((reply.status, &reply.body["error"]), (400, &json!(invalid.to_string())), "{name}");
        } else {
            // What is valid may still be too late, or find nothing.
            let is_late = reply.body["error"].as_str().is_some_and(|error| error.starts_with("expires_at has passed"));
            assert!(matches!(reply.status, 201 | 404) || is_late, "{name} {reply:?}");
        }
    }
}

/// Name, body and expected verdict of each vector in a folder.
fn bodies(folder: &str) -> Vec<(String, Vec<u8>, bool)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors").join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| body(&serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())).collect()
}

fn body(vector: &Value) -> (String, Vec<u8>, bool) {
    let bytes = match (vector.get("event"), vector.get("text"), vector.get("base64")) {
        (Some(event), ..) => event.to_string().into_bytes(),
        (_, Some(text), _) => text.as_str().unwrap().as_bytes().to_vec(),
        (.., base64) => STANDARD.decode(base64.unwrap().as_str().unwrap()).unwrap(),
    };
    (vector["id"].to_string(), bytes, vector["valid"].as_bool().unwrap())
}

#[tokio::test]
async fn a_commit_that_fails_acknowledges_nothing() {
    let server = Server::start().await;
    // Every statement succeeds, and the commit does not: a constraint that is looked at then only.
    server
        .database()
        .execute_batch(
            "CREATE TABLE parent (id INTEGER PRIMARY KEY);
             CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);
             CREATE TRIGGER poison AFTER INSERT ON conditions WHEN new.key = 'poison'
             BEGIN INSERT INTO child VALUES (1); END;",
        )
        .unwrap();
    let reply = server.event(&created("poison", permission("May I?", MINUTE))).await;
    assert_eq!((reply.status, reply.body.get("interaction")), (503, None));
    assert_eq!(server.event(&resolved("poison")).await.status, 404);
    assert_eq!(server.event(&created("k", one_way("Done."))).await.status, 201);
}
