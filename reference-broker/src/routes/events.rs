//! POST /v1/events: every ARC event comes in here (contract: `AgentNotify` HTTP binding).

use crate::app::App;
use crate::body::JsonBody;
use crate::engine::News;
use crate::error::ApiError;
use crate::intake;
use crate::wire::Envelope;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;

/// 201 for a condition newly opened, 200 for everything else that is accepted.
pub(super) async fn receive(State(app): State<Arc<App>>, JsonBody(body): JsonBody) -> Result<Response, ApiError> {
    let accepted = app.submit(intake::event(&body)?).await?;
    let status = if accepted.news == News::Created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(Envelope::from(&accepted.life))).into_response())
}
