//! Who sent an event, and the hints around it.

use crate::hash;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// A JSON number as it is spelled. Two spellings of one number (`4711`, `4711.0`) are equal.
#[derive(Debug, Clone, Copy)]
pub struct Number<'a>(pub(crate) &'a str);

impl<'a> Number<'a> {
    /// The spelling.
    pub fn as_str(self) -> &'a str {
        self.0
    }
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        hash::of_number(self.0) == hash::of_number(other.0)
    }
}

impl Eq for Number<'_> {}

impl Hash for Number<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash::of_number(self.0).hash(state);
    }
}

/// Who sent the event (contract: Sender). A producer is its `id` alone; the rest may change.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sender<'a> {
    /// 1 to 100 code points.
    pub id: Cow<'a, str>,
    /// 1 to 160 code points, for display.
    pub name: Option<Cow<'a, str>>,
    /// Up to 100 code points.
    pub version: Option<Cow<'a, str>>,
    /// Up to 100 code points.
    pub instance_id: Option<Cow<'a, str>>,
}

/// Correlation hints (contract: Context). Nothing may be authorized because of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Context<'a> {
    /// Up to 100 code points.
    pub session_id: Option<Cow<'a, str>>,
    /// Up to 200 code points.
    pub correlation_id: Option<Cow<'a, str>>,
    /// Up to 200 code points.
    pub project: Option<Cow<'a, str>>,
    /// Up to 1,024 code points.
    pub cwd: Option<Cow<'a, str>>,
    /// A non-negative integer of any size, as it was written (`4711`, `4711.0`, `1e3`).
    pub pid: Option<Number<'a>>,
    /// Up to 200 code points.
    pub turn_id: Option<Cow<'a, str>>,
    /// Up to 200 code points.
    pub native_request_id: Option<Cow<'a, str>>,
}
