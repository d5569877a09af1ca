//! A text becomes a tree, with a finding for everything that strict JSON refuses.

use super::scan::{Fault, FaultKind, RawNumber, RawString, Scanner};
use super::{MAX_DEPTH, Member, Node, Value};
use crate::finding::{Finding, push_pointer, shown, sort};
use crate::rules::{
    BYTE_ORDER_MARK, COMMENT, CONTROL_CHARACTER, DUPLICATE_MEMBER, FOREIGN_NUMBER, INEXACT_INTEGER, LONE_SURROGATE,
    NOT_UTF8, NUMBER_RANGE, SYNTAX, TOO_DEEP, TRAILING_CONTENT,
};
use std::borrow::Cow;
use std::collections::HashSet;

/// Reads one strict JSON text.
///
/// # Errors
/// All findings, where one of them is an error: not UTF-8, not JSON, a repeated member, more than [`MAX_DEPTH`] levels,
/// a lone surrogate, a number beyond a double.
///
/// ```
/// let node = arc_validator::json::parse(br#"{"a": [1, 2]}"#).unwrap();
/// assert_eq!(node.get("a").unwrap().span, 6..12);
/// assert!(arc_validator::json::parse(br#"{"a": 1, "a": 2}"#).is_err());
/// ```
pub fn parse(bytes: &[u8]) -> Result<Node<'_>, Vec<Finding>> {
    let (node, findings) = read(bytes);
    match node {
        Some(node) if !findings.iter().any(Finding::is_error) => Ok(node),
        _ => Err(findings),
    }
}

/// Reads as much of a JSON text as can be read: the tree, where there is one, and all findings.
pub(crate) fn read(bytes: &[u8]) -> (Option<Node<'_>>, Vec<Finding>) {
    let text = match simdutf8::compat::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return (None, vec![not_utf8(bytes, error)]),
    };
    let mut tree = Tree { scan: Scanner::new(text), path: Vec::new(), findings: Vec::new() };
    if text.starts_with('\u{feff}') {
        let message = "the text begins with a byte order mark".to_owned();
        tree.findings.push(Finding::new(&BYTE_ORDER_MARK, "", 0..3, message).hint("save it as UTF-8 without BOM"));
        tree.scan.at = 3;
    }
    let node = tree.value().and_then(|node| tree.scan.end().map(|()| node)).map_err(|fault| tree.report(fault)).ok();
    sort(&mut tree.findings);
    (node, tree.findings)
}

fn not_utf8(bytes: &[u8], error: simdutf8::compat::Utf8Error) -> Finding {
    let at = error.valid_up_to();
    let len = error.error_len().unwrap_or(bytes.len() - at);
    let message = format!("byte 0x{:02X} is not part of any UTF-8 character", bytes[at]);
    Finding::new(&NOT_UTF8, "", at..at + len, message)
}

struct Tree<'a> {
    scan: Scanner<'a>,
    path: Vec<Step<'a>>,
    findings: Vec<Finding>,
}

enum Step<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

