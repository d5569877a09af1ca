//! Files and streams become documents: the bytes of one event each, and where they stand.
//!
//! Three shapes are told apart by content: NDJSON (one event a line), one JSON array of events, and one event spread
//! over lines. NDJSON is read in blocks of whole lines, so memory does not grow with the stream; a line over the size
//! limit is passed over and reported. An array is held whole and is bounded by [`MAX_ARRAY`].

mod array;
mod blocks;
mod shape;

use crate::event::Event;
use crate::finding::{Finding, Invalid};
use crate::lints::{lint_suspect, suspicion};
use crate::rules::TOO_LARGE;
use crate::{fast, invalid};
use blocks::{BLOCK, Block, Blocks, SHARED_BLOCK};
use memchr::memchr_iter;
use shape::Shape;
use std::io::{self, Read};
use std::ops::Range;

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
    /// The same bytes as a text, where they are known to be one.
    text: Option<&'a str>,
    /// Whether the sign of a secret stands in them, where that is known.
    has_sign: Option<bool>,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// From 1.
    pub line: u64,
    /// In characters (Unicode code points), from 1.
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

/// A stretch of a file: lines to be taken one by one, or a single unit.
#[derive(Debug)]
pub enum Chunk<'a> {
    /// Whole lines of NDJSON.
    Lines(Lines<'a>),
    /// Anything else.
    Unit(Unit<'a>),
}

/// Whole lines of NDJSON, in memory.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a> {
    /// What the ends count in.
    block: &'a [u8],
    /// Where in it these lines begin.
    from: usize,
    /// Where each of them ends, its line break not counted; that of the last line of a stream may be missing.
    ends: &'a [usize],
    start: Place,
    max_event: usize,
}

