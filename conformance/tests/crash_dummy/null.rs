//! What is no consumer at all.

use super::{chance, listen, until, url};
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// A server that gives every request the same treatment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Null {
    /// `200 {}`
    Always200,
    /// `400 {}`
    Always400,
    /// `404 {}`
    Always404,
    /// `500 {}`
    Always500,
    /// Accepts the connection and never answers.
    Hang,
    /// Accepts the connection and closes it.
    Close,
    /// 200 with a web page.
    Html,
}

impl Null {
    /// Each of them.
    pub(crate) const ALL: &'static [Null] =
        &[Null::Always200, Null::Always400, Null::Always404, Null::Always500, Null::Hang, Null::Close, Null::Html];

    /// Starts one on a free port of 127.0.0.1.
    pub(crate) async fn start(self) -> NullServer {
        let (stop, stopped) = watch::channel(false);
        let listener = listen().await;
        let server = NullServer { url: url(&listener), token: chance::hex::<16>(), stop };
        tokio::spawn(async move {
            match self {
                Null::Hang | Null::Close => accept(listener, self == Null::Hang, stopped).await,
                _ => serve(self, listener, stopped).await,
            }
        });
        server
    }

    fn response(self) -> Response {
        let status = match self {
            Null::Always400 => StatusCode::BAD_REQUEST,
            Null::Always404 => StatusCode::NOT_FOUND,
            Null::Always500 => StatusCode::INTERNAL_SERVER_ERROR,
            Null::Html => return Html("<!doctype html><title>Welcome</title>").into_response(),
            _ => StatusCode::OK,
        };
        (status, [(header::CONTENT_TYPE, "application/json")], "{}").into_response()
    }
}

async fn serve(null: Null, listener: TcpListener, stopped: watch::Receiver<bool>) {
    let router = Router::new().fallback(move || async move { null.response() });
    let served = axum::serve(listener, router).with_graceful_shutdown(until(stopped));
    served.await.expect("a loopback listener serves");
}

async fn accept(listener: TcpListener, keeps: bool, stopped: watch::Receiver<bool>) {
    let mut kept = Vec::new();
    let mut stopped = std::pin::pin!(until(stopped));
    loop {
        tokio::select! {
            () = &mut stopped => return,
            accepted = listener.accept() => {
                let connection = accepted.expect("a loopback listener accepts");
                if keeps {
                    kept.push(connection);
                }
            }
        }
    }
}

/// A running null consumer; it stops when it is dropped.
pub(crate) struct NullServer {
    url: String,
    token: String,
    stop: watch::Sender<bool>,
}

impl NullServer {
    /// `http://127.0.0.1:PORT`
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// A token; nobody asks for it.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for NullServer {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}
