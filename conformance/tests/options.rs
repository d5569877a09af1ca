//! What the options of `arc-conform run` do, and the subcommands that judge nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod crash_dummy;
#[path = "support/tls.rs"]
mod tls;

use crash_dummy::{Behaviour, Dummy, Fault, Null};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

/// The program, where what it leaves behind goes away with the test.
fn arc_conform(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    command.env_remove("ARC_TOKEN").args(args).stdin(Stdio::null()).current_dir(folder).kill_on_drop(true);
    command
}

async fn run(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    arc_conform(folder.path(), args).output().await.expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints UTF-8")
}

/// A run's JSON report.
async fn report(dummy: &Dummy, options: &[&str]) -> (Option<i32>, Value) {
    let target = ["run", dummy.url(), "--token", dummy.token(), "--cases", "0", "--format", "json"];
    let output = run(&[&target[..], options].concat()).await;
    let report = serde_json::from_slice(&output.stdout);
    (output.status.code(), report.unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr))))
}

fn verdicts(report: &Value) -> BTreeMap<&str, &str> {
    let requirements = report["requirements"].as_array().expect("requirements");
    requirements.iter().map(|r| (r["id"].as_str().unwrap(), r["verdict"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_consumer_may_be_named_by_the_option_alone() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let options = ["--token", dummy.token(), "--only", "ENV-01", "--wait-for-ready", "5s", "--format", "json"];
    let output = run(&[&["run", "--url", dummy.url()][..], &options].concat()).await;
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdicts(&report)["ENV-01"], "pass", "{report:#}");
}

#[tokio::test]
async fn a_dry_run_tells_the_plan_and_asks_nothing() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let output = run(&["run", &url, "--dry-run", "--only", "ANS-14", "--rate", "2/s", "--cases", "3"]).await;
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("ans-silence "), "{text}");
    assert!(text.contains(" scenarios for consumer, agentnotify-http: at least "), "{text}");
    assert!(text.contains("requests/s") && text.ends_with("Nothing was asked.\n"), "{text}");
    let asked = tokio::select! {
        biased;
        _ = listener.accept() => true,
        () = std::future::ready(()) => false,
    };
    assert!(!asked, "a connection came");
}

#[tokio::test]
async fn a_spent_budget_leaves_the_rest_inconclusive() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    // At this rate the first look takes one second, and the whole minutes.
    let (code, report) = report(&dummy, &["--budget", "4s", "--rate", "20/s"]).await;
    assert_eq!(code, Some(4));
    let verdicts = verdicts(&report);
    let of_claims = |id: &&str| ["ENV", "ANS", "LIF", "DIG"].iter().any(|family| id.starts_with(family));
    let (mut passed, mut left) = (0, 0);
    for (id, verdict) in verdicts.iter().filter(|(id, _)| of_claims(id)) {
        match *verdict {
            "inconclusive" => left += 1,
            "pass" => passed += 1,
            other => panic!("{id} is {other}"),
        }
    }
    assert!(left > passed, "{left} left, {passed} passed");
    assert_eq!(report["claims"][0]["standing"], "open");
    assert!(report.to_string().contains("not begun: the time that --budget gives was over"));
}

#[tokio::test]
async fn the_first_look_is_bounded_by_the_budget() {
    let hangs = Null::Hang.start().await;
    let output = run(&["run", hangs.url(), "--token", hangs.token(), "--budget", "200ms", "--timeout", "60s"]).await;
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("Not judged: budget: the first look"), "{text}");
}

#[tokio::test]
async fn a_rate_is_kept() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let (_, report) = report(&dummy, &["--only", "LIF-10", "--only", "DIG-01", "--rate", "40/s"]).await;
    let (requests, seconds) = (report["requests"].as_f64().unwrap(), report["seconds"].as_f64().unwrap());
    assert!(requests > 10.0, "{requests}");
    // Each request but the first waits for its turn; nothing makes it come sooner.
    assert!(seconds >= (requests - 1.0) / 40.0, "{requests} requests in {seconds} s");
}

#[tokio::test]
async fn only_and_skip_take_requirements_scenarios_families_and_claims() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    for (options, on, off) in [
        (&["--only", "LIF-10"][..], "LIF-10", "ANS-06"),
        (&["--only", "ans-digest"], "ANS-06", "LIF-10"),
        (&["--only", "DIG"], "DIG-01", "LIF-10"),
        (&["--only", "agentnotify-http", "--skip", "HTP-06"], "HTP-03", "HTP-06"),
        (&["--only", "DIG", "--only", "LIF-10", "--skip", "DIG"], "LIF-10", "DIG-01"),
    ] {
        let (code, report) = report(&dummy, options).await;
        let verdicts = verdicts(&report);
        assert_eq!(code, Some(4), "{options:?}: a part is never the whole");
        assert!(["pass", "disabled"].contains(&verdicts[on]), "{options:?}: {on} is {}", verdicts[on]);
        assert_eq!(verdicts[off], "disabled", "{options:?}");
        let played: Vec<&str> =
            report["scenarios"].as_array().unwrap().iter().map(|s| s["id"].as_str().unwrap()).collect();
        assert!(!played.is_empty(), "{options:?}");
    }
}

