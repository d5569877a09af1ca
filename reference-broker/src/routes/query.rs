//! What lists are narrowed by.

use crate::error::ApiError;
use axum::extract::rejection::QueryRejection;

/// The most rows on one page, and the usual.
const MOST: usize = 500;
const USUAL: usize = 100;

/// Rows on one page.
pub(super) fn limit(asked: Option<usize>) -> Result<usize, ApiError> {
    match asked.unwrap_or(USUAL) {
        limit @ 1..=MOST => Ok(limit),
        _ => Err(ApiError::invalid(format!("limit: permitted: an integer from 1 to {MOST}"))),
    }
}

/// One of the words, or none.
pub(super) fn status(asked: Option<String>, words: &[&'static str]) -> Result<Option<&'static str>, ApiError> {
    let Some(asked) = given(asked) else { return Ok(None) };
    let known = words.iter().find(|word| **word == asked);
    known.map(|word| Some(*word)).ok_or_else(|| ApiError::invalid(format!("status: permitted: {}", words.join(", "))))
}

/// A member that is not empty.
pub(super) fn given(member: Option<String>) -> Option<String> {
    member.filter(|text| !text.is_empty())
}

/// The error for a query that is not what the route takes; it says nothing of what was sent.
pub(super) fn unreadable(_: QueryRejection) -> ApiError {
    ApiError::invalid("the query has a member that this route does not know, or one that is not of its type")
}
