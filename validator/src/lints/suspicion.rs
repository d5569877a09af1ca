//! A fast look at bytes: is there anything in them that the lints of texts should read closely?

use super::privacy;
use aho_corasick::packed::Searcher;
use memchr::{memchr, memchr3_iter};
use std::sync::LazyLock;

/// Nothing where the machine has no vector instructions for it: then everything is read closely.
static SEARCH: LazyLock<Option<Searcher>> = LazyLock::new(|| Searcher::new(privacy::signs()));

/// Whether the sign of a secret stands in an event.
pub(crate) fn may_hold_secret(bytes: &[u8]) -> bool {
    next_sign(bytes).is_some()
}

/// Where the first sign of a secret stands.
pub(crate) fn next_sign(bytes: &[u8]) -> Option<usize> {
    SEARCH.as_ref().map_or(Some(0), |search| search.find(bytes).map(|sign| sign.start()))
}

/// Whether a raw invisible, bidirectional or control character stands in an event. Those below U+0020 are no JSON, so
/// only an escape can spell them.
pub(super) fn hides_something(bytes: &[u8]) -> bool {
    let is_hidden = |at: usize| begins_hidden(&bytes[at..]);
    let has_multibyte =
        || memchr3_iter(0xc2, 0xe2, 0xef, bytes).any(is_hidden) || memchr3_iter(0xd8, 0xe1, 0xf3, bytes).any(is_hidden);
    memchr(0x7f, bytes).is_some() || (!bytes.is_ascii() && has_multibyte())
}

/// Whether a text may hold a character that cannot be seen, be it one that only an escape can have spelled.
pub(super) fn may_hold_hidden(text: &str) -> bool {
    // Looks at every byte, for that goes many at a time.
    let is_control = |byte: u8| byte < 0x20 && !matches!(byte, b'\n' | b'\r' | b'\t');
    text.bytes().fold(false, |found, byte| found | is_control(byte)) || hides_something(text.as_bytes())
}

/// Whether valid UTF-8 begins with a hidden character of two bytes or more; a few that are none count as well.
fn begins_hidden(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xc2, 0x80..=0x9f | 0xad, ..]
            | [0xd8, 0x9c, ..]
            | [0xe1, 0xa0, 0x8e, ..]
            | [0xe2, 0x80, 0x8b..=0x8f | 0xa8..=0xae, ..]
            | [0xe2, 0x81, 0xa0..=0xaf, ..]
            | [0xef, 0xbb, 0xbf, ..]
            | [0xef, 0xbf, 0xb9..=0xbb | 0xbe | 0xbf, ..]
            | [0xf3, 0xa0, ..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::is_invisible;

    #[test]
    fn every_hidden_character_is_suspected() {
        for c in ('\u{7f}'..=char::MAX).filter(|c| c.is_control() || is_invisible(*c)) {
            assert!(hides_something(format!("é{c}").as_bytes()), "U+{:04X}", u32::from(c));
        }
        for text in ["plain", "größer – „so“ … 👍", "日本語。", "Привет"] {
            assert!(!hides_something(text.as_bytes()), "{text}");
        }
    }
}
