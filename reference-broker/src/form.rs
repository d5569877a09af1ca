//! Bodies of the interactions routes: one JSON object, read member by member, each within its bounds (readings 47, 48).

use crate::error::ApiError;
use arc_validator::event::{Choice, Private};
use arc_validator::json::{self, Node, Value};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// One object and which of its members have been asked for.
pub(crate) struct Form<'a> {
    node: &'a Node<'a>,
    place: String,
    known: RefCell<HashSet<&'static str>>,
}

/// Parses strict JSON.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node<'_>, ApiError> {
    json::parse(bytes).map_err(|findings| {
        let first = findings.iter().find(|finding| finding.is_error()).or(findings.first());
        ApiError::invalid(first.map_or_else(|| "the body is not strict JSON".to_owned(), ToString::to_string))
    })
}

impl<'a> Form<'a> {
    /// The object that is the whole body.
    pub(crate) fn of(node: &'a Node<'a>) -> Result<Self, ApiError> {
        Self::at(node, String::new())
    }

    fn at(node: &'a Node<'a>, place: String) -> Result<Self, ApiError> {
        if !matches!(node.value, Value::Object(_)) {
            let what = if place.is_empty() { "the body" } else { &place };
            return Err(ApiError::invalid(format!("{what} is {}; permitted: an object", node.type_name())));
        }
        Ok(Self { node, place, known: RefCell::default() })
    }

    /// A text of so many code points; none where the member is absent.
    pub(crate) fn text(&self, name: &'static str, length: RangeInclusive<usize>) -> Result<Option<String>, ApiError> {
        let Some(node) = self.get(name) else { return Ok(None) };
        let text = node.as_str().filter(|text| length.contains(&text.chars().count()));
        let permitted = || format!("a string of {} to {} characters", length.start(), length.end());
        text.map(|text| Some(text.to_owned())).ok_or_else(|| self.wrong(name, &permitted()))
    }

    /// A text of letters, digits, underscores and hyphens, 1 to 64 of them.
    pub(crate) fn word(&self, name: &'static str) -> Result<Option<String>, ApiError> {
        let is_word = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        match self.text(name, 1..=64)? {
            Some(text) if !is_word(&text) => Err(self.wrong(name, "1 to 64 letters, digits, underscores or hyphens")),
            word => Ok(word),
        }
    }

    /// An integer within bounds, however it is spelled.
    pub(crate) fn integer(&self, name: &'static str, bounds: RangeInclusive<u16>) -> Result<Option<u16>, ApiError> {
        let Some(node) = self.get(name) else { return Ok(None) };
        let integer = match node.value {
            Value::Number(spelling) => spelling
                .parse::<f64>()
                .ok()
                .and_then(|number| bounds.clone().find(|integer| f64::from(*integer).total_cmp(&number).is_eq())),
            _ => None,
        };
        let permitted = || format!("an integer from {} to {}", bounds.start(), bounds.end());
        integer.map(Some).ok_or_else(|| self.wrong(name, &permitted()))
    }

    /// 2 to 12 choices with different ids; none where the member is absent.
    pub(crate) fn choices(&self, name: &'static str) -> Result<Option<Vec<Choice<'static>>>, ApiError> {
        let Some(node) = self.get(name) else { return Ok(None) };
        if !matches!(node.value, Value::Array(_)) || !(2..=12).contains(&node.items().len()) {
            return Err(self.wrong(name, "an array of 2 to 12 choices"));
        }
        let choices =
            node.items().iter().enumerate().map(|(i, node)| choice(node, format!("{}/{name}/{i}", self.place)));
        let choices = choices.collect::<Result<Vec<_>, _>>()?;
        let mut ids = HashSet::new();
        if !choices.iter().all(|choice| ids.insert(&choice.id)) {
            return Err(self.wrong(name, "choices with different ids"));
        }
        Ok(Some(choices))
    }

    /// Refuses members that nothing asked for.
    pub(crate) fn end(self) -> Result<(), ApiError> {
        let known = self.known.into_inner();
        match self.node.members().iter().find(|member| !known.contains(member.name.as_ref())) {
            Some(_) => {
                let mut known: Vec<_> = known.into_iter().collect();
                known.sort_unstable();
                let place = if self.place.is_empty() { "the body" } else { &self.place };
                Err(ApiError::invalid(format!("{place} has an unknown member; permitted: {}", known.join(", "))))
            }
            None => Ok(()),
        }
    }

    /// The error that says that a member is missing.
    pub(crate) fn missing(&self, name: &str) -> ApiError {
        ApiError::invalid(format!("{}/{name}: this member is missing", self.place))
    }

    pub(crate) fn wrong(&self, name: &str, permitted: &str) -> ApiError {
        ApiError::invalid(format!("{}/{name}: permitted: {permitted}", self.place))
    }

    fn get(&self, name: &'static str) -> Option<&'a Node<'a>> {
        self.known.borrow_mut().insert(name);
        self.node.get(name)
    }
}

fn choice(node: &Node<'_>, place: String) -> Result<Choice<'static>, ApiError> {
    let form = Form::at(node, place)?;
    let choice = Choice {
        id: Cow::Owned(form.word("id")?.ok_or_else(|| form.missing("id"))?),
        label: Private::from(form.text("label", 1..=200)?.ok_or_else(|| form.missing("label"))?),
        detail: form.text("detail", 1..=500)?.map(Private::from),
    };
    form.end()?;
    Ok(choice)
}
