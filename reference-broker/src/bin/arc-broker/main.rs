//! ARC 0.2.
fn main() {}
