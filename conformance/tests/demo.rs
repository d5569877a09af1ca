//! `arc-conform demo` shows what a red report looks like.

use std::process::{Command, Output};

fn demo(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-conform"));
    command.arg("demo").args(arguments).output().expect("the program starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_fault_is_shown_red_with_its_reason() {
    let output = demo(&["DigestWithoutTitle", "--only", "DIG"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("FAIL DIG-02") && !text(&output).contains("FAIL DIG-01"), "{}", text(&output));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("leaves the title out of the digest"), "{said}");
}

#[test]
fn a_fault_that_shows_in_the_log_only_is_shown_there() {
    let output = demo(&["logstoken", "--only", "PRV"]);
    assert!(text(&output).contains("FAIL PRV-03"), "{}", text(&output));
}

#[test]
fn without_a_name_the_faults_are_listed() {
    let output = demo(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output).lines().count() > 100);
}

#[test]
fn an_unknown_fault_is_a_mistake_of_usage() {
    assert_eq!(demo(&["NoSuchFault"]).status.code(), Some(2));
    assert_eq!(demo(&["DigestWithoutTitle", "--no-such-option"]).status.code(), Some(2));
}
