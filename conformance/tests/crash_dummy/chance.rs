//! The clock and the dice: the only places where time and randomness come in.

use sha2::{Digest as _, Sha256};
use std::time::{SystemTime, UNIX_EPOCH};

/// UTC milliseconds.
#[expect(clippy::disallowed_methods, reason = "a consumer needs a clock; this is its only reading")]
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock stands after 1970");
    i64::try_from(since.as_millis()).expect("milliseconds fit for millions of years")
}

/// So many random bytes, as hexadecimal digits.
#[expect(clippy::disallowed_methods, reason = "a consumer mints ids and nonces; these are its only dice")]
pub(super) fn hex<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the operating system has random bytes");
    encode(&bytes)
}

/// SHA-256 as hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    encode(&Sha256::digest(bytes))
}

fn encode(bytes: &[u8]) -> String {
    let digit = |four_bits: u8| char::from_digit(four_bits.into(), 16).expect("four bits are one digit");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
