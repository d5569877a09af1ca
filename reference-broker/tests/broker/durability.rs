//! Sudden ends: what was acknowledged is there afterwards, once.

use crate::process::Program;
use crate::support::*;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

#[tokio::test]
async fn a_kill_right_after_an_acknowledgement_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let program = Program::start(dir.path());
    let create = created("k", permission("May I?", 1_000_000 * MINUTE));
    let asked = program.client.event(&create).await.body["interaction"].clone();
    let accepted = answer(&asked, "r1", "deny");
    let first = program.client.event(&accepted).await;
    assert_eq!(first.status, 200);
    program.kill();
    let program = Program::start(dir.path());
    assert_eq!(program.client.event(&accepted).await, first);
    assert_eq!(program.client.event(&answer(&asked, "r2", "deny")).await.status, 409);
    let replay = program.client.event(&create).await;
    assert_eq!((replay.status, &replay.body["interaction"]), (200, &first.body["interaction"]));
    assert_eq!(program.terminate(), Some(0));
}

#[tokio::test]
async fn a_kill_in_the_middle_of_a_wait_decides_nothing() {
    let dir = TempDir::new().unwrap();
    let program = Program::start(dir.path());
    let asked = program.client.event(&created("k", permission("May I?", 1_000_000 * MINUTE))).await;
    let asked = asked.body["interaction"].clone();
    let request = program.client.http.get(program.client.url.clone() + &path_of(&asked, "/wait?timeout=300"));
    let wait = tokio::spawn(request.bearer_auth(TOKEN).send());
    while program.client.get("/v1/health").await.body["waiters"] != 1 {}
    program.kill();
    assert!(wait.await.unwrap().is_err(), "nobody has answered");
    let program = Program::start(dir.path());
    assert_eq!(program.client.get(&path_of(&asked, "")).await.body, asked);
}

/// Kills under load, again and again: what was acknowledged is there, once.
#[tokio::test(flavor = "multi_thread")]
async fn kills_under_load_lose_nothing_that_was_acknowledged() {
    // The nightly script asks for 100 rounds.
    let rounds = std::env::var("ARC_KILL_ROUNDS").map_or(5, |rounds| rounds.parse().unwrap());
    let dir = TempDir::new().unwrap();
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let program = Program::start(dir.path());
        let writers: Vec<_> = (0..32)
            .map(|writer| {
                let client = program.client.clone();
                tokio::spawn(async move { write_until_it_dies(&client, round, writer).await })
            })
            .collect();
        // Dies in the middle of it: as soon as enough is known to have been committed.
        while commands(&program.client).await < 200 {}
        program.kill();
        for writer in writers {
            acknowledged.extend(writer.await.unwrap());
        }
        let program = Program::start(dir.path());
        for event in &acknowledged {
            let replay = program.client.event(event).await;
            assert_eq!(replay.status, 200, "round {round}: {event} {replay:?}");
        }
        assert_eq!(program.terminate(), Some(0));
        check_database(&dir.path().join("b.db"));
        acknowledged.clear();
    }
}

/// Questions and their answers, one after the other; returns the events that were acknowledged.
async fn write_until_it_dies(client: &Client, round: usize, writer: usize) -> Vec<Value> {
    let mut acknowledged = Vec::new();
    for i in 0.. {
        let event = created(&format!("k {round} {writer} {i}"), permission("May I?", 1_000_000 * MINUTE));
        let Some(reply) = client.try_event(&event).await else { break };
        acknowledged.push(event);
        let event = answer(&reply.body["interaction"], "r1", "deny");
        if client.try_event(&event).await.is_none() {
            break;
        }
        acknowledged.push(event);
    }
    acknowledged
}

async fn commands(client: &Client) -> u64 {
    let request = client.http.get(client.url.clone() + "/metrics").bearer_auth(TOKEN);
    let text = request.send().await.unwrap().text().await.unwrap();
    let count = text.lines().find_map(|line| line.strip_prefix("arc_broker_batch_size_sum "));
    count.unwrap().parse().unwrap()
}

fn check_database(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    assert_eq!(
        count(
            "SELECT count(*) FROM conditions WHERE (SELECT count(*) FROM questions q WHERE q.condition = conditions.seq AND status = 'answered') > 1"
        ),
        0
    );
    assert_eq!(count("SELECT count(*) FROM conditions"), count("SELECT count(DISTINCT key) FROM conditions"));
}
