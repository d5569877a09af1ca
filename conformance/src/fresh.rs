//! Fresh names. Two runs at once, or one after the other, never meet.

/// `bytes` random bytes in lower-case hexadecimal.
///
/// # Panics
/// Where the operating system has no randomness: nothing sound could follow.
#[expect(clippy::disallowed_methods, reason = "this is the module that owns randomness")]
pub fn hex(bytes: usize) -> String {
    let mut buffer = vec![0u8; bytes];
    getrandom::fill(&mut buffer).expect("the operating system gives random bytes");
    arc_validator::hex::of(&buffer)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_fresh() {
        assert_eq!(super::hex(6).len(), 12);
        assert_ne!(super::hex(16), super::hex(16));
    }
}
