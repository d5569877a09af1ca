//! The HTTP routes: each file one family.

#[cfg(feature = "bench")]
mod echo;
mod events;
mod health;
mod interactions;
mod notifications;
mod openapi;
mod query;
mod request;
mod respond;

use crate::app::App;
use crate::error::ApiError;
use crate::guard::{LoopbackOnly, admit, watch};
use axum::Router;
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware;
use axum::routing::{get, post};
use std::sync::Arc;

/// Every route. All but /health and the description need the token; with `loopback`, all are for this machine alone.
pub(crate) fn router(app: Arc<App>, loopback: LoopbackOnly) -> Router {
    let v1 = Router::new()
        .route("/health", get(health::report))
        .route("/events", post(events::receive))
        .route("/notifications", get(notifications::list))
        .route("/notifications/{id}", get(notifications::show))
        .route("/interactions", get(interactions::list))
        .route("/interactions/request", post(request::request))
        .route("/interactions/{id}", get(interactions::show))
        .route("/interactions/{id}/wait", get(interactions::wait))
        .route("/interactions/{id}/respond", post(respond::respond))
        .route("/interactions/{id}/cancel", post(interactions::cancel))
        .route("/interactions/{id}/publish", post(interactions::publish));
    #[cfg(feature = "bench")]
    let v1 = v1.route("/echo", post(echo::echo));
    let admit = middleware::from_fn_with_state(Arc::clone(&app), admit);
    let v1 = v1.fallback(not_found).method_not_allowed_fallback(method_not_allowed).layer(admit.clone());
    Router::new()
        .nest("/v1", v1)
        .route("/metrics", get(health::metrics).layer(admit))
        .route("/health", get(health::health))
        .route("/openapi.json", get(openapi::openapi))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(loopback, watch))
        .with_state(app)
}

/// The id in a route's path.
struct Id(String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(id)| Self(id)).map_err(|_| ApiError::invalid("the path is not UTF-8"))
    }
}

async fn not_found() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "there is no such route")
}

async fn method_not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this route does not know that method")
}
