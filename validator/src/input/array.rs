//! The elements of a JSON array, one document each.

use super::shape::Brackets;
use super::{Document, Place, START, Unit, too_large};
use crate::finding::Finding;
use crate::rules::{SYNTAX, TRAILING_CONTENT};
use std::io;

/// Hands over each element. A broken element is handed over as it stands, up to the comma or bracket that ends it.
pub(super) fn each_element(
    bytes: &[u8],
    max_event: usize,
    each: &mut impl FnMut(Unit<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let open = bytes.iter().position(|byte| *byte == b'[').map_or(bytes.len(), |at| at + 1);
    let mut elements = Elements { bytes, at: open, place: START.after(&bytes[..open]) };
    if elements.is_blank_until_close() {
        return elements.end(each);
    }
    loop {
        let (element, end) = elements.next_element();
        let start = elements.place_of(element.0);
        let document = &bytes[element.0..element.1];
        if document.is_empty() {
            each(unreadable(start, "expected a value"))?;
        } else if document.len() > max_event {
            each(too_large(start, "the event", max_event, ""))?;
        } else {
            each(Unit::Document(Document::new(document, start)))?;
        }
        elements.advance(end);
        match bytes.get(end) {
            Some(b',') => elements.advance(end + 1),
            Some(_) => return elements.end(each),
            None => return each(unreadable(elements.place, "the array has no end")),
        }
    }
}

struct Elements<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where `at` is. Places only move forward, so that a long array is walked once.
    place: Place,
}

impl Elements<'_> {
    fn advance(&mut self, to: usize) {
        self.place = self.place.after(&self.bytes[self.at..to]);
        self.at = to;
    }

    fn place_of(&mut self, at: usize) -> Place {
        self.advance(at);
        self.place
    }

    fn is_blank_until_close(&self) -> bool {
        self.bytes[self.at..].trim_ascii_start().first() == Some(&b']')
    }

    /// The range of the next element without white space, and the offset of the comma or bracket behind it.
    fn next_element(&self) -> ((usize, usize), usize) {
        let mut brackets = Brackets::default();
        let mut end = self.at;
        while let Some(byte) = self.bytes.get(end) {
            if brackets.is_at(0) && matches!(byte, b',' | b']') {
                break;
            }
            brackets.step(*byte);
            end += 1;
        }
        let element = &self.bytes[self.at..end];
        let start = self.at + (element.len() - element.trim_ascii_start().len());
        ((start, start + element.trim_ascii().len()), end)
    }

    /// At the closing bracket: nothing may follow it.
    fn end(mut self, each: &mut impl FnMut(Unit<'_>) -> io::Result<()>) -> io::Result<()> {
        let close = self.at + self.bytes[self.at..].iter().take_while(|byte| **byte != b']').count();
        let after = (close + 1).min(self.bytes.len());
        let rest = &self.bytes[after..];
        if rest.trim_ascii().is_empty() {
            return Ok(());
        }
        let start = self.place_of(after + rest.len() - rest.trim_ascii_start().len());
        let message = "something follows the array".to_owned();
        each(Unit::Unreadable { start, finding: Finding::new(&TRAILING_CONTENT, "", 0..0, message) })
    }
}

fn unreadable(start: Place, message: &str) -> Unit<'static> {
    Unit::Unreadable { start, finding: Finding::new(&SYNTAX, "", 0..0, message.to_owned()) }
}
