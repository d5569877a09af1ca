//! One fault for each mistake, where a schema reports every consequence of it.

use super::fault::{Fault, Kind};
use super::words;
use crate::json::Node;

/// Leaves out what stands inside a member that may not stand there at all, all but one fault a place, and a missing member
/// where a misspelling of it was found.
pub(super) fn best(mut faults: Vec<Fault>, event: &Node<'_>) -> Vec<Fault> {
    faults.sort_by(|a, b| (&a.steps, a.kind).cmp(&(&b.steps, b.kind)));
    faults.dedup_by(|later, first| later.steps == first.steps);
    let forbidden: Vec<_> = faults.iter().filter(|f| f.kind == Kind::Forbidden).map(|f| f.steps.clone()).collect();
    for fault in faults.iter_mut().filter(|fault| fault.kind == Kind::Unknown) {
        fault.meant = words::did_you_mean(fault, event);
    }
    let meant: Vec<_> = faults.iter().filter_map(meant).collect();
    faults.retain(|fault| {
        let inside_forbidden = forbidden.iter().any(|o| fault.steps.len() > o.len() && fault.steps.starts_with(o));
        !inside_forbidden && !meant.iter().any(|steps| is_answered_by(fault, steps))
    });
    faults
}

/// The steps to the member that an unknown one is probably a misspelling of.
fn meant(fault: &Fault) -> Option<Vec<String>> {
    let (_, object) = fault.steps.split_last()?;
    Some(object.iter().cloned().chain([fault.meant?.to_owned()]).collect())
}

/// Whether a member is missed only because it is misspelled.
fn is_answered_by(fault: &Fault, meant: &[String]) -> bool {
    match fault.kind {
        Kind::Missing => fault.steps == meant,
        Kind::NoAnswer => meant.strip_prefix(&fault.steps[..]).is_some_and(|m| m == ["choice_id"] || m == ["text"]),
        _ => false,
    }
}
