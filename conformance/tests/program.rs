//! The whole program: what it prints, and how it ends.

mod crash_dummy;

use crash_dummy::{Behaviour, Dummy, Fault, Null};
use serde_json::Value;
use std::io::Write as _;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};
use tokio::process::Command;

/// Runs the program where what it leaves behind goes away with the test.
async fn arc_conform(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    command.env_remove("ARC_TOKEN").args(args).stdin(Stdio::null()).current_dir(folder.path());
    command.output().await.expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("it prints UTF-8")
}

fn is_valid_report(text: &str) -> Value {
    let report: Value = serde_json::from_str(text).expect("the report is JSON");
    let schema = include_str!("../../schemas/report.schema.json");
    assert_eq!(arc_conformance::schema::check(schema, &report), Ok(()));
    report
}

#[tokio::test]
async fn the_embedded_broker_conforms() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let output = arc_conform(&["run", "--report", &format!("json={}", file.display())]).await;
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("Claim consumer holds: this consumer implements the ARC 0.2 request creation"), "{text}");
    assert!(text.contains("Claim agentnotify-http holds"), "{text}");
    let report = is_valid_report(&std::fs::read_to_string(file).unwrap());
    for requirement in report["requirements"].as_array().unwrap() {
        if ["consumer", "agentnotify-http"].contains(&requirement["claim"].as_str().unwrap()) {
            let verdict = requirement["verdict"].as_str().unwrap();
            assert!(["pass", "not_applicable"].contains(&verdict), "{requirement}");
        }
    }
}

#[tokio::test]
async fn null_consumers_fail_and_the_first_lines_say_why() {
    for null in Null::ALL {
        let server = null.start().await;
        let began = Instant::now();
        let output = arc_conform(&["run", server.url(), "--token", server.token()]).await;
        let text = stdout(&output);
        let head: String = text.lines().take(6).collect::<Vec<_>>().join("\n");
        assert!(began.elapsed() < Duration::from_secs(30), "{null:?}");
        assert!(matches!(output.status.code(), Some(1 | 3)), "{null:?}: {text}");
        let why = match null {
            Null::Always200 => "FAIL ENV-01",
            Null::Always400 => "no ARC 0.2 consumer",
            Null::Always404 => "there is no event endpoint here",
            Null::Always500 => "server error",
            Null::Hang => "no reply came within the time limit",
            Null::Close => "no HTTP reply came",
            Null::Html => "no JSON object",
        };
        assert!(head.contains(why), "{null:?}: {head}");
    }
}

#[tokio::test]
async fn a_target_that_cannot_be_judged_is_told_in_one_line() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let output = arc_conform(&["run", &url, "--token", "canary-token"]).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("Not judged: URL: the consumer cannot be reached"), "{}", stdout(&output));

    let dummy = Dummy::start(Behaviour::plain()).await;
    let output = arc_conform(&["run", dummy.url(), "--token", "canary-token", "--format", "json"]).await;
    assert_eq!(output.status.code(), Some(3));
    let report = is_valid_report(&stdout(&output));
    assert!(report["trouble"].as_str().unwrap().starts_with("token: the consumer refuses it"), "{report}");
    assert!(!stdout(&output).contains("canary-token"));
}

