//! Secrets, and how they are kept out of everything that people read.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The bearer token. Its Debug shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Wraps a token as the user gave it.
    pub fn new(token: impl Into<String>) -> Self {
        Self(token.into())
    }

    /// The token itself, for the Authorization header alone.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Knows every secret that a run has met, and takes it out of texts.
pub struct Redactor {
    known: Mutex<BTreeMap<String, &'static str>>,
}

impl Redactor {
    /// A redactor that knows the token.
    pub fn new(token: &Token) -> Self {
        let known = BTreeMap::from([(token.expose().to_owned(), "$ARC_TOKEN")]);
        Self { known: Mutex::new(known) }
    }

    /// Remembers a secret under the word that will stand for it.
    pub fn learn(&self, secret: &str, stands_for: &'static str) {
        if secret.len() >= 4 {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(secret.to_owned(), stands_for);
        }
    }

    /// Every secret, and the word that stands for it.
    pub(crate) fn known(&self) -> Vec<(String, &'static str)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().filter(|(secret, _)| !secret.is_empty()).map(|(secret, word)| (secret.clone(), *word)).collect()
    }

    /// The text without any known secret and without anything that looks like a digest.
    pub fn clean(&self, text: &str) -> String {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let cleaned =
            known.iter().filter(|(secret, _)| !secret.is_empty()).fold(text.to_owned(), |text, (secret, word)| {
                if text.contains(secret) { text.replace(secret, word) } else { text }
            });
        without_digests(&cleaned)
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor(…)")
    }
}

/// Replaces each run of at least 40 hexadecimal digits: nothing else in an exchange looks like one.
fn without_digests(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut run = String::new();
    let flush = |run: &mut String, clean: &mut String| {
        let is_uniform = run.bytes().all(|b| Some(b) == run.bytes().next());
        clean.push_str(if run.len() >= 40 && !is_uniform { "<digest>" } else { run });
        run.clear();
    };
    for character in text.chars() {
        if character.is_ascii_hexdigit() {
            run.push(character);
        } else {
            flush(&mut run, &mut clean);
            clean.push(character);
        }
    }
    flush(&mut run, &mut clean);
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_survives() {
        let redactor = Redactor::new(&Token::new("tok-canary"));
        redactor.learn("nonce-canary", "<nonce>");
        let text = format!("Bearer tok-canary, nonce-canary, {}", "0123456789abcdef".repeat(4));
        assert_eq!(redactor.clean(&text), "Bearer $ARC_TOKEN, <nonce>, <digest>");
        assert_eq!(format!("{:?} {redactor:?}", Token::new("tok-canary")), "Token(…) Redactor(…)");
    }

    #[test]
    fn an_empty_token_leaves_texts_alone() {
        assert_eq!(Redactor::new(&Token::new("")).clean("abc"), "abc");
    }
}
