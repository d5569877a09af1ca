//! The explaining lane: everything that is wrong with bytes that are no valid event, and where.
//!
//! bytes -> JSON tree with spans -> version gate -> JSON Schema -> rules beyond it -> one finding a fault.

mod best;
mod fault;
mod instance;
mod locate;
mod words;

use crate::finding::{Finding, sort};
use crate::json::{self, Node};
use crate::rules::{DUPLICATE_CHOICE, DUPLICATE_MEMBER, SUPERSEDED_VERSION};
use crate::schema;
use fault::Fault;
pub(crate) use instance::Tree;
use std::collections::HashMap;

/// All findings of strict JSON, schema and rules, sorted by place. Empty for a valid event.
///
/// ```
/// let findings = arc_validator::explain(br#"{"arc_version": "0.2", "mesage": 1}"#);
/// let unknown = findings.iter().find(|f| f.rule.code == "unknown-member").unwrap();
/// assert_eq!((unknown.pointer.as_str(), unknown.span.clone()), ("/mesage", 23..31));
/// ```
pub fn explain(bytes: &[u8]) -> Vec<Finding> {
    let (node, mut findings) = json::read(bytes);
    if let Some(mut node) = node {
        if findings.iter().any(|finding| finding.rule == &DUPLICATE_MEMBER) {
            node.keep_last_of_each_name();
        }
        findings.extend(explain_node(&node));
    }
    findings.iter_mut().for_each(Finding::mask);
    sort(&mut findings);
    findings
}

fn explain_node(node: &Node<'_>) -> Vec<Finding> {
    if let Some(superseded) = superseded_version(node) {
        return vec![superseded];
    }
    let faults = schema::validator().iter_errors(node).flat_map(|error| Fault::from_error(&error)).collect();
    let mut findings: Vec<_> = best::best(faults, node).into_iter().map(|fault| fault.locate(node)).collect();
    findings.extend(duplicate_choices(node));
    findings
}

/// The version gate: an event of 0.1 was written for another contract, so nothing else is said of it.
fn superseded_version(node: &Node<'_>) -> Option<Finding> {
    let version = node.get("arc_version").filter(|version| version.as_str() == Some("0.1"))?;
    let message = "this is an ARC 0.1 event, which 0.2 replaces".to_owned();
    let finding = Finding::new(&SUPERSEDED_VERSION, "/arc_version", version.span.clone(), message);
    Some(finding.permitted("exactly \"0.2\"").hint(
        "set it to \"0.2\"; a request that waits for an answer then needs `request.response`, and the answer comes back \
         as response.submitted",
    ))
}

/// ASK-05, which no schema can say: two choices of one id, whatever else they hold.
fn duplicate_choices(node: &Node<'_>) -> Vec<Finding> {
    let choices = node.get("request").and_then(|r| r.get("response")).and_then(|r| r.get("choices"));
    let mut first_at = HashMap::new();
    let ids = choices.map(Node::items).unwrap_or_default().iter().enumerate().filter_map(|(i, choice)| {
        let id = choice.get("id")?;
        Some((i, id.as_str()?, id.span.clone()))
    });
    ids.filter_map(|(i, id, span)| {
        let first = *first_at.entry(id).or_insert(i);
        (first != i).then(|| {
            let message = format!("choice {} has the id of choice {}", i + 1, first + 1);
            Finding::new(&DUPLICATE_CHOICE, format!("/request/response/choices/{i}/id"), span, message)
                .permitted("ids that are unique within the request")
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_stands_for_a_name_is_starred_out() {
        let token = format!("ghp_{}", "a1B2".repeat(10));
        for event in [format!(r#"{{"{token}": 1}}"#), format!(r#"{{"a": {{"{token}": 1, "{token}": 2}}}}"#)] {
            let findings = explain(event.as_bytes());
            assert!(findings.iter().any(|finding| finding.pointer.ends_with("****")), "{findings:?}");
            assert!(findings.iter().all(|finding| !format!("{finding:?}").contains("a1B2")), "{findings:?}");
        }
    }
}