#[tokio::test]
async fn a_timeout_is_told_at_once() {
    let hangs = Null::Hang.start().await;
    let output = run(&["run", hangs.url(), "--token", hangs.token(), "--timeout", "200ms"]).await;
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("no reply came within the time limit"), "{}", stdout(&output));
}

#[tokio::test]
async fn a_consumer_that_is_not_there_yet_is_waited_for() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("http://{address}");
    let folder = tempfile::tempdir().unwrap();
    let args = ["run", &url, "--token", dummy.token(), "--only", "LIF-10", "--wait-for-ready", "60s", "--cases", "0"];
    let judging = arc_conform(folder.path(), &args).stdout(Stdio::piped()).spawn().unwrap();
    // Time enough to find nobody there; should it not be, the run comes out the same.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let front = TcpListener::bind(address).await.unwrap();
    forward(front, dummy.url().trim_start_matches("http://").parse().unwrap());
    let output = judging.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stdout(&output));
    assert!(stdout(&output).contains("LIF  16 requirements: 1 pass"), "{}", stdout(&output));
}

/// Passes connections on.
fn forward(front: TcpListener, to: SocketAddr) {
    tokio::spawn(async move {
        loop {
            let (mut near, _) = front.accept().await.unwrap();
            tokio::spawn(async move {
                let mut far = TcpStream::connect(to).await.unwrap();
                let _ = copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
}

/// A proxy in the environment that would answer everything itself: the loopback is not its to capture.
#[tokio::test]
async fn a_system_proxy_does_not_capture_the_loopback() {
    let proxy = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    let captured = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = Arc::clone(&captured);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = proxy.accept().await.unwrap();
            seen.store(true, std::sync::atomic::Ordering::Relaxed);
            let _ = stream.read(&mut [0; 1024]).await;
            let _ = stream.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n").await;
        }
    });
    let dummy = Dummy::start(Behaviour::plain()).await;
    let folder = tempfile::tempdir().unwrap();
    let mut command = arc_conform(folder.path(), &["run", dummy.url(), "--token", dummy.token(), "--only", "LIF-10"]);
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, &address);
    }
    let output = command.env_remove("NO_PROXY").env_remove("no_proxy").output().await.unwrap();
    assert!(stdout(&output).contains("LIF  16 requirements: 1 pass"), "{}", stdout(&output));
    assert!(!captured.load(std::sync::atomic::Ordering::Relaxed), "the proxy was asked");
}

/// A consumer behind TLS whose certificate the system trusts is judged; one that it does not trust is not.
#[tokio::test]
async fn consumers_behind_tls_are_judged() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let (acceptor, certificate) = tls::certified();
    let front = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("https://{}", front.local_addr().unwrap());
    let to: SocketAddr = dummy.url().trim_start_matches("http://").parse().unwrap();
    tokio::spawn(async move {
        loop {
            let (near, _) = front.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(mut near) = acceptor.accept(near).await else { return };
                let mut far = TcpStream::connect(to).await.unwrap();
                let _ = copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let trusted = folder.path().join("trusted.pem");
    std::fs::write(&trusted, certificate).unwrap();
    let args = ["run", &url, "--token", dummy.token(), "--only", "LIF-10", "--cases", "0"];
    let output = arc_conform(folder.path(), &args).env("SSL_CERT_FILE", &trusted).output().await.unwrap();
    assert!(stdout(&output).contains("LIF  16 requirements: 1 pass"), "{}", stdout(&output));

    let output = arc_conform(folder.path(), &args).output().await.unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
    assert!(stdout(&output).contains("certificate"), "{}", stdout(&output));
}

#[tokio::test]
async fn vectors_are_exported_as_they_are_in_the_tree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out");
    let to = to.to_str().unwrap();
    let output = run(&["vectors", "export", to]).await;
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let exported = tree(Path::new(to));
    let mut there = BTreeMap::new();
    for part in ["schemas", "vectors"] {
        there.extend(tree(&root.join(part)).into_iter().map(|(path, bytes)| (format!("{part}/{path}"), bytes)));
    }
    assert!(exported.keys().eq(there.keys()), "other files");
    assert!(exported == there, "other bytes");

    let changed = Path::new(to).join("vectors/requirements.json");
    std::fs::write(&changed, "mine").unwrap();
    let refused = run(&["vectors", "export", to]).await;
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force overwrites"));
    assert_eq!(std::fs::read_to_string(&changed).unwrap(), "mine");
    assert_eq!(run(&["vectors", "export", to, "--force"]).await.status.code(), Some(0));
    assert!(tree(Path::new(to)) == there);
}

/// Every file under a folder, by its path there.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(folder, folder, &mut files);
    files
}