/// Reads all of `source` and hands over each chunk in order; `threads` is how many will share the work on a chunk of lines, so
/// that it is worth sharing.
///
/// # Errors
/// What reading gives, and what `each` gives.
pub fn read(
    source: impl Read,
    max_event: usize,
    threads: usize,
    mut each: impl FnMut(Chunk<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let size = if threads > 1 { SHARED_BLOCK } else { BLOCK };
    let mut blocks = Blocks::new(source, size, max_event);
    match shape::tell(blocks.peek(shape::is_told)?) {
        Shape::Lines => {
            while let Some(block) = blocks.next()? {
                each(match block {
                    Block::Lines { bytes, ends, start } => {
                        Chunk::Lines(Lines { block: bytes, from: 0, ends, start, max_event })
                    }
                    Block::Skipped { start } => Chunk::Unit(too_large(start, "the line", max_event, "")),
                })?;
            }
            Ok(())
        }
        Shape::Array => {
            let Some(bytes) = blocks.rest(MAX_ARRAY)? else {
                let instead = "one event a line (NDJSON), which has no such limit";
                return each(Chunk::Unit(too_large(START, "the array", MAX_ARRAY, instead)));
            };
            array::each_element(&bytes, max_event, &mut |unit| each(Chunk::Unit(unit)))
        }
        Shape::Whole => match blocks.rest(max_event)? {
            Some(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => Ok(()),
            Some(bytes) => each(Chunk::Unit(Unit::Document(Document::new(&bytes, START)))),
            None => each(Chunk::Unit(too_large(START, "the event", max_event, ""))),
        },
    }
}

const START: Place = Place { offset: 0, line: 1, column: 1 };

impl<'a> Document<'a> {
    /// Bytes of which nothing is known.
    pub fn new(bytes: &'a [u8], start: Place) -> Self {
        Self { bytes, start, text: None, has_sign: None }
    }

    /// Reads the event and shows it to `see`, if it is valid.
    ///
    /// # Errors
    /// As [`parse`](crate::parse()).
    pub fn see<T>(&self, see: impl FnOnce(&Event<'a>) -> T) -> Result<T, Invalid> {
        let event = match self.text {
            Some(text) => fast::read_text(text),
            None => fast::read(self.bytes),
        };
        // By reference: an event is large, and most are looked at once.
        event.as_ref().map(see).ok_or_else(|| invalid(self.bytes))
    }

    /// What is worth saying of the valid event that was read here; as [`lint`](crate::lint()).
    pub fn lint(&self, event: &Event<'_>) -> Vec<Finding> {
        let has_sign = self.has_sign.unwrap_or_else(|| suspicion::may_hold_secret(self.bytes));
        lint_suspect(event, self.bytes, has_sign)
    }
}

impl<'a> Lines<'a> {
    /// How many bytes they are.
    pub fn len(&self) -> usize {
        self.to() - self.from
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where the last line ends, its line break counted.
    fn to(&self) -> usize {
        self.ends.last().map_or(self.from, |end| self.block.len().min(end + 1))
    }

    /// The same lines in up to `parts` parts of about the same size, for as many threads.
    pub fn split(self, parts: usize) -> Vec<Self> {
        let step = self.len().div_ceil(parts.max(1)).max(1);
        let (mut rest, mut out) = (self, Vec::with_capacity(parts));
        while !rest.is_empty() {
            let last = rest.ends.partition_point(|end| end + 1 < rest.from + step).min(rest.ends.len() - 1);
            let (ends, after) = rest.ends.split_at(last + 1);
            let part = Self { ends, ..rest };
            let (offset, line) = (rest.start.offset + part.len() as u64, rest.start.line + ends.len() as u64);
            rest = Self { from: part.to(), ends: after, start: Place { offset, line, column: 1 }, ..rest };
            out.push(part);
        }
        out
    }

    /// Each line that is not blank, without its line break.
    ///
    /// # Errors
    /// What `each` gives.
    pub fn each(self, mut each: impl FnMut(Unit<'a>) -> io::Result<()>) -> io::Result<()> {
        let mut texts = Texts { block: self.block, known: 0, text: "" };
        let mut signs = Signs { block: &self.block[..self.to()], next: None };
        let mut from = self.from;
        for (line, end) in self.ends.iter().enumerate() {
            let to = if self.block[from..*end].ends_with(b"\r") { end - 1 } else { *end };
            let offset = self.start.offset + (from - self.from) as u64;
            let start = Place { offset, line: self.start.line + line as u64, column: 1 };
            let (bytes, range) = (&self.block[from..to], from..to);
            from = end + 1;
            if bytes.len() > self.max_event {
                each(too_large(start, "the line", self.max_event, ""))?;
            } else if !bytes.iter().all(u8::is_ascii_whitespace) {
                let has_sign = Some(signs.stand_in(&range));
                each(Unit::Document(Document { bytes, start, text: texts.get(range, self.to()), has_sign }))?;
            }
        }
        Ok(())
    }
}

/// The lines of a block as texts. Many are found to be UTF-8 in one go, for most are short; a line break is never inside a
/// character.
struct Texts<'a> {
    block: &'a [u8],
    /// Where in the block `text` begins.
    known: usize,
    /// UTF-8, as far as it goes.
    text: &'a str,
}

impl<'a> Texts<'a> {
    /// The bytes of one line, if they are a text. Lines are asked for in order, and up to `to`.
    fn get(&mut self, line: Range<usize>, to: usize) -> Option<&'a str> {
        if line.end > self.known + self.text.len() {
            self.known = line.start;
            self.text = utf8_prefix(&self.block[line.start..to]);
        }
        self.text.get(line.start - self.known..line.end - self.known)
    }
}

/// The signs of secrets in a block. Most lines have none, so one search goes over many of them.
struct Signs<'a> {
    block: &'a [u8],
    /// Where the next sign stands, or the block ends, of a search from one of the lines that were asked for.
    next: Option<usize>,
}

impl Signs<'_> {
    /// Whether a sign stands in a line. Lines are asked for in order.
    fn stand_in(&mut self, line: &Range<usize>) -> bool {
        let search =
            || suspicion::next_sign(&self.block[line.start..]).map_or(self.block.len(), |sign| line.start + sign);
        let next = self.next.filter(|next| *next >= line.start).unwrap_or_else(search);
        self.next = Some(next);
        next < line.end
    }
}

/// As much of these bytes as is UTF-8.
fn utf8_prefix(bytes: &[u8]) -> &str {
    match simdutf8::compat::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => simdutf8::basic::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
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

/// Counted by their first bytes, so that text that is not UTF-8 has columns too.
fn characters(bytes: &[u8]) -> u64 {
    // In stretches whose count a byte can hold, so that many are counted at once.
    bytes.chunks(128).map(|few| u64::from(few.iter().map(|byte| u8::from(byte & 0xc0 != 0x80)).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(bytes: &[u8], max_event: usize) -> Vec<String> {
        let mut out = Vec::new();
        let mut keep = |unit: Unit<'_>| {
            out.push(match unit {
                Unit::Document(Document { bytes, start, .. }) => {
                    format!("{}:{}@{} {}", start.line, start.column, start.offset, String::from_utf8_lossy(bytes))
                }
                Unit::Unreadable { start, finding } => format!("{}:{} {}", start.line, start.column, finding.rule.code),
            });
            Ok(())
        };
        read(bytes, max_event, 1, |chunk| match chunk {
            Chunk::Lines(lines) => lines.split(3).into_iter().try_for_each(|part| part.each(&mut keep)),
            Chunk::Unit(unit) => keep(unit),
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
    fn signs_of_secrets_are_known_of_each_line() {
        for lines in [["{}", "a glpat-1 sk-2", "", "glpat-", "x"], ["xoxb", "{}", "ghp_1", "{\"a\":\"AKIA\"}", "AKIA"]]
        {
            let block = lines.join("\n");
            let mut seen = Vec::new();
            let mut keep = |unit: Unit<'_>| {
                if let Unit::Document(document) = unit {
                    let has_sign = suspicion::may_hold_secret(document.bytes);
                    assert_eq!(document.has_sign, Some(has_sign), "{:?}", document.bytes);
                    seen.push(has_sign);
                }
                Ok(())
            };
            let ends: Vec<_> = memchr_iter(b'\n', block.as_bytes()).chain([block.len()]).collect();
            let all = Lines { block: block.as_bytes(), from: 0, ends: &ends, start: START, max_event: 100 };
            all.split(2).into_iter().try_for_each(|part| part.each(&mut keep)).unwrap();
            assert!(seen.contains(&true) && seen.contains(&false));
        }
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(units(b"", 100), [""; 0]);
        assert_eq!(units(b" \n\r\n\t", 100), [""; 0]);
    }
}
