//! The inside of strings and numbers.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The offset of the first byte from `at` on that is a quote, a backslash or a control character: eight at a time. The end
/// where there is none.
#[inline]
pub(super) fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let marks = special_bytes(u64::from_le_bytes(*chunk));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < bytes.len() && !matches!(bytes[at], b'"' | b'\\' | 0..=0x1f) {
        at += 1;
    }
    at
}

/// The high bit of the lowest byte that ends a plain run; bits above it may be false.
#[inline]
fn special_bytes(word: u64) -> u64 {
    let below = |word: u64, bound: u64| word.wrapping_sub(ONES * bound) & !word;
    // With bit 1 flipped the quote (0x22) becomes 0x20, just above the control characters, and nothing else does.
    let quote_or_control = below(word ^ (ONES * 0x02), 0x21);
    let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
    (quote_or_control | backslash) & HIGHS
}

/// Decodes the escapes of a string that the scanner has accepted. Each lone surrogate is reported by its byte offset and
/// stands as U+FFFD.
pub(super) fn decode(raw: &str, mut lone_surrogate: impl FnMut(usize)) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(run) = memchr::memchr(b'\\', &raw.as_bytes()[at..]) {
        text.push_str(&raw[at..at + run]);
        at += run;
        let (decoded, len) = decode_escape(&raw[at..]).unwrap_or_else(|| {
            lone_surrogate(at);
            (char::REPLACEMENT_CHARACTER, 6)
        });
        text.push(decoded);
        at += len;
    }
    text.push_str(&raw[at..]);
    text
}

/// The character that the escape at the start of `raw` stands for, and its length in bytes.
fn decode_escape(raw: &str) -> Option<(char, usize)> {
    let simple = match raw.as_bytes()[1] {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return decode_unicode(raw),
        other => char::from(other),
    };
    Some((simple, 2))
}

fn decode_unicode(raw: &str) -> Option<(char, usize)> {
    let high = hex4(&raw[2..6]);
    if !(0xd800..0xe000).contains(&high) {
        return char::from_u32(high).map(|c| (c, 6));
    }
    let low = raw.get(6..12).filter(|next| next.starts_with("\\u")).map(|next| hex4(&next[2..]))?;
    let is_pair = high < 0xdc00 && (0xdc00..0xe000).contains(&low);
    is_pair.then(|| 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).and_then(char::from_u32).map(|c| (c, 12))
}

fn hex4(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).unwrap_or(0)
}

/// Whether a double can hold the magnitude of a well-formed number.
pub(super) fn is_finite(number: &str) -> bool {
    // At most 308 digits and no exponent cannot overflow; only the rest is worth a conversion.
    (number.len() <= 308 && !number.contains(['e', 'E'])) || number.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether a well-formed number is anything but an integer beyond 2^53 - 1, which some readers would round.
pub(super) fn is_exact(number: &str) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    number.len() < 16 && !number.contains(['e', 'E'])
        || number.parse::<f64>().is_ok_and(|n| n.abs() <= LARGEST || n.fract() != 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_run_ends_at_the_first_special_byte_wherever_it_stands() {
        for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for at in 0..40 {
                let mut bytes = vec![b'x'; 40];
                bytes[at] = special;
                assert_eq!(plain_until(&bytes, at / 2), at, "{special} at {at}");
            }
        }
        let plain = "é😀 \u{7f}~!#[]".repeat(3);
        assert_eq!(plain_until(plain.as_bytes(), 0), plain.len());
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        let decoded = decode(r#"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00z"#, |_| panic!("no surrogate stands alone"));
        assert_eq!(decoded, "a\"\\/\u{8}\u{c}\n\r\té😀z");
        for (raw, at) in
            [(r"\ud800", 0), (r"ab\udc00", 2), (r"\ud83dx", 0), (r"\ud83d\ud83d", 0), (r"é\ud83d\n12345", 2)]
        {
            let mut lone = Vec::new();
            let decoded = decode(raw, |at| lone.push(at));
            assert_eq!(lone.first(), Some(&at), "{raw}");
            assert_eq!(decoded.matches(char::REPLACEMENT_CHARACTER).count(), lone.len(), "{raw}");
        }
    }

    #[test]
    fn numbers_know_their_range() {
        assert!(is_finite("1.7976931348623157e308") && !is_finite("1e309") && !is_finite(&"9".repeat(400)));
        assert!(is_exact("9007199254740991") && !is_exact("9007199254740993") && is_exact("0.1") && !is_exact("1e300"));
    }
}
