//! The file that holds the bearer token.

use arc_reference_broker::{Token, fresh_token};
use arc_validator::advised;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Longer than any token; a wrong file is noticed before it fills the memory.
const MOST: u64 = 4_096;

/// The token in `path`; a fresh one, for the owner's eyes only, where there is no such file.
pub(crate) fn read_or_create(path: &Path) -> Result<Token, String> {
    match create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => read(path),
        created => {
            created.map_err(|error| format!("cannot create the token file {}: {}", path.display(), advised(&error)))
        }
    }
}

fn create(path: &Path) -> io::Result<Token> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    let token = fresh_token().map_err(io::Error::other)?;
    writeln!(file, "{}", token.expose())?;
    file.sync_all()?;
    Ok(token)
}

fn read(path: &Path) -> Result<Token, String> {
    let wrong = |what: &str| format!("the token file {} {what}", path.display());
    let unread = |error: &io::Error| wrong(&format!("cannot be read: {}", advised(error)));
    let file = File::open(path).map_err(|error| unread(&error))?;
    let mode = file.metadata().map_err(|error| unread(&error))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(wrong("may be read by others; run `chmod 600` on it"));
    }
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text).map_err(|error| unread(&error))?;
    let token = text.trim_ascii();
    if token.is_empty() || !token.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(wrong(
            "does not hold a token: put one word of visible ASCII characters into it, or remove it and a fresh token is made",
        ));
    }
    Ok(Token::new(token.to_owned()))
}
