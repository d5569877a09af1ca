//! More faults from the field, and the table that says which test stands for which.

use crate::support::*;
use serde_json::{Value, json};

#[tokio::test]
async fn a_wrong_answer_disturbs_no_waiter() {
    let server = Server::start().await;
    let (one, two) = (server.ask("k1").await, server.ask("k2").await);
    let wait = {
        let (client, path) = (server.client.clone(), path_of(&one, "/wait?timeout=300"));
        tokio::spawn(async move { client.get(&path).await })
    };
    server.waiters(1).await;
    let mut crossed = answer(&one, "r1", "deny");
    crossed["request"]["key"] = "k2".into();
    assert_eq!(server.event(&crossed).await.status, 400);
    assert_eq!(server.event(&answer(&one, "r2", "allow_always")).await.status, 400);
    assert_eq!((server.status(&one).await, server.status(&two).await), ("pending".into(), "pending".into()));
    server.waiters(1).await;
    assert_eq!(server.event(&answer(&one, "r3", "deny")).await.status, 200);
    assert_eq!(wait.await.unwrap().body["response"]["response_id"], "r3");
}

#[tokio::test]
async fn whichever_choice_is_sent_comes_back() {
    let server = Server::start().await;
    for choice in ["allow_once", "deny"] {
        for door in ["events", "respond"] {
            let asked = server.ask(&format!("{choice} {door}")).await;
            let wait = {
                let (client, path) = (server.client.clone(), path_of(&asked, "/wait?timeout=300"));
                tokio::spawn(async move { client.get(&path).await })
            };
            server.waiters(1).await;
            let reply = match door {
                "events" => server.event(&answer(&asked, "r1", choice)).await,
                _ => server.post(&path_of(&asked, "/respond"), &respond(&asked, "r1", choice)).await,
            };
            assert_eq!(reply.status, 200);
            let told = wait.await.unwrap().body;
            assert_eq!((&told["status"], &told["response"]["choice_id"]), (&json!("answered"), &json!(choice)));
        }
    }
}

#[tokio::test]
async fn every_record_says_how_and_when_it_ended() {
    let server = Server::start().await;
    let mut asked = Vec::new();
    for key in ["answered", "cancelled", "withdrawn", "superseded", "expired"] {
        asked.push(server.ask(key).await);
    }
    server.clock.set(NOW + 1);
    server.event(&answer(&asked[0], "r1", "deny")).await;
    server.clock.set(NOW + 2);
    server.post(&path_of(&asked[1], "/cancel"), &json!({})).await;
    server.clock.set(NOW + 3);
    server.event(&resolved("withdrawn")).await;
    server.clock.set(NOW + 4);
    server.event(&updated("superseded", one_way("Now?"))).await;
    server.clock.set(NOW + 10 * MINUTE);
    for (asked, (status, after)) in asked.iter().zip([
        ("answered", 1),
        ("cancelled", 2),
        ("cancelled", 3),
        ("superseded", 4),
        ("expired", 10 * MINUTE),
    ]) {
        let record = server.get(&path_of(asked, "")).await.body;
        assert_eq!((&record["status"], &record["updated_at"]), (&json!(status), &json!(instant(NOW + after))));
    }
}

#[tokio::test]
async fn an_escaped_text_is_as_long_as_a_raw_one() {
    let server = Server::start().await;
    for (key, spelled, status) in [("fits", "\\ud83d\\udca9", 200), ("too long", "\\u0065\\u0301", 400)] {
        let asked = server.event(&created(key, text("Why?", Some(1)))).await.body["interaction"].clone();
        let mut raw = answer(&asked, "r1", "SPELLED");
        let choice = raw["response"].as_object_mut().unwrap().remove("choice_id").unwrap();
        raw["response"]["text"] = choice;
        let body = raw.to_string().replace("SPELLED", spelled);
        assert_eq!(server.client.raw("/v1/events", body.into_bytes()).await.status, status, "{key}");
        let record = server.get(&path_of(&asked, "")).await.body;
        assert_eq!(record["response"]["text"], if status == 200 { json!("💩") } else { Value::Null });
    }
}

#[tokio::test]
async fn a_wait_that_was_cut_off_is_taken_up_again() {
    use tokio::io::AsyncWriteExt as _;
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let path = path_of(&asked, "/wait?timeout=300");
    let mut cut = tokio::net::TcpStream::connect(server.client.url.trim_start_matches("http://")).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n");
    cut.write_all(request.as_bytes()).await.unwrap();
    server.waiters(1).await;
    drop(cut);
    server.waiters(0).await;
    assert_eq!(server.event(&answer(&asked, "r1", "deny")).await.status, 200);
    assert_eq!(server.get(&path).await.body["response"]["choice_id"], "deny");
}

/// Each test that the table of faults names.
#[test]
fn the_table_of_faults_names_tests_that_there_are() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("FAULTS.md")).unwrap();
    let mut sources = String::new();
    let mut folders = vec![root.join("src"), root.join("tests")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    let rows: Vec<_> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    for row in &rows {
        let tests: Vec<_> = row.rsplit('|').nth(1).unwrap().split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty() || row.contains("does not apply"), "{row}");
        for test in tests {
            assert!(sources.contains(&format!("fn {test}()")), "{test}");
        }
    }
    assert!(rows.len() >= 45, "{} rows", rows.len());
}
