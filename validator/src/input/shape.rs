//! NDJSON, an array, or one event over several lines: told by the first two lines that are not blank.

use memchr::memchr;

/// How the events of a file are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One event a line.
    Lines,
    /// One JSON array of events.
    Array,
    /// One event, or something that is no event at all.
    Whole,
}

/// Tells the shape by the start of a file.
pub(super) fn tell(start: &[u8]) -> Shape {
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
    let (first, rest) = next_line(start);
    let (second, _) = next_line(rest);
    let is_array = first.first() == Some(&b'[');
    if second.is_empty() {
        return if is_array { Shape::Array } else { Shape::Whole };
    }
    if is_complete(first) || (!is_array && second.first() == Some(&b'{')) {
        return Shape::Lines;
    }
    if is_array { Shape::Array } else { Shape::Whole }
}

/// Whether more bytes could not change what [`tell`] says: two lines that are not blank are there in full.
pub(super) fn is_told(start: &[u8]) -> bool {
    let whole_lines = memchr::memrchr(b'\n', start).map_or(0, |newline| newline + 1);
    let (_, rest) = next_line(&start[..whole_lines]);
    !next_line(rest).0.is_empty()
}

/// The next line that is not blank, trimmed, and what follows it. Empty at the end.
fn next_line(mut rest: &[u8]) -> (&[u8], &[u8]) {
    loop {
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest[..end].trim_ascii();
        rest = rest.get(end + 1..).unwrap_or_default();
        if !line.is_empty() || rest.is_empty() {
            return (line, rest);
        }
    }
}

/// Whether every bracket that a line opens is closed on it, and there is one.
fn is_complete(line: &[u8]) -> bool {
    let mut brackets = Brackets::default();
    for byte in line {
        brackets.step(*byte);
    }
    brackets.opened && brackets.depth == 0
}

/// Follows strings and brackets without judging anything else.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Brackets {
    pub(super) depth: usize,
    pub(super) opened: bool,
    in_string: bool,
    escaped: bool,
}

impl Brackets {
    /// Takes the next byte.
    pub(super) fn step(&mut self, byte: u8) {
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                self.depth += 1;
                self.opened = true;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Whether the next byte stands outside of strings and at this depth.
    pub(super) fn is_at(&self, depth: usize) -> bool {
        !self.in_string && self.depth == depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_is_told_by_content() {
        for (text, shape) in [
            ("{\"a\":1}\n{\"b\":1}\n", Shape::Lines),
            ("[1]\n{\"b\":1}\n", Shape::Lines),
            ("{\"a\":\n{\"b\":1}\n", Shape::Lines),
            ("{\"a\":\"}\",\n\"b\":1}\n", Shape::Whole),
            ("{\n  \"a\": 1\n}", Shape::Whole),
            ("{\"a\":1}", Shape::Whole),
            ("\u{feff}[{\"a\":1},\n{\"b\":1}]", Shape::Array),
            ("[\n{", Shape::Array),
            ("[{\"a\":1}]\n\n", Shape::Array),
            ("", Shape::Whole),
            ("hello\nworld\n", Shape::Whole),
            ("garbage\n{\"a\":1}\n", Shape::Lines),
        ] {
            assert_eq!(tell(text.as_bytes()), shape, "{text}");
        }
    }
}
