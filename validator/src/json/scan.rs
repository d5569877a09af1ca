//! Tokens: strings, numbers and literals, read in place.

use super::text::{decode, is_exact, is_finite, plain_until};
use std::borrow::Cow;

/// Reads one text from left to right. `at` is the byte offset of what comes next.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    pub(crate) at: usize,
    /// Whether a string may have held a character that cannot be seen.
    pub(crate) is_odd: bool,
}

/// A string without its quotes, as it is spelled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawString<'a> {
    pub(crate) raw: &'a str,
    pub(crate) escaped: bool,
}

/// A number as it is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawNumber<'a>(pub(crate) &'a str);

/// What makes a text no JSON text, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) kind: FaultKind,
}

/// Why reading cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The text ends inside a value.
    Ended,
    /// Something else was expected here.
    Expected(&'static str),
    /// A string holds a raw control character.
    ControlCharacter(u8),
    /// A backslash is followed by what is no escape.
    BadEscape,
    /// `NaN`, `Infinity`, `+1`, `.5`, `0x1F`, `007`: numbers of other languages.
    ForeignNumber,
    /// `//`, `/*` or `#`.
    Comment,
    /// A string in single quotes.
    SingleQuote,
    /// A comma with nothing after it.
    TrailingComma,
    /// More than [`super::MAX_DEPTH`] levels.
    TooDeep,
    /// Something stands after the value.
    TrailingContent,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, is_odd: false }
    }

    /// The next byte after white space, which is passed over.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Passes over `byte` if it comes next. Most events have no white space, so the byte is looked for before it.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let found = self.next_is(byte) || self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Passes over `spelling` if it comes next, without white space.
    #[expect(clippy::inline_always, reason = "a spelling of known length is compared without a call")]
    #[inline(always)]
    pub(crate) fn take_exactly(&mut self, spelling: &'static str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(spelling.as_bytes());
        self.at += if found { spelling.len() } else { 0 };
        found
    }

    /// Passes over `byte`, which must come next.
    pub(crate) fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Fault> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    /// The fault of meeting anything but `what` here.
    #[cold]
    pub(crate) fn unexpected(&mut self, what: &'static str) -> Fault {
        let Some(byte) = self.peek() else {
            return Fault { at: self.text.len(), len: 0, kind: FaultKind::Ended };
        };
        let rest = &self.text[self.at..];
        let word = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
        let kind = match byte {
            b'/' | b'#' => FaultKind::Comment,
            b'\'' => FaultKind::SingleQuote,
            b'+' | b'.' => FaultKind::ForeignNumber,
            _ if rest.starts_with("NaN") || rest.starts_with("Infinity") => FaultKind::ForeignNumber,
            _ => FaultKind::Expected(what),
        };
        let len = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        Fault { at: self.at, len, kind }
    }

    /// Reads a string, if a well-formed one comes next. If not, [`Self::string`] says why.
    #[expect(clippy::inline_always, reason = "the fast lane does little else")]
    #[inline(always)]
    pub(crate) fn try_string(&mut self) -> Option<RawString<'a>> {
        if !self.take(b'"') {
            return None;
        }
        let start = self.at;
        let bytes = self.text.as_bytes();
        let end = plain_until(bytes, start, &mut self.is_odd);
        if bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Some(RawString { raw: &self.text[start..end], escaped: false });
        }
        self.at = start - 1;
        let escaped = self.string();
        self.at = if escaped.is_ok() { self.at } else { start - 1 };
        escaped.ok()
    }

    /// Reads a string; its opening quote comes next.
    pub(crate) fn string(&mut self) -> Result<RawString<'a>, Fault> {
        self.expect(b'"', "a string in double quotes")?;
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut escaped = false;
        loop {
            self.at = plain_until(bytes, self.at, &mut self.is_odd);
            match bytes.get(self.at) {
                Some(b'"') => {
                    let raw = &self.text[start..self.at];
                    self.at += 1;
                    return Ok(RawString { raw, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(&control) => return Err(self.fault(1, FaultKind::ControlCharacter(control))),
                None => return Err(self.fault(0, FaultKind::Ended)),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let rest = &self.text.as_bytes()[self.at..];
        let len = match rest.get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if rest.len() >= 6 && rest[2..6].iter().all(u8::is_ascii_hexdigit) => 6,
            None => return Err(Fault { at: self.text.len(), len: 0, kind: FaultKind::Ended }),
            Some(_) => {
                let next = self.text[self.at + 1..].chars().next().map_or(0, char::len_utf8);
                return Err(self.fault(1 + next, FaultKind::BadEscape));
            }
        };
        self.at += len;
        Ok(())
    }

    /// Reads a number; its first byte comes next.
    pub(crate) fn number(&mut self) -> Result<RawNumber<'a>, Fault> {
        let start = self.at;
        self.at += usize::from(self.next_is(b'-'));
        let int_start = self.at;
        let int_digits = self.digits();
        let leading_zero = int_digits > 1 && self.text.as_bytes()[int_start] == b'0';
        let mut well_formed = int_digits > 0 && !leading_zero;
        if self.next_is(b'.') {
            self.at += 1;
            well_formed &= self.digits() > 0;
        }
        if self.next_is(b'e') || self.next_is(b'E') {
            self.at += 1;
            self.at += usize::from(self.next_is(b'+') || self.next_is(b'-'));
            well_formed &= self.digits() > 0;
        }
        let tail = self.text[self.at..].bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'.').count();
        if well_formed && tail == 0 {
            return Ok(RawNumber(&self.text[start..self.at]));
        }
        let kind = if self.at + tail == self.text.len() && int_digits == 0 && tail == 0 {
            FaultKind::Ended
        } else {
            FaultKind::ForeignNumber
        };
        Err(Fault { at: start, len: self.at + tail - start, kind })
    }

    /// Reads `true`, `false` or `null`.
    pub(crate) fn literal(&mut self, word: &'static str) -> Result<(), Fault> {
        let rest = &self.text.as_bytes()[self.at..];
        let ends = !rest.get(word.len()).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if rest.starts_with(word.as_bytes()) && ends {
            self.at += word.len();
            return Ok(());
        }
        Err(self.unexpected("a value"))
    }

    /// Nothing but white space may be left.
    pub(crate) fn end(&mut self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(b'/' | b'#') => Err(self.unexpected("the end")),
            Some(_) => Err(Fault { at: self.at, len: self.text.len() - self.at, kind: FaultKind::TrailingContent }),
        }
    }

    #[inline]
    fn next_is(&self, byte: u8) -> bool {
        self.text.as_bytes().get(self.at) == Some(&byte)
    }

    fn digits(&mut self) -> usize {
        let count = self.text.as_bytes()[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += count;
        count
    }

    fn fault(&self, len: usize, kind: FaultKind) -> Fault {
        Fault { at: self.at, len, kind }
    }
}

