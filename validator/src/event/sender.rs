//! Who sent an event, and the hints around it.

use std::borrow::Cow;

/// Who sent the event (contract: Sender). A producer is its `id` alone; the rest may change.
#[derive(Debug, Clone, PartialEq, Eq)]
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
