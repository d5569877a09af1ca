//! What a valid event is: types and bounds of its members, then what each event type needs and forbids.

use super::fields::{COERCED, FIELDS, FOLDED, OPEN, OPTIONAL, SHIFTED, Shape};
use super::{Behaviour, Fault, Variation, json, timestamp};
use serde_json::{Map, Value};

/// Why a body is refused; holds no text of it.
pub(super) type Check = Result<(), String>;

/// Reads a body and checks it as an event.
pub(super) fn event(body: &[u8], behaviour: Behaviour) -> Result<Value, String> {
    let mut event = parse(body, behaviour)?;
    normalize(&mut event, "", behaviour);
    Checker { behaviour }.event(&event)?;
    Ok(event)
}

/// Strict JSON, as far as the behaviour goes.
pub(super) fn parse(body: &[u8], behaviour: Behaviour) -> Result<Value, String> {
    if behaviour.has(Fault::InvalidUtf8Replaced) {
        return json::strict(String::from_utf8_lossy(body).as_bytes()).map_err(|_| "not JSON".to_owned());
    }
    if behaviour.has(Fault::NotANumberTaken) {
        let text = String::from_utf8(body.to_vec()).map_err(|_| "not UTF-8".to_owned())?;
        let text = [":NaN", ":-Infinity"].iter().fold(text, |text, word| text.replace(word, ":null"));
        return json::strict(text.as_bytes()).map_err(|_| "not JSON".to_owned());
    }
    if behaviour.has(Fault::TrailingTextIgnored) {
        return json::first(body).map_err(|_| "not JSON".to_owned());
    }
    if behaviour.has(Fault::LastDuplicateWins) || behaviour.varies(Variation::DuplicatesLenient) {
        return serde_json::from_slice(body).map_err(|_| "not JSON".to_owned());
    }
    json::strict(body).map_err(|_| "not JSON, or a member is named twice".to_owned())
}

/// What a lenient reader makes of an event before it looks at it; nothing, unless the behaviour says so.
fn normalize(value: &mut Value, path: &str, behaviour: Behaviour) {
    if path == "extensions" {
        return;
    }
    match value {
        Value::Object(members) => {
            if behaviour.varies(Variation::NullsLenient) {
                members.retain(|name, member| !(member.is_null() && is_optional(&join(path, name))));
            }
            for (name, member) in members {
                normalize(member, &join(path, name), behaviour);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| normalize(item, path, behaviour)),
        Value::Number(number) if behaviour.varies(Variation::WholeFloats) => {
            if let Some(whole) = number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15) {
                #[expect(clippy::cast_possible_truncation, reason = "whole, and within the exact range")]
                let whole = whole as i64;
                *value = whole.into();
            }
        }
        _ => coerce(value, path, behaviour),
    }
    if matches!(value, Value::Number(_)) {
        coerce(value, path, behaviour);
    }
}

fn coerce(value: &mut Value, path: &str, behaviour: Behaviour) {
    if COERCED.iter().any(|(fault, at)| *at == path && behaviour.has(*fault)) {
        *value = match &*value {
            Value::Number(number) if !is_whole_number(path) => number.to_string().into(),
            Value::String(text) if is_whole_number(path) => text.parse::<i64>().map_or(Value::Null, Into::into),
            other => other.clone(),
        };
    }
    if let Value::String(text) = value {
        if FOLDED.iter().any(|(fault, at)| *at == path && behaviour.has(*fault)) {
            *text = text.to_lowercase();
        }
        if path == "arc_version" && behaviour.has(Fault::VersionByPrefix) && text.starts_with("0.2") {
            "0.2".clone_into(text);
        }
    }
}

fn is_whole_number(path: &str) -> bool {
    FIELDS.iter().any(|(at, _, shape)| *at == path && matches!(shape, Shape::Whole(..)))
}

