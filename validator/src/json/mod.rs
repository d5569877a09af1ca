//! Strict JSON (RFC 8259) with places: what two parsers could read differently is refused here.
//!
//! `scan` reads tokens and is shared by both lanes; [`parse`] builds a [`Node`] tree with spans for the explaining
//! lane and for bodies that are not events.

mod node;
mod parse;
pub(crate) mod scan;
mod text;

pub use node::{Member, Node, Value};
pub use parse::parse;
pub(crate) use parse::read;

/// How many objects and arrays may stand inside one another, the outermost counted.
pub const MAX_DEPTH: usize = 128;
