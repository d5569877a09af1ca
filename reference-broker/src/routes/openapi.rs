//! GET /openapi.json: what the routes take and give. The file is data for every language; the tests hold every reply of
//! the whole suite against it.

use axum::http::header;
use axum::response::IntoResponse;

const DESCRIPTION: &str = include_str!("../../../schemas/openapi.json");

pub(super) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION)
}
