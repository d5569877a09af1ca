//! The contract's own examples pass; with any one member removed, misspelled, of another type or over its bound they fail
//! at that very member.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use arc_validator::json::{Member, Node};
use serde_json::Value;
use std::io::Write;
use std::ops::Range;
use std::process::{Command, Stdio};

const EXAMPLES: [&str; 4] = [
    include_str!("../../vectors/examples/create.json"),
    include_str!("../../vectors/examples/update.json"),
    include_str!("../../vectors/examples/answer.json"),
    include_str!("../../vectors/examples/resolve.json"),
];

/// Runs the program on `text`: its exit code, and its errors.
fn validate(text: &str) -> (i32, Vec<Value>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arc-validate"))
        .args(["--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let errors = report["findings"].as_array().unwrap().iter().filter(|finding| finding["level"] == "error");
    (output.status.code().unwrap(), errors.cloned().collect())
}

/// Every member of an event with its pointer and the span of the object it stands in.
fn members<'n>(node: &'n Node<'n>, pointer: &str, out: &mut Vec<(String, Range<usize>, &'n Member<'n>)>) {
    for member in node.members() {
        let inner = format!("{pointer}/{}", member.name);
        members(&member.value, &inner, out);
        out.push((inner, node.span.clone(), member));
    }
    for (i, item) in node.items().iter().enumerate() {
        members(item, &format!("{pointer}/{i}"), out);
    }
}

/// Line and column of a byte, counted the slow way.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap().chars().count() + 1)
}

fn assert_only_finding(text: &str, pointer: &str, at: usize, what: &str) {
    let (code, findings) = validate(text);
    assert_eq!(code, 1, "{what}");
    let found: Vec<_> =
        findings.iter().map(|f| (f["pointer"].as_str().unwrap(), f["line"].clone(), f["column"].clone())).collect();
    let (line, column) = line_and_column(text, at);
    assert_eq!(found, [(pointer, line.into(), column.into())], "{what}");
}

fn replaced(text: &str, span: &Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..span.start], &text[span.end..])
}

/// Members whose absence makes an event invalid.
fn is_required(pointer: &str, example: &str) -> bool {
    let optional =
        ["/sender/name", "/sender/instance_id", "/context", "/request/title", "/request/priority", "/request/outcome"];
    let answerable = ["/request/response", "/response/nonce", "/response/source"];
    let is_optional = optional.contains(&pointer)
        || answerable.contains(&pointer)
        || pointer.starts_with("/context/")
        || pointer.ends_with("/detail")
        || (pointer == "/request/key" && example.contains("request.created"));
    !is_optional
}

fn each_member(mut check: impl FnMut(&str, &str, &Range<usize>, &Member<'_>)) {
    for example in EXAMPLES {
        let node = arc_validator::json::parse(example.as_bytes()).unwrap();
        let mut all = Vec::new();
        members(&node, "", &mut all);
        assert!(all.len() > 8);
        for (pointer, object, member) in all {
            check(example, &pointer, &object, member);
        }
    }
}

#[test]
fn the_examples_pass() {
    for example in EXAMPLES {
        assert_eq!(validate(example), (0, vec![]));
    }
}

#[test]
fn a_removed_member_is_missed_where_it_should_stand() {
    each_member(|example, pointer, object, member| {
        let mut event: Value = serde_json::from_str(example).unwrap();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        event.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name);
        let removed = event.to_string();
        if is_required(pointer, example) {
            let node = arc_validator::json::parse(removed.as_bytes()).unwrap();
            let steps: Vec<_> = parent.split('/').skip(1).collect();
            let at = node.at(&steps).unwrap().span.start;
            // Without any value the answer lacks one, not a certain one of the two.
            let pointed_at = if name == "choice_id" { parent } else { pointer };
            assert_only_finding(&removed, pointed_at, at, &format!("{pointer} removed"));
        } else {
            assert_eq!(validate(&removed), (0, vec![]), "{pointer} removed from {object:?} of {}", member.name);
        }
    });
}

#[test]
fn a_misspelled_member_is_found_by_its_name() {
    each_member(|example, pointer, _, member| {
        let name = Range { start: member.name_span.start, end: member.name_span.end };
        let misspelled = replaced(example, &name, &format!("\"{}x\"", member.name));
        assert_only_finding(&misspelled, &format!("{pointer}x"), name.start, &format!("{pointer} misspelled"));
    });
}

#[test]
fn a_member_of_another_type_is_found_by_its_value() {
    each_member(|example, pointer, _, member| {
        let other = if member.value.as_str().is_some() { "4711" } else { "\"4711\"" };
        let changed = replaced(example, &member.value.span, other);
        assert_only_finding(&changed, pointer, member.value.span.start, &format!("{pointer} of another type"));
    });
}

#[test]
fn a_member_over_its_bound_is_found_by_its_value() {
    each_member(|example, pointer, _, member| {
        let over = if member.value.as_str().is_some() {
            format!("\"{}\"", "x".repeat(5000))
        } else if pointer.ends_with("/choices") {
            let choices: Vec<_> = (0..13).map(|i| format!(r#"{{"id":"c{i}","label":"C"}}"#)).collect();
            format!("[{}]", choices.join(","))
        } else {
            return; // objects have no bound of their own
        };
        let changed = replaced(example, &member.value.span, &over);
        assert_only_finding(&changed, pointer, member.value.span.start, &format!("{pointer} over its bound"));
    });
}
