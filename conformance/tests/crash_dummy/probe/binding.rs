//! The HTTP binding.

use super::probes;
use reqwest::Method;
use serde_json::json;

probes! {
    "HTP-01" "the token, whole and in its header" |peer| {
        let token = peer.token.clone();
        let headers = [None, Some("Bearer ".to_owned()), Some("Bearer wrong".into()),
            Some(format!("Bearer {}", &token[..16])), Some(format!("Bearer {token}x")),
            Some(format!("Bearer {}", token.to_uppercase()))];
        let mut all = true;
        for header in headers {
            let key = peer.id("key");
            let body = peer.one_way(&key).to_string();
            let got = peer.send(Method::POST, "/v1/events", body.into(), header.as_deref()).await;
            all &= got.status == 401 && peer.event(&peer.resolved(&key)).await.is_refused();
        }
        let body = peer.one_way(&peer.id("key")).to_string();
        all & (peer.send(Method::POST, &format!("/v1/events?token={token}"), body.into(), None).await.status == 401)
    }
    "HTP-02" "every reply is the envelope" |peer| {
        let key = peer.id("key");
        let one_way = peer.event(&peer.one_way(&key)).await;
        let resolved = peer.event(&peer.resolved(&key)).await;
        let (_, answered, _) = peer.answered().await;
        let is_bare = |got: &super::Got| got.at("/notification").is_object() && got.body.get("interaction").is_some_and(serde_json::Value::is_null);
        is_bare(&one_way) && is_bare(&resolved) && answered.at("/notification").is_object() && answered.at("/interaction").is_object()
    }
    "HTP-03" "201 for what is new, 200 for the rest" |peer| {
        let key = peer.id("key");
        let event = peer.permission(&key);
        let created = peer.event(&event).await;
        let again = peer.event(&event).await;
        let updated = peer.event(&peer.updated(&key)).await;
        let answered = peer.event(&peer.answer(&key, &updated)).await;
        let (other, _) = peer.asked().await;
        let resolved = peer.event(&peer.resolved(&other)).await;
        created.status == 201 && [again, updated, answered, resolved].iter().all(|got| got.status == 200)
    }
    "HTP-04" "404 for what is missing, 409 for a second answer" |peer| {
        let (_, got, answer) = peer.answered().await;
        let second = peer.event(&peer.but(&answer, "choice_id", "deny")).await;
        let unknown = peer.id("key");
        let mut unknown_answer = peer.but(&answer, "choice_id", "deny");
        unknown_answer["request"]["key"] = unknown.clone().into();
        got.is_ok() && second.status == 409
            && peer.event(&peer.updated(&unknown)).await.status == 404
            && peer.event(&peer.resolved(&unknown)).await.status == 404
            && peer.event(&unknown_answer).await.status == 404
    }
    "HTP-05" "400 for what is invalid and for rules 3 to 6" |peer| {
        let invalid = peer.event(&json!({ "arc_version": "0.2" })).await;
        let (key, asked) = peer.asked().await;
        let answer = peer.answer(&key, &asked);
        let digest = peer.event(&peer.but(&answer, "digest", "0".repeat(64))).await;
        let nonce = peer.event(&peer.but(&answer, "nonce", "other")).await;
        let nonce_fits = answer["response"].get("nonce").is_none() || nonce.status == 400;
        let (other, shaped) = peer.asked().await;
        let shape = peer.event(&peer.but(&peer.answer(&other, &shaped), "choice_id", "other")).await;
        peer.event(&peer.resolved(&other)).await;
        let over = peer.event(&peer.answer(&other, &shaped)).await;
        nonce_fits && [invalid, digest, shape, over].iter().all(|got| got.status == 400)
    }
    "HTP-06" "64 KiB and no more" |peer| {
        let (small, large) = (peer.id("key"), peer.id("key"));
        let padded = |key: &str, size: usize| {
            let mut event = peer.one_way(key);
            event["extensions"] = json!({ "x-pad": "" });
            let bare = event.to_string().len();
            event["extensions"]["x-pad"] = "x".repeat(size - bare).into();
            event.to_string()
        };
        let fits = peer.raw(padded(&small, 65_536).as_bytes()).await;
        let over = peer.raw(padded(&large, 65_537).as_bytes()).await;
        let mut wide = peer.one_way(&large);
        wide["extensions"] = json!({ "x-pad": "本".repeat(22_000) });
        let wide = peer.event(&wide).await;
        fits.is_ok() && matches!(over.status, 0 | 413) && matches!(wide.status, 0 | 413) && peer.event(&peer.resolved(&large)).await.is_refused()
    }
    "HTP-07" "a 429 says when to try again" |peer| {
        let sent = (0..50).map(|_| {
            let (peer, event) = (peer.clone(), peer.one_way(&peer.id("key")));
            tokio::spawn(async move { peer.post_once(&event).await })
        });
        let mut all = true;
        for one in sent.collect::<Vec<_>>() {
            all &= matches!(one.await.unwrap_or_default(), (201, _) | (429, true));
        }
        all
    }
    "HTP-08" "an answer resolves the notification" |peer| {
        let (_, got, _) = peer.answered().await;
        got.at("/notification/status") == "resolved"
    }
    "HTP-10" "the kind's default priority" |peer| {
        let mut all = true;
        for (kind, priority) in [("question", "high"), ("permission", "high"), ("blocked", "high"), ("failure", "high"),
            ("information", "normal"), ("completion", "normal")] {
            let mut event = peer.one_way(&peer.id("key"));
            event["request"]["kind"] = kind.into();
            all &= peer.event(&event).await.at("/notification/priority") == priority;
        }
        all
    }
}
