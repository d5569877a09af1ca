//! One look over an event's bytes: is there anything that the lints of texts should read?

use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;

/// How secrets begin, how control characters are spelled, and how invisible characters begin in UTF-8. Escapes of any
/// letter are suspicious too, for they may spell a secret.
const SIGNS: &[&[u8]] = &[
    // secrets
    b"PRIVATE KEY",
    b"ghp_",
    b"gho_",
    b"ghu_",
    b"ghs_",
    b"ghr_",
    b"github_pat_",
    b"glpat-",
    b"sk-",
    b"sk_live_",
    b"rk_live_",
    b"xoxb-",
    b"xoxp-",
    b"xoxa-",
    b"xoxr-",
    b"xoxs-",
    b"AKIA",
    b"ASIA",
    b"AIza",
    b"ya29.",
    b"npm_",
    b"pypi-",
    b"hf_",
    b"eyJ",
    b"earer ",
    b"://",
    // spelled characters
    b"\\u",
    b"\\b",
    b"\\f",
    b"\\r",
    // raw characters: DEL and C1, soft hyphen, invisible and bidirectional ones
    b"\x7f",
    b"\xc2\x80",
    b"\xc2\xad",
    b"\xd8\x9c",
    b"\xe1\xa0\x8e",
    b"\xe2\x80\x8b",
    b"\xe2\x80\x8c",
    b"\xe2\x80\x8d",
    b"\xe2\x80\x8e",
    b"\xe2\x80\x8f",
    b"\xe2\x80\xa8",
    b"\xe2\x80\xa9",
    b"\xe2\x80\xaa",
    b"\xe2\x80\xab",
    b"\xe2\x80\xac",
    b"\xe2\x80\xad",
    b"\xe2\x80\xae",
    b"\xe2\x81",
    b"\xef\xbb\xbf",
    b"\xef\xbf\xb9",
    b"\xef\xbf\xba",
    b"\xef\xbf\xbb",
    b"\xf3\xa0",
];

static SEARCH: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(SIGNS).expect("a fixed list of short strings")
});

pub(super) fn is_suspicious(bytes: &[u8]) -> bool {
    SEARCH.is_match(bytes)
}
