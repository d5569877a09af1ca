//! The crash-test consumer itself: plain it behaves by the contract, and a fault changes exactly what it says.

mod crash_dummy;

use crash_dummy::{Behaviour, Dummy, Null, Variation};
use serde_json::{Value, json};

async fn post(url: &str, token: &str, event: &Value) -> (u16, Value) {
    let request = reqwest::Client::new().post(format!("{url}/v1/events")).bearer_auth(token).body(event.to_string());
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default())
}

fn question() -> Value {
    json!({
        "arc_version": "0.2", "event_id": "e1", "event_type": "request.created",
        "occurred_at": "2026-08-26T01:15:00Z", "sender": { "id": "codex" },
        "request": {
            "key": "k", "kind": "permission", "message": "May I?",
            "response": {
                "kind": "permission", "expires_at": "2036-08-26T01:25:00Z",
                "choices": [{ "id": "allow_once", "label": "Allow once" }, { "id": "deny", "label": "Deny" }],
            },
        },
    })
}

#[tokio::test]
async fn every_variation_asks_and_takes_an_answer() {
    let variations = Variation::ALL.iter().copied().map(Behaviour::variation);
    for behaviour in variations.chain([Behaviour::plain()]) {
        let dummy = Dummy::start(behaviour).await;
        let (status, asked) = post(dummy.url(), dummy.token(), &question()).await;
        assert_eq!(status, 201, "{behaviour:?}");
        let answer = json!({
            "arc_version": "0.2", "event_id": "e2", "event_type": "response.submitted",
            "occurred_at": "2026-08-26T01:16:00Z", "sender": { "id": "desk" }, "request": { "key": "k" },
            "response": {
                "response_id": "r1", "digest": asked["interaction"]["request_digest"],
                "nonce": asked["interaction"]["nonce"].as_str().unwrap_or("none"), "choice_id": "deny",
            },
        });
        let (status, answered) = post(dummy.url(), dummy.token(), &answer).await;
        assert_eq!(status, 200, "{behaviour:?}");
        assert_eq!(answered["interaction"]["response"]["choice_id"], "deny", "{behaviour:?}");
        assert_eq!(answered["notification"]["status"], "resolved", "{behaviour:?}");
    }
}

#[tokio::test]
async fn a_null_consumer_has_no_envelope() {
    for null in Null::ALL.iter().copied().filter(|null| !matches!(null, Null::Hang | Null::Close)) {
        let server = null.start().await;
        let (_, reply) = post(server.url(), server.token(), &question()).await;
        assert!(reply.get("notification").is_none(), "{null:?}");
    }
}
