//! What the schema found, sorted out: one fault for each mistake, where a schema reports every consequence of it.

use super::words;
use crate::json::Node;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};

/// One mistake, by its JSON Pointer steps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    /// Steps to the member: for [`Kind::Missing`] and [`Kind::Unknown`] to the member that is missing or unknown.
    pub(super) steps: Vec<String>,
    pub(super) kind: Kind,
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
    /// One schema error as faults; an object with several unknown members has several.
    pub(super) fn from_error(error: &ValidationError<'_>) -> Vec<Self> {
        let at: Vec<String> = error.instance_path().as_str().split('/').skip(1).map(unescape).collect();
        let member = |name: &str| at.iter().cloned().chain([name.to_owned()]).collect();
        let kind = match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                return unexpected.iter().map(|name| Self { steps: member(name), kind: Kind::Unknown }).collect();
            }
            ValidationErrorKind::Required { property } => {
                return vec![Self { steps: member(property.as_str().unwrap_or_default()), kind: Kind::Missing }];
            }
            ValidationErrorKind::FalseSchema => Kind::Forbidden,
            ValidationErrorKind::Type { kind } => Kind::Type(words::expected_type(expected(kind))),
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
        vec![Self { steps: at, kind }]
    }

    pub(super) fn step_refs(&self) -> Vec<&str> {
        self.steps.iter().map(String::as_str).collect()
    }
}

/// One fault for each mistake: nothing inside a member that may not stand there at all, one fault a place, and no missing
/// member where a misspelling of it was found.
pub(super) fn best(mut faults: Vec<Fault>, event: &Node<'_>) -> Vec<Fault> {
    faults.sort_by(|a, b| (&a.steps, a.kind).cmp(&(&b.steps, b.kind)));
    faults.dedup_by(|later, first| later.steps == first.steps);
    let forbidden: Vec<_> = faults.iter().filter(|f| f.kind == Kind::Forbidden).map(|f| f.steps.clone()).collect();
    let meant: Vec<_> = faults.iter().filter_map(|fault| meant(fault, event)).collect();
    faults.retain(|fault| {
        let inside_forbidden = forbidden.iter().any(|o| fault.steps.len() > o.len() && fault.steps.starts_with(o));
        !inside_forbidden && !meant.iter().any(|steps| is_answered_by(fault, steps))
    });
    faults
}

/// The steps to the member that an unknown one is probably a misspelling of.
fn meant(fault: &Fault, event: &Node<'_>) -> Option<Vec<String>> {
    let guess = (fault.kind == Kind::Unknown).then(|| words::did_you_mean(fault, event))??;
    let (_, object) = fault.steps.split_last()?;
    Some(object.iter().cloned().chain([guess.to_owned()]).collect())
}

/// Whether a member is missed only because it is misspelled.
fn is_answered_by(fault: &Fault, meant: &[String]) -> bool {
    match fault.kind {
        Kind::Missing => fault.steps == meant,
        Kind::NoAnswer => meant.strip_prefix(&fault.steps[..]).is_some_and(|m| m == ["choice_id"] || m == ["text"]),
        _ => false,
    }
}

fn expected(kind: &TypeKind) -> Option<JsonType> {
    match kind {
        TypeKind::Single(single) => Some(*single),
        TypeKind::Multiple(_) => None,
    }
}

fn unescape(step: &str) -> String {
    if step.contains('~') { step.replace("~1", "/").replace("~0", "~") } else { step.to_owned() }
}
