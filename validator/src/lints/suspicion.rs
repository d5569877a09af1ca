//! A fast look at bytes: is there anything in them that the lints of texts should read closely?

use aho_corasick::packed::Searcher;
use std::sync::LazyLock;

/// How secrets begin, or what stands in all of them.
const SIGNS: &[&str] = &[
    "E KEY",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk_live_",
    "rk_live_",
    "xox",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "npm_",
    "pypi-",
    "hf_",
    "eyJ",
    "earer ",
    "://",
];

/// Nothing where the machine has no vector instructions for it: then everything is read closely.
static SEARCH: LazyLock<Option<Searcher>> = LazyLock::new(|| Searcher::new(SIGNS));

pub(super) fn may_hold_secret(bytes: &[u8]) -> bool {
    SEARCH.as_ref().is_none_or(|search| search.find(bytes).is_some())
}

/// Whether a raw control, invisible or bidirectional character may be among these bytes.
pub(super) fn may_hide(bytes: &[u8]) -> bool {
    // Without an early end, so that it is done many bytes at a time.
    bytes.iter().fold(false, |found, byte| found | begins_hidden(*byte))
}

/// Where such a character may begin.
pub(super) fn hiding_places(text: &str) -> impl Iterator<Item = usize> {
    let table: &'static [bool; 256] = &BEGINS_HIDDEN;
    text.bytes().enumerate().filter(|(_, byte)| table[usize::from(*byte)]).map(|(at, _)| at)
}

/// [`begins_hidden`] as a table, for one byte at a time.
static BEGINS_HIDDEN: LazyLock<[bool; 256]> = LazyLock::new(|| {
    let mut table = [false; 256];
    (0..=u8::MAX).for_each(|byte| table[usize::from(byte)] = begins_hidden(byte));
    table
});

/// The bytes that such characters begin with, line breaks and tabs left out.
fn begins_hidden(byte: u8) -> bool {
    matches!(byte, 0..=0x08 | 0x0b | 0x0c | 0x0e..=0x1f | 0x7f | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf3)
}

/// Whether an escape may spell such a character, or a letter or slash of a secret: not those of quotes, backslashes and
/// line breaks, which most texts with escapes have.
pub(super) fn may_spell(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| matches!(bytes.get(at + 1), Some(b'u' | b'b' | b'f' | b'/')))
}
