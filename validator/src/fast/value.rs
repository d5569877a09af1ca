//! Values that are not texts: integers, and what vendors put into their extensions.

use super::Lane;
use crate::json::MAX_DEPTH;
use std::borrow::Cow;

impl<'a> Lane<'a> {
    /// A non-negative integer as it is spelled; `1.0` and `1e2` are integers, as in JSON Schema.
    pub(super) fn count(&mut self) -> Option<Cow<'a, str>> {
        let (spelled, value) = self.integer()?;
        (value >= 0.0).then_some(Cow::Borrowed(spelled))
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer of 1 to 2000")]
    pub(super) fn text_max_length(&mut self) -> Option<u16> {
        let (_, value) = self.integer()?;
        (1.0..=2000.0).contains(&value).then_some(value as u16)
    }

    fn integer(&mut self) -> Option<(&'a str, f64)> {
        self.scan.peek().filter(|b| matches!(b, b'-' | b'0'..=b'9'))?;
        let number = self.scan.number().ok()?;
        let value: f64 = number.0.parse().ok()?;
        (value.is_finite() && value.fract() == 0.0).then_some((number.0, value))
    }

    /// Passes over any JSON value; `depth` objects and arrays are open around it.
    pub(super) fn skip(&mut self, depth: usize) -> Option<()> {
        match self.scan.peek()? {
            b'{' if depth < MAX_DEPTH => self.skip_object(depth + 1),
            b'[' if depth < MAX_DEPTH => self.skip_array(depth + 1),
            b'"' => self.string().map(drop),
            b'-' | b'0'..=b'9' => self.scan.number().ok().filter(|number| number.is_finite()).map(drop),
            b't' => self.scan.literal("true").ok(),
            b'f' => self.scan.literal("false").ok(),
            b'n' => self.scan.literal("null").ok(),
            _ => None,
        }
    }

    fn skip_array(&mut self, depth: usize) -> Option<()> {
        self.scan.at += 1;
        if self.scan.take(b']') {
            return Some(());
        }
        loop {
            self.skip(depth)?;
            if !self.scan.take(b',') {
                return self.scan.expect(b']', "").ok();
            }
        }
    }

    fn skip_object(&mut self, depth: usize) -> Option<()> {
        self.scan.at += 1;
        if self.scan.take(b'}') {
            return Some(());
        }
        let mut names = Vec::new();
        loop {
            names.push(self.string()?);
            self.scan.expect(b':', "").ok()?;
            self.skip(depth)?;
            if !self.scan.take(b',') {
                break;
            }
        }
        self.scan.expect(b'}', "").ok()?;
        are_distinct(&mut names).then_some(())
    }
}

fn are_distinct(names: &mut [Cow<'_, str>]) -> bool {
    names.sort_unstable();
    names.windows(2).all(|pair| pair[0] != pair[1])
}
