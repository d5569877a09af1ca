//! PRO-08: events carry no secrets.

use super::Note;
use super::texts::Text;
use crate::rules::{Example, Level, Rule};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// The lints of this family.
pub(crate) const PRIVACY: &[&Rule] = &[&SECRET];

pub(crate) static SECRET: Rule = Rule {
    code: "secret",
    level: Level::Error,
    requirements: &["PRO-08"],
    section: "Security and privacy",
    summary: "A text holds what looks like a token, a credential or a private key.",
    explanation: "Events are stored, displayed and relayed to phones. Say what the secret is for, not what it is. Only well-known shapes are recognised, so silence here proves nothing.",
    bad: Example::Event(r#"{"request": {"message": "Push with https://ci:hunter2-hunter2@git.example/app?"}}"#),
    good: Example::Event(r#"{"request": {"message": "Push to https://git.example/app with the CI account?"}}"#),
};

/// What one kind of secret looks like.
struct Shape {
    what: &'static str,
    /// One of these stands in every such secret. Short ones that are rare in prose and in names are found fastest.
    signs: &'static [&'static str],
    /// Its first group is the secret itself.
    expression: LazyLock<Regex>,
}

/// A shape, its expression compiled when its sign is first met.
macro_rules! shape {
    ($what:literal, $signs:expr, $expression:literal) => {
        Shape {
            what: $what,
            signs: &$signs,
            expression: LazyLock::new(|| Regex::new($expression).expect("it is an expression, as the tests show")),
        }
    };
}

static SHAPES: [Shape; 15] = [
    shape!("a private key", ["RIVATE KEY"], r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY)"),
    shape!(
        "a GitHub token",
        ["hp_", "ho_", "hu_", "hs_", "hr_", "hub_pat_"],
        r"\b(gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})"
    ),
    shape!("a GitLab token", ["glpat-"], r"\b(glpat-[A-Za-z0-9_-]{20,})"),
    shape!("an API key", ["sk-"], r"\b(sk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]{16,})"),
    shape!("a payment key", ["k_live_"], r"\b([sr]k_live_[A-Za-z0-9]{16,})"),
    shape!("a Slack token", ["xox"], r"\b(xox[abprs]-[A-Za-z0-9-]{10,})"),
    shape!("an AWS access key", ["AKIA", "ASIA"], r"\b((?:AKIA|ASIA)[A-Z0-9]{16})\b"),
    shape!("a Google API key", ["AIza"], r"\b(AIza[A-Za-z0-9_-]{35})"),
    shape!("a Google access token", ["ya29."], r"\b(ya29\.[A-Za-z0-9_-]{20,})"),
    shape!("an npm token", ["npm_"], r"\b(npm_[A-Za-z0-9]{36})\b"),
    shape!("a PyPI token", ["ypi-"], r"\b(pypi-[A-Za-z0-9_-]{32,})"),
    shape!("a Hugging Face token", ["hf_"], r"\b(hf_[A-Za-z0-9]{30,})"),
    shape!("a JSON Web Token", ["eyJ"], r"\b(eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"),
    shape!("a bearer token", ["arer "], r"\b[Bb]earer +([A-Za-z0-9._~+/-]{20,}=*)"),
    shape!("a password in a URL", ["://"], r"\b[a-z][a-z0-9+.-]*://[^\s/@:]*:([^\s/@:*<>{}$]{3,})@"),
];

/// The signs of all shapes.
pub(super) fn signs() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().flat_map(|shape| shape.signs.iter().copied())
}

/// Notices secrets in one text.
pub(super) fn notice(text: &Text<'_>, notes: &mut Vec<Note>) {
    for (what, part) in secrets(text.content) {
        let message = format!("`{}` holds what looks like {what}", text.place);
        let note = Note::new(&SECRET, &text.place.to_string(), message).part(part);
        notes.push(note.hint("take it out, and revoke it if this was ever sent"));
    }
}

/// What in a text looks like a secret: what it is, and its bytes.
pub(crate) fn secrets(text: &str) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    let suspected = SHAPES.iter().filter(|shape| shape.signs.iter().any(|sign| text.contains(sign)));
    suspected.flat_map(move |shape| {
        let found = shape.expression.captures_iter(text).filter_map(|captures| captures.get(1));
        found.map(move |secret| (shape.what, secret.range()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        secrets(text).map(|(_, part)| &text[part]).collect()
    }

    #[test]
    fn secrets_are_recognised() {
        let letters = "a1B2".repeat(10);
        for secret in [
            format!("ghp_{letters}"),
            format!("github_pat_{letters}"),
            format!("glpat-{letters}"),
            format!("sk-ant-{letters}"),
            format!("xoxb-{letters}"),
            "AKIAABCDEFGHIJKLMNOP".to_owned(),
            format!("eyJ{letters}.eyJ{letters}.{letters}"),
            "-----BEGIN OPENSSH PRIVATE KEY".to_owned(),
        ] {
            assert_eq!(found(&format!("use {secret} now")), [secret]);
        }
        assert_eq!(found("Authorization: Bearer abcdefghijklmnopqrstuvwxyz"), ["abcdefghijklmnopqrstuvwxyz"]);
        assert_eq!(found("postgres://app:s3cret@db/main"), ["s3cret"]);
    }

    #[test]
    fn what_only_resembles_a_secret_is_left_alone() {
        for text in [
            "the task-0123456789abcdefghijk is done",
            "Bearer of bad news, and the bearer token is missing",
            "https://user@example.com and http://localhost:8080/a@b",
            "postgres://app:<password>@db and postgres://app:${PASSWORD}@db and ftp://a:***@b",
            "-----BEGIN PUBLIC KEY-----",
            "risk-assessment-of-the-new-deployment-1",
            "eyJhbGciOi",
            "ssh://git@github.com:22/repo",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
