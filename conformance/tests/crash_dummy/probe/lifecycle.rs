//! The lifecycle of a condition.

use super::peer::soon;
use super::probes;
use serde_json::{Value, json};

const NOTE: &str = "/notification/id";

probes! {
    "ASK-07" "nobody answers a one-way request" |peer| {
        let key = peer.id("key");
        let got = peer.event(&peer.one_way(&key)).await;
        let mut answer = peer.answer(&key, &got);
        answer["response"]["digest"] = "0".repeat(64).into();
        got.is_ok() && peer.event(&answer).await.is_refused()
    }
    "ASK-08" "a refused question leaves nothing" |peer| {
        let key = peer.id("key");
        let mut event = peer.permission(&key);
        event["request"]["response"]["choices"] = json!([]);
        let refused = peer.event(&event).await;
        refused.is_refused() && peer.event(&peer.resolved(&key)).await.status == 404
    }
    "ASK-09" "the question is shown as asked" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["kind"] = "single_choice".into();
        let got = peer.event(&event).await;
        got.at("/interaction/kind") == "single_choice"
            && got.at("/interaction/choices/0/detail") == "Runs once"
            && got.at("/interaction/choices/1/label") == "Deny"
    }
    "LIF-01" "each of the four types" |peer| {
        let (key, asked) = peer.asked().await;
        let updated = peer.event(&peer.updated(&key)).await;
        let answered = peer.event(&peer.answer(&key, &updated)).await;
        let other = peer.one_way(&peer.id("key"));
        peer.event(&other).await;
        let key = other["request"]["key"].as_str().unwrap_or_default();
        asked.is_ok() && updated.is_ok() && answered.is_ok() && peer.event(&peer.resolved(key)).await.is_ok()
    }
    "LIF-02" "an unkeyed event is its sender and event_id" |peer| {
        let mut event = peer.permission("");
        event["request"].as_object_mut().expect("an object").remove("key");
        event["sender"]["id"] = "ab".into();
        event["event_id"] = peer.id("c").into();
        let first = peer.event(&event).await;
        let again = peer.event(&event).await;
        let mut other = event.clone();
        other["sender"]["id"] = "a".into();
        other["event_id"] = format!("b{}", event["event_id"].as_str().unwrap_or_default()).into();
        let moved = peer.event(&other).await;
        other["sender"]["id"] = "another".into();
        other["event_id"] = event["event_id"].clone();
        let another = peer.event(&other).await;
        let notes = [moved.at(NOTE), another.at(NOTE)];
        first.is_ok() && again.at(NOTE) == first.at(NOTE) && !notes.contains(&first.at(NOTE)) && !notes.contains(&Value::Null)
    }
    "LIF-03" "an unkeyed event is replayed after its end" |peer| {
        let mut event = peer.permission("");
        event["request"].as_object_mut().expect("an object").remove("key");
        let first = peer.event(&event).await;
        let path = first.path("/respond");
        let body = json!({ "response_id": "r", "request_digest": first.question()["request_digest"],
            "nonce": first.question()["nonce"], "choice_id": "deny" });
        let answered = peer.post(&path, &body).await;
        let key = first.at("/notification/key");
        let answered = if answered.status == 404 && key.is_string() {
            peer.event(&peer.answer(key.as_str().unwrap_or_default(), &first)).await
        } else { answered };
        let again = peer.event(&event).await;
        answered.is_ok() && again.is_ok() && again.at(NOTE) == first.at(NOTE)
    }
    "LIF-04" "created again: the condition is updated" |peer| {
        let (key, first) = peer.asked().await;
        let mut event = peer.permission(&key);
        event["request"]["message"] = "Second".into();
        let second = peer.event(&event).await;
        second.is_ok() && second.at(NOTE) == first.at(NOTE) && second.at("/notification/message") == "Second"
    }
    "LIF-05" "created after the end: another condition" |peer| {
        let (key, answered, _) = peer.answered().await;
        let second = peer.event(&peer.permission(&key)).await;
        peer.event(&peer.resolved(&key)).await;
        let third = peer.event(&peer.permission(&key)).await;
        second.is_ok() && third.is_ok() && second.at(NOTE) != answered.at(NOTE) && third.at(NOTE) != second.at(NOTE)
    }
    "LIF-06" "an update creates nothing" |peer| {
        let key = peer.id("key");
        let updated = peer.event(&peer.updated(&key)).await;
        updated.is_refused() && peer.event(&peer.resolved(&key)).await.is_refused()
    }
    "LIF-07" "an update revives nothing" |peer| {
        let (key, _, _) = peer.answered().await;
        let (other, _) = peer.asked().await;
        peer.event(&peer.resolved(&other)).await;
        peer.event(&peer.updated(&key)).await.is_refused() && peer.event(&peer.updated(&other)).await.is_refused()
    }
    "LIF-08" "an update replaces what is shown" |peer| {
        let (key, first) = peer.asked().await;
        let mut event = peer.updated(&key);
        event["request"]["kind"] = "question".into();
        event["request"]["title"] = "Another".into();
        event["request"]["priority"] = "low".into();
        let got = peer.event(&event).await;
        let shown = |name: &str| got.at(&format!("/notification/{name}")) == event["request"][name];
        got.at(NOTE) == first.at(NOTE) && ["kind", "title", "message", "priority"].into_iter().all(shown)
    }
    "LIF-09" "resolved again and again" |peer| {
        let (key, first) = peer.asked().await;
        let once = peer.event(&peer.resolved(&key)).await;
        let twice = peer.event(&peer.resolved(&key)).await;
        once.at("/notification/status") != "active" && twice.is_ok() && twice.at(NOTE) == first.at(NOTE)
    }
    "LIF-10" "resolution of an unknown key" |peer| {
        peer.event(&peer.resolved(&peer.id("key"))).await.status == 404
    }
    "LIF-11" "a keyed create is replayed after the end" |peer| {
        let key = peer.id("key");
        let event = peer.permission(&key);
        let first = peer.event(&event).await;
        peer.event(&peer.resolved(&key)).await;
        let again = peer.event(&event).await;
        again.is_ok() && again.at(NOTE) == first.at(NOTE) && again.at("/interaction/id") == first.at("/interaction/id")
    }
    "LIF-12" "resolution withdraws the question" |peer| {
        let (key, asked) = peer.asked().await;
        peer.event(&peer.resolved(&key)).await;
        peer.event(&peer.answer(&key, &asked)).await.is_refused()
    }
    "LIF-12" timed "resolution releases the waiter" |peer| {
        let (key, asked) = peer.asked().await;
        let path = asked.path("/wait?timeout=2");
        let (started, resolution) = (tokio::time::Instant::now(), peer.resolved(&key));
        let (waited, _) = tokio::join!(peer.get(&path), peer.event(&resolution));
        waited.status == 404 || started.elapsed().as_millis() < 1_500
    }
    "LIF-13" "an old answer does not fit the new question" |peer| {
        let (key, asked) = peer.asked().await;
        let updated = peer.event(&peer.updated(&key)).await;
        let old = peer.event(&peer.answer(&key, &asked)).await;
        updated.is_ok() && old.is_refused() && peer.event(&peer.answer(&key, &updated)).await.is_ok()
    }
    "LIF-13" "a creation without response keeps no old answer" |peer| {
        let (key, asked) = peer.asked().await;
        let again = peer.event(&peer.one_way(&key)).await;
        again.is_ok() && peer.event(&peer.answer(&key, &asked)).await.is_refused()
    }
    "LIF-13" "an update without response keeps no old answer" |peer| {
        let (key, asked) = peer.asked().await;
        let mut event = peer.updated(&key);
        event["request"].as_object_mut().expect("an object").remove("response");
        let updated = peer.event(&event).await;
        updated.is_ok() && peer.event(&peer.answer(&key, &asked)).await.is_refused()
    }
    "LIF-13" "each visible change is another question" |peer| {
        let mut all = true;
        for (pointer, value) in [("/request/title", "Another"), ("/request/response/choices/0/label", "Allow it")] {
            let (key, asked) = peer.asked().await;
            let mut event = peer.permission(&key);
            *event.pointer_mut(pointer).expect("it is there") = value.into();
            let changed = peer.event(&event).await;
            all &= changed.is_ok() && peer.event(&peer.answer(&key, &asked)).await.is_refused();
        }
        all
    }
    "LIF-14" "one key, one condition" |peer| {
        let (key, first) = peer.asked().await;
        let mut event = peer.resolved(&key);
        event["sender"]["id"] = "somebody".into();
        let got = peer.event(&event).await;
        got.is_ok() && got.at(NOTE) == first.at(NOTE)
    }
    "LIF-10" "keys differ in their last character" |peer| {
        let key = format!("{}{}", peer.id("key"), "x".repeat(64));
        let first = peer.event(&peer.one_way(&format!("{key}1"))).await;
        let other = peer.event(&peer.one_way(&format!("{key}2"))).await;
        other.status == 201 && other.at(NOTE) != first.at(NOTE)
    }
    "LIF-14" "keys differ in case" |peer| {
        let key = peer.id("Key");
        let first = peer.event(&peer.one_way(&key)).await;
        let other = peer.event(&peer.one_way(&key.to_uppercase())).await;
        other.status == 201 && other.at(NOTE) != first.at(NOTE)
    }
    "LIF-15" "context decides nothing" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["context"] = json!({ "project": "one", "cwd": "/one" });
        let asked = peer.event(&event).await;
        let mut answer = peer.answer(event["request"]["key"].as_str().unwrap_or_default(), &asked);
        answer["context"] = json!({ "project": "other", "cwd": "/other" });
        peer.event(&answer).await.is_ok()
    }
    "LIF-16" "outcome answered is no answer" |peer| {
        let (key, _) = peer.asked().await;
        let mut event = peer.resolved(&key);
        event["request"]["outcome"] = "answered".into();
        let got = peer.event(&event).await;
        got.at("/interaction/response").is_null() && got.at("/interaction/status") != "answered"
    }
    "ANS-14" timed "silence is no answer" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["expires_at"] = soon(700).into();
        let asked = peer.event(&event).await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let got = peer.event(&event).await;
        asked.is_ok() && got.at("/interaction/response").is_null()
    }
    "ANS-15" timed "the deadline is the producer's" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        let deadline = soon(500 + 7_200_000).replace('Z', "+02:00");
        event["request"]["response"]["expires_at"] = deadline.into();
        let asked = peer.event(&event).await;
        let key = event["request"]["key"].as_str().unwrap_or_default();
        tokio::time::sleep(std::time::Duration::from_millis(1_600)).await;
        asked.is_ok() && peer.event(&peer.answer(key, &asked)).await.is_refused()
    }
    "ANS-15" "an offset counts" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["expires_at"] = soon(60_000 - 7_200_000).replace('Z', "-02:00").into();
        let asked = peer.event(&event).await;
        let key = event["request"]["key"].as_str().unwrap_or_default();
        peer.event(&peer.answer(key, &asked)).await.is_ok()
    }
    "ANS-05" timed "no answer after the deadline" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["expires_at"] = soon(300).into();
        let asked = peer.event(&event).await;
        let key = event["request"]["key"].as_str().unwrap_or_default();
        tokio::time::sleep(std::time::Duration::from_millis(1_700)).await;
        peer.event(&peer.answer(key, &asked)).await.is_refused()
    }
}
