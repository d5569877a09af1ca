//! What a valid Attention Request Contract (ARC) 0.2 event is, and why one is not.

pub mod event;
pub mod timestamp;
