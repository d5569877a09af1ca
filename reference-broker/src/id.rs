//! Ids of records: a number that no other record of its kind in this database has, and random bits that keep ids of
//! different databases apart.

use crate::digest::hex;

/// Digits of the number in front.
const DIGITS: usize = 16;

/// An id with this prefix.
pub(crate) fn id(prefix: &str, number: i64, bits: [u8; 8]) -> String {
    [prefix, &hex(&number.to_be_bytes()), &hex(&bits)].concat()
}

/// The number that an id begins with; none where the text is no id. Whether a record has that very id is another matter.
pub(crate) fn number(id: &str) -> Option<i64> {
    let (_, digits) = id.split_once('_')?;
    i64::from_str_radix(digits.get(..DIGITS)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_tells_its_number() {
        assert_eq!(id("ntf_", 255, [1; 8]), "ntf_00000000000000ff0101010101010101");
        for n in [0, 1, 255, i64::MAX] {
            assert_eq!(number(&id("int_", n, [7; 8])), Some(n));
        }
        for text in ["", "int", "int_", "int_0", "int_000000000000000x", "int_ffffffffffffffff", "int_00000000000000é"]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