#[tokio::test]
async fn usage_errors_are_2_and_say_what_to_do() {
    for (args, words) in [
        (&["run", "http://127.0.0.1:1"][..], "token is needed"),
        (&["run", "127.0.0.1:1", "--token", "t"], "is no URL"),
        (&["run", "ftp://127.0.0.1:1", "--token", "t"], "over http:// or https://"),
        (&["run", "http://name:canary@127.0.0.1:1", "--token", "t"], "a name or a password in it"),
        (&["run", "http://127.0.0.1:1", "--token", ""], "--token or ARC_TOKEN is empty"),
        (&["run", "http://127.0.0.1:1", "--token-file", "/no/such/file"], "/no/such/file"),
        (&["run", "--only", "ANS-99"], "\"ANS-99\" is no requirement"),
        (&["run", "--claim", "consumers"], "is no claim; did you mean consumer?"),
        (&["run", "--claim", "durable"], "--spawn"),
        (&["run", "--claim", "private-logs"], "--consumer-log FILE"),
        (&["run", "--report", "pdf=x"], "FORMAT is html, json, junit, markdown, badge, badge-svg, claim"),
        (&["run", "--rate", "0"], "a number of requests a second is needed"),
        (&["run", "--budget", "soon"], "a duration longer than nothing is needed"),
        (&["run", "--jobs", "0"], "0 is not in 1..=256"),
        (&["run", "--known-failures", "/no/such/file"], "/no/such/file"),
        (&["producer"], "<CMD>"),
        (
            &["producer", "--script", "shrug", "--", "true"],
            "scripts are allow, deny, text, silence, late, conflict, retry",
        ),
        (&["challenge", "ANS-06", "--from", "/no/such/file"], "/no/such/file"),
        (&["run", "--profile", "/no/such/file"], "/no/such/file"),
        (&["explain", "ANS-99"], "no requirement and no scenario"),
        (&["run", "--nonsense"], "--nonsense"),
    ] {
        let output = arc_conform(args).await;
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
}

#[tokio::test]
async fn every_format_tells_the_same_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let dummy = Dummy::start(Behaviour::fault(Fault::DigestUnchecked)).await;
    let file = |format: &str| format!("{format}={}", folder.path().join(format).display());
    let formats = ["html", "json", "junit", "markdown", "badge", "badge-svg", "claim"];
    let files = formats.map(file);
    let target = ["run", dummy.url(), "--token", dummy.token(), "--cases", "0", "--only", "ANS-06"];
    let reports: Vec<&str> = files.iter().flat_map(|file| ["--report", file.as_str()]).collect();
    assert_eq!(arc_conform(&[&target[..], &reports[..]].concat()).await.status.code(), Some(1));
    let read = |format: &str| std::fs::read_to_string(folder.path().join(format)).unwrap();
    is_valid_report(&read("json"));
    assert!(read("junit").contains("<failure message=\"ANS-06"), "{}", read("junit"));
    assert!(read("junit").contains("failures=\"1\""), "{}", read("junit"));
    assert!(read("markdown").contains("| ANS-06 | fail (must) |"), "{}", read("markdown"));
    assert!(read("badge").contains("1 failed, 62 open, 0/63 passed"), "{}", read("badge"));
    assert!(read("badge-svg").contains("1 failed, 62 open, 0/63 passed"), "{}", read("badge-svg"));
    assert!(read("html").contains("response.submitted") && read("html").contains("id=\"scenario-"), "{}", read("html"));
    let report: Value = serde_json::from_str(&read("json")).unwrap();
    let stories = report["scenarios"].as_array().unwrap().iter().filter_map(|s| s["story"]["exchanges"].as_array());
    let legs: Vec<&Value> = stories.flatten().collect();
    assert!(legs.iter().any(|leg| leg["is_offending"] == true && leg["answer"] == "200 OK"), "{legs:#?}");
    for format in formats {
        let text = read(format).replace(&arc_conformance::scenario::fingerprint(), "");
        assert!(!text.contains(dummy.token()), "{format}");
        // Nothing that has the shape of a digest, and no nonce beside its name.
        let longest = text.split(|c: char| !c.is_ascii_hexdigit()).map(str::len).max().unwrap_or(0);
        assert!(longest < 40, "{format}");
        let plain = [("&#34;", "\""), ("&quot;", "\""), ("\\\"", "\""), ("&#60;", "<"), ("&lt;", "<")];
        let text = plain.into_iter().fold(text, |text, (escaped, plain)| text.replace(escaped, plain));
        let shown = text.split("\"nonce\":\"").skip(1).find(|rest| !rest.starts_with("<nonce"));
        assert_eq!(shown.map(|rest| &rest[..8]), None, "{format}");
    }
}

#[tokio::test]
async fn known_failures_are_put_up_with_until_their_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.json");
    let dummy = Dummy::start(Behaviour::fault(Fault::BodyUnbounded)).await;
    let target = ["run", dummy.url(), "--token", dummy.token(), "--cases", "0", "--known-failures"];
    for (requirement, expires, code) in
        [("HTP-06", "2999-12-31", 0), ("HTP-06", "2001-01-01", 1), ("ANS-06", "2999-12-31", 1)]
    {
        let entry = serde_json::json!({ "requirement": requirement, "reason": "ticket 7", "expires": expires });
        std::fs::write(&path, serde_json::json!({ "known_failures": [entry] }).to_string()).unwrap();
        let output = arc_conform(&[&target[..], &[path.to_str().unwrap()]].concat()).await;
        assert_eq!(output.status.code(), Some(code), "{requirement} {expires}: {}{}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains("Claim agentnotify-http does not hold"), "{}", stdout(&output));
    }
}

#[tokio::test]
async fn two_runs_at_once_do_not_disturb_each_other() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let args = ["run", dummy.url(), "--token", dummy.token()];
    let (one, other) = futures_util::future::join(arc_conform(&args), arc_conform(&args)).await;
    for output in [one, other] {
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    }
}

