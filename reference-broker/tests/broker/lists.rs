//! Lists of questions and notifications.

use crate::support::*;
use serde_json::{Value, json};

fn ids(reply: &Reply) -> Vec<&str> {
    let rows = reply.body["interactions"].as_array().or(reply.body["notifications"].as_array()).unwrap();
    rows.iter().map(|row| row["id"].as_str().unwrap()).collect()
}

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

#[tokio::test]
async fn pages_drop_and_repeat_nothing_though_all_was_asked_in_one_millisecond() {
    let server = Server::start().await;
    let mut asked = Vec::new();
    for i in 0..25 {
        asked.push(server.ask(&format!("k{i}")).await);
    }
    asked.reverse();
    let expected: Vec<_> = asked.iter().map(id).collect();
    assert_eq!(ids(&server.get("/v1/interactions").await), expected);
    for list in ["/v1/interactions", "/v1/notifications"] {
        let all = ids(&server.get(list).await).into_iter().map(str::to_owned).collect::<Vec<_>>();
        let (mut seen, mut page) = (Vec::new(), server.get(&format!("{list}?limit=7")).await);
        loop {
            seen.extend(ids(&page).into_iter().map(str::to_owned));
            let Some(next) = page.body["next"].as_str() else { break };
            // What comes in between is on no later page.
            server.ask(&format!("{list} {next}")).await;
            page = server.get(&format!("{list}?limit=7&before={next}")).await;
        }
        assert_eq!(seen, all, "{list}");
    }
}

#[tokio::test]
async fn each_filter_narrows() {
    let server = Server::start().await;
    let mut shop = created("shop", permission("May I?", MINUTE));
    shop["sender"]["id"] = "claude".into();
    shop["context"] = json!({ "project": "shop", "session_id": "s-1" });
    let shop = server.event(&shop).await.body;
    let answered = server.ask("answered").await;
    server.event(&answer(&answered, "r1", "deny")).await;
    let cancelled = server.ask("cancelled").await;
    server.post(&path_of(&cancelled, "/cancel"), &json!({})).await;
    let superseded = server.ask("superseded").await;
    let pending = server.event(&updated("superseded", one_way("Now?"))).await.body["interaction"].clone();
    server.event(&created("one-way", one_way("Done."))).await;
    let shop_question = &shop["interaction"];
    for (query, expected) in [
        ("", vec![&pending, &superseded, &cancelled, &answered, shop_question]),
        ("pending=true", vec![&pending, shop_question]),
        ("pending=true&status=pending", vec![&pending, shop_question]),
        ("status=pending", vec![&pending, shop_question]),
        ("status=answered", vec![&answered]),
        ("status=cancelled", vec![&cancelled]),
        ("status=superseded", vec![&superseded]),
        ("status=expired", vec![]),
        ("agent=claude", vec![shop_question]),
        ("project=shop", vec![shop_question]),
        ("session=s-1", vec![shop_question]),
        ("agent=codex&project=shop", vec![]),
        ("agent=&project=&session=&status=", vec![&pending, &superseded, &cancelled, &answered, shop_question]),
        ("limit=1", vec![&pending]),
    ] {
        let reply = server.get(&format!("/v1/interactions?{query}")).await;
        assert_eq!(ids(&reply), expected.into_iter().map(id).collect::<Vec<_>>(), "{query}");
    }
    assert_eq!(ids(&server.get("/v1/notifications?agent=claude&status=active").await), [id(&shop["notification"])]);
    assert_eq!(ids(&server.get("/v1/notifications?status=resolved").await).len(), 1);
    for query in [
        "status=open",
        "limit=0",
        "limit=501",
        "limit=x",
        "pending=yes",
        "before=int_0",
        "agnet=x",
        "pending=true&status=expired",
    ] {
        assert_eq!(server.get(&format!("/v1/interactions?{query}")).await.status, 400, "{query}");
    }
}

#[tokio::test]
async fn what_is_overdue_is_listed_as_expired_with_no_write_in_between() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    server.clock.set(NOW + 10 * MINUTE);
    assert_eq!(ids(&server.get("/v1/interactions?pending=true").await), [""; 0]);
    assert_eq!(ids(&server.get("/v1/interactions?status=expired").await), [id(&asked)]);
}

#[tokio::test]
async fn the_visible_half_is_shown_by_its_id() {
    let server = Server::start().await;
    let notification = server.event(&created("k", one_way("Done."))).await.body["notification"].clone();
    let path = format!("/v1/notifications/{}", id(&notification));
    assert_eq!(server.get(&path).await, Reply { status: 200, body: notification });
    assert_eq!(server.get("/v1/notifications/ntf_0").await.status, 404);
}

#[tokio::test]
async fn nothing_is_published_where_no_relay_is_configured() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    assert_eq!(server.post(&path_of(&asked, "/publish"), &json!({})).await.status, 400);
    assert_eq!(server.post("/v1/interactions/int_0/publish", &json!({})).await.status, 404);
    assert_eq!(server.status(&asked).await, "pending");
}
