//! A stream in blocks of whole lines, in constant memory.

use super::{Place, START};
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// How many bytes are read at once: few enough that they stay in the cache of the one that works on them.
pub(super) const BLOCK: usize = 128 << 10;

/// The same where several threads share the work: so many that setting them to it is soon forgotten.
pub(super) const SHARED_BLOCK: usize = 4 << 20;

/// Reads blocks of whole lines. The buffer grows only up to the longest line that is allowed.
pub(super) struct Blocks<R> {
    source: R,
    buffer: Vec<u8>,
    /// The bytes that were read and not yet given away.
    filled: std::ops::Range<usize>,
    ended: bool,
    max_line: usize,
    next: Place,
    /// Where the lines of the last block end.
    ends: Vec<usize>,
}

/// What comes next in a stream.
#[derive(Debug)]
pub(super) enum Block<'a> {
    /// Whole lines; the last one of the stream may lack its line break.
    Lines {
        /// Their bytes.
        bytes: &'a [u8],
        /// Where in them each line ends, its line break not counted.
        ends: &'a [usize],
        /// Where they begin.
        start: Place,
    },
    /// A line longer than the limit, passed over.
    Skipped {
        /// Where it begins.
        start: Place,
    },
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(source: R, size: usize, max_line: usize) -> Self {
        Self { source, buffer: vec![0; size], filled: 0..0, ended: false, max_line, next: START, ends: Vec::new() }
    }

    /// The start of the stream: as much of it as `is_enough`, or as fits.
    pub(super) fn peek(&mut self, is_enough: impl Fn(&[u8]) -> bool) -> io::Result<&[u8]> {
        while !self.ended && self.filled.len() < self.buffer.len() && !is_enough(&self.buffer[self.filled.clone()]) {
            self.read_more()?;
        }
        Ok(&self.buffer[self.filled.clone()])
    }

    /// Everything that is left; `None` where it is more than `limit` bytes.
    pub(super) fn rest(&mut self, limit: usize) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = self.buffer[self.filled.clone()].to_vec();
        let room = (limit + 1).saturating_sub(bytes.len()) as u64;
        (&mut self.source).take(room).read_to_end(&mut bytes)?;
        Ok((bytes.len() <= limit).then_some(bytes))
    }

    /// The next block; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Block<'_>>> {
        loop {
            let held = &self.buffer[self.filled.clone()];
            let whole = if self.ended { held.len() } else { memrchr(b'\n', held).map_or(0, |newline| newline + 1) };
            if whole > 0 {
                return Ok(Some(self.give(whole)));
            }
            if self.ended {
                return Ok(None);
            }
            if held.len() > self.max_line {
                return self.skip_line().map(Some);
            }
            self.read_more()?;
        }
    }

    fn give(&mut self, len: usize) -> Block<'_> {
        let range = self.filled.start..self.filled.start + len;
        self.filled.start = range.end;
        let bytes = &self.buffer[range];
        let start = self.next;
        self.next.offset += len as u64;
        self.ends.clear();
        self.ends.extend(memchr_iter(b'\n', bytes));
        self.next.line += self.ends.len() as u64;
        if !bytes.ends_with(b"\n") {
            self.ends.push(bytes.len());
        }
        Block::Lines { bytes, ends: &self.ends, start }
    }

    /// Passes over the rest of a line without keeping it.
    fn skip_line(&mut self) -> io::Result<Block<'_>> {
        let start = self.next;
        loop {
            let held = &self.buffer[self.filled.clone()];
            let newline = memchr(b'\n', held);
            let passed = newline.map_or(held.len(), |newline| newline + 1);
            self.filled.start += passed;
            self.next.offset += passed as u64;
            if newline.is_some() {
                self.next.line += 1;
                break;
            }
            if self.ended {
                break;
            }
            self.read_more()?;
        }
        Ok(Block::Skipped { start })
    }

    fn read_more(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.filled.clone(), 0);
        self.filled = 0..self.filled.len();
        if self.filled.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.filled.end..]) {
                Ok(count) => {
                    self.filled.end += count;
                    self.ended = count == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
