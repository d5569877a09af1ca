//! Fingerprints: what a stream remembers of texts and values instead of keeping them.
//!
//! 64 bits and a fixed seed, so that the same stream always gives the same findings. Two of a million texts share a
//! fingerprint once in 30 million streams.

use foldhash::quality::FixedState;
use std::hash::{BuildHasher, Hash};

const STATE: FixedState = FixedState::with_seed(0x4152_4330);

/// The fingerprint of anything that can be hashed.
pub(crate) fn of(value: impl Hash) -> u64 {
    STATE.hash_one(value)
}

/// Half a fingerprint, where few are compared: the content of one event id, the choices of one question.
pub(crate) fn short(value: impl Hash) -> u32 {
    half(of(value))
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
pub(crate) fn half(fingerprint: u64) -> u32 {
    fingerprint as u32
}

/// The fingerprint of a JSON number: equal for every spelling of one number, as far as a double tells.
pub(crate) fn of_number(spelled: &str) -> u64 {
    match spelled.parse::<f64>() {
        // Beyond 2^53 a double no longer tells neighbours apart.
        Ok(number) if number.abs() < 9_007_199_254_740_992.0 => of((number + 0.0).to_bits()),
        _ => of(spelled),
    }
}
