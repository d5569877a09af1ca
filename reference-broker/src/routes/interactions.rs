//! GET /v1/interactions/{id}, …/wait and POST …/cancel.

use super::Id;
use super::query::{given, limit, status, unreadable};
use crate::app::App;
use crate::body::IgnoredBody;
use crate::engine::{Command, Question};
use crate::error::ApiError;
use crate::store::{Filter, Job, Target};
use crate::wire::{Interaction, Interactions};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn interaction(question: &Question) -> Response {
    Json(Interaction::from(question)).into_response()
}

/// The question as it is now.
pub(super) async fn show(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, ApiError> {
    Ok(interaction(&app.question(&id).await?))
}

/// What GET /v1/interactions may be narrowed by; an empty member is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Narrowing {
    pending: Option<bool>,
    status: Option<String>,
    agent: Option<String>,
    project: Option<String>,
    session: Option<String>,
    before: Option<String>,
    limit: Option<usize>,
}

/// Questions, newest first.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    narrowing: Result<Query<Narrowing>, QueryRejection>,
) -> Result<Response, ApiError> {
    const STATUSES: [&str; 5] = ["pending", "answered", "expired", "cancelled", "superseded"];
    let Query(narrowing) = narrowing.map_err(unreadable)?;
    let status = status(narrowing.status, &STATUSES)?;
    let filter = Filter {
        status: if narrowing.pending == Some(true) { both(status, "pending")? } else { status },
        agent: given(narrowing.agent),
        project: given(narrowing.project),
        session: given(narrowing.session),
        before: given(narrowing.before),
        limit: limit(narrowing.limit)?,
    };
    let page = app.questions(filter).await?;
    let interactions = page.rows.iter().map(Interaction::from).collect();
    Ok(Json(Interactions { interactions, next: page.next }).into_response())
}

/// `pending=true` beside another status would leave nothing, which is rather a mistake than a wish.
fn both(status: Option<&'static str>, pending: &'static str) -> Result<Option<&'static str>, ApiError> {
    match status {
        Some(other) if other != pending => Err(ApiError::invalid("pending=true and another status exclude each other")),
        _ => Ok(Some(pending)),
    }
}

/// POST …/publish: this broker sends questions nowhere.
pub(super) async fn publish(State(app): State<Arc<App>>, Id(id): Id, _: IgnoredBody) -> Result<Response, ApiError> {
    app.question(&id).await?;
    Err(ApiError::invalid("no relay is configured: this broker publishes questions nowhere"))
}

/// Seconds, 1 to 300.
#[derive(Deserialize)]
pub(super) struct Patience {
    #[serde(default = "Patience::usual")]
    timeout: u64,
}

impl Patience {
    const fn usual() -> u64 {
        60
    }
}

/// The question as soon as it is over; as it is when the timeout passes first, or when the broker stops.
pub(super) async fn wait(
    State(app): State<Arc<App>>,
    Id(id): Id,
    patience: Result<Query<Patience>, QueryRejection>,
) -> Result<Response, ApiError> {
    let timeout = patience.ok().map(|Query(patience)| patience.timeout).filter(|seconds| (1..=300).contains(seconds));
    let timeout = timeout.ok_or_else(|| ApiError::invalid("timeout is a number of seconds from 1 to 300"))?;
    // Registered first, read afterwards: no ending falls between the two.
    let mut place = app.waiters.register(&id);
    if let Some(over) = Some(app.question(&id).await?).filter(|question| !question.is_pending()) {
        return Ok(interaction(&over));
    }
    tokio::select! {
        question = place.ended() => return Ok(interaction(&question)),
        () = tokio::time::sleep(Duration::from_secs(timeout)) => {}
        () = app.stopped() => {}
    }
    Ok(interaction(&app.question(&id).await?))
}

/// Withdraws the question; one that is over stays as it is (reading 44).
pub(super) async fn cancel(State(app): State<Arc<App>>, Id(id): Id, _: IgnoredBody) -> Result<Response, ApiError> {
    let job = Job { target: Target::Question(id), event: None, command: Command::Cancel };
    let accepted = app.submit(job).await?;
    accepted.life.question.as_ref().map(interaction).ok_or_else(|| crate::engine::Refusal::NotFound.into())
}
