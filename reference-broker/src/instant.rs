//! Instants on the wire: RFC 3339 with milliseconds, in UTC.

use crate::engine::Millis;
use jiff::ToSpan;
use jiff::civil::Date;

const EPOCH: Date = Date::constant(1970, 1, 1);
const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// The first instant that UTC cannot write with four digits for the year.
const YEAR_10000: Millis = 253_402_300_800_000;
const WEST: i64 = (23 * 60 + 59) * MINUTE;

/// Writes an instant. Deadlines in the last day of the year 9999 may lie in the year 10000 in UTC; those are written as
/// their senders wrote them, west of it, so that the text stays RFC 3339 and the very same instant.
pub(crate) fn format(millis: Millis) -> String {
    if millis < YEAR_10000 { civil(millis) + "Z" } else { civil(millis - WEST) + "-23:59" }
}

fn civil(millis: Millis) -> String {
    let date = EPOCH.saturating_add(millis.div_euclid(DAY).days());
    let time = millis.rem_euclid(DAY);
    let (hour, minute, second) = (time / (60 * MINUTE), time / MINUTE % 60, time / 1_000 % 60);
    let mut text = String::with_capacity("9999-12-31T23:59:59.999-23:59".len());
    for (before, number, digits) in [
        ("", date.year().into(), 4),
        ("-", date.month().into(), 2),
        ("-", date.day().into(), 2),
        ("T", hour, 2),
        (":", minute, 2),
        (":", second, 2),
        (".", time % 1_000, 3),
    ] {
        text.push_str(before);
        push_digits(&mut text, number, digits);
    }
    text
}

/// Every reply holds instants, so they are written without the detour of a formatter.
fn push_digits(text: &mut String, number: i64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = u8::try_from(number / 10_i64.pow(place) % 10).unwrap_or(0);
        text.push(char::from(b'0' + digit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arc_validator::timestamp::parse_millis;

    #[test]
    fn instants_survive_the_wire() {
        for text in ["1970-01-01T00:00:00.000Z", "2026-08-26T01:15:00.007Z", "1969-12-31T23:59:59.999Z"] {
            assert_eq!(format(parse_millis(text.as_bytes()).unwrap()), text);
        }
        let last = parse_millis(b"9999-12-31T23:59:59.999-23:59").unwrap();
        assert_eq!(format(last), "9999-12-31T23:59:59.999-23:59");
    }
}
