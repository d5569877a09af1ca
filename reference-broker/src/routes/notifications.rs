//! GET /v1/notifications and /v1/notifications/{id}: the half that a person sees.

use super::Id;
use super::query::{given, limit, status, unreadable};
use crate::app::{App, no_such_page};
use crate::engine::Refusal;
use crate::error::ApiError;
use crate::store::Filter;
use crate::wire::{Notification, Notifications};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use std::sync::Arc;

/// What GET /v1/notifications may be narrowed by; an empty member is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Narrowing {
    status: Option<String>,
    agent: Option<String>,
    project: Option<String>,
    session: Option<String>,
    before: Option<String>,
    limit: Option<usize>,
}

/// Notifications, newest first.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    narrowing: Result<Query<Narrowing>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(narrowing) = narrowing.map_err(unreadable)?;
    let filter = Filter {
        status: status(narrowing.status, &["active", "resolved"])?,
        agent: given(narrowing.agent),
        project: given(narrowing.project),
        session: given(narrowing.session),
        before: given(narrowing.before),
        limit: limit(narrowing.limit)?,
    };
    let page = app.reader.conditions(filter).await?.ok_or_else(no_such_page)?;
    let notifications = page.rows.iter().map(Notification::from).collect();
    Ok(Json(Notifications { notifications, next: page.next }).into_response())
}

/// One notification.
pub(super) async fn show(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, ApiError> {
    let condition = app.reader.condition(id).await?.ok_or(Refusal::NotFound)?;
    Ok(Json(Notification::from(&condition)).into_response())
}