impl<'a> Tree<'a> {
    fn value(&mut self) -> Result<Node<'a>, Fault> {
        let next = self.scan.peek();
        let start = self.scan.at;
        let value = match next {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => {
                let raw = self.string()?;
                Value::String(self.text(raw, start + 1))
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = self.scan.number()?;
                self.check_number(number, start);
                Value::Number(number.0)
            }
            Some(b't') => self.scan.literal("true").map(|()| Value::Bool(true))?,
            Some(b'f') => self.scan.literal("false").map(|()| Value::Bool(false))?,
            Some(b'n') => self.scan.literal("null").map(|()| Value::Null)?,
            _ => return Err(self.scan.unexpected("a value")),
        };
        Ok(Node { value, span: start..self.scan.at })
    }

    #[inline]
    fn string(&mut self) -> Result<RawString<'a>, Fault> {
        self.scan.try_string().map_or_else(|| self.scan.string(), Ok)
    }

    fn nested(&mut self, read: impl Fn(&mut Self) -> Result<Value<'a>, Fault>) -> Result<Value<'a>, Fault> {
        if self.path.len() >= MAX_DEPTH {
            return Err(Fault { at: self.scan.at, len: 1, kind: FaultKind::TooDeep });
        }
        self.scan.at += 1;
        read(self)
    }

    fn array(&mut self) -> Result<Value<'a>, Fault> {
        let mut items = Vec::new();
        if self.scan.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.path.push(Step::Index(items.len()));
            items.push(self.value()?);
            self.path.pop();
            if !self.goes_on(b']', "a comma or the end of the array")? {
                return Ok(Value::Array(items));
            }
        }
    }

    fn object(&mut self) -> Result<Value<'a>, Fault> {
        let mut members: Vec<Member<'a>> = Vec::with_capacity(8);
        let mut names = Names::default();
        if self.scan.take(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            self.scan.peek();
            let name_start = self.scan.at;
            let raw = self.string().map_err(|fault| as_member_name(fault, name_start))?;
            let name_span = name_start..self.scan.at;
            let name = self.text(raw, name_start + 1);
            self.path.push(Step::Name(name.clone()));
            if names.repeats(&name, &members) {
                let message = format!("the member `{}` stands here a second time", shown(&name));
                self.find(Finding::new(&DUPLICATE_MEMBER, "", name_span.clone(), message).permitted("each name once"));
            }
            self.scan.expect(b':', "a colon after the member's name")?;
            let value = self.value()?;
            self.path.pop();
            members.push(Member { name, name_span, value });
            if !self.goes_on(b'}', "a comma or the end of the object")? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// After an item: true for a comma with another item behind it, false for the end.
    fn goes_on(&mut self, close: u8, what: &'static str) -> Result<bool, Fault> {
        if self.scan.take(close) {
            return Ok(false);
        }
        let comma = self.scan.at;
        self.scan.expect(b',', what)?;
        if self.scan.peek() == Some(close) {
            return Err(Fault { at: comma, len: 1, kind: FaultKind::TrailingComma });
        }
        Ok(true)
    }

    fn text(&mut self, raw: RawString<'a>, start: usize) -> Cow<'a, str> {
        raw.decode_lossy(|at| {
            let span = start + at..start + at + 6;
            let message = "this escape is half of a surrogate pair, which is no character".to_owned();
            self.find(Finding::new(&LONE_SURROGATE, "", span, message).permitted(r"both halves, as in \ud83d\ude00"));
        })
    }

    fn check_number(&mut self, number: RawNumber<'a>, start: usize) {
        let span = start..self.scan.at;
        if !number.is_finite() {
            let message = "this number is beyond the range of a double".to_owned();
            self.find(Finding::new(&NUMBER_RANGE, "", span, message).permitted("up to about 1.8e308"));
        } else if !number.is_exact() {
            let message = "this integer is beyond 2^53 - 1; some readers will round it".to_owned();
            self.find(Finding::new(&INEXACT_INTEGER, "", span, message).hint("send it as a string"));
        }
    }

    fn find(&mut self, finding: Finding) {
        let pointer = self.pointer();
        self.findings.push(Finding { pointer, ..finding });
    }

    fn report(&mut self, fault: Fault) {
        let finding = describe(fault);
        self.find(finding);
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            match step {
                Step::Name(name) => push_pointer(&mut pointer, name),
                Step::Index(index) => push_pointer(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }
}

/// The names of one object. The few of an event are compared one by one; only of many is a set kept, of the first
/// `taken` members.
#[derive(Default)]
struct Names<'a> {
    set: Option<HashSet<Cow<'a, str>>>,
    taken: usize,
}

impl<'a> Names<'a> {
    const FEW: usize = 16;

    /// Whether `name` is that of a member already; `members` are all that stand before it.
    fn repeats(&mut self, name: &str, members: &[Member<'a>]) -> bool {
        if members.len() < Self::FEW {
            return members.iter().any(|member| member.name == name);
        }
        let set = self.set.get_or_insert_default();
        set.extend(members[self.taken..].iter().map(|member| member.name.clone()));
        self.taken = members.len();
        set.contains(name)
    }
}

/// Where a member's name was expected, anything but a string is told so.
fn as_member_name(fault: Fault, at: usize) -> Fault {
    match fault.kind {
        FaultKind::Expected(_) if fault.at == at => {
            Fault { kind: FaultKind::Expected("a member's name in double quotes"), ..fault }
        }
        _ => fault,
    }
}

fn describe(fault: Fault) -> Finding {
    let span = fault.at..fault.at + fault.len;
    let syntax = |message: String| Finding::new(&SYNTAX, "", span.clone(), message);
    match fault.kind {
        FaultKind::Ended => syntax("the text ends in the middle of a value".into()).hint("was it cut off?"),
        FaultKind::Expected(what) => syntax(format!("expected {what}")),
        FaultKind::BadEscape => syntax("this is no escape".into())
            .permitted(r#"\" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits"#),
        FaultKind::SingleQuote => syntax("strings stand in double quotes".into()),
        FaultKind::TrailingComma => syntax("nothing follows this comma".into()).hint("remove it"),
        FaultKind::ControlCharacter(byte) => {
            let message = format!("a raw control character, U+{byte:04X}, inside a string");
            Finding::new(&CONTROL_CHARACTER, "", span, message).permitted(format!("its escape, \\u{byte:04x}"))
        }
        FaultKind::ForeignNumber => Finding::new(&FOREIGN_NUMBER, "", span, "JSON has no such number".into())
            .permitted("digits, perhaps with a minus, a fraction and an exponent"),
        FaultKind::Comment => Finding::new(&COMMENT, "", span, "JSON has no comments".into()).hint("remove it"),
        FaultKind::TooDeep => {
            let message = format!("objects and arrays are nested more than {MAX_DEPTH} deep");
            Finding::new(&TOO_DEEP, "", span, message).permitted(format!("{MAX_DEPTH} levels, the event counted"))
        }
        FaultKind::TrailingContent => Finding::new(&TRAILING_CONTENT, "", span, "something follows the value".into())
            .permitted("one JSON value; several events stand on lines of their own or in one array"),
    }
}
