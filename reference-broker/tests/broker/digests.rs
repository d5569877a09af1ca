//! The golden digests, computed elsewhere.

use crate::support::*;
use serde_json::Value;
use std::collections::HashMap;

fn vectors() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../../vectors/digests/reference-broker.json")).unwrap();
    file["vectors"].as_array().unwrap().clone()
}

#[tokio::test]
async fn each_vector_has_its_digest_also_after_a_restart() {
    let mut server = Server::start().await;
    for _ in 0..2 {
        for vector in vectors() {
            let reply = server.event(&vector["event"]).await;
            assert_eq!(reply.body["interaction"]["request_digest"], vector["digest"], "{}", vector["id"]);
        }
        server = server.restart().await;
    }
}

#[test]
fn only_what_is_displayed_alike_shares_a_digest() {
    let mut by_digest: HashMap<String, Vec<String>> = HashMap::new();
    for vector in vectors() {
        by_digest.entry(vector["digest"].to_string()).or_default().push(vector["id"].as_str().unwrap().to_owned());
    }
    let mut shared: Vec<_> = by_digest.into_values().filter(|ids| ids.len() > 1).collect();
    shared.sort();
    assert_eq!(shared, [["plain", "default-priority-named"], ["text", "text-bound-named"]]);
}
