//! The crash-test consumer: an in-memory ARC 0.2 consumer over HTTP that the kit is measured with.
//!
//! Plain, it behaves by the contract. [`Behaviour::fault`] breaks one sentence of it, [`Behaviour::variation`] decides
//! otherwise what the contract leaves free, and [`Null`] is no consumer at all. It is written from the contract alone
//! and shares no code with the validator, the broker or the kit. The journey of an event: `server` (token, limits) ->
//! `envelope` (what is valid; `fields` has the bounds) -> `condition` (lifecycle) or `answer` (the six rules) -> `view`.
//! A fault is one entry in `faults` and one switch at the place of the rule.

#![allow(dead_code, unused_imports, reason = "each program uses a part of it")]

mod answer;
mod chance;
mod condition;
mod contract;
mod digest;
mod envelope;
mod faults;
mod fields;
mod json;
mod log;
mod null;
mod question;
mod reply;
mod restart;
mod routes;
mod server;
mod timestamp;
mod variations;
mod view;
mod wait;

pub(crate) use faults::Fault;
pub(crate) use null::Null;
pub(crate) use variations::Variation;

use std::path::PathBuf;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// How a dummy behaves: by the contract, with one fault, or with one variation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Behaviour {
    fault: Option<Fault>,
    variation: Option<Variation>,
}

impl Behaviour {
    /// By the contract.
    pub(crate) fn plain() -> Self {
        Self::default()
    }

    /// By the contract, but for one fault.
    pub(crate) fn fault(fault: Fault) -> Self {
        Self { fault: Some(fault), variation: None }
    }

    /// By the contract, with one free point decided otherwise.
    pub(crate) fn variation(variation: Variation) -> Self {
        Self { fault: None, variation: Some(variation) }
    }

    fn has(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn varies(self, variation: Variation) -> bool {
        self.variation == Some(variation)
    }
}

/// A running consumer on free ports of 127.0.0.1; it stops when it is dropped.
pub(crate) struct Dummy {
    urls: Vec<String>,
    token: String,
    stop: watch::Sender<bool>,
}

impl Dummy {
    /// Starts a consumer.
    pub(crate) async fn start(behaviour: Behaviour) -> Self {
        Self::fleet(behaviour, 1, None).await
    }

    /// Starts a consumer that answers at several URLs and may write a log.
    pub(crate) async fn fleet(behaviour: Behaviour, urls: usize, log: Option<PathBuf>) -> Self {
        let token = chance::hex::<16>();
        let (stop, stopped) = watch::channel(false);
        let router = server::router(behaviour, token.clone(), log, stopped.clone());
        let mut dummy = Self { urls: Vec::new(), token, stop };
        for _ in 0..urls {
            let listener = listen().await;
            dummy.urls.push(url(&listener));
            let served = axum::serve(listener, router.clone()).with_graceful_shutdown(until(stopped.clone()));
            tokio::spawn(async move { served.await.expect("a loopback listener serves") });
        }
        dummy
    }

    /// `http://127.0.0.1:PORT`
    pub(crate) fn url(&self) -> &str {
        &self.urls[0]
    }

    /// Every URL.
    pub(crate) fn urls(&self) -> &[String] {
        &self.urls
    }

    /// The bearer token that it asks for.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for Dummy {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

async fn listen() -> TcpListener {
    TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port")
}

fn url(listener: &TcpListener) -> String {
    format!("http://{}", listener.local_addr().expect("a bound listener has an address"))
}

/// Ends when the dummy is dropped.
async fn until(mut stopped: watch::Receiver<bool>) {
    let dropped = stopped.wait_for(|stopped| *stopped).await;
    drop(dropped);
}

/// Passes connections at `address` on to a dummy at `to`, which is told that it was started again. Whoever kills this
/// door has crashed the consumer.
pub(crate) async fn open_door(address: &str, to: &str, token: &str) {
    let restart = format!(
        "POST {} HTTP/1.1\r\nHost: {to}\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        server::RESTART
    );
    let mut told = TcpStream::connect(to).await.expect("the dummy runs");
    told.write_all(restart.as_bytes()).await.expect("it listens");
    told.read_to_end(&mut Vec::new()).await.expect("it answers");
    let listener = TcpListener::bind(address).await.expect("the port is free again");
    loop {
        let (mut outside, _) = listener.accept().await.expect("a loopback listener accepts");
        let mut inside = TcpStream::connect(to).await.expect("the dummy runs");
        tokio::spawn(async move { tokio::io::copy_bidirectional(&mut outside, &mut inside).await });
    }
}

/// An instant in UTC milliseconds as RFC 3339.
pub(crate) fn time_text(millis: i64) -> String {
    timestamp::text(millis)
}
