//! What a person can do about a file that the system refuses, in words that follow what happened and where.

use std::io::{self, ErrorKind};

/// The error and, where one is known, the next step: `No such file or directory (os error 2); check the path`.
///
/// ```
/// let error = std::io::Error::from(std::io::ErrorKind::NotFound);
/// assert_eq!(arc_validator::advised(&error), "entity not found; check the path");
/// ```
pub fn advised(error: &io::Error) -> String {
    match next_step(error.kind()) {
        Some(step) => format!("{error}; {step}"),
        None => error.to_string(),
    }
}

fn next_step(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotFound => "check the path",
        ErrorKind::PermissionDenied => "check its permissions, or choose another path",
        ErrorKind::IsADirectory => "name a file, not a directory",
        ErrorKind::NotADirectory => "a part of its path is a file: check the path",
        ErrorKind::InvalidData => "it has to be UTF-8 text",
        ErrorKind::ReadOnlyFilesystem => "choose a path that can be written to",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room, or choose another path",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_mended_is_advised() {
        for (code, words) in [
            (2, "check the path"),
            (13, "check its permissions"),
            (21, "not a directory"),
            (28, "make room"),
            (30, "can be written to"),
        ] {
            let error = io::Error::from_raw_os_error(code);
            let text = advised(&error);
            assert!(text.starts_with(&error.to_string()) && text.contains(words), "{text}");
        }
        assert_eq!(advised(&io::Error::other("odd")), "odd");
    }
}
