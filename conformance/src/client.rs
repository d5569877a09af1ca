//! Sends what a scenario says, byte for byte, and waits out rate limits.

use crate::clock;
use crate::exchange::{Auth, Exchange, Reply, Request};
use crate::pace::Pace;
use crate::profile::Authorization;
use crate::secret::Token;
use crate::trace;
use reqwest::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

/// An HTTP client that records every exchange and is silent about secrets.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    /// Opens a connection for each request.
    fresh: reqwest::Client,
    authorization: Authorization,
    token: Token,
    timeout: Duration,
    pace: Arc<Pace>,
}

impl Client {
    /// A client that uses no system proxy and follows no redirection.
    pub fn new(authorization: Authorization, token: Token, timeout: Duration, pace: Pace) -> Result<Self, String> {
        let build = |idle| http_client(idle).map_err(|e| format!("no HTTP client: {e}"));
        let (http, fresh) = (build(usize::MAX)?, build(0)?);
        Ok(Self { http, fresh, authorization, token, timeout, pace: Arc::new(pace) })
    }

    /// How the rate limit was met.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// Sends a request until it is neither refused by the rate limit nor lost with a connection kept too long.
    pub async fn send(&self, request: Request) -> Exchange {
        let _slot = self.pace.slot().await;
        self.pace.turn().await;
        self.noted(request).await
    }

    /// The same without waiting for a free slot: for requests that have to meet.
    pub async fn send_now(&self, request: Request) -> Exchange {
        self.pace.jump();
        self.noted(request).await
    }

    async fn noted(&self, request: Request) -> Exchange {
        let exchange = self.exchange_until_settled(request).await;
        trace::note(&exchange);
        exchange
    }

    async fn exchange_until_settled(&self, request: Request) -> Exchange {
        let mut resent = false;
        let patience = self.pace.patience();
        loop {
            self.pace.ready().await;
            let began = clock::now_millis();
            // A consumer may close a kept connection whenever it is idle: what was lost with one goes by another.
            let http = if resent { &self.fresh } else { &self.http };
            let (reply, retry_after) = self.once(http, &request).await;
            let ended = clock::now_millis();
            match reply {
                Reply::Http { status: 429, .. } => {
                    if !patience.wait(retry_after.as_deref(), &self.pace) {
                        return Exchange { request, reply: Reply::RateLimited, began, ended, resent };
                    }
                }
                Reply::Closed(_) if !resent && !request.chunked => resent = true,
                reply => return Exchange { request, reply, began, ended, resent },
            }
            self.pace.turn().await;
        }
    }

    async fn once(&self, http: &reqwest::Client, request: &Request) -> (Reply, Option<String>) {
        self.pace.count();
        match tokio::time::timeout(self.timeout, self.exchange(http, request)).await {
            Err(_elapsed) => (Reply::TimedOut, None),
            Ok(Ok(answered)) => answered,
            Ok(Err(error)) if error.is_connect() => (Reply::Unreachable(root_cause(&error)), None),
            Ok(Err(error)) => (Reply::Closed(root_cause(&error)), None),
        }
    }

    async fn exchange(
        &self,
        http: &reqwest::Client,
        request: &Request,
    ) -> Result<(Reply, Option<String>), reqwest::Error> {
        let response = self.build(http, request).send().await?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()).map(str::to_owned);
        let body = response.bytes().await?.to_vec();
        Ok((Reply::Http { status, body }, retry_after))
    }

    fn build(&self, http: &reqwest::Client, request: &Request) -> reqwest::RequestBuilder {
        let mut url = request.url.clone();
        if request.auth == Auth::Query {
            url.push_str("?token=");
            url.push_str(self.token.expose());
        }
        let method = if request.method == "GET" { reqwest::Method::GET } else { reqwest::Method::POST };
        let mut builder = http.request(method, url);
        if let Some(value) = self.credentials(request.auth) {
            builder = builder.header(self.authorization.header.as_str(), value);
        }
        if let Some(body) = &request.body {
            builder = builder.header(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            builder = builder.body(if request.chunked { chunks(body) } else { body.clone().into() });
        }
        builder
    }

    /// The header's value; marked sensitive, so that no log of a library shows it.
    fn credentials(&self, auth: Auth) -> Option<HeaderValue> {
        let token = self.token.expose();
        let prefix = &self.authorization.prefix;
        let text = match auth {
            Auth::None | Auth::Query => return None,
            Auth::Token => format!("{prefix}{token}"),
            Auth::Empty => prefix.clone(),
            Auth::Wrong => format!("{prefix}{}", other_token(token)),
            Auth::Truncated => format!("{prefix}{}", without_last(token)),
            Auth::Extended => format!("{prefix}{token}x"),
            Auth::OtherScheme => format!("Basic {token}"),
            Auth::OtherCase => format!("{prefix}{}", in_other_case(token)),
        };
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// The wire, without the detours that an environment may ask for; so many idle connections are kept.
fn plain(idle: usize) -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).pool_max_idle_per_host(idle)
}

#[cfg(not(feature = "tls"))]
fn http_client(idle: usize) -> reqwest::Result<reqwest::Client> {
    plain(idle).build()
}

/// With the system's certificates; a machine without any can still talk to http:// consumers.
#[cfg(feature = "tls")]
fn http_client(idle: usize) -> reqwest::Result<reqwest::Client> {
    // An error says that it was installed before, by an earlier client.
    let _ = rustls::crypto::ring::default_provider().install_default();
    plain(idle).build().or_else(|_| plain(idle).tls_certs_only([]).build())
}

/// A body in pieces of 8 KiB: its length is not told beforehand.
fn chunks(body: &[u8]) -> reqwest::Body {
    let pieces: Vec<Result<Vec<u8>, std::io::Error>> = body.chunks(8_192).map(|piece| Ok(piece.to_vec())).collect();
    reqwest::Body::wrap_stream(futures_util::stream::iter(pieces))
}

/// A token of the same length that differs in each place.
fn other_token(token: &str) -> String {
    token.chars().map(|c| if c == 'x' { 'y' } else { 'x' }).collect()
}

/// The token in the other case; another token where it has no letters.
fn in_other_case(token: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let swapped: String = token.chars().map(swap).collect();
    if swapped == token { other_token(token) } else { swapped }
}

fn without_last(token: &str) -> &str {
    token.char_indices().next_back().map_or(token, |(at, _)| &token[..at])
}

/// The innermost error's text: the outer ones only say that a request failed.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let _ = error.source();
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_tokens_are_wrong() {
        assert_eq!(other_token("axb"), "xyx");
        assert_eq!((in_other_case("aB1"), in_other_case("12")), ("Ab1".to_owned(), "xx".to_owned()));
        assert_eq!(without_last("abc"), "ab");
        assert_eq!(without_last(""), "");
    }
}
