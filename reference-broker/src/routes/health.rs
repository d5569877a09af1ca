//! GET /health: whether the broker serves, for whoever asks. GET /v1/health and /metrics: how it fares.

use crate::app::App;
use crate::error::ApiError;
use crate::metrics::Gauges;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Value, json};
use std::sync::Arc;

/// It serves.
pub(super) async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// It serves, and reads its store.
pub(super) async fn report(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    let Gauges { waiters, pending } = gauges(&app).await?;
    Ok(Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION"), "waiters": waiters, "pending": pending })))
}

/// Prometheus' text format.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Result<impl IntoResponse, ApiError> {
    let text = app.metrics.text(gauges(&app).await?);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}

async fn gauges(app: &App) -> Result<Gauges, ApiError> {
    Ok(Gauges { waiters: app.waiters.count(), pending: app.reader.pending().await? })
}
