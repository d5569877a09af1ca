//! Exit codes.

use arc_conformance::claim::Standing;
use arc_conformance::run_event::Summary;
use arc_conformance::verdict::Verdict;
use std::process::ExitCode;

/// Every requested claim holds.
pub(crate) const HOLDS: u8 = 0;
/// At least one requirement of a requested claim is violated.
pub(crate) const VIOLATIONS: u8 = 1;
/// The command line or a file that it names cannot be used.
pub(crate) const USAGE: u8 = 2;
/// The target cannot be reached, refuses the token, or is no ARC endpoint.
pub(crate) const UNREACHABLE: u8 = 3;
/// Nothing ran, or no violation was found but a claim is not decided.
pub(crate) const INCONCLUSIVE: u8 = 4;
/// The kit itself is at fault.
pub(crate) const KIT_FAULT: u8 = 5;

/// Where no claim is weighed (a replay) the worst verdict decides.
fn of_judgements(summary: &Summary) -> ExitCode {
    ExitCode::from(match summary.judgements.iter().map(|j| j.verdict).max() {
        Some(Verdict::Fail) => VIOLATIONS,
        Some(Verdict::KitError) => KIT_FAULT,
        Some(Verdict::Pass) => HOLDS,
        _ => INCONCLUSIVE,
    })
}

/// The exit code of a run: that of its claims or, with a list of known failures, whether all is as the list says.
pub(crate) fn told(summary: &Summary) -> ExitCode {
    match &summary.known {
        None => of(summary),
        Some(known) if known.problems.is_empty() => but_for_violations(summary),
        Some(_) => ExitCode::from(VIOLATIONS),
    }
}

/// Where every violation is a known failure: what is undecided stays so.
fn but_for_violations(summary: &Summary) -> ExitCode {
    let is_open = summary.claims.iter().any(|claim| !claim.open.is_empty());
    ExitCode::from(if is_open { INCONCLUSIVE } else { HOLDS })
}

/// The exit code by the claims alone.
fn of(summary: &Summary) -> ExitCode {
    let asked = |claim: &str| summary.claims.iter().any(|c| c.name == claim);
    let is_kit_fault =
        |j: &&arc_conformance::verdict::Judgement| j.verdict == Verdict::KitError && asked(&j.requirement.claim);
    if summary.claims.is_empty() {
        return of_judgements(summary);
    }
    ExitCode::from(if summary.claims.iter().any(|claim| claim.standing == Standing::Broken) {
        VIOLATIONS
    } else if summary.judgements.iter().any(|j| is_kit_fault(&j)) {
        KIT_FAULT
    } else if summary.claims.iter().any(|claim| claim.standing == Standing::Open) {
        INCONCLUSIVE
    } else {
        HOLDS
    })
}
