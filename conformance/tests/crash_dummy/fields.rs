//! The members of an event: their types and bounds, and the faults that shift them.

use super::Fault;

/// What a member has to be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A text of so many characters.
    Text(usize, usize),
    /// A text of 1 to 100 characters, one of them not white space.
    Key,
    /// 1 to so many letters, digits, underscores or hyphens.
    Id(usize),
    /// 64 lower-case hexadecimal digits.
    Digest,
    /// `^[a-z][a-z0-9_]{0,63}$`
    TypeName,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// An integer between the two.
    Whole(i64, i64),
    /// An RFC 3339 timestamp.
    Time,
    /// An object with the members listed under this path.
    Object,
    /// So many objects with the members listed under this path.
    Objects(usize, usize),
    /// An object whose names have the form x-vendor.
    Extensions,
}

/// One member: its path, whether its object needs it, what it has to be.
pub(super) type Field = (&'static str, bool, Shape);

use Shape::{Digest, Extensions, Id, Key, Object, Objects, OneOf, Text, Time, TypeName, Whole};

/// Every member that the contract knows.
pub(super) const FIELDS: &[Field] = &[
    ("arc_version", true, OneOf(&["0.2"])),
    ("event_id", true, Text(1, 512)),
    ("event_type", true, OneOf(&["request.created", "request.updated", "response.submitted", "request.resolved"])),
    ("occurred_at", true, Time),
    ("sender", true, Object),
    ("sender.id", true, Text(1, 100)),
    ("sender.name", false, Text(1, 160)),
    ("sender.version", false, Text(0, 100)),
    ("sender.instance_id", false, Text(0, 100)),
    ("context", false, Object),
    ("context.session_id", false, Text(0, 100)),
    ("context.correlation_id", false, Text(0, 200)),
    ("context.project", false, Text(0, 200)),
    ("context.cwd", false, Text(0, 1024)),
    ("context.pid", false, Whole(0, i64::MAX)),
    ("context.turn_id", false, Text(0, 200)),
    ("context.native_request_id", false, Text(0, 200)),
    ("request", true, Object),
    ("request.key", false, Key),
    ("request.kind", false, OneOf(&["information", "question", "permission", "blocked", "failure", "completion"])),
    ("request.title", false, Text(1, 200)),
    ("request.message", false, Text(1, 4000)),
    ("request.priority", false, OneOf(&["low", "normal", "high", "critical"])),
    ("request.outcome", false, OneOf(&["answered", "expired", "cancelled", "superseded", "not_needed"])),
    ("request.response", false, Object),
    ("request.response.kind", true, OneOf(&["permission", "single_choice", "text"])),
    ("request.response.choices", false, Objects(2, 12)),
    ("request.response.choices.id", true, Id(64)),
    ("request.response.choices.label", true, Text(1, 200)),
    ("request.response.choices.detail", false, Text(1, 500)),
    ("request.response.text_max_length", false, Whole(1, 2000)),
    ("request.response.expires_at", true, Time),
    ("response", false, Object),
    ("response.response_id", true, Text(1, 128)),
    ("response.digest", true, Digest),
    ("response.nonce", false, Text(1, 128)),
    ("response.choice_id", false, Id(64)),
    ("response.text", false, Text(1, 2000)),
    ("response.source", false, Id(64)),
    ("response.device_id", false, Text(1, 128)),
    ("extensions", false, Extensions),
    ("extensions.x-agentnotify", false, Object),
    ("extensions.x-agentnotify.notification_type", false, TypeName),
];

const ANY: usize = usize::MAX;

/// Faults that give a member another type or bound.
pub(super) const SHIFTED: &[(Fault, &str, Shape)] = &[
    (Fault::AnyVersion, "arc_version", Text(0, ANY)),
    (Fault::OldVersionToo, "arc_version", OneOf(&["0.2", "0.1"])),
    (Fault::EventIdUnbounded, "event_id", Text(1, ANY)),
    (Fault::EventIdOneShort, "event_id", Text(1, 511)),
    (Fault::EventIdMayBeEmpty, "event_id", Text(0, 512)),
    (Fault::UnknownTypeAccepted, "event_type", Text(1, ANY)),
    (Fault::OccurredAtAnyText, "occurred_at", Text(0, ANY)),
    (Fault::SenderIdUnbounded, "sender.id", Text(1, ANY)),
    (Fault::SenderNameOneOver, "sender.name", Text(1, 161)),
    (Fault::SenderVersionOneShort, "sender.version", Text(0, 99)),
    (Fault::SessionUnbounded, "context.session_id", Text(0, ANY)),
    (Fault::CwdOneOver, "context.cwd", Text(0, 1025)),
    (Fault::TurnIdOneShort, "context.turn_id", Text(0, 199)),
    (Fault::PidMayBeNegative, "context.pid", Whole(i64::MIN, i64::MAX)),
    (Fault::KeyUnbounded, "request.key", Text(1, ANY)),
    (Fault::KeyMayBeBlank, "request.key", Text(1, 100)),
    (Fault::TitleOneOver, "request.title", Text(1, 201)),
    (Fault::TitleMayBeEmpty, "request.title", Text(0, 200)),
    (Fault::MessageOneShort, "request.message", Text(1, 3999)),
    (Fault::KindAny, "request.kind", Text(1, ANY)),
    (Fault::PriorityAny, "request.priority", Text(1, ANY)),
    (Fault::OutcomeAny, "request.outcome", Text(1, ANY)),
    (Fault::AnswerKindAny, "request.response.kind", Text(1, ANY)),
    (Fault::DeadlineAnyText, "request.response.expires_at", Text(0, ANY)),
    (Fault::OneChoiceEnough, "request.response.choices", Objects(1, 12)),
    (Fault::ThirteenChoices, "request.response.choices", Objects(2, 13)),
    (Fault::ElevenChoicesMost, "request.response.choices", Objects(2, 11)),
    (Fault::BoundMayBeZero, "request.response.text_max_length", Whole(0, 2000)),
    (Fault::BoundOneOver, "request.response.text_max_length", Whole(1, 2001)),
    (Fault::ChoiceIdAnyCharacters, "request.response.choices.id", Text(1, 64)),
    (Fault::ChoiceIdAnyCharacters, "response.choice_id", Text(1, 64)),
    (Fault::ChoiceIdOneOver, "request.response.choices.id", Id(65)),
    (Fault::LabelOneOver, "request.response.choices.label", Text(1, 201)),
    (Fault::DetailUnbounded, "request.response.choices.detail", Text(1, ANY)),
    (Fault::ResponseIdUnbounded, "response.response_id", Text(1, ANY)),
    (Fault::DigestUpperAccepted, "response.digest", Text(64, 64)),
    (Fault::DigestInUpperCase, "response.digest", Text(64, 64)),
    (Fault::DigestShort, "response.digest", Text(32, 32)),
    (Fault::SourceAny, "response.source", Text(0, ANY)),
    (Fault::NotificationTypeAsId, "extensions.x-agentnotify.notification_type", Id(64)),
    (Fault::NotificationTypeAny, "extensions.x-agentnotify.notification_type", Text(0, ANY)),
];

/// Faults that do without a member.
pub(super) const OPTIONAL: &[(Fault, &str)] = &[
    (Fault::VersionOptional, "arc_version"),
    (Fault::SenderOptional, "sender"),
    (Fault::DeadlineOptional, "request.response.expires_at"),
    (Fault::LabelOptional, "request.response.choices.label"),
];

/// Faults that take a member of another JSON type for what it says.
pub(super) const COERCED: &[(Fault, &str)] = &[
    (Fault::VersionAsNumber, "arc_version"),
    (Fault::EventIdMayBeNumber, "event_id"),
    (Fault::PidMayBeText, "context.pid"),
    (Fault::BoundMayBeText, "request.response.text_max_length"),
];

/// Faults that read a member without regard to case.
pub(super) const FOLDED: &[(Fault, &str)] =
    &[(Fault::EventTypeFolded, "event_type"), (Fault::KindFolded, "request.kind")];

/// Faults that ignore unknown members of an object.
pub(super) const OPEN: &[(Fault, &str)] = &[
    (Fault::UnknownInEvent, ""),
    (Fault::UnknownInSender, "sender"),
    (Fault::UnknownInContext, "context"),
    (Fault::UnknownInRequest, "request"),
    (Fault::UnknownInQuestion, "request.response"),
    (Fault::UnknownInChoice, "request.response.choices"),
    (Fault::UnknownInAnswer, "response"),
    (Fault::AgentnotifyOpen, "extensions.x-agentnotify"),
];
