//! Connections: accepted, bounded in their patience, and drained at the end.

use crate::bare::Explained;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::pin;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// How long requests that are under way may take when the broker is told to stop.
const DRAIN: Duration = Duration::from_secs(5);
/// Where the system has no more descriptors: a pause before the next attempt, and between two complaints.
const PAUSE: Duration = Duration::from_millis(50);
const COMPLAINT: Duration = Duration::from_secs(10);

/// Serves until `stop` turns true, then lets what is under way end. `idle` is the longest time that a client may take
/// for a request's header, or between two requests.
pub(crate) async fn serve(listener: TcpListener, router: Router, idle: Duration, stop: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    let mut stopped = pin!(told(stop.clone()));
    let mut complaint = None;
    loop {
        tokio::select! {
            () = &mut stopped => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(stream, router.clone(), idle, stop.clone()));
                }
                Err(error) => cannot_accept(&error, &mut complaint).await,
            },
        }
    }
    drop(listener);
    let all_ended = async { while connections.join_next().await.is_some() {} };
    if timeout(DRAIN, all_ended).await.is_err() {
        tracing::warn!(connections = connections.len(), "cut off requests that did not end in time");
        connections.shutdown().await;
    }
}

async fn connection(stream: TcpStream, router: Router, idle: Duration, stop: watch::Receiver<bool>) {
    // A reply is one small write; waiting for more would only delay it.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(idle)
        .serve_connection(TokioIo::new(Explained::new(stream)), service);
    let mut connection = pin!(connection);
    // Clients hang up, stall and talk nonsense: their affair.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = told(stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

async fn told(mut stop: watch::Receiver<bool>) {
    // Whoever could say it has gone: that says it too.
    let _ = stop.wait_for(|stop| *stop).await;
}

/// A connection that broke before it was accepted is nothing; anything else is waited out and said now and then.
async fn cannot_accept(error: &io::Error, complaint: &mut Option<Instant>) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        return;
    }
    if complaint.is_none_or(|last| last.elapsed() >= COMPLAINT) {
        tracing::error!(%error, "cannot accept connections now");
        *complaint = Some(Instant::now());
    }
    sleep(PAUSE).await;
}
