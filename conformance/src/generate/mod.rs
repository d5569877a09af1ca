//! Scenarios that nobody wrote: random lifecycles whose expectations come from the [`crate::model`], and how a failing one
//! is made small.

mod lifecycle;
mod random;
mod shrink;

pub use lifecycle::{Lifecycle, lifecycles};
pub use random::Random;
pub use shrink::shrink;
