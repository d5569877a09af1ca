//! The rules: what each one demands, and what it rests on. One family a file, one entry a rule.

mod answer_spec;
mod envelope;
mod example;
mod json;
mod request;
mod response;
mod stream;

pub(crate) use answer_spec::*;
pub(crate) use envelope::*;
pub use example::Example;
pub(crate) use json::*;
pub(crate) use request::*;
pub(crate) use response::*;
pub(crate) use stream::*;

/// One rule or lint.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable name; reads well after "allow".
    pub code: &'static str,
    /// How much it weighs unless configured otherwise.
    pub level: Level,
    /// Ids in the requirement catalogue (vectors/requirements.json).
    pub requirements: &'static [&'static str],
    /// Section of the contract.
    pub section: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Why it matters and what to do.
    pub explanation: &'static str,
    /// What breaks this rule and no other.
    pub bad: Example,
    /// What keeps to it.
    pub good: Example,
}

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Valid, but probably not what was meant.
    Warning,
    /// Not valid.
    Error,
}

impl Level {
    /// The word in every output format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
