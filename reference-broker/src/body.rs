//! A request's body: JSON, and no more than 64 KiB of it.

use crate::error::ApiError;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};

/// The most bytes that a body may have (contract: `AgentNotify` HTTP binding).
pub(crate) const LIMIT: usize = 64 * 1024;

/// A body that says it is JSON.
pub(crate) struct JsonBody(pub(crate) Bytes);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send `Content-Type: application/json`"));
        }
        read(request).await.map(Self)
    }
}

/// A body that may be absent and is not looked at.
pub(crate) struct IgnoredBody;

impl<S: Sync> FromRequest<S> for IgnoredBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        read(request).await.map(|_| Self)
    }
}

async fn read(request: Request) -> Result<Bytes, ApiError> {
    let too_large = || ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than 64 KiB");
    if declared_length(request.headers()).is_some_and(|length| length > LIMIT as u64) {
        return Err(too_large());
    }
    axum::body::to_bytes(request.into_body(), LIMIT).await.map_err(|error| {
        let error: &dyn std::error::Error = &error;
        if is_length_limit(error) { too_large() } else { ApiError::invalid("the body broke off") }
    })
}

fn declared_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_length_limit(error: &dyn std::error::Error) -> bool {
    std::iter::successors(Some(error), |error| error.source())
        .any(|error| error.to_string().contains("length limit exceeded"))
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = |value: &axum::http::HeaderValue| {
        let text = value.to_str().ok()?;
        Some(text.split(';').next().unwrap_or(text).trim().eq_ignore_ascii_case("application/json"))
    };
    headers.get(header::CONTENT_TYPE).and_then(media_type) == Some(true)
}
