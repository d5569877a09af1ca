//! POST /v1/echo, in benchmarks alone: what a JSON body costs when nothing is done with it.

use crate::body::JsonBody;
use crate::error::ApiError;
use axum::Json;
use serde_json::Value;

pub(super) async fn echo(JsonBody(body): JsonBody) -> Result<Json<Value>, ApiError> {
    serde_json::from_slice(&body).map(Json).map_err(|_| ApiError::invalid("the body is not JSON"))
}
