//! The one error shape on the wire: {"error": "…", "rule": optional}.

use crate::engine::Refusal;
use crate::store::WriteError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::borrow::Cow;

/// A refusal on its way to the client.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    body: Body,
}

#[derive(Debug, Serialize)]
struct Body {
    error: Cow<'static, str>,
    /// Which of the six answer rules refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, error: impl Into<Cow<'static, str>>) -> Self {
        Self { status, body: Body { error: error.into(), rule: None } }
    }

    pub(crate) fn invalid(error: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    fn rule(status: StatusCode, rule: &'static str, error: &'static str) -> Self {
        Self { status, body: Body { error: error.into(), rule: Some(rule) } }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        use StatusCode as S;
        match refusal {
            Refusal::NotFound => Self::rule(S::NOT_FOUND, "not_found", "there is no such condition"),
            Refusal::AlreadyAnswered => {
                Self::rule(S::CONFLICT, "already_answered", "the question has been answered already")
            }
            Refusal::NotOpen => Self::rule(S::BAD_REQUEST, "not_open", "no question is open here"),
            Refusal::Digest => {
                Self::rule(S::BAD_REQUEST, "digest", "the digest is not that of the question as it is asked now")
            }
            Refusal::Nonce => {
                Self::rule(S::BAD_REQUEST, "nonce", "the answer does not echo the nonce issued with the question")
            }
            Refusal::Shape => {
                Self::rule(S::BAD_REQUEST, "shape", "the answer does not have the shape that the question asks for")
            }
            Refusal::PastDeadline => Self::invalid("expires_at has passed: nobody could answer in time"),
            Refusal::EventIdReused => {
                Self::invalid("this sender has used this event_id for a different event; an event_id names one event")
            }
        }
    }
}

/// The store cannot write now, or not be read; whoever asked may ask again.
impl From<WriteError> for ApiError {
    fn from(_: WriteError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the broker cannot write to its store now; nothing was acknowledged")
    }
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> Self {
        tracing::error!(%error, "the store cannot be read");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the broker cannot read its store now")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        let headers = response.headers_mut();
        match self.status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}
