//! RFC 3339 timestamps, exactly: a grammar of our own, because every library accepts a little more or a little less.
//!
//! Accepted is what section 5.6 of the RFC and its range rules allow: lower-case `t` and `z`, `-00:00`, any number of
//! fraction digits, year 0000, and second 60 where it is 23:59:60 in UTC after the offset is applied.

use jiff::civil::Date;
use std::borrow::Cow;

const EPOCH: Date = Date::constant(1970, 1, 1);

/// One instant: the sender's own text, and the milliseconds that it stands for.
///
/// ```
/// use arc_validator::timestamp::Timestamp;
/// let at = Timestamp::parse("2026-08-26T03:15:00.25+02:00").unwrap();
/// assert_eq!(at.millis(), Timestamp::parse("2026-08-26T01:15:00.250Z").unwrap().millis());
/// assert!(Timestamp::parse("2026-08-26 01:15:00Z").is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Timestamp<'a> {
    text: Cow<'a, str>,
    millis: i64,
}

impl<'a> Timestamp<'a> {
    /// Reads a timestamp; `None` where the text is not one.
    pub fn parse(text: impl Into<Cow<'a, str>>) -> Option<Self> {
        let text = text.into();
        let millis = parse_millis(text.as_bytes())?;
        Some(Self { text, millis })
    }

    /// UTC milliseconds since 1970-01-01T00:00:00Z; digits beyond the millisecond are cut off. A leap second counts
    /// as the second after it.
    pub fn millis(&self) -> i64 {
        self.millis
    }

    /// The text as the sender wrote it.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// The instant that an RFC 3339 text names, in UTC milliseconds; `None` where it is not RFC 3339.
pub fn parse_millis(text: &[u8]) -> Option<i64> {
    let (date_time, rest) = text.split_at_checked(19)?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T' | b't', h0, h1, b':', n0, n1, b':', s0, s1] = *date_time
    else {
        return None;
    };
    let year = number(&[y0, y1, y2, y3])?;
    let date = Date::new(year, narrow([m0, m1])?, narrow([d0, d1])?).ok()?;
    let (hour, minute, second) = (narrow([h0, h1])?, narrow([n0, n1])?, narrow([s0, s1])?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, zone) = fraction_millis(rest)?;
    let offset_minutes = offset_minutes(zone)?;
    let utc_minute = date.duration_since(EPOCH).as_mins() + i64::from(hour) * 60 + i64::from(minute) - offset_minutes;
    let is_last_minute_of_day = utc_minute.rem_euclid(24 * 60) == 24 * 60 - 1;
    if second == 60 && !is_last_minute_of_day {
        return None;
    }
    Some((utc_minute * 60 + i64::from(second)) * 1_000 + fraction)
}

/// The fraction after the seconds in milliseconds, and what follows it.
fn fraction_millis(rest: &[u8]) -> Option<(i64, &[u8])> {
    let Some(after_dot) = rest.strip_prefix(b".") else {
        return Some((0, rest));
    };
    let count = after_dot.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, zone) = after_dot.split_at(count);
    let millis = (0..3).fold(0, |millis, i| millis * 10 + i64::from(digits.get(i).map_or(0, |d| d - b'0')));
    (count > 0).then_some((millis, zone))
}

/// `Z` or `±hh:mm` in minutes east of UTC.
fn offset_minutes(zone: &[u8]) -> Option<i64> {
    match *zone {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), h0, h1, b':', m0, m1] => {
            let (hours, minutes) = (number(&[h0, h1])?, number(&[m0, m1])?);
            let east = i64::from(hours) * 60 + i64::from(minutes);
            (hours <= 23 && minutes <= 59).then_some(if sign == b'-' { -east } else { east })
        }
        _ => None,
    }
}

fn narrow(digits: [u8; 2]) -> Option<i8> {
    number(&digits).and_then(|n| i8::try_from(n).ok())
}

fn number(digits: &[u8]) -> Option<i16> {
    digits.iter().try_fold(0, |n, d| d.is_ascii_digit().then(|| n * 10 + i16::from(d - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_exact() {
        for (text, millis) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01t00:00:00z", 0),
            ("1970-01-01T00:00:00-00:00", 0),
            ("1970-01-01T01:00:00.0019999+01:00", 1),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2017-01-01T00:59:60+01:00", 1_483_228_800_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.123456789012345-23:59", 253_402_387_139_123),
            ("2028-02-29T00:00:00Z", 1_835_395_200_000),
        ] {
            assert_eq!(parse_millis(text.as_bytes()), Some(millis), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-08-26",
            "2026-08-26T01:15:00",
            "2026-08-26 01:15:00Z",
            "2026-08-26T01:15Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-08-26T24:00:00Z",
            "2026-08-26T23:60:00Z",
            "2026-08-26T23:59:61Z",
            "2026-08-26T22:59:60Z",
            "2016-12-31T23:59:60+01:00",
            "2026-08-26T01:15:00.Z",
            "2026-08-26T01:15:00,5Z",
            "2026-08-26T01:15:00+0200",
            "2026-08-26T01:15:00+24:00",
            "2026-08-26T01:15:00+02:60",
            "2026-08-26T01:15:00ZZ",
            " 2026-08-26T01:15:00Z",
            "2026-08-26T01:15:00Z\n",
            "02026-08-26T01:15:00Z",
            "+026-08-26T01:15:00Z",
            "2026-8-26T01:15:00Z",
            "2026-08-26T01:15:00٫5Z",
        ] {
            assert_eq!(parse_millis(text.as_bytes()), None, "{text}");
        }
    }
}
