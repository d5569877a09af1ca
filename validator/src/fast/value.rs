//! Values that are not texts: integers, and what vendors put into their extensions.

use super::Lane;
use crate::hash;
use crate::json::MAX_DEPTH;
use crate::json::scan::RawNumber;
use std::borrow::Cow;

impl<'a> Lane<'a> {
    /// A non-negative integer as it is spelled; `1.0` and `1e2` are integers, as in JSON Schema.
    pub(super) fn count(&mut self) -> Option<Cow<'a, str>> {
        let (number, value) = self.integer()?;
        (value >= 0.0).then_some(Cow::Borrowed(number.0))
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer of 1 to 2000")]
    pub(super) fn text_max_length(&mut self) -> Option<u16> {
        self.names_text_bound = true;
        let (_, value) = self.integer()?;
        (1.0..=2000.0).contains(&value).then_some(value as u16)
    }

    fn integer(&mut self) -> Option<(RawNumber<'a>, f64)> {
        let number = self.number()?;
        let value: f64 = number.0.parse().ok()?;
        (value.fract() == 0.0).then_some((number, value))
    }

    /// A number that a double can hold.
    fn number(&mut self) -> Option<RawNumber<'a>> {
        self.scan.peek().filter(|b| matches!(b, b'-' | b'0'..=b'9'))?;
        let number = self.scan.number().ok().filter(|number| number.is_finite())?;
        self.is_inexact |= !number.is_exact();
        Some(number)
    }

    /// Passes over any JSON value and fingerprints it: equal for equal values, whatever the order of members and the
    /// spelling. `depth` objects and arrays are open around it.
    pub(super) fn skip(&mut self, depth: usize) -> Option<u64> {
        match self.scan.peek()? {
            b'{' if depth < MAX_DEPTH => self.skip_object(depth + 1),
            b'[' if depth < MAX_DEPTH => self.skip_array(depth + 1),
            b'"' => self.string().map(|text| hash::of(("text", text))),
            b'-' | b'0'..=b'9' => self.number().map(|number| hash::of_number(number.0)),
            b't' => self.scan.literal("true").ok().map(|()| hash::of("true")),
            b'f' => self.scan.literal("false").ok().map(|()| hash::of("false")),
            b'n' => self.scan.literal("null").ok().map(|()| hash::of("null")),
            _ => None,
        }
    }

    fn skip_array(&mut self, depth: usize) -> Option<u64> {
        self.scan.at += 1;
        let mut fingerprint = hash::of("[]");
        if self.scan.take(b']') {
            return Some(fingerprint);
        }
        loop {
            fingerprint = hash::of((fingerprint, self.skip(depth)?));
            if !self.scan.take(b',') {
                return self.take(b']').map(|()| fingerprint);
            }
        }
    }

    fn skip_object(&mut self, depth: usize) -> Option<u64> {
        self.scan.at += 1;
        let mut fingerprint = hash::of("{}");
        if self.scan.take(b'}') {
            return Some(fingerprint);
        }
        let mut names = Vec::new();
        loop {
            let name = self.string()?;
            self.take(b':')?;
            let value = self.skip(depth)?;
            // A sum, so that the order of members makes no difference.
            fingerprint = fingerprint.wrapping_add(hash::of((&name, value)));
            names.push(name);
            if !self.scan.take(b',') {
                break;
            }
        }
        self.take(b'}')?;
        are_distinct(&mut names).then_some(fingerprint)
    }
}

fn are_distinct(names: &mut [Cow<'_, str>]) -> bool {
    names.sort_unstable();
    names.windows(2).all(|pair| pair[0] != pair[1])
}
