//! A JSON value that knows where it stands.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// A value and the bytes that spell it.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// The value.
    pub value: Value<'a>,
    /// Its first byte and the byte after its last, in the text that was read.
    pub span: Range<usize>,
}

/// The JSON types. Numbers keep their spelling, so that no digit is lost.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is spelled.
    Number(&'a str),
    /// A string with its escapes decoded. A lone surrogate stands as U+FFFD and has its finding.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Node<'a>>),
    /// An object, in the order of the text; a repeated name stands as often as it was written.
    Object(Vec<Member<'a>>),
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member<'a> {
    /// The name, decoded.
    pub name: Cow<'a, str>,
    /// Where the name stands, its quotes included.
    pub name_span: Range<usize>,
    /// The value.
    pub value: Node<'a>,
}

impl<'a> Node<'a> {
    /// The members of an object; none for any other type.
    pub fn members(&self) -> &[Member<'a>] {
        if let Value::Object(members) = &self.value { members } else { &[] }
    }

    /// The member of that name; the last one, where it is repeated.
    pub fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members().iter().rfind(|m| m.name == name)
    }

    /// The value of the member of that name.
    pub fn get(&self, name: &str) -> Option<&Node<'a>> {
        self.member(name).map(|m| &m.value)
    }

    /// The items of an array; none for any other type.
    pub fn items(&self) -> &[Node<'a>] {
        if let Value::Array(items) = &self.value { items } else { &[] }
    }

    /// The value that these steps (member names and array indexes) lead to.
    pub fn at(&self, steps: &[&str]) -> Option<&Node<'a>> {
        steps.iter().try_fold(self, |node, step| match &node.value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => node.get(step),
        })
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// The value as `serde_json` knows it: the last of repeated names wins, numbers become `u64`, `i64` or `f64`, and
    /// a number that no double holds becomes null.
    pub fn to_value(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => to_number(number),
            Value::String(text) => text.as_ref().into(),
            Value::Array(items) => items.iter().map(Node::to_value).collect(),
            Value::Object(members) => {
                members.iter().map(|m| (m.name.clone().into_owned(), m.value.to_value())).collect()
            }
        }
    }

    /// Leaves of members with one name only the last one, as most readers do.
    pub(crate) fn keep_last_of_each_name(&mut self) {
        match &mut self.value {
            Value::Array(items) => items.iter_mut().for_each(Node::keep_last_of_each_name),
            Value::Object(members) => {
                let mut names = HashSet::new();
                let keep: Vec<_> = members.iter().rev().map(|member| names.insert(member.name.clone())).collect();
                let mut keep = keep.into_iter().rev();
                members.retain(|_| keep.next().unwrap_or(true));
                for member in members {
                    member.value.keep_last_of_each_name();
                }
            }
            _ => {}
        }
    }

    /// The JSON type, for messages.
    pub fn type_name(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

fn to_number(number: &str) -> serde_json::Value {
    let integer = number.parse::<u64>().map(serde_json::Value::from).or_else(|_| number.parse::<i64>().map(Into::into));
    integer.unwrap_or_else(|_| number.parse::<f64>().map_or(serde_json::Value::Null, Into::into))
}
