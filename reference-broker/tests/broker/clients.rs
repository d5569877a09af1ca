//! Clients that are slow, large, foreign or too many.

use crate::support::*;
use std::num::NonZeroU32;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.client.url.trim_start_matches("http://")).await.unwrap()
}

fn head(extra: &str) -> String {
    format!(
        "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: application/json\r\n{extra}\r\n"
    )
}

/// Everything that comes back until the connection is closed.
async fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    // A reset after the reply is an end like another.
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8(text).unwrap()
}

#[tokio::test]
async fn whoever_dawdles_is_let_go_and_the_others_are_served() {
    let server = Server::start_with(|config| config.patience = Duration::from_millis(300)).await;
    let silent = connect(&server).await;
    let mut half = connect(&server).await;
    half.write_all(b"POST /v1/events HTTP/1.1\r\nHost: loc").await.unwrap();
    let mut slow = connect(&server).await;
    slow.write_all(head("Content-Length: 100\r\n").as_bytes()).await.unwrap();
    slow.write_all(b"{").await.unwrap();
    assert_eq!(server.event(&created("k", one_way("Done."))).await.status, 201);
    assert_eq!(rest(silent).await, "");
    assert_eq!(rest(half).await, "");
    let reply = rest(slow).await;
    assert!(reply.starts_with("HTTP/1.1 408 ") && reply.contains("{\"error\":"), "{reply}");
}

#[tokio::test]
async fn a_body_that_is_too_large_is_told_so_however_it_comes() {
    let server = Server::start().await;
    let large = "x".repeat(200 * 1024);
    let chunk = format!("{:x}\r\n{}\r\n", large.len(), large);
    for (head, body) in [
        (head(&format!("Content-Length: {}\r\n", large.len())), large.clone()),
        (head("Transfer-Encoding: chunked\r\n"), format!("{chunk}0\r\n\r\n")),
        // A client that asks first is told before it sends.
        (head(&format!("Content-Length: {}\r\nExpect: 100-continue\r\n", large.len())), String::new()),
    ] {
        let mut stream = connect(&server).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let _ = stream.write_all(body.as_bytes()).await;
        let mut reply = vec![0; 4_096];
        let read = stream.read(&mut reply).await.unwrap();
        let reply = String::from_utf8_lossy(&reply[..read]).into_owned();
        assert!(reply.starts_with("HTTP/1.1 413 ") && reply.contains("{\"error\":"), "{reply}");
    }
    let mut stream = connect(&server).await;
    let event = created("k", one_way("Done.")).to_string();
    let asking = head(&format!("Content-Length: {}\r\nExpect: 100-continue\r\nConnection: close\r\n", event.len()));
    stream.write_all(asking.as_bytes()).await.unwrap();
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(event.as_bytes()).await.unwrap();
    assert!(rest(stream).await.starts_with("HTTP/1.1 201 "));
}

#[tokio::test]
async fn foreign_names_and_pages_are_turned_away() {
    let server = Server::start().await;
    let get = |path: &str| server.client.http.get(server.client.url.clone() + path).bearer_auth(TOKEN);
    for path in ["/health", "/v1/health", "/v1/interactions", "/openapi.json"] {
        assert_eq!(reply(get(path).header("Host", "rebound.example.org")).await.status, 403, "{path}");
        assert_eq!(reply(get(path).header("Origin", "https://example.org")).await.status, 403, "{path}");
        assert_eq!(reply(get(path).header("Origin", "null")).await.status, 403, "{path}");
        assert_eq!(reply(get(path).header("Origin", "http://localhost:5173")).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn posts_have_a_rate_and_reads_and_waits_have_none() {
    let server = Server::start_with(|config| config.rate_limit = NonZeroU32::new(3)).await;
    let asked = server.ask("k").await;
    let mut refused = None;
    for i in 0..50 {
        let request = server.client.http.post(server.client.url.clone() + "/v1/events").bearer_auth(TOKEN);
        let request =
            request.header("X-Forwarded-For", format!("10.0.0.{i}")).header("Content-Type", "application/json");
        let response = request.body(created(&format!("k{i}"), one_way("Done.")).to_string()).send().await.unwrap();
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
    }
    let refused = refused.expect("fifty posts at once are more than three a second");
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(refused.headers()["content-type"], "application/json");
    for _ in 0..20 {
        assert_eq!(server.status(&asked).await, "pending");
    }
    // Without the token nothing is counted.
    let stranger = server.client.http.post(server.client.url.clone() + "/v1/events");
    assert_eq!(reply(stranger).await.status, 401);
}

#[tokio::test]
async fn a_waiter_that_hangs_up_is_forgotten() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let mut stream = connect(&server).await;
    let path = path_of(&asked, "/wait?timeout=300");
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    server.waiters(1).await;
    drop(stream);
    server.waiters(0).await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_those_who_never_end() {
    let server = Server::start().await;
    let mut slow = connect(&server).await;
    slow.write_all(head("Content-Length: 100\r\n").as_bytes()).await.unwrap();
    slow.write_all(b"{").await.unwrap();
    server.get("/v1/health").await;
    let begin = std::time::Instant::now();
    server.stop().await.unwrap();
    assert!(begin.elapsed() < Duration::from_secs(20), "the drain has an end");
}

#[tokio::test]
async fn what_is_no_http_is_told_so_in_the_one_shape() {
    let server = Server::start().await;
    let host = "Host: localhost\r\n";
    for (request, status) in [
        ("nonsense\r\n\r\n".to_owned(), 400),
        ("GET /health\r\n\r\n".to_owned(), 400),
        (format!("GET /health HTTP/9.9\r\n{host}\r\n"), 400),
        (format!("GET /health HTTP/1.1\r\n{host}a b: c\r\n\r\n"), 400),
        (format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(100_000)), 414),
        (format!("GET /health HTTP/1.1\r\n{host}{}\r\n", "x-a: b\r\n".repeat(200)), 431),
    ] {
        let mut stream = connect(&server).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        let reply = rest(stream).await;
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
        assert!(head.contains("content-type: application/json"), "{head}");
        assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert!(body["error"].is_string() && body.as_object().unwrap().len() == 1, "{body}");
    }
    // A request before it on the same connection has its own reply.
    let mut stream = connect(&server).await;
    stream.write_all(format!("GET /health HTTP/1.1\r\n{host}\r\nnonsense\r\n\r\n").as_bytes()).await.unwrap();
    let replies = rest(stream).await;
    assert!(replies.starts_with("HTTP/1.1 200 ") && replies.contains("HTTP/1.1 400 "), "{replies}");
}
