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

    fn parent(&self) -> &[String] {
        self.steps.split_last().map_or(&[], |(_, parent)| parent)
    }
}

/// One fault for each mistake: nothing inside a member that may not stand there at all, one fault a place, and no missing
/// member where a misspelling of it was found.
pub(super) fn best(mut faults: Vec<Fault>, event: &Node<'_>) -> Vec<Fault> {
    faults.sort_by(|a, b| (&a.steps, a.kind).cmp(&(&b.steps, b.kind)));
    faults.dedup_by(|later, first| later.steps == first.steps);
    let keep: Vec<bool> = faults.iter().map(|fault| !is_consequence(fault, &faults, event)).collect();
    let mut kept = keep.into_iter();
    faults.retain(|_| kept.next().unwrap_or(true));
    faults
}

fn is_consequence(fault: &Fault, faults: &[Fault], event: &Node<'_>) -> bool {
    let inside_forbidden = |other: &Fault| {
        other.kind == Kind::Forbidden && fault.steps.len() > other.steps.len() && fault.steps.starts_with(&other.steps)
    };
    let misspelled = |object: &[String], names: &[&str]| {
        faults.iter().any(|other| {
            let guess = words::did_you_mean(other, event);
            other.kind == Kind::Unknown && other.parent() == object && guess.is_some_and(|guess| names.contains(&guess))
        })
    };
    let is_misspelled = match fault.kind {
        Kind::Missing => fault.steps.last().is_some_and(|name| misspelled(fault.parent(), &[name])),
        Kind::NoAnswer => misspelled(&fault.steps, &["choice_id", "text"]),
        _ => false,
    };
    is_misspelled || faults.iter().any(inside_forbidden)
}

fn expected(kind: &TypeKind) -> Option<JsonType> {
    match kind {
        TypeKind::Single(single) => Some(*single),
        TypeKind::Multiple(_) => None,
    }
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
