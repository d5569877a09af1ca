//! What makes a retry identical: the same JSON value, however it is spelled (reading 32).

use arc_validator::json::{Node, Value};
use sha2::{Digest as _, Sha256};

/// SHA-256 over a form that two texts share exactly where they are the same JSON value: members in the order of their
/// names, strings without escapes, numbers as exact decimals. RFC 8785 will not do here, because it takes numbers for
/// doubles: two different integers beyond 2^53 would be one.
pub(crate) fn fingerprint(node: &Node<'_>) -> [u8; 32] {
    let mut hash = Sha256::new();
    add(&mut hash, node);
    hash.finalize().into()
}

fn add(hash: &mut Sha256, node: &Node<'_>) {
    match &node.value {
        Value::Null => hash.update(b"n"),
        Value::Bool(value) => hash.update(if *value { b"t" } else { b"f" }),
        Value::Number(spelling) => add_text(hash, b'd', &decimal(spelling)),
        Value::String(text) => add_text(hash, b's', text),
        Value::Array(items) => {
            add_length(hash, b'a', items.len());
            for item in items {
                add(hash, item);
            }
        }
        Value::Object(members) => {
            add_length(hash, b'o', members.len());
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by(|a, b| a.name.cmp(&b.name));
            for member in members {
                add_text(hash, b's', &member.name);
                add(hash, &member.value);
            }
        }
    }
}

fn add_text(hash: &mut Sha256, tag: u8, text: &str) {
    add_length(hash, tag, text.len());
    hash.update(text);
}

fn add_length(hash: &mut Sha256, tag: u8, length: usize) {
    hash.update([tag]);
    hash.update((length as u64).to_be_bytes());
}

/// A JSON number as sign, digits without zeros at either end, and the exponent of the last digit; all zeros are one.
fn decimal(spelling: &str) -> String {
    let (sign, unsigned) = spelling.strip_prefix('-').map_or(("", spelling), |rest| ("-", rest));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let trimmed = digits.trim_end_matches('0');
    let significant = trimmed.trim_start_matches('0');
    if significant.is_empty() {
        return "0".to_owned();
    }
    // A body holds 64 KiB, so that only the written exponent can be beyond a 64-bit integer; such a spelling stands
    // for itself.
    let shift = digits.len() as i128 - trimmed.len() as i128 - fraction.len() as i128;
    match exponent.parse::<i64>() {
        Ok(exponent) => format!("{sign}{significant}e{}", i128::from(exponent) + shift),
        Err(_) => format!("{sign}{significant}e{exponent}+{shift}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arc_validator::json::parse;

    fn of(text: &str) -> [u8; 32] {
        fingerprint(&parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn spellings_of_one_value_are_one() {
        for (a, b) in [
            (r#"{"a":1,"b":[true,null]}"#, "{ \"b\" : [ true , null ],\n\"a\" : 1 }"),
            (r#"["\u0041\/"]"#, r#"["A/"]"#),
            (r#"["\ud83d\udca9"]"#, "[\"💩\"]"),
            ("[1, 1.0, 1e0, 10e-1, 0.1E+1]", "[1.0, 1e0, 10e-1, 0.1E+1, 1]"),
            ("[100, 0, -0, 0.00, 0e7]", "[1e2, 0.0, 0, 0, 0]"),
            ("[9007199254740993, -0.50]", "[9007199254740993.0, -5e-1]"),
        ] {
            assert_eq!(of(a), of(b), "{a} {b}");
        }
    }

    #[test]
    fn different_values_differ() {
        let texts = [
            "null",
            "true",
            "false",
            "0",
            "1",
            "-1",
            "10",
            "\"1\"",
            "\"\"",
            "[]",
            "{}",
            "[[]]",
            "[[],[]]",
            "[1,2]",
            "[2,1]",
            "[12]",
            r#"{"a":1}"#,
            r#"{"a":2}"#,
            r#"{"b":1}"#,
            r#"{"a":1,"b":1}"#,
            r#"["a","b"]"#,
            r#"["ab",""]"#,
            r#"["","ab"]"#,
            "9007199254740992",
            "9007199254740993",
            "18446744073709551616",
            "18446744073709551617",
            "0.1",
            "0.10000000000000000001",
        ];
        for (i, a) in texts.iter().enumerate() {
            for b in &texts[i + 1..] {
                assert_ne!(of(a), of(b), "{a} {b}");
            }
        }
    }
}
