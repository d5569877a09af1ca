//! A request's body: JSON, no more than 64 KiB of it, and in time.

use crate::app::App;
use crate::error::ApiError;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The most bytes that a body may have (contract: `AgentNotify` HTTP binding).
const LIMIT: usize = 64 * 1024;
/// So much of a body that is too large is read all the same, and so long: a client that is still sending would not see
/// the reply if the connection were closed at once.
const DRAIN: usize = 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// A body that says it is JSON.
pub(crate) struct JsonBody(pub(crate) Bytes);

impl FromRequest<Arc<App>> for JsonBody {
    type Rejection = ApiError;

    /// Another media type is refused: a web page can send that to any address without asking.
    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send `Content-Type: application/json`"));
        }
        read(request, app.patience).await.map(Self)
    }
}

/// A body that may be absent and is not looked at.
pub(crate) struct IgnoredBody;

impl FromRequest<Arc<App>> for IgnoredBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        read(request, app.patience).await.map(|_| Self)
    }
}

async fn read(request: Request, patience: Duration) -> Result<Bytes, ApiError> {
    let (parts, mut body) = request.into_parts();
    let is_asking = parts.headers.contains_key(header::EXPECT);
    if declared_length(&parts.headers).is_some_and(|length| length > LIMIT as u64) {
        // A client that asks before it sends is answered before it sends.
        return Err(if is_asking { too_large() } else { drained(&mut body).await });
    }
    let late = || ApiError::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time");
    timeout(patience, collect(&mut body)).await.map_err(|_| late())?
}

async fn collect(body: &mut Body) -> Result<Bytes, ApiError> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::invalid("the body broke off"))?;
        let data = frame.into_data().unwrap_or_default();
        if bytes.len() + data.len() > LIMIT {
            return Err(drained(body).await);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// Lets a client send on for a while, so that it comes to read why it should not have.
async fn drained(body: &mut Body) -> ApiError {
    let mut left = DRAIN;
    let drain = async {
        while let Some(Ok(frame)) = body.frame().await {
            left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
            if left == 0 {
                return;
            }
        }
    };
    // What has not come by then is not waited for.
    let _ = timeout(DRAIN_TIME, drain).await;
    too_large()
}

fn too_large() -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than 64 KiB")
}

fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = |value: &axum::http::HeaderValue| {
        let text = value.to_str().ok()?;
        Some(text.split(';').next().unwrap_or(text).trim().eq_ignore_ascii_case("application/json"))
    };
    headers.get(header::CONTENT_TYPE).and_then(media_type) == Some(true)
}
