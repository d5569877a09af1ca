//! Is there an order of concurrent calls that explains their replies? (Linearizability.)
//!
//! Each call took effect at one moment between its begin and its end, or the consumer is wrong. The sequential model is
//! that of one condition with one open question: the contract's "first valid answer wins", and that nothing is
//! answered after a resolution, a cancellation or an update that changed the question, or otherwise than it was. Which
//! refusal a loser gets is judged elsewhere.

use std::collections::HashSet;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A valid answer to the question as it was asked; the number tells answers apart, not their retries.
    Answer(usize),
    /// An update that changes the question.
    Update,
    /// A resolution.
    Resolve,
    /// A cancellation of the question.
    Cancel,
    /// A look at the question, and whether it was shown as answered.
    Look(bool),
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// What it does.
    pub act: Act,
    /// Whether it succeeded.
    pub succeeded: bool,
    /// When it began, in any unit.
    pub began: i64,
    /// When its reply was complete.
    pub ended: i64,
}

impl Operation {
    /// Whether it changes nothing.
    fn is_idle(&self) -> bool {
        !self.succeeded || matches!(self.act, Act::Look(_))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stand {
    Open,
    Answered(usize),
    /// By a resolution or a cancellation.
    Ended,
    Changed,
}

/// Most operations that are looked at together: the search visits each subset of them at most once per stand.
pub const MOST: usize = 20;

/// Whether some order explains the replies.
///
/// # Panics
/// With more than [`MOST`] operations.
pub fn is_explained(operations: &[Operation]) -> bool {
    assert!(operations.len() <= MOST, "at most {MOST} operations");
    search(operations, 0, Stand::Open, &mut HashSet::new())
}

/// The smallest part of a history that no order explains, as indices; empty where the whole is explained.
///
/// A call that changed something is left out only where all others did, too: what was refused or shown because of it would
/// have no reason any more.
pub fn offending(operations: &[Operation]) -> Vec<usize> {
    if is_explained(operations) {
        return Vec::new();
    }
    let mut kept: Vec<usize> = (0..operations.len()).collect();
    let (idle, others): (Vec<usize>, Vec<usize>) = kept.iter().partition(|at| operations[**at].is_idle());
    for at in idle.into_iter().chain(others) {
        let fewer: Vec<usize> = kept.iter().copied().filter(|index| *index != at).collect();
        let part: Vec<Operation> = fewer.iter().map(|index| operations[*index]).collect();
        let may_miss = operations[at].is_idle() || !part.iter().any(Operation::is_idle);
        if may_miss && !is_explained(&part) {
            kept = fewer;
        }
    }
    kept
}

fn search(operations: &[Operation], done: u32, stand: Stand, seen: &mut HashSet<(u32, Stand)>) -> bool {
    if done.count_ones() as usize == operations.len() {
        return true;
    }
    if !seen.insert((done, stand)) {
        return false;
    }
    let is_open = |at: &usize| done & (1 << at) == 0;
    let earliest_end = (0..operations.len()).filter(is_open).map(|at| operations[at].ended).min().unwrap_or(0);
    (0..operations.len()).filter(is_open).any(|at| {
        // Nothing goes before a call that had ended when it began.
        operations[at].began <= earliest_end
            && step(stand, operations[at]).is_some_and(|next| search(operations, done | (1 << at), next, seen))
    })
}

/// Where the condition stands after the operation; `None` where its reply is not what the model permits.
fn step(stand: Stand, operation: Operation) -> Option<Stand> {
    let succeeded = operation.succeeded;
    match (stand, operation.act) {
        (Stand::Open, Act::Answer(answer)) => succeeded.then_some(Stand::Answered(answer)),
        (Stand::Open | Stand::Changed, Act::Update) => succeeded.then_some(Stand::Changed),
        (Stand::Open | Stand::Changed | Stand::Ended, Act::Resolve) | (Stand::Open, Act::Cancel) => {
            succeeded.then_some(Stand::Ended)
        }
        (Stand::Answered(first), Act::Answer(answer)) if first == answer => Some(stand),
        // Readings 12 and 44: whether a resolution finds an answered condition is free, and what is said to the
        // cancellation of a question that is over.
        (Stand::Answered(_), Act::Resolve) | (_, Act::Cancel) => Some(stand),
        (_, Act::Look(answered)) => (answered == matches!(stand, Stand::Answered(_))).then_some(stand),
        (_, Act::Answer(_) | Act::Update) => (!succeeded).then_some(stand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(act: Act, succeeded: bool, began: i64, ended: i64) -> Operation {
        Operation { act, succeeded, began, ended }
    }

    #[test]
    fn one_winner_is_explained_two_are_not() {
        let one = [call(Act::Answer(0), true, 0, 9), call(Act::Answer(1), false, 0, 9)];
        let two = [call(Act::Answer(0), true, 0, 9), call(Act::Answer(1), true, 0, 9), call(Act::Resolve, true, 0, 9)];
        let none = [call(Act::Answer(0), false, 0, 9), call(Act::Answer(1), false, 0, 9)];
        assert!(is_explained(&one));
        assert!(!is_explained(&two) && !is_explained(&none));
        assert_eq!(offending(&two), [0, 1]);
    }

    #[test]
    fn an_answer_goes_before_a_resolution_only_where_time_permits() {
        let resolved = call(Act::Resolve, true, 0, 5);
        assert!(is_explained(&[resolved, call(Act::Answer(0), true, 3, 9)]));
        assert!(!is_explained(&[resolved, call(Act::Answer(0), true, 6, 9)]));
        assert!(is_explained(&[resolved, call(Act::Answer(0), false, 6, 9)]));
    }

    #[test]
    fn an_update_excludes_the_old_answer_and_the_other_way_round() {
        let (update, answer) = (call(Act::Update, true, 0, 9), call(Act::Answer(0), true, 0, 9));
        assert!(!is_explained(&[update, answer]));
        assert!(is_explained(&[update, Operation { succeeded: false, ..answer }]));
        assert!(is_explained(&[Operation { succeeded: false, ..update }, answer]));
    }

    #[test]
    fn what_a_refusal_or_a_look_rests_on_is_never_left_out() {
        let (answer, cancel) = (call(Act::Answer(0), true, 0, 9), call(Act::Cancel, true, 0, 9));
        let again = call(Act::Answer(0), false, 10, 11);
        assert_eq!(offending(&[cancel, answer, again, call(Act::Look(false), true, 12, 13)]), [0, 1, 3]);
        let (first, second) = (call(Act::Answer(0), true, 0, 1), call(Act::Answer(1), true, 2, 3));
        let loser = call(Act::Answer(2), false, 2, 3);
        assert_eq!(offending(&[loser, call(Act::Resolve, true, 4, 5), first, second, loser]), [2, 3]);
        let early = call(Act::Answer(0), false, 0, 1);
        assert_eq!(offending(&[early, call(Act::Resolve, true, 2, 3), loser]), [0, 1]);
    }

    #[test]
    fn an_answer_that_was_taken_stays_whatever_a_cancellation_says() {
        let (answer, cancel) = (call(Act::Answer(0), true, 0, 9), call(Act::Cancel, true, 0, 9));
        let shown = |answered| call(Act::Look(answered), true, 10, 11);
        assert!(is_explained(&[answer, cancel, shown(true)]));
        assert!(!is_explained(&[answer, cancel, shown(false)]));
        let refused = Operation { succeeded: false, ..answer };
        assert!(is_explained(&[refused, cancel, shown(false)]));
        assert!(!is_explained(&[refused, cancel, shown(true)]));
        assert!(!is_explained(&[refused, Operation { succeeded: false, ..cancel }]));
    }

    #[test]
    fn a_retry_of_the_winner_is_not_a_second_winner() {
        let answer = call(Act::Answer(0), true, 0, 9);
        assert!(is_explained(&[answer, call(Act::Answer(0), true, 10, 11), call(Act::Answer(1), false, 12, 13)]));
    }
}