#[tokio::test]
async fn a_challenge_is_filled_in_from_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let dummy = Dummy::start(Behaviour::fault(Fault::DigestUnchecked)).await;
    let json = format!("json={}", file.display());
    let target = ["run", dummy.url(), "--token", dummy.token(), "--cases", "0", "--only", "ANS-06", "--report", &json];
    assert_eq!(run(&target).await.status.code(), Some(1));
    let from = file.to_str().unwrap();
    for id in ["ANS-06", "ans-06", "ans-digest"] {
        let output = run(&["challenge", id, "--from", from]).await;
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{id}: {}", String::from_utf8_lossy(&output.stderr));
        for words in [
            "the verdict \"fail\" is disputed",
            "> Rule 4: an answer whose digest",
            "### Scenario ans-digest",
            "    permitted rejected (400)",
            "vectors `",
        ] {
            assert!(text.contains(words), "{id}: {words}: {text}");
        }
        assert!(!text.contains(dummy.token()));
    }
    let unknown = run(&["challenge", "ANS-99", "--from", from]).await;
    assert_eq!(unknown.status.code(), Some(2));
    std::fs::write(&file, "{}").unwrap();
    let broken = run(&["challenge", "ANS-06", "--from", from]).await;
    assert_eq!(broken.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&broken.stderr).contains("is no report of arc-conform"));
}

#[tokio::test]
async fn every_requirement_and_scenario_is_listed_and_explained() {
    let list = run(&["list", "--format", "json"]).await;
    let list: Value = serde_json::from_slice(&list.stdout).unwrap();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), arc_conformance::requirement::all().len());
    let ans = list.iter().find(|r| r["id"] == "ANS-06").unwrap();
    assert!(ans["scenarios"].as_array().unwrap().contains(&"ans-digest".into()), "{ans}");
    let text = stdout(&run(&["explain", "ANS-06"]).await);
    for words in ["Rule 4:", "Observed:", "ans-digest:", "a consumer that", "(DigestUnchecked)"] {
        assert!(text.contains(words), "{text}");
    }
    let text = stdout(&run(&["explain", "ASK-07"]).await);
    assert!(text.contains("9. answer to a one-way condition: any refusal"), "{text}");
    let text = stdout(&run(&["explain", "ans-digest"]).await);
    assert!(text.contains("Proves: ANS-06") && text.contains("\"id\": \"ans-digest\""), "{text}");
    let text = stdout(&run(&["explain", "PRO-10"]).await);
    assert!(text.contains("arc-conform producer judges it"), "{text}");
}

#[tokio::test]
async fn help_teaches_and_the_version_names_contract_and_vectors() {
    let help = stdout(&run(&["--help"]).await);
    for words in ["Examples:", "arc-conform run", "Exit codes:", "arc-conform producer --"] {
        assert!(help.contains(words), "{words}: {help}");
    }
    let version = stdout(&run(&["--version"]).await);
    let lines: Vec<&str> = version.lines().collect();
    let vectors = format!("vectors {}", arc_conformance::scenario::fingerprint());
    assert_eq!(lines, [concat!("arc-conform ", env!("CARGO_PKG_VERSION")), "contract ARC 0.2", vectors.as_str()]);
    for command in ["run", "producer", "replay", "challenge"] {
        let help = stdout(&run(&[command, "--help"]).await);
        assert!(help.contains("Examples:"), "{command}: {help}");
    }
}

#[tokio::test]
async fn completions_and_manual_come_from_the_definition() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell]).await;
        assert!(stdout(&output).contains("known-failures"), "{shell}");
    }
    let manual = stdout(&run(&["man"]).await);
    for words in [".TH arc-conform 1  \"arc-conform 0.2.0\"", "known\\-failures", "\\-\\-script", "Exit codes"] {
        assert!(manual.contains(words), "{words}");
    }
}

/// What the README tells of is there: options, report formats, commands.
#[tokio::test]
async fn the_readme_tells_of_what_is_there() {
    let readme = include_str!("../README.md");
    let mut help = String::new();
    for command in ["run", "producer", "challenge", "replay"] {
        help.push_str(&stdout(&run(&[command, "--help"]).await));
    }
    help.push_str(&stdout(&run(&["--help"]).await));
    let words = readme.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let options: Vec<&str> = words.filter(|word| word.starts_with("--") && !word.ends_with('-')).collect();
    assert!(options.len() > 15, "{options:?}");
    for option in options {
        assert!(help.contains(option), "{option}");
    }
    for command in
        ["list", "explain", "replay", "verify", "challenge", "vectors", "completions", "man", "producer", "run"]
    {
        assert!(help.contains(&format!("  {command} ")) || help.contains(&format!("  {command}\n")), "{command}");
        assert!(readme.contains(command), "{command}");
    }
    for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(link).exists(), "{link}");
    }
}
