//! Every way in which the program comes to no verdict, and what it says then: what happened, where, and what to do next.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod crash_dummy;
#[path = "support/tls.rs"]
mod tls;

use crash_dummy::{Behaviour, Dummy, Null};
use std::fmt::Write as _;
use std::fs::{File, create_dir, write};
use std::path::Path;
use std::process::{Output, Stdio};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::process::Command;

/// Commands that need no consumer. `URL` is a port where nobody listens.
const CASES: &[&str] = &[
    "rum",
    "run --tokn t",
    "run URL",
    "run URL --token-file nowhere",
    "run URL --token-file hollow",
    "run URL --token-file empty",
    "run URL --token-file two-words",
    "run URL --token-file binary",
    "run URL --token canary\u{e9}",
    "run 127.0.0.1:47821",
    "run localhost --token tok",
    "run ftp://127.0.0.1 --token tok",
    "run http://canary@127.0.0.1 --token tok",
    "run http://127.0.0.1/?token=canary --token tok",
    "run URL --token tok",
    "run https://127.0.0.1:1 --token tok",
    "run URL --url nonsense --token tok",
    "run --spawn ./consumer",
    "run URL --token tok --consumer-log nowhere.log",
    "run URL --token tok --spawn false",
    "run --profile nowhere.json",
    "run --profile broken.json",
    "run --profile wrong.json",
    "run --known-failures nowhere.json",
    "run --known-failures broken.json",
    "run --known-failures wrong.json",
    "run --known-failures misspelt.json",
    "run --claim consumr",
    "run --claim fame",
    "run --only ANS-006",
    "run --only ans-digst",
    "run --skip everything-else",
    "run --cases many",
    "run --seed pumpkin",
    "run --jobs 0",
    "run --rate fast",
    "run --timeout soon",
    "run --budget 0",
    "run --format yaml",
    "run --report report.html",
    "run --report pdf=report.pdf",
    "run --report html=nowhere/report.html",
    "replay nowhere.json URL",
    "replay broken.json URL",
    "replay wrong.json URL",
    "replay senseless.json URL",
    "verify nowhere.json",
    "verify broken.json",
    "verify wrong.json",
    "challenge ANS-06 --from nowhere.json",
    "challenge ANS-06 --from broken.json",
    "challenge ANS-06 --from wrong.json",
    "explain ANS-66",
    "explain everything",
    "list --format yaml",
    "vectors export taken",
    "vectors export empty",
    "producer",
    "producer --script alow -- true",
    "producer --limit never -- true",
    "producer -- ./nowhere",
    "demo DigestWithoutTitel",
    "demo Everything",
    "demo DigestWithoutTitle --frobnicate",
];

fn lay_out(folder: &Path) {
    for name in ["hollow", "taken", "taken/schemas"] {
        create_dir(folder.join(name)).unwrap();
    }
    let misspelt = r#"{"known_failures":[{"requirement":"ANS-006","reason":"r","expires":"2027-01-01"}]}"#;
    let senseless = r#"{"id":"senseless","title":"It names what is not there","proves":["ANS-06"],"steps":[
        {"post":{"event":"ask","as":"q","expect":"created"}},{"again":{"step":"p","expect":"created"}}]}"#;
    for (name, text) in [
        ("senseless.json", senseless.as_bytes()),
        ("empty", b"\n"),
        ("two-words", b"canary canary\n"),
        ("binary", b"\xff\xfe"),
        ("broken.json", b"{\"a\": 1,"),
        ("wrong.json", b"{}"),
        ("misspelt.json", misspelt.as_bytes()),
        ("taken/schemas/arc-0.2.schema.json", b"mine"),
    ] {
        write(folder.join(name), text).unwrap();
    }
}

fn arc_conform<'a>(folder: &Path, args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    command.env_remove("ARC_TOKEN").args(args).stdin(Stdio::null()).current_dir(folder).kill_on_drop(true);
    command
}

