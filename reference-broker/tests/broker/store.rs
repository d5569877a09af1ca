//! The store from outside: its promises on disk, and what happens when it cannot write.

use crate::support::*;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_full_disk_refuses_writes_keeps_reading_and_heals() {
    let server = Server::start_with(|config| config.max_bytes = Some(300 * 1024)).await;
    let asked = server.ask("kept").await;
    let mut count = 0;
    let refused = loop {
        let reply = server.event(&created(&format!("k{count}"), one_way(&"m".repeat(4_000)))).await;
        if reply.status != 201 {
            break reply;
        }
        count += 1;
    };
    assert_eq!((refused.status, refused.body["error"].is_string()), (503, true));
    assert_eq!(server.status(&asked).await, "pending");
    assert_eq!(
        server.get("/v1/notifications?limit=500").await.body["notifications"].as_array().unwrap().len(),
        count + 1
    );
    // Also a deadline passes while nothing can be written.
    let wait = {
        let (client, path) = (server.client.clone(), path_of(&asked, "/wait"));
        tokio::spawn(async move { client.get(&path).await })
    };
    server.waiters(1).await;
    server.clock.set(NOW + 10 * MINUTE);
    assert_eq!(wait.await.unwrap().body["status"], "expired");
    assert_eq!(server.status(&asked).await, "expired");
    server.database().execute_batch("DELETE FROM events; DELETE FROM questions; DELETE FROM conditions").unwrap();
    assert_eq!(server.event(&created("again", one_way("Done."))).await.status, 201);
}

#[tokio::test]
async fn an_expiry_told_while_nothing_could_be_written_stands_though_the_clock_steps_back() {
    for told_by in ["read", "wait"] {
        let server = Server::start_with(|config| config.lock_patience = Duration::from_millis(150)).await;
        let asked = server.ask("kept").await;
        let wait = {
            let (client, path) = (server.client.clone(), path_of(&asked, "/wait"));
            tokio::spawn(async move { client.get(&path).await })
        };
        server.waiters(1).await;
        // A full disk might have room for a change of one word; a lock has none.
        let other = server.database();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        server.clock.set(NOW + 10 * MINUTE);
        match told_by {
            "read" => assert_eq!(server.status(&asked).await, "expired"),
            _ => assert_eq!(wait.await.unwrap().body["status"], "expired"),
        }
        server.clock.set(NOW);
        assert_eq!(server.status(&asked).await, "expired", "{told_by}");
        assert_eq!(server.get("/v1/interactions?pending=true").await.body["interactions"], json!([]));
        let written: String = other.query_row("SELECT status FROM questions", [], |row| row.get(0)).unwrap();
        assert_eq!(written, "pending", "nothing could be written");
        other.execute_batch("ROLLBACK").unwrap();
        let late = server.event(&answer(&asked, "r1", "deny")).await;
        assert_eq!((late.status, &late.body["rule"]), (400, &json!("not_open")), "{told_by}");
        // It is written now, and what is asked from now on has its own deadline.
        let server = server.restart().await;
        assert_eq!(server.status(&asked).await, "expired");
        let again = server.event(&created("kept", permission("May I?", MINUTE))).await;
        assert_eq!(server.event(&answer(&again.body["interaction"], "r1", "deny")).await.status, 200);
    }
}

#[tokio::test]
async fn a_lock_held_too_long_refuses_writes_and_heals() {
    let server = Server::start_with(|config| config.lock_patience = Duration::from_millis(150)).await;
    let asked = server.ask("k").await;
    let other = server.database();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = server.event(&resolved("k")).await;
    assert_eq!((refused.status, refused.body["error"].is_string()), (503, true));
    assert_eq!(server.status(&asked).await, "pending");
    assert!(
        metrics(&server)
            .await
            .lines()
            .any(|line| { line.strip_prefix("arc_broker_busy_retries_total ").is_some_and(|count| count != "0") })
    );
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(server.event(&resolved("k")).await.status, 200);
}

