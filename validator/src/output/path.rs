//! Where a file stands relative to the working directory, for programs that look it up in a repository.

use std::fmt::Write;
use std::path::Path;

/// The path relative to `cwd` with forward slashes, whatever system it was written for: `..` and `.` are resolved, and a
/// path outside of `cwd` loses its root. Never empty; the standard input is `stdin`.
pub(super) fn relative(path: &str, cwd: &Path) -> String {
    if matches!(path, "" | "-" | "<stdin>") {
        return "stdin".to_owned();
    }
    let (cwd, path) = (slashed(&cwd.to_string_lossy()), slashed(path));
    let cwd = resolve(Vec::new(), &cwd);
    let whole = resolve(if is_absolute(&path) { Vec::new() } else { cwd.clone() }, &path);
    let inside = whole.strip_prefix(cwd.as_slice()).filter(|inside| !inside.is_empty());
    match inside.unwrap_or(&whole).split_first() {
        Some((first, rest)) => [&[drive(first).unwrap_or(first)], rest].concat().join("/"),
        None => "stdin".to_owned(),
    }
}

/// A relative path as a URI reference (RFC 3986): everything but unreserved characters and slashes is encoded.
pub(super) fn encode(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

/// Backslashes become slashes, and the prefix of verbatim Windows paths goes.
fn slashed(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.strip_prefix("//?/").map(str::to_owned).unwrap_or(path)
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.split_once('/').is_some_and(|(first, _)| drive(first).is_some())
}

/// The letter of `C:`.
fn drive(segment: &str) -> Option<&str> {
    let letter = segment.strip_suffix(':')?;
    (letter.len() == 1 && letter.as_bytes()[0].is_ascii_alphabetic()).then_some(letter)
}

fn resolve<'p>(mut from: Vec<&'p str>, path: &'p str) -> Vec<&'p str> {
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(from.pop()),
            segment => from.push(segment),
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_becomes_relative_with_slashes() {
        for (path, expected) in [
            ("a.json", "a.json"),
            ("./deep/../a.json", "a.json"),
            ("/work/shop/deep/a.json", "deep/a.json"),
            ("/elsewhere/a.json", "elsewhere/a.json"),
            ("../till/a.json", "work/till/a.json"),
            (r"deep\a.json", "deep/a.json"),
            (r"C:\hooks\a.json", "C/hooks/a.json"),
            (r"\\server\share\a.json", "server/share/a.json"),
            (r"\\?\C:\hooks\a.json", "C/hooks/a.json"),
            ("c:a.json", "c:a.json"),
            ("<stdin>", "stdin"),
            ("", "stdin"),
            ("..", "work"),
            ("/", "stdin"),
        ] {
            assert_eq!(relative(path, Path::new("/work/shop")), expected, "{path}");
        }
        assert_eq!(relative(r"C:\work\shop\a.json", Path::new(r"C:\work\shop")), "a.json");
    }

    #[test]
    fn a_uri_holds_nothing_that_means_something_else() {
        assert_eq!(encode("büro, 1/a b#c?d:e%.json"), "b%C3%BCro%2C%201/a%20b%23c%3Fd%3Ae%25.json");
    }
}
