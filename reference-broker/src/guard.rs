//! What every request passes before its route: the place it says it is for, the token, the rate.

use crate::app::App;
use crate::error::ApiError;
use crate::secret::Token;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::time::Instant;

/// Whether the broker listens on this machine only. Then a request has to say that it is for this machine, and comes
/// from no web page of another: a name that was made to point here, or a foreign page, is turned away.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoopbackOnly(pub(crate) bool);

/// Turns away what is not meant for this broker, and logs every request by its route.
pub(crate) async fn watch(
    State(LoopbackOnly(loopback)): State<LoopbackOnly>,
    request: Request,
    next: Next,
) -> Response {
    let begin = Instant::now();
    let method = request.method().clone();
    // The route, not the path: clients write what they like into paths and queries.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = if loopback && !is_from_here(request.headers()) {
        ApiError::new(StatusCode::FORBIDDEN, "this broker serves its own machine: Host and Origin have to name it")
            .into_response()
    } else {
        next.run(request).await
    };
    let route = route.as_ref().map_or("-", MatchedPath::as_str);
    let micros = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
    tracing::debug!(%method, route, status = response.status().as_u16(), micros, "request");
    response
}

/// Lets a request pass that bears the token and, where it is a POST, keeps to the rate.
pub(crate) async fn admit(State(app): State<Arc<App>>, request: Request, next: Next) -> Result<Response, ApiError> {
    if !bearer(request.headers()).is_some_and(|token| app.token.matches(&token)) {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "this route needs the header `Authorization: Bearer <token>`",
        ));
    }
    if request.method() == Method::POST && !app.rate.as_ref().is_none_or(|bucket| bucket.take(Instant::now())) {
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too many requests; wait a second"));
    }
    Ok(next.run(request).await)
}

/// The token of the one `Authorization` header; two are none.
fn bearer(headers: &HeaderMap) -> Option<Token> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Token::new(token.to_owned()))
}

fn is_from_here(headers: &HeaderMap) -> bool {
    let all =
        |name, is_here: fn(&str) -> bool| headers.get_all(name).iter().all(|value| value.to_str().is_ok_and(is_here));
    all(header::HOST, is_loopback) && all(header::ORIGIN, is_loopback_origin)
}

fn is_loopback_origin(origin: &str) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(is_loopback)
}

/// Whether an authority (host and perhaps port) names this machine.
fn is_loopback(authority: &str) -> bool {
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_here = address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    port.bytes().all(|b| b.is_ascii_digit()) && (is_here || host.eq_ignore_ascii_case("localhost"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_few_names() {
        for authority in ["localhost", "LocalHost:80", "127.0.0.1:47821", "127.9.9.9", "[::1]:1", "[::1]"] {
            assert!(is_loopback(authority), "{authority}");
        }
        for authority in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "127.0.0.1:80:80",
            "0.0.0.0",
            "localhost:x",
            "192.168.0.1",
        ] {
            assert!(!is_loopback(authority), "{authority}");
        }
    }

    #[test]
    fn host_and_origin_are_both_looked_at() {
        let headers = |pairs: &[(header::HeaderName, &str)]| {
            pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect::<HeaderMap>()
        };
        let here = (header::HOST, "127.0.0.1:1");
        assert!(is_from_here(&headers(&[])));
        assert!(is_from_here(&headers(&[here.clone(), (header::ORIGIN, "http://localhost:3000")])));
        for origin in ["null", "https://example.org", "file://", "http://localhost.example.org"] {
            assert!(!is_from_here(&headers(&[here.clone(), (header::ORIGIN, origin)])), "{origin}");
        }
        assert!(!is_from_here(&headers(&[(header::HOST, "example.org")])));
    }
}