#[tokio::test]
async fn a_claim_file_can_be_verified_and_not_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claim.json");
    let file = path.to_str().unwrap();
    let output = arc_conform(&["run", "--cases", "0", "--report", &format!("claim={file}")]).await;
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let verified = arc_conform(&["verify", file]).await;
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified));
    assert!(stdout(&verified).contains("Claim consumer holds"), "{}", stdout(&verified));
    let text = std::fs::read_to_string(file).unwrap().replacen("\"verdict\": \"pass\"", "\"verdict\": \"fail\"", 1);
    std::fs::write(file, text).unwrap();
    let verified = arc_conform(&["verify", file]).await;
    assert_eq!(verified.status.code(), Some(1));
    assert!(stdout(&verified).contains("does not follow from the verdicts"), "{}", stdout(&verified));
}

#[tokio::test]
async fn a_part_is_never_the_whole() {
    let output = arc_conform(&["run", "--only", "LIF-10"]).await;
    assert_eq!(output.status.code(), Some(4));
    assert!(stdout(&output).contains("Claim consumer is open"), "{}", stdout(&output));
}

#[tokio::test]
async fn a_failing_lifecycle_is_shrunk_and_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let failures = folder.path().to_str().unwrap();
    let dummy = Dummy::start(Behaviour::fault(Fault::SupersededAnswerable)).await;
    let target = [dummy.url(), "--token", dummy.token()];
    let args = ["run", "--seed", "1", "--cases", "40", "--only", "LIF-13", "--failures", failures];
    let output = arc_conform(&[&args[..], &target[..]].concat()).await;
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("seed 1"), "{}", stdout(&output));
    let file = std::fs::read_dir(failures).unwrap().next().unwrap().unwrap().path();
    let scenario: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert!(scenario["steps"].as_array().unwrap().len() <= 4, "{scenario:#}");
    let replay = ["replay", file.to_str().unwrap()];
    assert_eq!(arc_conform(&[&replay[..], &target[..]].concat()).await.status.code(), Some(1));
    let plain = Dummy::start(Behaviour::plain()).await;
    let target = [plain.url(), "--token", plain.token()];
    assert_eq!(arc_conform(&[&replay[..], &target[..]].concat()).await.status.code(), Some(0));
}

#[tokio::test]
async fn a_log_that_holds_the_token_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let dummy = Dummy::start(Behaviour::plain()).await;
    let args =
        ["run", dummy.url(), "--token", dummy.token(), "--claim", "private-logs", "--cases", "0", "--only", "PRV"];
    let (path, text) = (log.clone(), format!("Authorization: Bearer {}\n", dummy.token()));
    let writer = tokio::spawn(async move {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        // The log has to grow while the kit looks.
        loop {
            file.write_all(text.as_bytes()).unwrap();
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    });
    let output = arc_conform(&[&args[..], &["--consumer-log", log.to_str().unwrap()]].concat()).await;
    writer.abort();
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("FAIL PRV-03"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("FAIL PRV-01"), "{}", stdout(&output));
}

#[tokio::test]
async fn a_closed_pipe_is_success() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    let mut child = child.args(["list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().await.unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

/// Takes out what differs from run to run.
fn stable(text: &str, url: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.ends_with('s') && line.contains(" requests") {
            continue;
        }
        lines.push(line.replace(url, "http://HOST"));
    }
    let text = lines.join("\n");
    let times = |text: &str| {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("20") {
            // What is shown of a reply may end in the middle of one.
            let is_stamp = rest.as_bytes().get(at + 4) == Some(&b'-') && rest.as_bytes().get(at + 10) == Some(&b'T');
            let is_part = |c: char| c.is_ascii_digit() || "-:.TZ".contains(c);
            let end = rest[at..].find(|c| !is_part(c)).map_or(rest.len(), |length| at + length);
            out.push_str(&rest[..at]);
            out.push_str(if is_stamp { "TIME" } else { "20" });
            rest = &rest[if is_stamp { end } else { at + 2 }..];
        }
        out + rest
    };
    hexless(&times(&text))
}

/// Replaces runs of eight or more hexadecimal digits.
fn hexless(text: &str) -> String {
    let mut out = String::new();
    let mut run = String::new();
    for character in text.chars().chain(['\n']) {
        if character.is_ascii_hexdigit() {
            run.push(character);
            continue;
        }
        out.push_str(if run.len() >= 8 { "HEX" } else { &run });
        run.clear();
        out.push(character);
    }
    out
}

#[tokio::test]
async fn a_failing_report_explains_itself_without_secrets() {
    let dummy = Dummy::start(Behaviour::fault(Fault::DigestUnchecked)).await;
    let output = arc_conform(&[
        "run",
        dummy.url(),
        "--token",
        dummy.token(),
        "--cases",
        "0",
        "--only",
        "ans-digest",
        "--only",
        "LIF-10",
    ])
    .await;
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!text.contains(dummy.token()));
    insta::assert_snapshot!(stable(&text, dummy.url()));
}