#[tokio::test]
async fn a_lock_held_for_a_while_is_waited_out_by_all_writers() {
    let server = Server::start().await;
    let other = server.database();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let writers: Vec<_> = (0..32)
        .map(|i| {
            let (client, event) = (server.client.clone(), created(&format!("k{i}"), one_way("Done.")));
            tokio::spawn(async move { client.event(&event).await.status })
        })
        .collect();
    // Until the writer has met the lock.
    while metrics(&server).await.contains("arc_broker_busy_retries_total 0") {}
    other.execute_batch("ROLLBACK").unwrap();
    for writer in writers {
        assert_eq!(writer.await.unwrap(), 201);
    }
}

async fn metrics(server: &Server) -> String {
    let request = server.client.http.get(server.client.url.clone() + "/metrics").bearer_auth(TOKEN);
    request.send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn twenty_clients_write_a_thousand_events_with_few_commits() {
    let server = Server::start().await;
    let clients: Vec<_> = (0..20)
        .map(|c| {
            let client = server.client.clone();
            tokio::spawn(async move {
                for i in 0..50 {
                    assert_eq!(client.event(&created(&format!("{c} {i}"), one_way("Done."))).await.status, 201);
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let count = |table: &str| {
        server.database().query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)).unwrap()
    };
    assert_eq!((count("conditions"), count("events")), (1_000, 1_000));
    let check: String = server.database().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[tokio::test]
async fn the_same_event_is_kept_out_by_the_database_too() {
    let server = Server::start().await;
    let event = created("k", one_way("Done."));
    server.event(&event).await;
    let again = server
        .database()
        .execute("INSERT INTO events SELECT sender_id, event_id, zeroblob(32), condition, question, 0 FROM events", []);
    assert!(again.unwrap_err().to_string().contains("UNIQUE constraint failed: events.sender_id, events.event_id"));
}

#[tokio::test]
async fn what_is_finished_long_enough_is_forgotten_and_no_question_comes_back() {
    const DAY: i64 = 24 * 60 * MINUTE;
    let server = Server::start_with(|config| config.retain = Some(Duration::from_secs(30 * 24 * 60 * 60))).await;
    let question = created("question", permission("May I?", MINUTE));
    let far = created("far", permission("May I?", 100 * DAY));
    let one_way = created("one-way", one_way("Done."));
    let open = created("open", permission("May I?", MINUTE));
    for event in [&question, &far, &one_way] {
        assert_eq!(server.event(event).await.status, 201);
        assert_eq!(server.event(&resolved(event["request"]["key"].as_str().unwrap())).await.status, 200);
    }
    server.event(&open).await;
    // Within the window every retry is a retry.
    server.clock.set(NOW + 30 * DAY);
    let server = server.restart().await;
    for event in [&question, &far, &one_way, &open] {
        assert_eq!(server.event(event).await.status, 200);
    }
    // Beyond it, what is gone is gone at the start already.
    server.clock.set(NOW + 30 * DAY + 1);
    let server = server.restart().await;
    let left = |server: &Server| {
        server
            .database()
            .query_row("SELECT group_concat(key) FROM conditions", [], |row| row.get::<_, String>(0))
            .unwrap()
    };
    while left(&server).contains("one-way") {
        tokio::task::yield_now().await;
    }
    // A question that could still be answered if it were asked anew is kept until it could not.
    assert_eq!(left(&server), "far,open");
    assert_eq!(server.event(&question).await.status, 400);
    assert_eq!(server.event(&far).await.status, 200);
    assert_eq!(server.event(&open).await.body["interaction"]["status"], "expired");
    assert_eq!(server.event(&resolved("question")).await.status, 404);
    // A one-way notice may come again: the window is documented.
    assert_eq!(server.event(&one_way).await.status, 201);
    assert_eq!(server.get("/v1/interactions?pending=true").await.body["interactions"], json!([]));
}

#[tokio::test]
async fn the_writer_s_promises_are_set() {
    let server = Server::start().await;
    let mode: String = server.database().query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    server.stop().await.unwrap();
}
