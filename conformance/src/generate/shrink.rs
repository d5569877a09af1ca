//! Makes a failing lifecycle small: events are taken out as long as the rest still fails.

use super::Lifecycle;
use crate::scenario::interpreter;
use crate::stage::Stage;
use crate::verdict::Verdict;

/// The smallest lifecycle found that fails on the consumer as the given one does.
pub async fn shrink(stage: &Stage, failing: &Lifecycle) -> Lifecycle {
    let mut smallest = failing.clone();
    let mut piece = smallest.len() / 2;
    while piece > 0 {
        let mut from = 0;
        while from < smallest.len() {
            let smaller = smallest.without(from, piece);
            if fails(stage, &smaller).await {
                smallest = smaller;
            } else {
                from += piece;
            }
        }
        piece /= 2;
    }
    smallest
}

async fn fails(stage: &Stage, lifecycle: &Lifecycle) -> bool {
    let Some(scenario) = lifecycle.scenario() else { return false };
    interpreter::play(stage, &scenario).await.checks.iter().any(|check| check.verdict == Verdict::Fail)
}
