//! The token, sizes, and the one shape of every error.

use crate::support::*;
use serde_json::json;

#[tokio::test]
async fn every_route_under_v1_needs_the_token() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let (http, url) = (&server.client.http, &server.client.url);
    let routes = [
        ("POST", "/v1/events".to_owned()),
        ("POST", "/v1/interactions/request".to_owned()),
        ("GET", path_of(&asked, "")),
        ("GET", path_of(&asked, "/wait?timeout=1")),
        ("POST", path_of(&asked, "/respond")),
        ("POST", path_of(&asked, "/cancel")),
        ("GET", "/v1/none".to_owned()),
        ("DELETE", "/v1/events".to_owned()),
    ];
    for (method, path) in &routes {
        for header in [
            None,
            Some(String::new()),
            Some("Bearer".to_owned()),
            Some("Bearer ".to_owned()),
            Some(format!("Basic {TOKEN}")),
            Some(TOKEN.to_owned()),
            Some(format!("Bearer {}", &TOKEN[..TOKEN.len() - 1])),
            Some(format!("Bearer {TOKEN}x")),
            Some(format!("Bearer {TOKEN} x")),
            Some(format!("Bearer {}", TOKEN.to_uppercase())),
        ] {
            let request = http.request(method.parse().unwrap(), format!("{url}{path}")).body("{}");
            let request = request.header("Content-Type", "application/json");
            let request = header.iter().fold(request, |request, header| request.header("Authorization", header));
            let reply = reply(request).await;
            assert_eq!(reply.status, 401, "{method} {path} {header:?}");
            assert!(!reply.body.to_string().contains(TOKEN));
        }
    }
    let in_query = http.get(format!("{url}{}?token={TOKEN}&access_token={TOKEN}", path_of(&asked, "")));
    assert_eq!(reply(in_query).await.status, 401);
    let other_case =
        http.get(format!("{url}{}", path_of(&asked, ""))).header("Authorization", format!("bearer {TOKEN}"));
    assert_eq!(reply(other_case).await.status, 200);
    assert_eq!(server.status(&asked).await, "pending");
    assert_eq!(reply(http.get(format!("{url}/health"))).await.status, 200);
}

#[tokio::test]
async fn a_body_may_have_64_kib_and_no_more() {
    let server = Server::start().await;
    let event = created("k", one_way("Done.")).to_string();
    let padded = |length: usize| format!("{event}{}", " ".repeat(length - event.len())).into_bytes();
    let reply = server.client.raw("/v1/events", padded(64 * 1024 + 1)).await;
    assert_eq!((reply.status, reply.body["error"].is_string()), (413, true));
    assert_eq!(server.event(&resolved("k")).await.status, 404);
    assert_eq!(server.client.raw("/v1/events", padded(64 * 1024)).await.status, 201);
}

#[tokio::test]
async fn errors_of_every_kind_have_one_shape() {
    let server = Server::start().await;
    let (http, url) = (&server.client.http, &server.client.url);
    let post = |path: &str| http.post(format!("{url}{path}")).bearer_auth(TOKEN);
    let get = |path: &str| http.get(format!("{url}{path}")).bearer_auth(TOKEN);
    let json_post = |path: &str, body: &'static str| post(path).header("Content-Type", "application/json").body(body);
    for (request, status) in [
        (get("/"), 404),
        (get("/v1"), 404),
        (get("/v1/none"), 404),
        (get("/v1/events"), 405),
        (get("/v1/interactions/int_0"), 404),
        (get("/v1/interactions/int_0/wait?timeout=x"), 400),
        (post("/health"), 405),
        (post("/v1/events"), 415),
        (post("/v1/events").header("Content-Type", "text/plain").body("{}"), 415),
        (post("/v1/interactions/int_0/respond").body("{}"), 415),
        (json_post("/v1/interactions/int_0/respond", "[]"), 400),
        (json_post("/v1/interactions/request", "{"), 400),
        (json_post("/v1/interactions/request", r#"{"kind":"text","kind":"text"}"#), 400),
        (json_post("/v1/events", ""), 400),
    ] {
        let reply = reply(request).await;
        assert_eq!(reply.status, status, "{reply:?}");
        assert!(reply.body["error"].is_string(), "{reply:?}");
    }
}

#[tokio::test]
async fn no_body_is_too_broken_for_a_client_error() {
    let server = Server::start().await;
    let valid = created("k", one_way("Done.")).to_string();
    let mut bodies: Vec<Vec<u8>> = (0..valid.len()).step_by(7).map(|end| valid.as_bytes()[..end].to_vec()).collect();
    bodies.extend([
        b"\xff\xfe{}".to_vec(),
        format!("\u{feff}{valid}").into_bytes(),
        valid.replace("Done.", "\u{0}").into_bytes(),
        valid.replace("Done.", "\\ud800").into_bytes(),
        valid.replace(r#""kind""#, r#""kind":"information","kind""#).into_bytes(),
        valid.replace(r#""0.2""#, "1e400").into_bytes(),
        "[".repeat(60 * 1024).into_bytes(),
        "{\"a\":".repeat(10 * 1024).into_bytes(),
        b"null".to_vec(),
        b"\"0.2\"".to_vec(),
        format!("{valid}{valid}").into_bytes(),
    ]);
    for body in bodies {
        let reply = server.client.raw("/v1/events", body).await;
        assert_eq!(reply.status, 400, "{reply:?}");
        assert!(reply.body["error"].is_string());
    }
    let mut deep = json!(1);
    for _ in 0..140 {
        deep = json!([deep]);
    }
    let mut event = created("k", one_way("Done."));
    event["extensions"] = json!({ "x-deep": deep });
    assert_eq!(server.event(&event).await.status, 400);
    assert_eq!(server.event(&resolved("k")).await.status, 404);
    assert_eq!(server.client.raw("/v1/events", valid.into_bytes()).await.status, 201);
}
