//! Why the program ends without a verdict: what happened, where, and what to do next.

use crate::exit;
use arc_validator::{advised, most_alike};
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Where the names of requirements and scenarios stand.
pub(crate) const LIST: &str = "`arc-conform list` shows all of them";

/// One line for people, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) code: u8,
}

/// The command line or a file that it names cannot be used.
pub(crate) fn usage(message: impl Into<String>) -> Failure {
    Failure { message: message.into(), code: exit::USAGE }
}

/// The kit itself is at fault.
pub(crate) fn fault(message: impl Into<String>) -> Failure {
    Failure { message: message.into(), code: exit::KIT_FAULT }
}

/// The text of a file that the command line names. `what` says which: `the token file`.
pub(crate) fn read(what: &str, path: &Path) -> Result<String, Failure> {
    let unread = |error| usage(format!("cannot read {what} {}: {}", path.display(), advised(&error)));
    std::fs::read_to_string(path).map_err(unread)
}

/// A file that the command line names was read, and is not what it should be.
pub(crate) fn is_no(what: &str, path: &Path, error: impl Display, next: &str) -> Failure {
    usage(format!("{} is no {what}: {error}; {next}", path.display()))
}

/// A file cannot be written.
pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Failure {
    usage(format!("cannot write {}: {}", path.display(), advised(error)))
}

/// Nothing has this name. What was probably meant, and `list`, which shows what there is.
pub(crate) fn unknown<'k>(
    name: &str,
    is_no: &str,
    known: impl IntoIterator<Item = &'k str>,
    list: impl Display,
) -> Failure {
    usage(match most_alike(name, known) {
        Some(meant) => format!("{name:?} is no {is_no}; did you mean {meant}? {list}"),
        None => format!("{name:?} is no {is_no}; {list}"),
    })
}
