//! Files and streams become documents: the bytes of one event each, and where they stand.
//!
//! Three shapes are told apart by content: NDJSON (one event a line), one JSON array of events, and one event spread
//! over lines. NDJSON is read in blocks of whole lines, so memory does not grow with the stream; a line over the size
//! limit is passed over and reported. An array is held whole and is bounded by [`MAX_ARRAY`].

mod array;
mod blocks;
mod shape;

use crate::finding::Finding;
use crate::rules::TOO_LARGE;
use blocks::{Block, Blocks};
use memchr::memchr_iter;
use shape::Shape;
use std::io::{self, Read};

/// The largest event that is read unless another limit is set, in bytes.
pub const MAX_EVENT: usize = 1 << 20;

/// The largest JSON array of events, in bytes. Longer recordings belong in NDJSON.
pub const MAX_ARRAY: usize = 64 << 20;

/// The bytes of one event, and where they stand in their file.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The event's bytes, perhaps with white space around them.
    pub bytes: &'a [u8],
    /// Where the first of them stands.
    pub start: Place,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// From 1.
    pub line: u64,
    /// In characters (Unicode code points), from 1. Each byte that is not UTF-8 counts as one.
    pub column: u64,
}

/// What stands at one place of a file.
#[derive(Debug)]
pub enum Unit<'a> {
    /// An event, or what should be one.
    Document(Document<'a>),
    /// Something that was not read as an event; the finding says why. Its span counts from `start`.
    Unreadable {
        /// Where it begins.
        start: Place,
        /// Why it was not read.
        finding: Finding,
    },
}

/// Reads all of `source` and hands over each unit in order.
///
/// # Errors
/// What reading gives, and what `each` gives.
pub fn read(source: impl Read, max_event: usize, mut each: impl FnMut(Unit<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut blocks = Blocks::new(source, max_event);
    match shape::tell(blocks.peek(shape::is_told)?) {
        Shape::Lines => read_lines(&mut blocks, &mut each),
        Shape::Array => match blocks.rest(MAX_ARRAY)? {
            Some(bytes) => array::each_element(&bytes, max_event, &mut each),
            None => {
                each(too_large(START, "the array", MAX_ARRAY, "one event a line (NDJSON), which has no such limit"))
            }
        },
        Shape::Whole => match blocks.rest(max_event)? {
            Some(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => Ok(()),
            Some(bytes) => each(Unit::Document(Document { bytes: &bytes, start: START })),
            None => each(too_large(START, "the event", max_event, "")),
        },
    }
}

const START: Place = Place { offset: 0, line: 1, column: 1 };

fn read_lines(blocks: &mut Blocks<impl Read>, each: &mut impl FnMut(Unit<'_>) -> io::Result<()>) -> io::Result<()> {
    let max_event = blocks.max_line();
    while let Some(block) = blocks.next()? {
        match block {
            Block::Skipped { start } => each(too_large(start, "the line", max_event, ""))?,
            Block::Lines { bytes, start } => each_line(bytes, start, |bytes, start| {
                if bytes.len() > max_event {
                    return each(too_large(start, "the line", max_event, ""));
                }
                each(Unit::Document(Document { bytes, start }))
            })?,
        }
    }
    Ok(())
}

/// Each line that is not blank, without its line break.
fn each_line<'a>(
    bytes: &'a [u8],
    start: Place,
    mut each: impl FnMut(&'a [u8], Place) -> io::Result<()>,
) -> io::Result<()> {
    let mut from = 0;
    let ends = memchr_iter(b'\n', bytes).chain((bytes.last() != Some(&b'\n')).then_some(bytes.len()));
    for (i, end) in ends.enumerate() {
        let line = bytes[from..end].strip_suffix(b"\r").unwrap_or(&bytes[from..end]);
        let place = Place { offset: start.offset + from as u64, line: start.line + i as u64, column: 1 };
        if !line.iter().all(u8::is_ascii_whitespace) {
            each(line, place)?;
        }
        from = end + 1;
    }
    Ok(())
}

fn too_large(start: Place, what: &str, limit: usize, instead: &str) -> Unit<'static> {
    let message = format!("{what} is larger than the limit and was not read");
    let finding = Finding::new(&TOO_LARGE, "", 0..0, message).permitted(format!("up to {limit} bytes"));
    let finding = if instead.is_empty() { finding } else { finding.hint(instead) };
    Unit::Unreadable { start, finding }
}

impl Place {
    /// The place `bytes` further on, where `bytes` is the text between.
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Self {
        let offset = self.offset + bytes.len() as u64;
        let lines = memchr_iter(b'\n', bytes).count() as u64;
        let (line_start, column) = match memchr::memrchr(b'\n', bytes) {
            Some(newline) => (newline + 1, 1),
            None => (0, self.column),
        };
        Self { offset, line: self.line + lines, column: column + characters(&bytes[line_start..]) }
    }
}

fn characters(bytes: &[u8]) -> u64 {
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum::<usize>() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(bytes: &[u8], max_event: usize) -> Vec<String> {
        let mut out = Vec::new();
        read(bytes, max_event, |unit| {
            out.push(match unit {
                Unit::Document(Document { bytes, start }) => {
                    format!("{}:{}@{} {}", start.line, start.column, start.offset, String::from_utf8_lossy(bytes))
                }
                Unit::Unreadable { start, finding } => format!("{}:{} {}", start.line, start.column, finding.rule.code),
            });
            Ok(())
        })
        .unwrap();
        out
    }

    #[test]
    fn ndjson_is_read_line_by_line() {
        let text = b"{\"a\":1}\r\n\n  \n[1]\n{\"b\"";
        assert_eq!(units(text, 100), ["1:1@0 {\"a\":1}", "4:1@13 [1]", "5:1@17 {\"b\""]);
    }

    #[test]
    fn an_event_may_be_spread_over_lines() {
        assert_eq!(units(b"\n{\n \"a\": 1\n}\n", 100), ["1:1@0 \n{\n \"a\": 1\n}\n"]);
        assert_eq!(units(b"not json\nat all\n", 100).len(), 1);
    }

    #[test]
    fn an_array_is_read_element_by_element() {
        let text = "[\n  {\"a\": \"é,]\"}, {\"b\": [1, 2]}\n]\n".as_bytes();
        assert_eq!(units(text, 100), ["2:3@4 {\"a\": \"é,]\"}", "2:17@19 {\"b\": [1, 2]}"]);
        assert_eq!(units(b"[]", 100), [""; 0]);
    }

    #[test]
    fn what_is_too_large_is_reported_and_passed_over() {
        let long = format!("{{\"a\":1}}\n{{\"b\":\"{}\"}}\n{{\"c\":1}}\n", "x".repeat(3_000_000));
        assert_eq!(units(long.as_bytes(), 1000), ["1:1@0 {\"a\":1}", "2:1 too-large", "3:1@3000017 {\"c\":1}"]);
        assert_eq!(units(format!("{{\n{}", " \n".repeat(600)).as_bytes(), 1000), ["1:1 too-large"]);
        assert_eq!(
            units(format!("[{{\"a\":\"{}\"}},1]", "x".repeat(2000)).as_bytes(), 1000),
            ["1:2 too-large", "1:2011@2010 1"]
        );
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(units(b"", 100), [""; 0]);
        assert_eq!(units(b" \n\r\n\t", 100), [""; 0]);
    }
}
