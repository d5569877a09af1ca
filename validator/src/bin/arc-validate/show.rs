//! The catalogue for people and programs: one rule explained, all rules listed, docs/LINTS.md.

use arc_validator::output::printable;
use arc_validator::{Example, FAMILIES, Rule, rules};
use serde_json::{Value, json};
use std::fmt::Write;

/// What `explain NAME` prints: the rule of that code, or every rule of the family or of the requirement.
pub(crate) fn explain(name: &str) -> Option<String> {
    let is_meant = |family: &str, rule: &Rule| {
        let names = rule.requirements.iter().copied().chain([rule.code, family, "all"]);
        names.into_iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    let families = FAMILIES.iter().flat_map(|family| family.rules.iter().map(move |rule| (family.name, rule)));
    let explained: Vec<_> =
        families.filter(|(family, rule)| is_meant(family, rule)).map(|(_, rule)| explained(rule)).collect();
    (!explained.is_empty()).then(|| explained.join("\n"))
}

fn explained(rule: &Rule) -> String {
    let Rule { code, section, summary, explanation, .. } = rule;
    let (level, requirements) = (rule.level.as_str(), rule.requirements.join(", "));
    let (bad, good) = (indented(&whole(&rule.bad)), indented(&whole(&rule.good)));
    format!(
        "{code}\n  {level}; {requirements}; contract: {section}\n\n{summary}\n\n{explanation}\n\nBreaks it:\n\n{bad}\n\
         Keeps to it:\n\n{good}"
    )
}

/// The example as whole events.
fn whole(example: &Example) -> String {
    let events = example.documents();
    match (example, events.as_slice()) {
        (Example::Unshown(reason), _) => format!("(no example: {reason})"),
        (Example::Event(_), [event]) => pretty(event),
        _ => events.iter().map(|event| spelled(event)).collect::<Vec<_>>().join("\n"),
    }
}

fn pretty(event: &[u8]) -> String {
    let value: Option<Value> = serde_json::from_slice(event).ok();
    value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_else(|| spelled(event))
}

/// Bytes as they may be printed.
fn spelled(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        out.push_str(&printable(chunk.valid()));
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{byte:02X}");
        }
    }
    out
}

fn indented(text: &str) -> String {
    text.lines().flat_map(|line| ["  ", line, "\n"]).collect()
}

/// What `rules` prints: one line a rule.
pub(crate) fn table() -> String {
    let width = rules().map(|rule| rule.code.len()).max().unwrap_or_default();
    let mut table = String::new();
    for Rule { code, level, summary, .. } in rules() {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{code:width$}  {:7}  {summary}", level.as_str());
    }
    table
}

/// What `rules --format json` prints.
pub(crate) fn as_json() -> String {
    let texts = |example: &Example| -> Vec<_> {
        example.documents().iter().map(|event| String::from_utf8_lossy(event).into_owned()).collect()
    };
    let entry = |family: &str, rule: &Rule| {
        json!({
            "code": rule.code, "family": family, "level": rule.level.as_str(), "requirements": rule.requirements,
            "section": rule.section, "summary": rule.summary, "explanation": rule.explanation,
            "bad": texts(&rule.bad), "good": texts(&rule.good),
        })
    };
    let entries = FAMILIES.iter().flat_map(|family| family.rules.iter().map(move |rule| entry(family.name, rule)));
    format!("{:#}\n", json!({ "rules": entries.collect::<Vec<_>>() }))
}

/// What `rules --format markdown` prints: docs/LINTS.md.
pub(crate) fn as_markdown() -> String {
    let mut page = HEAD.to_owned();
    for family in FAMILIES {
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## {} (`{}`)\n", family.title, family.name);
        page.extend(family.rules.iter().map(|rule| section(rule)));
    }
    page
}

fn section(rule: &Rule) -> String {
    let Rule { code, section, summary, explanation, .. } = rule;
    let (level, requirements) = (rule.level.as_str(), rule.requirements.join(", "));
    let (bad, good) = (brief(&rule.bad), brief(&rule.good));
    let facts = [level, &requirements, section].into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>();
    let facts = facts.join(" · ");
    format!("\n### `{code}`\n\n{facts}\n\n**{summary}** {explanation}\n\nBreaks it:{bad}\nKeeps to it:{good}")
}

/// The example as it stands in the catalogue.
fn brief(example: &Example) -> String {
    let text = match example {
        Example::Event(patch) => (*patch).to_owned(),
        Example::Stream(patches) => patches.join("\n"),
        Example::Text(text) => spelled(text.as_bytes()),
        Example::Bytes(bytes) => spelled(bytes),
        Example::Unshown(reason) => return format!(" no example, because {reason}.\n"),
    };
    format!("\n\n```text\n{text}\n```\n")
}

const HEAD: &str = "\
# Rules and lints

Everything that `arc-validate` reports, family by family. This page is generated: `arc-validate rules --format markdown`.

Each rule has a level of its own: *error* (the event or stream breaks the contract), *warning* (valid, but probably not what
was meant) or *info* (worth knowing). `--deny`, `--warn` and `--allow` change it for a run; they take a rule's code, the name
of a family or `all`, and the narrower name wins. `ARC_VALIDATE_DENY`, `ARC_VALIDATE_WARN` and `ARC_VALIDATE_ALLOW` do the
same with lists separated by commas, and so does the nearest `arc.toml` from the working directory upward:

```toml
[validate]
deny = [\"nobody-waits\"]
warn = []
allow = [\"retry\"]
```

A flag wins over the environment, and that over the file. A program exits with 1 when a finding counts as an error in its run.
**To demote or allow an error changes the report and the exit code, and nothing else:** the event stays invalid, is not counted
as valid, does not pass `--gate`, and every consumer of ARC 0.2 will refuse it.

Examples are merge patches (RFC 7396: null removes a member) over the smallest valid event of their `event_type`, which is
request.created where they name none; several lines are a stream. Whole JSON texts stand as they are spelled.
`arc-validate explain CODE` shows each example as whole events.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_explained_by_its_code_and_by_its_requirement() {
        assert!(
            explain("unknown-member").unwrap().starts_with("unknown-member\n  error; ENV-15; contract: Envelope\n")
        );
        let both = explain("env-13").unwrap();
        assert!(both.contains("missing-response\n") && both.contains("misplaced-response\n"));
        assert_eq!(explain("no-such-rule"), None);
    }

    #[test]
    fn no_page_holds_what_a_terminal_would_act_on() {
        for page in rules().map(explained).chain([table(), as_markdown()]) {
            assert!(!page.contains(|c: char| c.is_control() && c != '\n'), "{page:?}");
        }
    }
}
