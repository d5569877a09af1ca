//! POST /v1/events: lifecycle, identity, and the envelope.

use crate::support::*;
use serde_json::{Value, json};

fn members(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_created_request_returns_both_halves_with_exactly_their_members() {
    let server = Server::start().await;
    let mut event = created("k", permission("May I?", MINUTE));
    event["sender"]["instance_id"] = "i-1".into();
    event["context"] = json!({ "project": "p", "cwd": "/w", "pid": 4711, "session_id": "s", "turn_id": "t", "native_request_id": "n" });
    let reply = server.event(&event).await;
    assert_eq!(reply.status, 201);
    assert_eq!(members(&reply.body), ["interaction", "notification"]);
    let mut notification = reply.body["notification"].clone();
    assert!(notification["id"].as_str().unwrap().starts_with("ntf_"));
    notification["id"] = "id".into();
    insta::assert_json_snapshot!("notification", notification);
    let mut interaction = reply.body["interaction"].clone();
    for secret in ["id", "request_digest", "nonce"] {
        interaction[secret] = secret.into();
    }
    insta::assert_json_snapshot!("interaction", interaction);
}

#[tokio::test]
async fn a_one_way_request_has_no_interaction() {
    let server = Server::start().await;
    let reply = server.event(&created("k", one_way("Done."))).await;
    assert_eq!((reply.status, &reply.body["interaction"]), (201, &Value::Null));
    assert_eq!(reply.body["notification"]["priority"], "normal");
    let reply = server.event(&resolved("k")).await;
    assert_eq!((reply.status, &reply.body["interaction"]), (200, &Value::Null));
    assert_eq!(reply.body["notification"]["status"], "resolved");
}

#[tokio::test]
async fn what_is_missing_is_not_found_and_not_made() {
    let server = Server::start().await;
    let other = server.ask("other").await;
    let mut answer = answer(&other, "r1", "deny");
    answer["request"]["key"] = "k".into();
    for event in [updated("k", one_way("Still?")), answer, resolved("k")] {
        let reply = server.event(&event).await;
        assert_eq!(reply.status, 404, "{event}");
        assert!(reply.body["error"].is_string());
    }
    assert_eq!(server.event(&resolved("k")).await.status, 404);
    assert_eq!(server.status(&other).await, "pending");
}

#[tokio::test]
async fn a_key_is_one_condition_until_it_ends() {
    let server = Server::start().await;
    let first = server.event(&created("k", one_way("One"))).await;
    let second = server.event(&created("k", one_way("Two"))).await;
    assert_eq!((first.status, second.status), (201, 200));
    assert_eq!(first.body["notification"]["id"], second.body["notification"]["id"]);
    assert_eq!(second.body["notification"]["message"], "Two");
    let mut from_another = resolved("k");
    from_another["sender"] = json!({ "id": "another" });
    from_another["request"]["outcome"] = "answered".into();
    assert_eq!(server.event(&from_another).await.body["notification"]["metadata"]["outcome"], "answered");
    // Over: an update finds nothing, a repeated resolution changes nothing, a creation opens a new life.
    assert_eq!(server.event(&updated("k", one_way("Three"))).await.status, 404);
    server.clock.set(NOW + 1);
    let again = server.event(&resolved("k")).await;
    assert_eq!((again.status, &again.body["notification"]["resolvedAt"]), (200, &json!(instant(NOW))));
    let third = server.event(&created("k", one_way("Three"))).await;
    assert_eq!(third.status, 201);
    assert_ne!(third.body["notification"]["id"], first.body["notification"]["id"]);
}

#[tokio::test]
async fn retries_return_the_original_whatever_happened_since() {
    let server = Server::start().await;
    let keyed = created("k", permission("May I?", MINUTE));
    let mut unkeyed = event("request.created", permission("And I?", MINUTE));
    unkeyed["context"] = json!({ "pid": 1000 });
    for event in [keyed, unkeyed] {
        let first = server.event(&event).await;
        assert_eq!(first.status, 201);
        assert_eq!(server.event(&event).await, Reply { status: 200, ..first.clone() });
        let interaction = &first.body["interaction"];
        assert_eq!(server.event(&answer(interaction, "r1", "deny")).await.status, 200);
        server.clock.set(NOW + 2 * MINUTE);
        let replay = server.event(&event).await;
        assert_eq!(replay.status, 200);
        assert_eq!(replay.body["notification"]["id"], first.body["notification"]["id"]);
        assert_eq!(replay.body["notification"]["status"], "resolved");
        assert_eq!(replay.body["interaction"]["response"]["choice_id"], "deny");
        server.clock.set(NOW);
    }
}

#[tokio::test]
async fn a_retry_is_the_same_json_value_however_spelled() {
    let server = Server::start().await;
    let text = |members: &str| {
        format!(
            r#"{{"arc_version":"0.2","event_id":"e","event_type":"request.created","occurred_at":"2026-08-26T01:15:00Z",
           "sender":{{"id":"s"}},{members}}}"#
        )
    };
    let request = r#""request":{"kind":"information","message":"Done."}"#;
    let first = text(&format!(r#"{request},"extensions":{{"x-a":[9007199254740993,1.50]}}"#));
    assert_eq!(server.client.raw("/v1/events", first.into_bytes()).await.status, 201);
    let spelled = text(
        r#""extensions":{"x-a": [ 9007199254740993, 15e-1 ]},"request":{"message":"\u0044one.","kind":"information"}"#,
    );
    assert_eq!(server.client.raw("/v1/events", spelled.into_bytes()).await.status, 200);
    for other in [
        text(request),
        text(&format!(r#"{request},"extensions":{{"x-a":[9007199254740992,1.50]}}"#)),
        text(r#""request":{"kind":"information","message":"Done!"},"extensions":{"x-a":[9007199254740993,1.50]}"#),
    ] {
        let reply = server.client.raw("/v1/events", other.into_bytes()).await;
        assert_eq!(reply.status, 400);
        assert!(reply.body["error"].as_str().unwrap().contains("event_id"));
    }
}

#[tokio::test]
async fn an_identity_is_sender_and_event_kept_apart() {
    let server = Server::start().await;
    let mut ids = std::collections::HashSet::new();
    for (sender, event_id) in [("a", "bc"), ("ab", "c"), ("abc", "d"), ("a", "bcd")] {
        let mut event = event("request.created", one_way("Done."));
        event["sender"]["id"] = sender.into();
        event["event_id"] = event_id.into();
        let reply = server.event(&event).await;
        assert_eq!(reply.status, 201);
        assert!(ids.insert(reply.body["notification"]["id"].to_string()));
        assert!(ids.insert(reply.body["notification"]["key"].to_string()));
    }
}

#[tokio::test]
async fn an_unkeyed_question_is_answered_under_its_derived_key() {
    let server = Server::start().await;
    let asked = server.event(&event("request.created", permission("May I?", MINUTE))).await.body["interaction"].clone();
    assert_eq!(server.event(&answer(&asked, "r1", "allow_once")).await.status, 200);
}

#[tokio::test]
async fn an_event_id_of_a_refused_event_may_be_used_again() {
    let server = Server::start().await;
    let mut event = updated("k", one_way("Still?"));
    assert_eq!(server.event(&event).await.status, 404);
    event["event_type"] = "request.created".into();
    assert_eq!(server.event(&event).await.status, 201);
}

#[tokio::test]
async fn an_invalid_question_leaves_nothing_behind() {
    let server = Server::start().await;
    let mut twice = permission("May I?", MINUTE);
    twice["response"]["choices"][1]["id"] = "allow_once".into();
    let mut empty = permission("May I?", MINUTE);
    empty["response"]["choices"] = json!([]);
    for request in [twice, empty, permission("May I?", 0), permission("May I?", -1)] {
        assert_eq!(server.event(&created("k", request)).await.status, 400);
        assert_eq!(server.event(&resolved("k")).await.status, 404);
    }
}

#[tokio::test]
async fn an_update_past_its_deadline_changes_nothing() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    assert_eq!(server.event(&updated("k", permission("Now?", -1))).await.status, 400);
    let reply = server.event(&answer(&asked, "r1", "deny")).await;
    assert_eq!((reply.status, &reply.body["notification"]["message"]), (200, &json!("May I?")));
}

#[tokio::test]
async fn an_update_shows_who_sent_it_from_where_and_when_and_so_does_the_end_when() {
    let server = Server::start().await;
    server.ask("k").await;
    server.clock.set(NOW + 1_000);
    let mut event = updated("k", permission("Now?", MINUTE));
    event["sender"]["id"] = "another".into();
    event["context"] = json!({ "project": "q" });
    let shown = server.event(&event).await.body["notification"].clone();
    let of = |shown: &Value| ["agent", "project", "updatedAt"].map(|member| shown[member].clone());
    assert_eq!(of(&shown), [json!("another"), json!("q"), instant(NOW + 1_000).into()]);
    server.clock.set(NOW + 2_000);
    let over = server.event(&resolved("k")).await.body["notification"].clone();
    let ended = ["updatedAt", "resolvedAt"].map(|member| over[member].clone());
    assert_eq!(ended, [json!(instant(NOW + 2_000)), json!(instant(NOW + 2_000))]);
}

#[tokio::test]
async fn a_changed_question_supersedes_and_an_unchanged_one_stays() {
    let server = Server::start().await;
    let first = server.ask("k").await;
    let same = server.event(&created("k", permission("May I?", 10 * MINUTE))).await;
    assert_eq!((same.status, &same.body["interaction"]), (200, &first));
    // Without an answer specification the choices and the deadline stay, on a new question.
    let reworded = json!({ "kind": "permission", "title": "Release", "message": "May I now?" });
    let second = server.event(&updated("k", reworded)).await.body["interaction"].clone();
    assert_eq!((&second["choices"], &second["expires_at"]), (&first["choices"], &first["expires_at"]));
    for member in ["id", "request_digest", "nonce"] {
        assert_ne!(first[member], second[member], "{member}");
    }
    assert_eq!(server.status(&first).await, "superseded");
    assert_eq!(server.event(&answer(&first, "r1", "deny")).await.body["rule"], "digest");
    let mut crossed = answer(&second, "r1", "deny");
    crossed["response"]["nonce"] = first["nonce"].clone();
    assert_eq!(server.event(&crossed).await.body["rule"], "nonce");
    assert_eq!(server.event(&answer(&second, "r1", "deny")).await.status, 200);
    assert_eq!(server.status(&first).await, "superseded");
}

#[tokio::test]
async fn each_thing_displayed_changes_the_digest() {
    let server = Server::start().await;
    let base = created("k", permission("May I?", MINUTE));
    let mut digests = vec![server.event(&base).await.body["interaction"]["request_digest"].to_string()];
    for (pointer, value) in [
        ("/sender/id", json!("other")),
        ("/sender/name", json!("Other")),
        ("/context", json!({ "project": "p" })),
        ("/request/kind", json!("question")),
        ("/request/title", json!("Release?")),
        ("/request/message", json!("May I")),
        ("/request/priority", json!("critical")),
        ("/request/response/kind", json!("single_choice")),
        ("/request/response/expires_at", json!(instant(NOW + MINUTE + 1))),
        ("/request/response/choices/0/id", json!("allow_ever")),
        ("/request/response/choices/0/label", json!("Allow")),
        ("/request/response/choices/0/detail", json!("Twice")),
        (
            "/request/response/choices",
            json!([{ "id": "deny", "label": "Deny" }, { "id": "allow_once", "label": "Allow once", "detail": "Once" }]),
        ),
    ] {
        let mut event = base.clone();
        event["event_id"] = pointer.into();
        event["request"]["key"] = pointer.into();
        event["context"] = json!({});
        event["request"]["priority"] = "high".into();
        *event.pointer_mut(pointer).unwrap() = value;
        let reply = server.event(&event).await;
        assert_eq!(reply.status, 201, "{pointer} {reply:?}");
        digests.push(reply.body["interaction"]["request_digest"].to_string());
    }
    let count = digests.len();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), count);
}

#[tokio::test]
async fn the_contract_s_own_four_examples_in_a_row() {
    let server = Server::start().await;
    let mut create = created("release-approval", permission("May I run the release workflow?", 10 * MINUTE));
    create["context"] = json!({ "session_id": "session-42", "project": "agent-notify" });
    assert_eq!(server.event(&create).await.status, 201);
    let update = json!({ "kind": "permission", "message": "The build passed. May I publish?", "priority": "high" });
    let asked = server.event(&updated("release-approval", update)).await;
    assert_eq!(asked.status, 200);
    assert_eq!(asked.body["interaction"]["project"], "agent-notify");
    let answered = server.event(&answer(&asked.body["interaction"], "resp_7c1e", "allow_once")).await;
    assert_eq!((answered.status, &answered.body["interaction"]["status"]), (200, &json!("answered")));
    let mut resolve = resolved("release-approval");
    resolve["request"]["outcome"] = "answered".into();
    let over = server.event(&resolve).await;
    assert_eq!((over.status, &over.body["notification"]["status"]), (200, &json!("resolved")));
    assert_eq!(over.body["interaction"]["response"]["choice_id"], "allow_once");
}

#[tokio::test]
async fn fifty_copies_of_one_event_open_one_condition() {
    let server = Server::start().await;
    let event = created("k", permission("May I?", MINUTE));
    let calls = (0..50).map(|_| {
        let (client, event) = (server.client.clone(), event.clone());
        tokio::spawn(async move { client.event(&event).await })
    });
    let mut statuses = Vec::new();
    let mut bodies = std::collections::HashSet::new();
    for call in calls.collect::<Vec<_>>() {
        let reply = call.await.unwrap();
        statuses.push(reply.status);
        bodies.insert(reply.body.to_string());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![200; 49], vec![201]].concat());
    assert_eq!(bodies.len(), 1);
}

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    let server = Server::start().await;
    let open = server.ask("open").await;
    let answered = server.ask("answered").await;
    let accepted = answer(&answered, "r1", "deny");
    let first = server.event(&accepted).await;
    let server = server.restart().await;
    assert_eq!(server.event(&accepted).await, first);
    assert_eq!(server.event(&answer(&answered, "r2", "deny")).await.status, 409);
    assert_eq!(server.get(&path_of(&open, "")).await.body, open);
    assert_eq!(server.event(&answer(&open, "r1", "allow_once")).await.status, 200);
}
