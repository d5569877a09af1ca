//! The kit kills the reference broker and starts it again; and it notices a consumer that forgets.

use arc_reference_broker::{Broker, Config, Token};
use std::env;
use std::path::Path;
use std::process::Output;
use tokio::net::TcpListener;
use tokio::process::Command;

const TOKEN: &str = "token-of-the-durability-test";

/// Not a test of its own: the consumer of the others. They start this program once more with these variables set.
#[tokio::test]
async fn the_consumer_of_the_other_tests() {
    let (Ok(folder), Ok(address)) = (env::var("ARC_TEST_FOLDER"), env::var("ARC_TEST_ADDRESS")) else { return };
    let forgets = env::var("ARC_TEST_FORGETS").is_ok();
    let name = if forgets { format!("{}.sqlite", std::process::id()) } else { "broker.sqlite".to_owned() };
    let config = Config::new(Path::new(&folder).join(name), Token::new(TOKEN.to_owned()));
    let broker = Broker::open(config).unwrap();
    let listener = TcpListener::bind(address).await.unwrap();
    broker.serve(listener, std::future::pending()).await.unwrap();
}

async fn judged(forgets: &str) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    drop(listener);
    let program = env::current_exe().expect("this program");
    let spawn = format!(
        "env {forgets} ARC_TEST_FOLDER={} ARC_TEST_ADDRESS={address} {} --exact the_consumer_of_the_other_tests",
        folder.path().display(),
        program.display(),
    );
    let url = format!("http://{address}");
    let args =
        ["run", &url, "--token", TOKEN, "--spawn", &spawn, "--claim", "durable", "--only", "DUR", "--cases", "0"];
    Command::new(env!("CARGO_BIN_EXE_arc-conform")).args(args).output().await.expect("the program starts")
}

#[tokio::test]
async fn the_reference_broker_survives_crashes() {
    let output = judged("").await;
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("Claim durable holds"), "{text}");
}

#[tokio::test]
async fn a_consumer_that_forgets_is_noticed() {
    let output = judged("ARC_TEST_FORGETS=1").await;
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("FAIL DUR-01"), "{text}");
}
