//! Where the lints begin and end, and which part of an event each one underlines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::{Value, json};

/// A question with these members of its request.
fn question(members: &Value) -> Value {
    let choices = json!([{ "id": "a", "label": "Allow" }, { "id": "d", "label": "Deny" }]);
    let response = json!({ "kind": "permission", "expires_at": "2026-08-26T02:15:00Z", "choices": choices });
    let mut event = json!({
        "arc_version": "0.2", "event_id": "e1", "event_type": "request.created", "occurred_at": "2026-08-26T01:15:00Z",
        "sender": { "id": "codex" },
        "request": { "kind": "permission", "key": "k", "title": "Deploy", "message": "Deploy?", "response": response },
    });
    for (pointer, value) in members.as_object().unwrap() {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        event["request"].pointer_mut(parent).unwrap()[name] = value.clone();
    }
    event
}

/// The code of each finding, with what it underlines.
fn found_in(bytes: &[u8]) -> Vec<(&'static str, String)> {
    let findings = arc_validator::lint(&arc_validator::parse(bytes).unwrap(), bytes);
    let part = |span: std::ops::Range<usize>| String::from_utf8(bytes[span].to_vec()).unwrap();
    findings.into_iter().map(|finding| (finding.rule.code, part(finding.span))).collect()
}

fn found(members: &Value) -> Vec<(&'static str, String)> {
    found_in(question(members).to_string().as_bytes())
}

fn is_long(message: &str) -> bool {
    found(&json!({ "/message": message })).iter().any(|(code, _)| *code == "long-message")
}

#[test]
fn a_message_is_long_beyond_1500_characters_20_line_breaks_or_with_a_block_of_code() {
    assert!(!is_long(&"a".repeat(1_500)) && is_long(&"a".repeat(1_501)));
    assert!(!is_long(&"é".repeat(1_500)) && is_long(&"é".repeat(1_501)), "characters count, not bytes");
    assert!(!is_long(&format!("a{}b", "\n".repeat(20))) && is_long(&format!("a{}b", "\n".repeat(21))));
    assert!(!is_long("Run `make`?") && is_long("Run?\n```\nmake\n```"));
}

#[test]
fn what_hides_is_underlined_alone_unless_an_escape_spells_the_text() {
    let hidden = |message: &str| found(&json!({ "/message": message }));
    assert_eq!(hidden("a\u{200b}b"), [("invisible-character", "\u{200b}".to_owned())]);
    assert_eq!(hidden("aé\u{202e}b"), [("invisible-character", "\u{202e}".to_owned())]);
    assert_eq!(hidden("a\nb\tc\rd – „e“"), []);
    let escaped = question(&json!({ "/message": "a b" })).to_string().replace("a b", r"a\u001bb");
    assert_eq!(found_in(escaped.as_bytes()), [("invisible-character", r#""a\u001bb""#.to_owned())]);
    let plain = question(&json!({ "/message": "a b" })).to_string().replace("a b", r"a\u0020b");
    assert_eq!(found_in(plain.as_bytes()), []);
}

#[test]
fn a_joiner_is_seen_after_a_letter_that_it_joins() {
    let hides = |message: &str| !found(&json!({ "/message": message })).is_empty();
    assert!(!hides("👩\u{200d}💻") && !hides("می\u{200c}خواهم"));
    assert!(hides("a\u{200d}b") && hides("\u{200d}") && hides("é\u{200b}\u{200d}"));
    assert!(hides("é\u{200b}"), "only joiners join");
}

#[test]
fn a_secret_is_underlined_alone_wherever_a_person_may_read_it() {
    let secret = format!("ghp_{}", "aB3".repeat(12));
    let text = format!("with {secret} as it is");
    for member in ["/title", "/message", "/response/choices/0/label", "/response/choices/1/detail"] {
        let event = question(&json!({ member: text })).to_string();
        assert_eq!(found_in(event.as_bytes()), [("secret", secret.clone())], "{member}");
        let escaped = event.replace("ghp_", r"\u0067hp_");
        let whole = format!("\"{}\"", text.replace("ghp_", r"\u0067hp_"));
        assert_eq!(found_in(escaped.as_bytes()), [("secret", whole)], "{member}");
    }
}
