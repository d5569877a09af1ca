//! The six rules, the digest and the nonce.

use super::{Got, Peer, probes};
use serde_json::{Value, json};
use std::collections::HashSet;

const RESPONSE: &str = "/interaction/response";

/// Refused, and the valid answer is taken afterwards.
async fn refused_unchanged(peer: &Peer, key: &str, asked: &Got, bad: &Value) -> bool {
    let refused = peer.event(bad).await;
    let good = peer.event(&peer.answer(key, asked)).await;
    refused.is_refused() && good.is_ok()
}

/// A text in answer to a question that is open.
async fn text_answer(peer: &Peer) -> Value {
    let key = peer.id("key");
    let asked = peer.event(&peer.text(&key)).await;
    let mut answer = peer.but(&peer.answer(&key, &asked), "text", "a");
    answer["response"].as_object_mut().expect("an object").remove("choice_id");
    answer
}

/// An answer to a question that superseded another, and that other.
async fn superseding(peer: &Peer) -> (Value, Value) {
    let (key, before) = peer.asked().await;
    let mut event = peer.permission(&key);
    event["request"]["message"] = "Another question?".into();
    let asked = peer.event(&event).await;
    (peer.answer(&key, &asked), before.question().clone())
}

/// The digests of the same question with each change.
async fn digests(peer: &Peer, base: &Value, changes: &[(&str, Value)]) -> Vec<String> {
    let mut digests = Vec::new();
    for (pointer, value) in changes {
        let mut event = base.clone();
        event["event_id"] = peer.id("event").into();
        event["request"]["key"] = peer.id("key").into();
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
        event.pointer_mut(parent).expect("the parent")[name] = value.clone();
        digests.push(peer.event(&event).await.question()["request_digest"].as_str().unwrap_or_default().to_owned());
    }
    digests
}

fn long_text(end: char) -> Value {
    format!("{}{end}", "x".repeat(999)).into()
}

fn all_differ(texts: &[String]) -> bool {
    let distinct: HashSet<_> = texts.iter().filter(|text| !text.is_empty()).collect();
    distinct.len() == texts.len()
}

async fn nonces(peer: &Peer, count: usize) -> Vec<String> {
    let mut nonces = Vec::new();
    for _ in 0..count {
        let (_, asked) = peer.asked().await;
        nonces.extend(asked.question()["nonce"].as_str().map(str::to_owned));
    }
    nonces
}

