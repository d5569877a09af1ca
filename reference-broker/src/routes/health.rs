//! GET /health: whether the broker serves, for whoever asks. GET /v1/health: how it fares.

use crate::app::App;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

pub(super) async fn report(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({ "status": "ok", "waiters": app.waiters.count() }))
}
