//! Why the program ends without a verdict.

use crate::exit;

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
