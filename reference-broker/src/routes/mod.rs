//! The HTTP routes: each file one family.

mod events;
mod health;
mod interactions;
mod request;
mod respond;

use crate::app::App;
use crate::auth::require_token;
use crate::error::ApiError;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::{get, post};
use std::sync::Arc;

/// Every route: those under /v1 need the token.
pub(crate) fn router(app: Arc<App>) -> Router {
    let v1 = Router::new()
        .route("/events", post(events::receive))
        .route("/interactions/request", post(request::request))
        .route("/interactions/{id}", get(interactions::show))
        .route("/interactions/{id}/wait", get(interactions::wait))
        .route("/interactions/{id}/respond", post(respond::respond))
        .route("/interactions/{id}/cancel", post(interactions::cancel))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(Arc::clone(&app), require_token));
    Router::new()
        .nest("/v1", v1)
        .route("/health", get(health::health))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(app)
}

async fn not_found() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "there is no such route")
}

async fn method_not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this route does not know that method")
}
