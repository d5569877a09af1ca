//! The broker from outside: over HTTP on a free port, and as a program.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers;
mod clients;
mod digests;
mod durability;
mod errors;
mod events;
mod expiry;
mod faults;
mod field;
mod interactions;
mod limits;
mod lists;
mod logs;
mod openapi;
mod process;
mod producers;
mod program;
mod races;
mod store;
mod support;
