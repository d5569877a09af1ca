//! What the schema found, as faults.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};

/// One mistake, by its JSON Pointer steps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    /// Steps to the member: for [`Kind::Missing`] and [`Kind::Unknown`] to the member that is missing or unknown.
    pub(super) steps: Vec<String>,
    pub(super) kind: Kind,
    /// The member that an unknown one is probably a misspelling of.
    pub(super) meant: Option<&'static str>,
}

/// The kinds of mistake, most telling first: of two at one place the first one is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// May not stand on this event type or with this answer kind.
    Forbidden,
    /// The contract has no such member.
    Unknown,
    /// Another JSON type.
    Type(&'static str),
    /// Neither `choice_id` nor `text`.
    NoAnswer,
    /// Both `choice_id` and `text`.
    TwoAnswers,
    /// Must stand here.
    Missing,
    /// Fewer characters, items or less than the bound.
    Below,
    /// More than the bound.
    Above,
    /// None of the values of a list, another spelling, no timestamp.
    NotPermitted,
}

impl Fault {
    fn new(steps: Vec<String>, kind: Kind) -> Self {
        Self { steps, kind, meant: None }
    }

    /// One schema error as faults; an object with several unknown members has several.
    pub(super) fn from_error(error: &ValidationError<'_>) -> Vec<Self> {
        let at: Vec<String> = error.instance_path().as_str().split('/').skip(1).map(unescape).collect();
        let member = |name: &str| at.iter().cloned().chain([name.to_owned()]).collect();
        let kind = match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                return unexpected.iter().map(|name| Self::new(member(name), Kind::Unknown)).collect();
            }
            ValidationErrorKind::Required { property } => {
                return vec![Self::new(member(property.as_str().unwrap_or_default()), Kind::Missing)];
            }
            ValidationErrorKind::FalseSchema => Kind::Forbidden,
            ValidationErrorKind::Type { kind } => Kind::Type(expected_type(kind)),
            ValidationErrorKind::OneOfNotValid { .. } => Kind::NoAnswer,
            ValidationErrorKind::OneOfMultipleValid { .. } => Kind::TwoAnswers,
            ValidationErrorKind::MinLength { .. }
            | ValidationErrorKind::MinItems { .. }
            | ValidationErrorKind::Minimum { .. } => Kind::Below,
            ValidationErrorKind::MaxLength { .. }
            | ValidationErrorKind::MaxItems { .. }
            | ValidationErrorKind::Maximum { .. } => Kind::Above,
            _ => Kind::NotPermitted,
        };
        vec![Self::new(at, kind)]
    }

    pub(super) fn step_refs(&self) -> Vec<&str> {
        self.steps.iter().map(String::as_str).collect()
    }
}

/// The JSON type that was expected, with its article.
fn expected_type(kind: &TypeKind) -> &'static str {
    match kind {
        TypeKind::Single(JsonType::String) => "a string",
        TypeKind::Single(JsonType::Object) => "an object",
        TypeKind::Single(JsonType::Array) => "an array",
        TypeKind::Single(JsonType::Integer) => "an integer",
        TypeKind::Single(JsonType::Number) => "a number",
        TypeKind::Single(JsonType::Boolean) => "a boolean",
        TypeKind::Single(JsonType::Null) => "null",
        TypeKind::Multiple(_) => "of another type",
    }
}

fn unescape(step: &str) -> String {
    if step.contains('~') { step.replace("~1", "/").replace("~0", "~") } else { step.to_owned() }
}
