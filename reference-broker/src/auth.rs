//! The bearer token: the broker's whole authorization.

use crate::app::App;
use crate::error::ApiError;
use crate::secret::Token;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// Lets a request pass that bears the token in its `Authorization` header, and no other.
pub(crate) async fn require_token(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if bearer(request.headers()).is_some_and(|token| app.token.matches(&token)) {
        return Ok(next.run(request).await);
    }
    Err(ApiError::new(StatusCode::UNAUTHORIZED, "this route needs the header `Authorization: Bearer <token>`"))
}

fn bearer(headers: &HeaderMap) -> Option<Token> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Token::new(token.to_owned()))
}
