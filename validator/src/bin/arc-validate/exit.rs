//! Exit codes. They are an interface: CI pipelines branch on them.

/// Everything that was checked is valid.
pub(crate) const CLEAN: u8 = 0;
/// At least one error was found.
pub(crate) const FINDINGS: u8 = 1;
/// Wrong usage, or something could not be read or written.
pub(crate) const USAGE_OR_IO: u8 = 2;
/// There was no event to check.
pub(crate) const NOTHING_CHECKED: u8 = 4;
