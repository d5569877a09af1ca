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

/// Whether a control, invisible or bidirectional character may be among these bytes, by the bytes that begin them.
pub(super) fn may_hide(bytes: &[u8]) -> bool {
    let begins = |byte: u8| matches!(byte, 0..=0x1f | 0x7f | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf3);
    // Without an early end, so that it is done many bytes at a time.
    bytes.iter().fold(false, |found, byte| found | begins(*byte))
}
