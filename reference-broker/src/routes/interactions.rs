//! GET /v1/interactions/{id}, …/wait and POST …/cancel.

use crate::app::App;
use crate::body::IgnoredBody;
use crate::engine::{Command, Question};
use crate::error::ApiError;
use crate::store::{Job, Target};
use crate::wire::Interaction;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn interaction(question: &Question) -> Response {
    Json(Interaction::from(question)).into_response()
}

/// The question as it is now.
pub(super) async fn show(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, ApiError> {
    Ok(interaction(&app.question(&id).await?))
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
    Path(id): Path<String>,
    patience: Result<Query<Patience>, QueryRejection>,
) -> Result<Response, ApiError> {
    let timeout = patience.ok().map(|Query(patience)| patience.timeout).filter(|seconds| (1..=300).contains(seconds));
    let timeout = timeout.ok_or_else(|| ApiError::invalid("timeout is a number of seconds from 1 to 300"))?;
    // Registered first, read afterwards: no ending falls between the two.
    let mut place = app.waiters.register(&id);
    let question = app.question(&id).await?;
    if !question.is_pending() {
        return Ok(interaction(&question));
    }
    tokio::select! {
        question = place.ended() => return Ok(interaction(&question)),
        () = tokio::time::sleep(Duration::from_secs(timeout)) => {}
        () = app.stopped() => {}
    }
    Ok(interaction(&app.question(&id).await?))
}

/// Withdraws the question; one that is over stays as it is (reading 44).
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    _: IgnoredBody,
) -> Result<Response, ApiError> {
    let job = Job { target: Target::Question(id), event: None, command: Command::Cancel };
    let accepted = app.submit(job).await?;
    accepted.life.question.as_ref().map(interaction).ok_or_else(|| crate::engine::Refusal::NotFound.into())
}