fn is_optional(path: &str) -> bool {
    FIELDS.iter().any(|(at, required, _)| *at == path && !required)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

pub(super) struct Checker {
    pub(super) behaviour: Behaviour,
}

impl Checker {
    fn event(&self, event: &Value) -> Check {
        self.object("", event)?;
        self.by_type(event)?;
        if let Some(question) = event["request"].get("response") {
            self.question(question)?;
        }
        event.get("response").map_or(Ok(()), |answer| self.one_answer(answer))
    }

    /// Closed objects: every member known, of its shape, and none missing.
    pub(super) fn object(&self, path: &str, value: &Value) -> Check {
        let members = value.as_object().ok_or_else(|| format!("{path}: not an object"))?;
        for (name, member) in members {
            let at = join(path, name);
            match FIELDS.iter().find(|(known, ..)| *known == at) {
                Some((_, _, shape)) => self.member(&at, *shape, member)?,
                None if self.is_open(path) => {}
                None => return Err(format!("{path}: unknown member")),
            }
        }
        self.nothing_missing(path, members)
    }

    fn is_open(&self, path: &str) -> bool {
        OPEN.iter().any(|(fault, at)| *at == path && self.behaviour.has(*fault))
    }

    fn nothing_missing(&self, path: &str, members: &Map<String, Value>) -> Check {
        let needed = FIELDS.iter().filter(|(_, required, _)| *required).map(|(at, ..)| *at);
        let mut missing = needed.filter(|at| {
            let (parent, name) = at.rsplit_once('.').unwrap_or(("", at));
            parent == path && !members.contains_key(name) && !self.is_waived(at)
        });
        missing.next().map_or(Ok(()), |at| Err(format!("{at} is missing")))
    }

    fn is_waived(&self, path: &str) -> bool {
        OPTIONAL.iter().any(|(fault, at)| *at == path && self.behaviour.has(*fault))
    }

    fn member(&self, path: &str, shape: Shape, value: &Value) -> Check {
        let shifted = SHIFTED.iter().find(|(fault, at, _)| *at == path && self.behaviour.has(*fault));
        let shape = shifted.map_or(shape, |(_, _, shape)| *shape);
        let fits = match shape {
            Shape::Object => return self.object(path, value),
            Shape::Extensions => return self.extensions(value),
            Shape::Objects(least, most) => return self.objects(path, value, least..=most),
            Shape::Whole(least, most) => is_whole(value, least, most),
            _ => value.as_str().is_some_and(|text| self.text_fits(shape, text)),
        };
        if fits { Ok(()) } else { Err(format!("{path}: not of its form")) }
    }

    fn text_fits(&self, shape: Shape, text: &str) -> bool {
        let length = self.length(text);
        match shape {
            Shape::Text(least, most) => (least..=most).contains(&length) && !self.is_refused_blank(text),
            Shape::Key => (1..=100).contains(&length) && !text.chars().all(char::is_whitespace),
            Shape::Id(most) => (1..=most).contains(&text.len()) && text.bytes().all(is_id_byte),
            Shape::Digest => text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
            Shape::TypeName => {
                let is_name = text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'));
                is_name && text.len() <= 64 && text.starts_with(|c: char| c.is_ascii_lowercase())
            }
            Shape::OneOf(list) => list.contains(&text),
            Shape::Time => timestamp::millis(text, self.behaviour).is_some(),
            _ => false,
        }
    }

    /// The length of a text, in code points.
    pub(super) fn length(&self, text: &str) -> usize {
        if self.behaviour.has(Fault::CountsBytes) {
            text.len()
        } else if self.behaviour.has(Fault::CountsUtf16) {
            text.encode_utf16().count()
        } else {
            text.chars().count()
        }
    }

    fn is_refused_blank(&self, text: &str) -> bool {
        self.behaviour.varies(Variation::BlanksRefused) && !text.is_empty() && text.trim().is_empty()
    }

    fn objects(&self, path: &str, value: &Value, count: std::ops::RangeInclusive<usize>) -> Check {
        let items = value.as_array().filter(|items| count.contains(&items.len()));
        let items = items.ok_or_else(|| format!("{path}: not a list of {count:?}"))?;
        items.iter().try_for_each(|item| self.object(path, item))
    }

    /// Names of the form x-vendor; what they hold is the vendor's own, but for x-agentnotify.
    fn extensions(&self, value: &Value) -> Check {
        let members = value.as_object().ok_or("extensions: not an object")?;
        for (name, member) in members {
            if !self.is_extension_name(name) {
                return Err("extensions: not the name of a vendor".to_owned());
            }
            if name == "x-agentnotify" {
                self.object("extensions.x-agentnotify", member)?;
            } else if self.behaviour.has(Fault::ExtensionsRefused) {
                return Err("extensions: unknown vendor".to_owned());
            } else if self.behaviour.has(Fault::ExtensionsMustBeObjects) && !member.is_object() {
                return Err("extensions: not an object".to_owned());
            }
        }
        Ok(())
    }

    fn is_extension_name(&self, name: &str) -> bool {
        if self.behaviour.has(Fault::ExtensionNamesFree) {
            return true;
        }
        let folded =
            if self.behaviour.has(Fault::ExtensionNamesFolded) { name.to_lowercase() } else { name.to_owned() };
        let Some(vendor) = folded.strip_prefix("x-") else { return false };
        let most = if self.behaviour.has(Fault::ExtensionNamesUnbounded) { usize::MAX } else { 64 };
        let is_name = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        (1..=most).contains(&vendor.len()) && vendor.bytes().all(is_name) && !vendor.starts_with(['.', '-'])
    }

    /// Which members an event type needs, and which it forbids.
    fn by_type(&self, event: &Value) -> Check {
        let request = &event["request"];
        let event_type = event["event_type"].as_str().unwrap_or_default();
        let (needs, forbids, loose): (&[_], &[_], _) = match event_type {
            "request.created" => (&["kind", "message"], &["outcome"], Fault::OutcomeAnywhere),
            "request.updated" => (&["key", "kind", "message"], &["outcome"], Fault::OutcomeAnywhere),
            "response.submitted" => {
                let forbids = &["kind", "title", "message", "priority", "response", "outcome"];
                (&["key"], forbids, Fault::SubmittedCarriesMore)
            }
            "request.resolved" => {
                (&["key"], &["kind", "title", "message", "priority", "response"], Fault::ResolvedCarriesMore)
            }
            _ => return Ok(()),
        };
        let missing = needs.iter().find(|name| request.get(**name).is_none() && !self.does_without(event_type, name));
        if let Some(name) = missing {
            return Err(format!("request.{name} is missing"));
        }
        if !self.behaviour.has(loose) && forbids.iter().any(|name| request.get(*name).is_some()) {
            return Err(format!("request: not a member of {event_type}"));
        }
        self.faulty_refusals(event)?;
        self.answer_presence(event_type, event.get("response").is_some())
    }

    fn does_without(&self, event_type: &str, name: &str) -> bool {
        let fault = match (event_type, name) {
            ("request.updated", "key") => Fault::UpdateKeyOptional,
            ("request.resolved", "key") => Fault::ResolveKeyOptional,
            ("response.submitted", "key") => Fault::AnswerKeyOptional,
            (_, "message") => Fault::MessageOptional,
            ("request.updated", "kind") => Fault::UpdateKindOptional,
            _ => return false,
        };
        self.behaviour.has(fault)
    }

    /// What no rule of the contract refuses.
    fn faulty_refusals(&self, event: &Value) -> Check {
        let request = &event["request"];
        let is_created = event["event_type"] == "request.created";
        let is_resolved = event["event_type"] == "request.resolved";
        let message = request["message"].as_str().unwrap_or_default();
        let occurred_at = event["occurred_at"].as_str().and_then(|at| timestamp::millis(at, self.behaviour));
        let is_far = occurred_at.is_some_and(|at| at.abs_diff(super::chance::now()) >= 3_600_000);
        let refusals = [
            (Fault::CreatedKeyRequired, is_created && request.get("key").is_none()),
            (Fault::OutcomeRequired, is_resolved && request.get("outcome").is_none()),
            (Fault::MessageNarrow, request.get("response").is_some() && message.chars().count() > 2_000),
            (Fault::OccurredAtWindow, is_far),
        ];
        let refused = refusals.iter().any(|(fault, applies)| *applies && self.behaviour.has(*fault));
        if refused { Err("refused".to_owned()) } else { Ok(()) }
    }

    fn answer_presence(&self, event_type: &str, present: bool) -> Check {
        let is_submitted = event_type == "response.submitted";
        if is_submitted && !present && !self.behaviour.has(Fault::ResponseMissingAccepted) {
            return Err("response is missing".to_owned());
        }
        if present && !is_submitted && !self.behaviour.has(Fault::ResponseAnywhere) {
            return Err("response: only on response.submitted".to_owned());
        }
        Ok(())
    }

    /// A choice kind has choices and no bound, a text has no choices; no choice id stands twice.
    pub(super) fn question(&self, question: &Value) -> Check {
        let choices = question["choices"].as_array();
        let is_text = question["kind"] == "text";
        if is_text && choices.is_some() && !self.behaviour.has(Fault::TextWithChoices) {
            return Err("choices: not on text".to_owned());
        }
        let knows_kind = ["permission", "single_choice"].iter().any(|kind| question["kind"] == *kind);
        if knows_kind && choices.is_none() && !self.behaviour.has(Fault::ChoicesOptional) {
            return Err("choices are missing".to_owned());
        }
        let has_bound = question.get("text_max_length").is_some();
        if has_bound && !is_text && !self.behaviour.has(Fault::BoundOnChoices) {
            return Err("text_max_length: only on text".to_owned());
        }
        self.unique_choices(choices.map_or(&[], Vec::as_slice))
    }

    fn unique_choices(&self, choices: &[Value]) -> Check {
        if self.behaviour.has(Fault::ChoiceIdsMayRepeat) {
            return Ok(());
        }
        let name = |choice: &Value| {
            let id = choice["id"].as_str().unwrap_or_default();
            if self.behaviour.has(Fault::ChoiceIdsUniqueWithLabel) {
                format!("{id} {}", choice["label"])
            } else if self.behaviour.has(Fault::ChoiceIdsUniqueFolded) {
                id.to_lowercase()
            } else {
                id.to_owned()
            }
        };
        let mut seen = std::collections::HashSet::new();
        let unique = choices.iter().all(|choice| seen.insert(name(choice)));
        if unique { Ok(()) } else { Err("choices: one id stands twice".to_owned()) }
    }

    /// Exactly one of `choice_id` and `text`.
    pub(super) fn one_answer(&self, answer: &Value) -> Check {
        match (answer.get("choice_id").is_some(), answer.get("text").is_some()) {
            (true, true) if !self.behaviour.has(Fault::BothAccepted) => Err("both choice_id and text".to_owned()),
            (false, false) if !self.behaviour.has(Fault::NeitherAccepted) => {
                Err("neither choice_id nor text".to_owned())
            }
            _ => Ok(()),
        }
    }
}

fn is_whole(value: &Value, least: i64, most: i64) -> bool {
    let is_huge = value.is_u64() && value.as_i64().is_none() && most == i64::MAX;
    is_huge || value.as_i64().is_some_and(|n| (least..=most).contains(&n))
}

fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
