//! Where conditions live: one SQLite file, one writer, readers beside it.
//!
//! A command goes to the writer's thread, is decided there under the write lock, and is answered after its commit.
//! Reads take a connection of their own and never wait for the writer.

mod carry;
mod list;
mod open;
mod owed;
mod prune;
mod read;
mod rows;
mod worker;
mod write;
mod writer;

pub(crate) use list::{Filter, Page};
pub(crate) use open::Files;
pub use open::OpenError;
pub(crate) use read::Reader;
pub(crate) use worker::{Mail, Tools, deliver};
pub(crate) use writer::{EventName, Job, Target, WriteError, Writer};
