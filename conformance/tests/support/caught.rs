//! What each fault was caught by in this run, and whether `vectors/faults.json` still says so.

use arc_conformance::caught::{self, Caught, File};
use arc_conformance::run_event::Summary;
use arc_conformance::verdict::Verdict;
use std::path::PathBuf;

/// Whether pages and files are written anew in place of being compared.
pub(crate) fn blesses() -> bool {
    std::env::var("BLESS").is_ok()
}

/// A file of the tree, by its path from the top.
pub(crate) fn at_the_top(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The requirements that a fault must break, with the scenarios that showed it.
pub(crate) fn by(fault: &str, does: &str, requirements: &[&str], summary: &Summary) -> Caught {
    let is_its = |id: &str| requirements.contains(&id);
    let failed = summary.judgements.iter().filter(|j| j.verdict == Verdict::Fail && is_its(&j.requirement.id));
    let by = failed.map(|judgement| {
        let scenarios = judgement.evidence.iter().map(|e| e.scenario.clone()).collect();
        (judgement.requirement.id.clone(), scenarios)
    });
    Caught { fault: fault.to_owned(), does: does.to_owned(), by: by.collect() }
}

/// Holds what this run caught against the file; with `BLESS=1` the file is written anew.
pub(crate) fn settle(caught: Vec<Caught>) {
    if blesses() {
        let text = serde_json::to_string_pretty(&File { faults: caught }).expect("it is JSON");
        std::fs::write(at_the_top("vectors/faults.json"), text + "\n").expect("the file can be written");
        return;
    }
    let stale: Vec<String> = caught.iter().filter_map(difference).collect();
    let count = (caught.len(), caught::all().len());
    assert!(stale.is_empty() && count.0 == count.1, "vectors/faults.json is stale, run again with BLESS=1\n{stale:#?}");
}

/// What is no longer as the file says. Where calls meet, chance decides which scenario shows it: then one will do.
fn difference(now: &Caught) -> Option<String> {
    let then = caught::all().iter().find(|then| then.fault == now.fault);
    let is_as_before = then.is_some_and(|then| {
        let still = |(id, by): (_, &std::collections::BTreeSet<String>)| {
            now.by.get(id).is_some_and(|now| by.intersection(now).next().is_some())
        };
        then.does == now.does && then.by.len() == now.by.len() && then.by.iter().all(still)
    });
    (!is_as_before).then(|| format!("{}: {:?}, in the file {:?}", now.fault, now.by, then.map(|then| &then.by)))
}
