//! The bounds of the contract, as predicates.

/// `min` to `max` code points. A text of few bytes has few code points, so most are never counted.
#[inline]
pub(super) fn fits(text: &str, min: usize, max: usize) -> bool {
    text.len() >= min && (text.len() <= max || text.len() <= max * 4 && text.chars().count() <= max)
}

/// `^[A-Za-z0-9_-]{1,64}$`
pub(super) fn is_word(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// 64 lower-case hexadecimal digits.
pub(super) fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// `^[a-z][a-z0-9_]{0,63}$`
pub(super) fn is_type_id(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// `^x-[a-z0-9][a-z0-9.-]{0,63}$`
pub(super) fn is_extension_name(name: &str) -> bool {
    let Some(vendor) = name.strip_prefix("x-") else { return false };
    vendor.len() <= 64
        && vendor.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && vendor.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
}

/// At least one character that is not white space as ECMA-262 (and so JSON Schema's `\S`) counts it.
pub(super) fn is_not_blank(text: &str) -> bool {
    text.chars().any(|c| {
        !matches!(c, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}'
        | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_code_points() {
        assert!(fits(&"💩".repeat(3), 1, 3) && !fits(&"💩".repeat(4), 1, 3) && !fits("e\u{301}ab", 1, 3));
        assert!(!fits("", 1, 3) && fits("", 0, 3));
    }

    #[test]
    fn names_keep_their_alphabets() {
        assert!(
            is_word("Allow_once-2") && !is_word("") && !is_word("a b") && !is_word(&"a".repeat(65)) && !is_word("é")
        );
        assert!(is_extension_name("x-0") && is_extension_name(&format!("x-{}", "a".repeat(64))));
        for name in ["x-", "X-Foo", "x_foo", "foo", "x-.a", "x--a", "x-Foo", "x-a b"] {
            assert!(!is_extension_name(name), "{name}");
        }
        assert!(!is_extension_name(&format!("x-{}", "a".repeat(65))));
        assert!(is_type_id("a") && !is_type_id("1a") && !is_type_id("") && !is_type_id(&"a".repeat(65)));
        assert!(is_not_blank("\u{85}") && !is_not_blank(" \t\u{feff}\u{3000}") && is_not_blank(" a "));
    }
}
