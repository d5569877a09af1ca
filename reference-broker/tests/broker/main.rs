//! The broker from outside: over HTTP on a free port, and as a program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers;
mod clients;
mod digests;
mod events;
mod expiry;
mod interactions;
mod limits;
mod lists;
mod openapi;
mod program;
mod races;
mod store;
mod support;
