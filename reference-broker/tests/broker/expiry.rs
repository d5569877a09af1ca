//! Deadlines, to the millisecond, on a clock that the tests move.

use crate::support::*;
use serde_json::{Value, json};

#[tokio::test]
async fn an_answer_is_in_time_before_expires_at_and_too_late_at_it() {
    let server = Server::start().await;
    let (in_time, too_late) = (server.ask("in time").await, server.ask("too late").await);
    server.clock.set(NOW + 10 * MINUTE - 1);
    assert_eq!(server.event(&answer(&in_time, "r1", "deny")).await.status, 200);
    server.clock.set(NOW + 10 * MINUTE);
    let reply = server.event(&answer(&too_late, "r1", "deny")).await;
    assert_eq!((reply.status, &reply.body["rule"]), (400, &json!("not_open")));
    assert_eq!(server.status(&too_late).await, "expired");
}

#[tokio::test]
async fn every_read_and_write_sees_the_expiry_and_no_answer() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    server.clock.set(NOW + 10 * MINUTE);
    for path in ["", "/wait"] {
        let reply = server.get(&path_of(&asked, path)).await;
        assert_eq!((&reply.body["status"], &reply.body["response"]), (&json!("expired"), &Value::Null));
    }
    let cancelled = server.post(&path_of(&asked, "/cancel"), &json!({})).await;
    assert_eq!((cancelled.status, &cancelled.body["status"]), (200, &json!("expired")));
    let resolved = server.event(&resolved("k")).await;
    assert_eq!((resolved.status, &resolved.body["interaction"]["status"]), (200, &json!("expired")));
}

#[tokio::test]
async fn a_clock_that_steps_back_reopens_nothing() {
    let server = Server::start().await;
    let by_read = server.ask("by read").await;
    server.clock.set(NOW + 10 * MINUTE);
    assert_eq!(server.status(&by_read).await, "expired");
    server.clock.set(NOW - 60 * MINUTE);
    assert_eq!(server.status(&by_read).await, "expired");
    assert_eq!(server.event(&answer(&by_read, "r1", "deny")).await.body["rule"], "not_open");
    let server = server.restart().await;
    assert_eq!(server.status(&by_read).await, "expired");
}

#[tokio::test]
async fn a_deadline_that_passed_while_the_broker_was_down_has_passed() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let clock = server.clock.clone();
    let restart = server.restart();
    clock.set(NOW + 10 * MINUTE);
    let server = restart.await;
    assert_eq!(server.event(&answer(&asked, "r1", "deny")).await.body["rule"], "not_open");
    assert_eq!(server.status(&asked).await, "expired");
}

#[tokio::test]
async fn after_its_question_expired_a_condition_goes_on() {
    let server = Server::start().await;
    server.ask("k").await;
    server.clock.set(NOW + 10 * MINUTE);
    let update = server.event(&updated("k", one_way("Nobody came."))).await;
    assert_eq!((update.status, &update.body["interaction"]["status"]), (200, &json!("expired")));
    let again = server.event(&created("k", permission("May I?", 20 * MINUTE))).await;
    assert_eq!((again.status, &again.body["interaction"]["status"]), (200, &json!("pending")));
    assert_eq!(server.event(&answer(&again.body["interaction"], "r1", "deny")).await.status, 200);
}

#[tokio::test]
async fn a_replay_of_a_question_that_has_expired_is_a_replay() {
    let server = Server::start().await;
    let event = created("k", permission("May I?", MINUTE));
    server.event(&event).await;
    server.clock.set(NOW + MINUTE);
    let replay = server.event(&event).await;
    assert_eq!((replay.status, &replay.body["interaction"]["status"]), (200, &json!("expired")));
}

#[tokio::test]
async fn many_questions_expire_together() {
    let server = Server::start().await;
    let mut asked = Vec::new();
    for i in 0..200 {
        asked.push(server.ask(&format!("k{i}")).await);
    }
    let waits: Vec<_> = asked
        .iter()
        .map(|asked| {
            let (client, path) = (server.client.clone(), path_of(asked, "/wait?timeout=60"));
            tokio::spawn(async move { client.get(&path).await.body["status"].clone() })
        })
        .collect();
    server.clock.set(NOW + 10 * MINUTE);
    for wait in waits {
        assert_eq!(wait.await.unwrap(), "expired");
    }
}
