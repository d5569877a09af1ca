//! RFC 3339 timestamps, exactly: a grammar of our own, because every library accepts a little more or a little less.
//!
//! Accepted is what section 5.6 of the RFC and its range rules allow: lower-case `t` and `z`, `-00:00`, any number of
//! fraction digits, year 0000, and second 60 where it is 23:59:60 in UTC after the offset is applied.

use std::borrow::Cow;

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
    let (date_time, rest) = text.split_first_chunk::<19>()?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T' | b't', h0, h1, b':', n0, n1, b':', s0, s1] = *date_time
    else {
        return None;
    };
    let year = two(y0, y1)? * 100 + two(y2, y3)?;
    let day = days_since_epoch(year, two(m0, m1)?, two(d0, d1)?)?;
    let (hour, minute, second) = (two(h0, h1)?, two(n0, n1)?, two(s0, s1)?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, zone) = fraction_millis(rest)?;
    let utc_minute = day * MINUTES_A_DAY + hour * 60 + minute - offset_minutes(zone)?;
    let is_last_minute_of_day = utc_minute.rem_euclid(MINUTES_A_DAY) == MINUTES_A_DAY - 1;
    if second == 60 && !is_last_minute_of_day {
        return None;
    }
    Some((utc_minute * 60 + second) * 1_000 + fraction)
}

const MINUTES_A_DAY: i64 = 24 * 60;

/// Days from 1970-01-01 to 0000-03-01.
const MARCH_1_OF_YEAR_0: i64 = -719_468;

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar; `None` where there is no such date.
fn days_since_epoch(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days_in_month = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    if !(1..=days_in_month).contains(&day) {
        return None;
    }
    // Years that begin in March end with the leap day.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(MARCH_1_OF_YEAR_0 + year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1)
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
            let (hours, minutes) = (two(h0, h1)?, two(m0, m1)?);
            let east = hours * 60 + minutes;
            (hours <= 23 && minutes <= 59).then_some(if sign == b'-' { -east } else { east })
        }
        _ => None,
    }
}

/// Two decimal digits.
fn two(tens: u8, ones: u8) -> Option<i64> {
    let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
    is_number.then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::Date;

    #[test]
    fn every_date_of_every_year_is_that_of_the_calendar() {
        let (mut date, mut day) = (Date::constant(0, 1, 1), -719_528);
        loop {
            let (year, month) = (i64::from(date.year()), i64::from(date.month()));
            assert_eq!(days_since_epoch(year, month, i64::from(date.day())), Some(day), "{date}");
            if date.last_of_month() == date {
                assert_eq!(days_since_epoch(year, month, i64::from(date.day()) + 1), None, "after {date}");
            }
            let Some(next) = date.tomorrow().ok().filter(|next| next.year() <= 9999) else { return };
            (date, day) = (next, day + 1);
        }
    }

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