probes! {
    "ANS-01" "an unknown key is not found" |peer| {
        let (_, asked) = peer.asked().await;
        let (_, _, accepted) = peer.answered().await;
        let mut answer = peer.answer(&peer.id("key"), &asked);
        let good = peer.event(&answer).await;
        answer["response"]["digest"] = "0".repeat(64).into();
        let bad = peer.event(&answer).await;
        let mut known = peer.but(&accepted, "response_id", accepted["response"]["response_id"].clone());
        known["request"]["key"] = peer.id("key").into();
        [good, bad, peer.event(&known).await].iter().all(|got| got.status == 404)
    }
    "ANS-02" "a second answer conflicts" |peer| {
        let (_, got, answer) = peer.answered().await;
        let mut all = got.is_ok();
        for (name, value) in [("digest", "0".repeat(64)), ("nonce", "other".into()), ("choice_id", "other".into()), ("source", "desk".into())] {
            all &= peer.event(&peer.but(&answer, name, value)).await.status == 409;
        }
        let folded = answer["response"]["response_id"].as_str().unwrap_or_default().to_uppercase();
        all & (peer.event(&peer.but(&answer, "response_id", folded)).await.status == 409)
    }
    "ANS-03" "the accepted text is replayed" |peer| {
        let answer = text_answer(peer).await;
        let mut again = answer.clone();
        again["event_id"] = peer.id("event").into();
        peer.event(&answer).await.is_ok() && peer.event(&again).await.is_ok()
    }
    "ANS-05" "no answer to a question whose deadline had passed" |peer| {
        let key = peer.id("key");
        let mut event = peer.permission(&key);
        event["request"]["response"]["expires_at"] = super::peer::soon(-60_000).into();
        let asked = peer.event(&event).await;
        !asked.is_ok() || peer.event(&peer.answer(&key, &asked)).await.is_refused()
    }
    "ANS-15" timed "an update brings its own deadline" |peer| {
        let (key, _) = peer.asked().await;
        let mut event = peer.updated(&key);
        event["request"]["response"]["expires_at"] = super::peer::soon(400).into();
        let updated = peer.event(&event).await;
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        updated.is_ok() && peer.event(&peer.answer(&key, &updated)).await.is_refused()
    }
    "ANS-03" "the accepted answer is replayed" |peer| {
        let (key, got, answer) = peer.answered().await;
        let mut again = answer.clone();
        again["event_id"] = peer.id("event").into();
        let replay = peer.event(&again).await;
        peer.event(&peer.resolved(&key)).await;
        again["event_id"] = peer.id("event").into();
        let late = peer.event(&again).await;
        let same = |other: &Got| other.is_ok() && other.at("/interaction/response/choice_id") == "allow";
        same(&got) && same(&replay) && same(&late)
    }
    "ANS-03" timed "a replay outlives the deadline" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["response"]["expires_at"] = super::peer::soon(1_500).into();
        let asked = peer.event(&event).await;
        let answer = peer.answer(event["request"]["key"].as_str().unwrap_or_default(), &asked);
        let got = peer.event(&answer).await;
        tokio::time::sleep(std::time::Duration::from_millis(1_600)).await;
        let mut again = answer.clone();
        again["event_id"] = peer.id("event").into();
        got.is_ok() && peer.event(&again).await.at("/interaction/response/choice_id") == "allow"
    }
    "ANS-03" "another condition's response_id replays nothing" |peer| {
        let (_, _, accepted) = peer.answered().await;
        let (key, asked) = peer.asked().await;
        let mut answer = peer.answer(&key, &asked);
        answer["response"]["response_id"] = accepted["response"]["response_id"].clone();
        peer.event(&answer).await.at(RESPONSE).is_object()
    }
    "ANS-04" "a reused response_id is no second vote" |peer| {
        let (_, _, answer) = peer.answered().await;
        let mut other = answer.clone();
        other["event_id"] = peer.id("event").into();
        other["response"]["choice_id"] = "deny".into();
        peer.event(&other).await;
        peer.event(&answer).await.at("/interaction/response/choice_id") == "allow"
    }
    "ANS-05" "no answer to a cancelled question" |peer| {
        let (key, asked) = peer.asked().await;
        let path = asked.path("/cancel");
        let cancelled = peer.post(&path, &json!({})).await;
        cancelled.status == 404 || peer.event(&peer.answer(&key, &asked)).await.is_refused()
    }
    "ANS-06" "another digest is rejected" |peer| {
        let (key, asked) = peer.asked().await;
        let answer = peer.answer(&key, &asked);
        let digest = answer["response"]["digest"].as_str().unwrap_or_default();
        let near = digest.get(..63).unwrap_or_default().to_owned() + if digest.ends_with('0') { "1" } else { "0" };
        peer.event(&peer.but(&answer, "digest", "0".repeat(64))).await.is_refused()
            && refused_unchanged(peer, &key, &asked, &peer.but(&answer, "digest", near)).await
    }
    "ANS-06" "each digit counts, of a text too" |peer| {
        let answer = text_answer(peer).await;
        let digest = answer["response"]["digest"].as_str().unwrap_or_default();
        let near = (if digest.starts_with('0') { "1" } else { "0" }).to_owned() + digest.get(1..).unwrap_or_default();
        peer.event(&peer.but(&answer, "digest", near)).await.is_refused()
    }
    "ANS-07" "a text needs the nonce" |peer| {
        let answer = text_answer(peer).await;
        !answer["response"]["nonce"].is_string() || peer.event(&peer.but(&answer, "nonce", "other")).await.is_refused()
    }
    "ANS-06" "the digest before is rejected" |peer| {
        let (answer, before) = superseding(peer).await;
        peer.event(&peer.but(&answer, "digest", before["request_digest"].clone())).await.is_refused()
    }
    "ANS-07" "the nonce before is rejected" |peer| {
        let (answer, before) = superseding(peer).await;
        !before["nonce"].is_string() || peer.event(&peer.but(&answer, "nonce", before["nonce"].clone())).await.is_refused()
    }
    "ANS-07" "another nonce is rejected" |peer| {
        let (key, asked) = peer.asked().await;
        let answer = peer.answer(&key, &asked);
        let Some(nonce) = answer["response"]["nonce"].as_str() else { return true };
        let mut all = true;
        let others = ["other".to_owned(), nonce[..3].to_owned(), format!("{nonce}x"), format!(" {nonce} "), nonce.to_uppercase()];
        for other in others {
            all &= other == nonce || peer.event(&peer.but(&answer, "nonce", other)).await.is_refused();
        }
        let mut absent = peer.but(&answer, "source", "desk");
        absent["response"].as_object_mut().expect("an object").remove("nonce");
        all & refused_unchanged(peer, &key, &asked, &absent).await
    }
    "ANS-08" "a choice question takes an offered choice" |peer| {
        let (key, asked) = peer.asked().await;
        let answer = peer.answer(&key, &asked);
        let mut text = peer.but(&answer, "text", "allow");
        text["response"].as_object_mut().expect("an object").remove("choice_id");
        let folded = peer.event(&peer.but(&answer, "choice_id", "ALLOW")).await;
        let other = peer.event(&peer.but(&answer, "choice_id", "other")).await;
        folded.is_refused() && other.is_refused() && refused_unchanged(peer, &key, &asked, &text).await
    }
    "ANS-08" "a text question takes a text within its bound" |peer| {
        let key = peer.id("key");
        let mut event = peer.text(&key);
        event["request"]["response"]["text_max_length"] = 3.into();
        let asked = peer.event(&event).await;
        let choice = peer.answer(&key, &asked);
        let mut text = peer.but(&choice, "text", "yess");
        text["response"].as_object_mut().expect("an object").remove("choice_id");
        let [long, spaced, fits] = ["yess", "yes ", "💩💩💩"].map(|words| peer.but(&text, "text", words));
        let huge = peer.but(&text, "text", "x".repeat(1_999));
        let mut all = true;
        for bad in [&choice, &long, &spaced, &huge] {
            all &= peer.event(bad).await.is_refused();
        }
        all & (peer.event(&fits).await.at("/interaction/response/text") == "💩💩💩")
    }
    "ASK-10" "a text is bounded by 500" |peer| {
        let key = peer.id("key");
        let asked = peer.event(&peer.text(&key)).await;
        let mut answer = peer.answer(&key, &asked);
        answer["response"].as_object_mut().expect("an object").remove("choice_id");
        peer.event(&peer.but(&answer, "text", "é".repeat(501))).await.is_refused()
            && peer.event(&peer.but(&answer, "text", "é".repeat(500))).await.is_ok()
    }
    "ASK-06" "a choice comes back as it was offered" |peer| {
        let mut all = true;
        for id in ["Allow", "007", "true", "-_-", "deny"] {
            let key = peer.id("key");
            let mut event = peer.permission(&key);
            event["request"]["response"]["choices"][0]["id"] = id.into();
            event["request"]["response"]["choices"][1]["id"] = "other".into();
            let asked = peer.event(&event).await;
            let answer = peer.but(&peer.answer(&key, &asked), "choice_id", id);
            all &= peer.event(&answer).await.at("/interaction/response/choice_id") == id;
        }
        all
    }
    "ANS-09" "a digest in upper case is refused" |peer| {
        let mut event = peer.permission(&peer.id("key"));
        event["request"]["title"] = peer.id("title").into();
        let asked = peer.event(&event).await;
        let answer = peer.answer(event["request"]["key"].as_str().unwrap_or_default(), &asked);
        let upper = answer["response"]["digest"].as_str().unwrap_or_default().to_uppercase();
        peer.event(&peer.but(&answer, "digest", upper)).await.is_refused()
    }
    "ANS-10" "one of many answers wins" |peer| {
        let (key, asked) = peer.asked().await;
        let answers: Vec<_> = (0..8).map(|_| peer.answer(&key, &asked)).collect();
        let sent: Vec<_> = answers.into_iter().map(|answer| {
            let peer = peer.clone();
            tokio::spawn(async move { peer.event(&answer).await.is_ok() })
        }).collect();
        let mut winners = 0;
        for one in sent {
            winners += usize::from(one.await.unwrap_or(false));
        }
        winners == 1
    }
    "ANS-11" "every copy of one answer is accepted" |peer| {
        let (key, asked) = peer.asked().await;
        let answer = peer.answer(&key, &asked);
        let sent: Vec<_> = (0..8).map(|_| {
            let (peer, mut copy) = (peer.clone(), answer.clone());
            copy["event_id"] = peer.id("event").into();
            tokio::spawn(async move { peer.event(&copy).await.is_ok() })
        }).collect();
        let mut all = true;
        for one in sent {
            all &= one.await.unwrap_or(false);
        }
        all
    }
    "ANS-12" "an accepted answer closes the condition" |peer| {
        let (key, got, _) = peer.answered().await;
        let updated = peer.event(&peer.updated(&key)).await;
        let created = peer.event(&peer.permission(&key)).await;
        got.is_ok() && updated.is_refused() && created.is_ok()
            && created.at("/notification/id") != got.at("/notification/id")
    }
    "ANS-13" "a refused answer changes nothing" |peer| {
        let (key, asked) = peer.asked().await;
        let answer = peer.answer(&key, &asked);
        for (name, value) in [("digest", "0".repeat(64)), ("nonce", "other".into()), ("choice_id", "other".into())] {
            peer.event(&peer.but(&answer, name, value)).await;
        }
        peer.event(&peer.answer(&key, &asked)).await.is_ok() || answer["response"].get("nonce").is_none()
    }
    "ANS-16" "who asks needs the nonce too" |peer| {
        let key = peer.id("key");
        let mut event = peer.permission(&key);
        event["context"] = json!({ "cwd": "/work", "pid": 7 });
        let asked = peer.event(&event).await;
        let mut answer = peer.answer(&key, &asked);
        if answer["response"].get("nonce").is_none() {
            return true;
        }
        let mut same_place = answer.clone();
        same_place["event_id"] = peer.id("event").into();
        same_place["context"] = event["context"].clone();
        same_place["response"].as_object_mut().expect("an object").remove("nonce");
        let placed = peer.event(&same_place).await;
        answer["sender"] = json!({ "id": "producer", "name": "Producer" });
        answer["response"].as_object_mut().expect("an object").remove("nonce");
        placed.is_refused() && peer.event(&answer).await.is_refused()
    }
    "ANS-17" "an answer belongs to one life of the key" |peer| {
        let (key, first) = peer.asked().await;
        if first.question()["nonce"].is_null() {
            return true;
        }
        peer.event(&peer.resolved(&key)).await;
        let second = peer.event(&peer.permission(&key)).await;
        second.is_ok() && peer.event(&peer.answer(&key, &first)).await.is_refused()
    }
    "DIG-01" "the form of a digest" |peer| {
        let (_, asked) = peer.asked().await;
        let digest = asked.question()["request_digest"].as_str().unwrap_or_default().to_owned();
        digest.len() == 64 && digest.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    }
    "DIG-02" "everything displayed is digested" |peer| {
        let base = peer.permission("");
        let choice = "/request/response/choices";
        let (a, b, c) = (json!({ "id": "a", "label": "L" }), json!({ "id": "b", "label": "L" }), json!({ "id": "c", "label": "L" }));
        let seen = digests(peer, &base, &[
            ("/request/kind", json!("permission")), ("/request/kind", json!("question")),
            ("/request/title", json!("t")), ("/request/title", json!("T")), ("/request/message", json!("other")),
            ("/request/message", long_text('a')), ("/request/message", long_text('b')),
            ("/request/response/choices/0/id", json!("x")), ("/request/response/choices/0/label", json!("x")),
            ("/request/response/choices/0/detail", json!("x")),
            (choice, json!([a, b])), (choice, json!([b, a])), (choice, json!([a, b, c])),
        ]).await;
        let bounds = [("/request/response/text_max_length", json!(5)), ("/request/response/text_max_length", json!(6))];
        all_differ(&seen) && all_differ(&digests(peer, &peer.text(""), &bounds).await)
    }
    "DIG-03" "moved text is another question" |peer| {
        let mut all = true;
        for separator in ["|", "\n", ""] {
            let [mut one, mut two] = [peer.permission(""), peer.permission("")];
            one["request"]["title"] = format!("a{separator}b").into();
            one["request"]["message"] = "c".into();
            two["request"]["title"] = "a".into();
            two["request"]["message"] = format!("b{separator}c").into();
            let same = [("/request/kind", json!("permission"))];
            let pair = [digests(peer, &one, &same).await, digests(peer, &two, &same).await].concat();
            all &= all_differ(&pair);
        }
        all
    }
    "NON-01" "a nonce is used once" |peer| {
        let (key, first) = peer.asked().await;
        let second = peer.event(&peer.updated(&key)).await;
        peer.event(&peer.resolved(&key)).await;
        let third = peer.event(&peer.permission(&key)).await;
        let issued = [first, second, third].map(|got| got.question()["nonce"].as_str().unwrap_or_default().to_owned());
        issued.iter().all(String::is_empty) || all_differ(&issued)
    }
    "NON-02" "a nonce cannot be guessed" |peer| {
        let issued = nonces(peer, 24).await;
        let short = issued.iter().any(|nonce| nonce.len() < 16);
        let prefixed = issued.iter().all(|nonce| nonce.get(..8) == issued[0].get(..8));
        issued.is_empty() || (!short && !prefixed)
    }
}
