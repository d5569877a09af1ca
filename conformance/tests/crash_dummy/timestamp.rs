//! RFC 3339, by the letter of its section 5.6.

use super::{Behaviour, Fault, Variation};

/// UTC milliseconds of a timestamp; `None` where the text is none.
pub(super) fn millis(text: &str, behaviour: Behaviour) -> Option<i64> {
    if behaviour.varies(Variation::TimestampsNarrow) && is_odd(text) {
        return None;
    }
    let (date_time, rest) = text.split_at_checked(19)?;
    if !date_time.is_ascii() {
        return None;
    }
    let b = date_time.as_bytes();
    let marks_fit = b[4] == b'-' && b[7] == b'-' && matches!(b[10], b'T' | b't') && b[13] == b':' && b[16] == b':';
    let [year, month, day] = [0..4, 5..7, 8..10].map(|at| digits(&date_time[at]));
    let [hour, minute, second] = [11..13, 14..16, 17..19].map(|at| digits(&date_time[at]));
    let (year, month, day, hour, minute, second) = (year?, month?, day?, hour?, minute?, second?);
    let is_day = (1..=12).contains(&month) && (1..=days_in(year, month, behaviour)).contains(&day);
    if !marks_fit || !is_day || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, zone) = fraction(rest)?;
    let minutes = days_since_epoch(year, month, day) * 1_440 + hour * 60 + minute - offset(zone, behaviour)?;
    if second == 60 && minutes.rem_euclid(1_440) != 1_439 {
        return None;
    }
    Some((minutes * 60 + second) * 1_000 + fraction)
}

/// What the contract leaves free: spellings that a stricter reader refuses.
fn is_odd(text: &str) -> bool {
    let fraction = text.split_once('.').map_or(0, |(_, after)| after.bytes().take_while(u8::is_ascii_digit).count());
    text.contains(['t', 'z']) || text.ends_with("-00:00") || text.get(17..19) == Some("60") || fraction > 9
}

fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

fn days_in(year: i64, month: i64, behaviour: Behaviour) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        _ if behaviour.has(Fault::OccurredAtImpossible) => 31,
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, counted in years that begin in March.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}

/// Milliseconds of the fraction, and what follows it.
fn fraction(rest: &str) -> Option<(i64, &str)> {
    let Some(after) = rest.strip_prefix('.') else { return Some((0, rest)) };
    let end = after.bytes().take_while(u8::is_ascii_digit).count();
    let (figures, zone) = after.split_at(end);
    let padded = format!("{figures:0<3}");
    (end > 0).then(|| Some((digits(&padded[..3])?, zone)))?
}

/// Minutes east of UTC.
fn offset(zone: &str, behaviour: Behaviour) -> Option<i64> {
    match zone {
        "Z" | "z" => Some(0),
        "" => behaviour.has(Fault::OccurredAtLocal).then_some(0),
        _ if behaviour.has(Fault::OccurredAtUtcOnly) => None,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (hours, minutes) = zone.strip_prefix(['+', '-'])?.split_once(':')?;
            let is_pair = hours.len() == 2 && minutes.len() == 2;
            let (hours, minutes) = (digits(hours)?, digits(minutes)?);
            let is_in_range = (hours < 24 && minutes < 60) || behaviour.has(Fault::OffsetsUnbounded);
            (is_pair && is_in_range).then_some(sign * (hours * 60 + minutes))
        }
    }
}

/// The instant as text, in UTC.
pub(super) fn text(millis: i64) -> String {
    let (days, in_day) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (year_of_era + era * 400 + i64::from(month > 9), if month > 9 { month - 9 } else { month + 3 });
    let (hour, minute, second) = (in_day / 3_600_000, in_day / 60_000 % 60, in_day / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", in_day % 1_000)
}
