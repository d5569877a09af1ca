//! The one place that asks what time it is. Everything else takes instants as values.

/// The wall clock, in UTC milliseconds since 1970-01-01T00:00:00Z.
#[expect(clippy::disallowed_methods, reason = "this is the module that owns the clock")]
pub fn now_millis() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// An instant as an RFC 3339 text with milliseconds, in UTC.
pub fn rfc3339(millis: i64) -> String {
    let instant = jiff::Timestamp::from_millisecond(millis).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{instant:.3}")
}

/// Sleeps until the wall clock shows `millis`; returns at once where that has passed.
pub async fn sleep_until(millis: i64) {
    let left = millis.saturating_sub(now_millis());
    if let Ok(left) = u64::try_from(left) {
        tokio::time::sleep(std::time::Duration::from_millis(left)).await;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_rfc_3339_with_milliseconds() {
        assert_eq!(super::rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(super::rfc3339(1_787_707_500_250), "2026-08-26T01:25:00.250Z");
    }
}
