//! GET /v1/interactions/{id}/wait: the state as soon as the question is over, or when the timeout passes.

use super::question::{Question, Status};
use super::reply::Reply;
use super::server::Consumer;
use super::{Behaviour, Fault, Variation, until};
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::Instant;

/// Longer than any wait.
const LONG: Duration = Duration::from_secs(600);

/// The timeout of a wait: 1 to 300 seconds, 60 where it is not given.
pub(super) fn timeout(given: Option<&str>, behaviour: Behaviour) -> Result<Duration, Reply> {
    let Some(given) = given else { return Ok(Duration::from_secs(60)) };
    let seconds = given.parse::<i64>().map_err(|_| Reply::error(400, "timeout is not a number of seconds"));
    let is_refused = !seconds.as_ref().is_ok_and(|seconds| (1..=300).contains(seconds));
    if is_refused && behaviour.has(Fault::WaitZeroIsServerError) {
        return Err(Reply::error(500, "timeout"));
    }
    if is_refused && behaviour.varies(Variation::WaitRangeRefused) {
        return Err(Reply::error(400, "timeout is 1 to 300 seconds"));
    }
    let clamped = seconds?.clamp(1, 300);
    Ok(Duration::from_secs(u64::try_from(clamped).expect("between 1 and 300")))
}

/// Waits for the end of a question.
pub(super) async fn wait(consumer: &Consumer, at: usize, timeout: Duration) -> Reply {
    let behaviour = consumer.behaviour;
    let ends = Instant::now() + timeout;
    let mut changed = consumer.changed.subscribe();
    let was_pending = consumer.state().questions[at].status == Status::Pending;
    loop {
        let (is_over, left) = look(consumer, at, was_pending);
        let is_late = Instant::now() >= ends && !behaviour.has(Fault::WaitIgnoresTimeout);
        if is_over || is_late || behaviour.has(Fault::WaitReturnsEarly) {
            if behaviour.varies(Variation::WaitOversleepsOnce) && !consumer.overslept.swap(true, Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_secs(3)).await;
            }
            return state(consumer, at);
        }
        let next = if Instant::now() < ends { ends.min(Instant::now() + left) } else { Instant::now() + left };
        tokio::select! {
            _ = changed.changed() => {}
            () = tokio::time::sleep_until(next) => {}
            () = until(consumer.stopped.clone()) => return state(consumer, at),
        }
    }
}

fn state(consumer: &Consumer, at: usize) -> Reply {
    Reply::new(200, consumer.state().interaction(at))
}

/// Whether the state releases the waiter, and the time until the deadline.
fn look(consumer: &Consumer, at: usize, was_pending: bool) -> (bool, Duration) {
    let state = consumer.state();
    let question = &state.questions[at];
    let is_over = question.status != Status::Pending && !is_missed(question, was_pending, consumer.behaviour);
    let left = question.asked.spec.expires_at - super::chance::now();
    let left = Duration::from_millis(u64::try_from(left).unwrap_or(0).max(1));
    // Nothing but another request looks at deadlines.
    let left = if consumer.behaviour.has(Fault::WaitExpiresByChance) { LONG } else { left };
    // A deadline that has passed wakes nobody any more.
    let left = if question.status == Status::Pending { left } else { Duration::from_secs(1) };
    (is_over, left)
}

fn is_missed(question: &Question, was_pending: bool, behaviour: Behaviour) -> bool {
    let misses = match question.status {
        Status::Cancelled if question.is_resolved && behaviour.has(Fault::ResolveKeepsWaiter) => return true,
        Status::Cancelled => behaviour.has(Fault::WaitMissesCancel),
        Status::Expired => behaviour.has(Fault::WaitMissesExpiry),
        Status::Answered => behaviour.has(Fault::WaitMissesEvents) && !question.is_answered_by_route(),
        Status::Superseded => behaviour.has(Fault::WaitMissesSupersede),
        Status::Pending => false,
    };
    (misses && was_pending)
        || (!was_pending && behaviour.has(Fault::WaitMissesEnd))
        || behaviour.has(Fault::WaitTakesItsTime)
}
