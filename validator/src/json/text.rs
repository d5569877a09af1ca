//! The inside of strings and numbers.

use wide::u8x16;

/// How many bytes are looked at at once.
const STEP: usize = 16;

/// Passes over bytes that mean themselves: from `at` to the first quote, backslash or control character, or to the end.
/// Sets `is_odd` where U+007F or the first byte of what may be an invisible character stands in them or shortly after.
#[inline]
pub(super) fn plain_until(bytes: &[u8], mut at: usize, is_odd: &mut bool) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<STEP>) {
        let special = special_bytes(u8x16::new(*chunk), is_odd);
        if special != 0 {
            return at + special.trailing_zeros() as usize;
        }
        at += STEP;
    }
    let Some(rest) = bytes.get(at..) else { return bytes.len() };
    let mut chunk = [b'"'; STEP];
    chunk[..rest.len()].copy_from_slice(rest);
    at + special_bytes(u8x16::new(chunk), is_odd).trailing_zeros() as usize
}

/// One bit for each byte that ends a plain run.
#[inline]
fn special_bytes(chunk: u8x16, is_odd: &mut bool) -> u32 {
    const CONTROL: u8x16 = u8x16::new([0x1f; STEP]);
    // Only U+007F and what is not ASCII have the high bit then: 0xFF is not in UTF-8.
    if (chunk + u8x16::ONE).to_bitmask() != 0 {
        *is_odd |= has_odd_byte(chunk);
    }
    let ends = chunk.simd_eq(u8x16::splat(b'"')) | chunk.simd_eq(u8x16::splat(b'\\'));
    (ends | chunk.simd_eq(chunk.min(CONTROL))).to_bitmask()
}

/// Whether one of the bytes begins a character that [`is_invisible`](crate::finding::is_invisible) or a control character
/// beyond ASCII, or is U+007F.
#[inline]
fn has_odd_byte(chunk: u8x16) -> bool {
    const ODD: [u8; 7] = [0x7f, 0xc2, 0xd8, 0xe1, 0xe2, 0xef, 0xf3];
    ODD.into_iter().fold(u8x16::ZERO, |odd, byte| odd | chunk.simd_eq(u8x16::splat(byte))).any()
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
                assert_eq!(plain_until(&bytes, at / 2, &mut false), at, "{special} at {at}");
            }
        }
        for plain in ["é😀 \u{7f}~!#[]".repeat(3), "x".repeat(32), String::new()] {
            assert_eq!(plain_until(plain.as_bytes(), 0, &mut false), plain.len());
        }
    }

    #[test]
    fn odd_bytes_are_noticed_wherever_they_stand() {
        for odd in ["\u{7f}", "\u{ad}", "\u{61c}", "\u{180e}", "\u{202e}", "\u{feff}", "\u{e0041}"] {
            for before in 0..40 {
                let mut is_odd = false;
                plain_until(format!("{}{odd}", "é".repeat(before)).as_bytes(), 0, &mut is_odd);
                assert!(is_odd, "{odd:?} after {before}");
            }
        }
        let mut is_odd = false;
        plain_until("größer: 日本語。 Привет 👍 ~".as_bytes(), 0, &mut is_odd);
        assert!(!is_odd);
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