/// What a person reads of it: standard error and, where a consumer could not be judged, that line of the report.
fn said(output: &Output, changing: &[(&str, &str)]) -> String {
    let stdout = String::from_utf8(output.stdout.clone()).unwrap();
    let mut said: String =
        stdout.lines().filter(|line| line.starts_with("Not ")).flat_map(|line| [line, "\n"]).collect();
    said.push_str(std::str::from_utf8(&output.stderr).unwrap());
    for (text, name) in changing {
        said = said.replace(text, name);
    }
    let code = output.status.code().unwrap();
    assert!(code > 0 && !said.trim().is_empty() && !said.contains("canary"), "{code}: {said}{stdout}");
    format!("{said}exit code {code}\n\n")
}

/// Where nobody listens.
async fn free_url() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[tokio::test]
async fn every_error_says_what_happened_where_and_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    lay_out(folder.path());
    let url = free_url().await;
    let host = url.trim_start_matches("http://");
    let mut table = String::new();
    for case in CASES {
        let args: Vec<String> = case.split_whitespace().map(|word| word.replace("URL", &url)).collect();
        let output = arc_conform(folder.path(), args.iter().map(String::as_str)).output().await.unwrap();
        let case = case.replace("canary", "[secret]");
        write!(table, "$ arc-conform {case}\n{}", said(&output, &[(&url, "URL"), (host, "HOST")])).unwrap();
    }
    let full = File::options().write(true).open("/dev/full").unwrap();
    let listing = arc_conform(folder.path(), ["list"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let output = listing.wait_with_output().await.unwrap();
    write!(table, "$ arc-conform list > /dev/full\n{}", said(&output, &[])).unwrap();
    let full = ["run", "--only", "ENV-01", "--cases", "0", "--report", "html=/dev/full"];
    let output = arc_conform(folder.path(), full).output().await.unwrap();
    write!(table, "$ arc-conform {}\n{}", full.join(" "), said(&output, &[])).unwrap();
    insta::assert_snapshot!(table.trim_end());
}

/// Reads each request, writes that and hangs up.
async fn writes(reply: String) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 8_192]).await;
            let _ = stream.write_all(reply.as_bytes()).await;
        }
    });
    url
}

/// One reply for everything.
async fn says(head: &str) -> String {
    writes(format!("HTTP/1.1 {head}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}")).await
}

/// A consumer behind a certificate that nobody has signed.
async fn with_a_certificate_of_its_own() -> String {
    let (acceptor, _) = tls::certified();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let _ = acceptor.accept(stream).await;
        }
    });
    url
}

#[tokio::test]
async fn a_consumer_that_cannot_be_judged_is_told_apart_from_one_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let dummy = Dummy::start(Behaviour::plain()).await;
    let (hangs, missing) = (Null::Hang.start().await, Null::Always404.start().await);
    let (broken, strict) = (Null::Always500.start().await, Null::Always400.start().await);
    let mut table = String::new();
    for (what, url) in [
        ("another token is right", dummy.url().to_owned()),
        ("it never replies", hangs.url().to_owned()),
        ("nothing is there", missing.url().to_owned()),
        ("it redirects", says("302 Found\r\nLocation: /elsewhere").await),
        ("it breaks down", broken.url().to_owned()),
        ("it takes no body", says("413 Content Too Large").await),
        ("it refuses everything", strict.url().to_owned()),
        ("it is no HTTP server", writes(String::new()).await),
        ("its certificate is its own", with_a_certificate_of_its_own().await),
    ] {
        let patience = if url == hangs.url() { "300ms" } else { "60s" };
        let args = ["run", &url, "--token", "canary", "--timeout", patience, "--cases", "0"];
        let output = arc_conform(folder.path(), args).output().await.unwrap();
        assert_eq!(output.status.code(), Some(3), "{what}");
        let host = url.split_once("//").unwrap().1;
        write!(table, "# {what}\n{}", said(&output, &[(&url, "URL"), (host, "HOST")])).unwrap();
    }
    insta::assert_snapshot!(table.trim_end());
}
