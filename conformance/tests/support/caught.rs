//! What each fault of the crash-test consumer was caught by, as `vectors/faults.json` keeps it.

use arc_conformance::run_event::Summary;
use arc_conformance::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// One fault, and the requirements that it must break with the scenarios that showed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Caught {
    pub(crate) fault: String,
    /// What the consumer does wrong.
    pub(crate) does: String,
    /// Requirement to the scenarios that failed.
    pub(crate) by: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Default, Serialize, Deserialize)]
struct File {
    faults: Vec<Caught>,
}

impl Caught {
    pub(crate) fn by(fault: &str, does: &str, requirements: &[&str], summary: &Summary) -> Self {
        let is_its = |id: &str| requirements.contains(&id);
        let failed = summary.judgements.iter().filter(|j| j.verdict == Verdict::Fail && is_its(&j.requirement.id));
        let by = failed.map(|judgement| {
            let scenarios = judgement.evidence.iter().map(|e| e.scenario.clone()).collect();
            (judgement.requirement.id.clone(), scenarios)
        });
        Self { fault: fault.to_owned(), does: does.to_owned(), by: by.collect() }
    }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/faults.json")
}

/// Holds what this run caught against the file; with `BLESS=1` the file is written anew.
pub(crate) fn settle(caught: &[Caught]) {
    if std::env::var("BLESS").is_ok() {
        let file = File { faults: caught.to_vec() };
        let text = serde_json::to_string_pretty(&file).expect("it is JSON");
        std::fs::write(path(), text + "\n").expect("the file can be written");
        return;
    }
    let text = std::fs::read_to_string(path()).unwrap_or_default();
    let file: File = serde_json::from_str(&text).unwrap_or_default();
    let stale: Vec<String> = caught.iter().filter_map(|now| difference(&file, now)).collect();
    assert!(stale.is_empty(), "vectors/faults.json is stale, run again with BLESS=1\n{}", stale.join("\n"));
    assert_eq!(file.faults.len(), caught.len(), "vectors/faults.json is stale, run again with BLESS=1");
}

fn difference(file: &File, now: &Caught) -> Option<String> {
    let then = file.faults.iter().find(|then| then.fault == now.fault);
    (then != Some(now)).then(|| format!("{}: {:?}, but in the file {:?}", now.fault, now.by, then.map(|t| &t.by)))
}
