//! Scenarios that nobody wrote: those that follow from the event schema; random lifecycles whose expectations come from
//! the [`crate::model`], and how a failing one is made small.

mod lifecycle;
mod members;
mod random;
mod shrink;

pub use lifecycle::{Lifecycle, lifecycles};
pub(crate) use members::SCHEMA;
pub use members::members;
pub use random::Random;
pub use shrink::shrink;
