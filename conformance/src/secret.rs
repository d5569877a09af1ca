//! Secrets, and how they are kept out of everything that people read.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What stands for the token.
const TOKEN_WORD: &str = "$ARC_TOKEN";

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

/// So many bytes at the start of a secret are enough to look it up.
const START: usize = 4;

/// Secrets by their first bytes, each with the word that stands for it: one pass over a text finds them all.
type Known = HashMap<[u8; START], BTreeMap<String, &'static str>>;

/// Knows every secret that a run has met, and takes it out of texts.
pub struct Redactor {
    token: Token,
    known: Mutex<Known>,
}

impl Redactor {
    /// A redactor that knows the token.
    pub fn new(token: &Token) -> Self {
        Self { token: token.clone(), known: Mutex::default() }
    }

    /// Remembers a secret under the word that will stand for it.
    pub fn learn(&self, secret: &str, stands_for: &'static str) {
        if let Some(start) = secret.as_bytes().first_chunk() {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry(*start).or_default().insert(secret.to_owned(), stands_for);
        }
    }

    /// Every secret, and the word that stands for it.
    pub(crate) fn known(&self) -> Vec<(String, &'static str)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let learned = known.values().flatten().map(|(secret, word)| (secret.clone(), *word));
        let token = (!self.token.expose().is_empty()).then(|| (self.token.expose().to_owned(), TOKEN_WORD));
        token.into_iter().chain(learned).collect()
    }

    /// The text without any known secret and without anything that looks like a digest.
    pub fn clean(&self, text: &str) -> String {
        let token = self.token.expose();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut clean = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            let is_token = !token.is_empty() && rest.starts_with(token);
            let found = if is_token { Some((token.len(), TOKEN_WORD)) } else { at_start(&known, rest) };
            if let Some((length, word)) = found {
                clean.push_str(word);
                rest = &rest[length..];
            } else {
                clean.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        without_digests(&clean)
    }
}

/// Length and word of the longest known secret with which the text begins.
fn at_start(known: &Known, text: &str) -> Option<(usize, &'static str)> {
    let alike = known.get(text.as_bytes().first_chunk()?)?;
    let found = alike.iter().rev().find(|(secret, _)| text.starts_with(secret.as_str()));
    found.map(|(secret, word)| (secret.len(), *word))
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
    fn the_longest_of_secrets_that_begin_alike_is_taken_out_whole() {
        let redactor = Redactor::new(&Token::new("né"));
        redactor.learn("nonce-1", "<nonce>");
        redactor.learn("nonce-12", "<nonce>");
        redactor.learn("abc", "<short>");
        assert_eq!(redactor.clean("ü nonce-12nonce-1né, nonce-2 abc ü"), "ü <nonce><nonce>$ARC_TOKEN, nonce-2 abc ü");
        assert_eq!(redactor.known().len(), 3);
    }

    #[test]
    fn an_empty_token_leaves_texts_alone() {
        assert_eq!(Redactor::new(&Token::new("")).clean("abc"), "abc");
    }
}
