//! Strict JSON: what two parsers could read differently.

use super::example::spelled;
use super::{Example, Level, Rule};

/// The rules of this family.
pub(crate) const JSON: &[&Rule] = &[
    &NOT_UTF8,
    &BYTE_ORDER_MARK,
    &SYNTAX,
    &TRAILING_CONTENT,
    &TOO_DEEP,
    &CONTROL_CHARACTER,
    &LONE_SURROGATE,
    &FOREIGN_NUMBER,
    &COMMENT,
    &NUMBER_RANGE,
    &DUPLICATE_MEMBER,
    &INEXACT_INTEGER,
    &TOO_LARGE,
    &LANES_DISAGREE,
];

pub(crate) static NOT_UTF8: Rule = Rule {
    code: "not-utf8",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "The bytes are not UTF-8.",
    explanation: "JSON text is exchanged in UTF-8. A byte sequence that is not UTF-8 would be replaced or refused, depending on who reads it, so that a person might see another text than the one sent.",
    bad: Example::Bytes(b"{\"arc_version\": \"0.2\xff\"}"),
    good: Example::Text(spelled!(r#""extensions": {"x-shop": "café"}"#)),
};

pub(crate) static BYTE_ORDER_MARK: Rule = Rule {
    code: "byte-order-mark",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "The text begins with a byte order mark.",
    explanation: "RFC 8259 forbids to send one. Some readers skip it and others stop at it; write the file as UTF-8 without BOM.",
    bad: Example::Text(concat!("\u{feff}", spelled!(r#""context": {}"#))),
    good: Example::Text(spelled!(r#""context": {}"#)),
};

pub(crate) static SYNTAX: Rule = Rule {
    code: "json-syntax",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "The text is not JSON.",
    explanation: "Nothing can be said of an event that cannot be read. The place is the first character that no JSON text could have there.",
    bad: Example::Text(spelled!(r#""context": {'project': "shop"}"#)),
    good: Example::Text(spelled!(r#""context": {"project": "shop"}"#)),
};

pub(crate) static TRAILING_CONTENT: Rule = Rule {
    code: "trailing-content",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "Something follows the event.",
    explanation: "One event is one JSON object. Several events belong on lines of their own (NDJSON) or in one array.",
    bad: Example::Text(concat!(spelled!(r#""context": {}"#), " done")),
    good: Example::Text(spelled!(r#""context": {}"#)),
};

pub(crate) static TOO_DEEP: Rule = Rule {
    code: "too-deep",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "Objects and arrays are nested more than 128 deep.",
    explanation: "Readers with a stack limit refuse or crash at different depths. 128 levels, the event itself counted, are far more than an event needs.",
    bad: Example::Text(spelled!(
        r#""extensions": {"x-shop": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}"#
    )),
    good: Example::Text(spelled!(r#""extensions": {"x-shop": [[[]]]}"#)),
};

pub(crate) static CONTROL_CHARACTER: Rule = Rule {
    code: "raw-control-character",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "A string holds a raw control character.",
    explanation: "Characters below U+0020 must be escaped inside a string: a line break is \\n, a tab is \\t.",
    bad: Example::Text(spelled!("\"extensions\": {\"x-shop\": \"one\ttwo\"}")),
    good: Example::Text(spelled!(r#""extensions": {"x-shop": "one\ttwo"}"#)),
};

pub(crate) static LONE_SURROGATE: Rule = Rule {
    code: "lone-surrogate",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "An escape names half of a surrogate pair.",
    explanation: "A lone surrogate is not a character. Readers replace it, refuse it or keep it, so no two of them see the same text.",
    bad: Example::Text(spelled!(r#""extensions": {"x-shop": "\ud83d"}"#)),
    good: Example::Text(spelled!(r#""extensions": {"x-shop": "\ud83d\ude00"}"#)),
};

pub(crate) static FOREIGN_NUMBER: Rule = Rule {
    code: "foreign-number",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "A number is written in a form that JSON does not have.",
    explanation: "NaN, Infinity, hexadecimal, a leading plus, zero or dot belong to other languages.",
    bad: Example::Text(spelled!(r#""extensions": {"x-shop": NaN}"#)),
    good: Example::Text(spelled!(r#""extensions": {"x-shop": null}"#)),
};

pub(crate) static COMMENT: Rule = Rule {
    code: "comment",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "JSON has no comments.",
    explanation: "Remove the comment, or strip comments before sending.",
    bad: Example::Text(spelled!(r#""context": {} /* nothing yet */"#)),
    good: Example::Text(spelled!(r#""context": {}"#)),
};

pub(crate) static NUMBER_RANGE: Rule = Rule {
    code: "number-out-of-range",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "A number is beyond what a double can hold.",
    explanation: "Readers make infinity, an error or another number of it.",
    bad: Example::Text(spelled!(r#""extensions": {"x-shop": 1e400}"#)),
    good: Example::Text(spelled!(r#""extensions": {"x-shop": 1e15}"#)),
};

pub(crate) static DUPLICATE_MEMBER: Rule = Rule {
    code: "duplicate-member",
    level: Level::Error,
    requirements: &["ENV-20"],
    section: "Security and privacy",
    summary: "An object names the same member twice.",
    explanation: "One reader takes the first, another the last: what a person was shown need not be what was checked. The finding points at the second one.",
    bad: Example::Text(spelled!(r#""context": {"project": "shop", "project": "till"}"#)),
    good: Example::Text(spelled!(r#""context": {"project": "shop"}"#)),
};

pub(crate) static INEXACT_INTEGER: Rule = Rule {
    code: "inexact-integer",
    level: Level::Warning,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "An integer is beyond 2^53 - 1 and may be rounded.",
    explanation: "Readers that keep numbers as doubles see a neighbour of it. Send large identifiers as strings.",
    bad: Example::Text(spelled!(r#""extensions": {"x-shop": 9007199254740993}"#)),
    good: Example::Text(spelled!(r#""extensions": {"x-shop": "9007199254740993"}"#)),
};

pub(crate) static TOO_LARGE: Rule = Rule {
    code: "too-large",
    level: Level::Error,
    requirements: &["ENV-19"],
    section: "Security and privacy",
    summary: "An event is larger than the size limit and was skipped.",
    explanation: "Payloads are bounded: the HTTP binding takes 64 KiB. The limit of this program is 1 MiB an event.",
    bad: Example::Unshown("it would be larger than this page"),
    good: Example::Unshown("it would be larger than this page"),
};

pub(crate) static LANES_DISAGREE: Rule = Rule {
    code: "validator-fault",
    level: Level::Error,
    requirements: &[],
    section: "Versioning and conformance",
    summary: "The validator contradicts itself.",
    explanation: "The fast lane refused an event in which the explaining lane finds no fault. Please report it together with the event.",
    bad: Example::Unshown("no event is known that shows it"),
    good: Example::Unshown("no event is known that shows it"),
};
