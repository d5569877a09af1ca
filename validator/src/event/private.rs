//! Text that must not reach a log.

use std::borrow::Cow;
use std::fmt;

/// Text that a person reads or writes, or that authorizes an answer: messages, titles, labels, details, answers,
/// digests and nonces. It has no `Display`, and its `Debug` says only how long it is
/// (contract: Security and privacy).
///
/// ```
/// let text = arc_validator::event::Private::from("May I deploy?");
/// assert_eq!(text.expose(), "May I deploy?");
/// assert_eq!(format!("{text:?}"), "[13 bytes withheld]");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Private<'a>(Cow<'a, str>);

impl<'a> Private<'a> {
    /// The text itself, for storing, displaying or comparing; never for a log.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The text itself, given away.
    pub fn into_inner(self) -> Cow<'a, str> {
        self.0
    }
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for Private<'a> {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for Private<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} bytes withheld]", self.0.len())
    }
}
