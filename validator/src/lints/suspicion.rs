//! A fast look at bytes: is there anything in them that the lints of texts should read closely?

use aho_corasick::packed::Searcher;
use memchr::{memchr_iter, memchr3_iter};
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

/// Where a control, invisible or bidirectional character may begin, by its first byte. Line breaks and tabs are none.
pub(super) fn hiding_places(text: &str, is_decoded: bool) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let multibyte = memchr3_iter(0xc2, 0xe2, 0xef, bytes).chain(memchr3_iter(0xd8, 0xe1, 0xf3, bytes));
    // A raw control character is no JSON, so only an escape can have spelled one; DEL is the exception.
    let (raw, decoded) = if is_decoded { (0, usize::MAX) } else { (usize::MAX, 0) };
    let controls = bytes.iter().enumerate().filter(|(_, byte)| byte.is_ascii_control()).map(|(at, _)| at);
    multibyte.chain(memchr_iter(0x7f, bytes).take(raw)).chain(controls.take(decoded))
}

/// Whether an escape may spell such a character, or a letter or slash of a secret: not those of quotes, backslashes and
/// line breaks, which most texts with escapes have.
pub(super) fn may_spell(bytes: &[u8]) -> bool {
    memchr_iter(b'\\', bytes).any(|at| matches!(bytes.get(at + 1), Some(b'u' | b'b' | b'f' | b'/')))
}
