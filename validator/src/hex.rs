//! Lower-case hexadecimal digits.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Two digits for each byte.
///
/// ```
/// assert_eq!(arc_validator::hex::of(&[0, 0xAF]), "00af");
/// ```
pub fn of(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The SHA-256 of a text, 64 digits.
///
/// ```
/// assert!(arc_validator::hex::sha256("").starts_with("e3b0c44298fc1c14"));
/// ```
pub fn sha256(text: &str) -> String {
    of(&Sha256::digest(text))
}
