//! Who sent an event, and the hints around it.

use crate::hash;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    pub pid: Option<Cow<'a, str>>,
    /// Up to 200 code points.
    pub turn_id: Option<Cow<'a, str>>,
    /// Up to 200 code points.
    pub native_request_id: Option<Cow<'a, str>>,
}

/// Two spellings of one process id (`4711`, `4711.0`) are the same.
impl Hash for Context<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { session_id, correlation_id, project, cwd, pid, turn_id, native_request_id } = self;
        (session_id, correlation_id, project, cwd, turn_id, native_request_id).hash(state);
        pid.as_deref().map(hash::of_number).hash(state);
    }
}
