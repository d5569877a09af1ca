//! What people and programs read of a run.

mod badge;
mod claim;
mod html;
mod json;
mod junit;
mod markdown;
mod progress;
mod terminal;

pub use badge::{Badge, Svg};
pub use claim::ClaimJson;
pub use html::Html;
pub use json::Json;
pub use junit::Junit;
pub use markdown::Markdown;
pub use progress::Progress;
pub use terminal::Terminal;

use crate::verdict::{Check, Verdict};
use std::collections::BTreeMap;

/// What a scenario's checks come to for each requirement that they judge.
fn worst(checks: &[Check]) -> BTreeMap<String, Verdict> {
    let mut worst = BTreeMap::new();
    for check in checks {
        let verdict = worst.entry(check.requirement.clone()).or_insert(check.verdict);
        *verdict = (*verdict).max(check.verdict);
    }
    worst
}