impl<'a> RawString<'a> {
    /// Whether an escape may spell any character: not those of quotes, backslashes, line breaks and tabs, which most texts
    /// with escapes have.
    pub(crate) fn is_veiled(self) -> bool {
        let bytes = self.raw.as_bytes();
        memchr::memchr_iter(b'\\', bytes).any(|at| matches!(bytes.get(at + 1), Some(b'u' | b'b' | b'f' | b'/')))
    }

    /// The text that the spelling stands for; `None` where an escape is half of a surrogate pair.
    pub(crate) fn decode(self) -> Option<Cow<'a, str>> {
        let mut is_text = true;
        let text = self.decode_lossy(|_| is_text = false);
        is_text.then_some(text)
    }

    /// The text with U+FFFD for each lone surrogate, whose byte offset within the spelling is reported.
    pub(crate) fn decode_lossy(self, lone_surrogate: impl FnMut(usize)) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(decode(self.raw, lone_surrogate)) } else { Cow::Borrowed(self.raw) }
    }
}

impl RawNumber<'_> {
    /// Whether a double can hold its magnitude at all.
    pub(crate) fn is_finite(self) -> bool {
        is_finite(self.0)
    }

    /// Whether every reader will see the same number: not an integer beyond 2^53 - 1.
    pub(crate) fn is_exact(self) -> bool {
        is_exact(self.0)
    }
}
