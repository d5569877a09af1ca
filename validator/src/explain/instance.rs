//! How the JSON Schema engine reads our tree, so that no second one has to be built for it.

use crate::json::{self, Member, Value};
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object, unique};
use jsonschema::types::JsonType;
use std::borrow::Cow;

/// Our tree as a representation of JSON. No name stands twice in an object of it.
pub(crate) struct Tree;

/// A number as it is spelled.
pub(crate) struct Number<'a>(&'a str);

impl Json for Tree {
    type Node<'a> = &'a json::Node<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    const KEYS_PER_LOOKUP: usize = 2;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Self::Node<'_>) -> T) -> T {
        f(&json::Node { value: Value::String(Cow::Borrowed(string)), span: 0..0 })
    }
}

impl<'a> Node<'a, Tree> for &'a json::Node<'a> {
    type Object = &'a [Member<'a>];
    type Array = &'a [json::Node<'a>];
    type Number = Number<'a>;

    fn as_object(&self) -> Option<Self::Object> {
        if let Value::Object(members) = &self.value { Some(members) } else { None }
    }

    fn as_array(&self) -> Option<Self::Array> {
        if let Value::Array(items) = &self.value { Some(items) } else { None }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.as_str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number<'a>> {
        if let Value::Number(number) = self.value { Some(Number(number)) } else { None }
    }

    fn as_boolean(&self) -> Option<bool> {
        if let Value::Bool(value) = self.value { Some(value) } else { None }
    }

    fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    fn json_type(&self) -> JsonType {
        match self.value {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let text = self.as_str()?;
        // Bytes are never fewer than characters: most texts need not be counted.
        let bytes = text.len() as u64;
        Some(bytes >= min && (bytes / 4 >= min && bytes <= max || (min..=max).contains(&(text.chars().count() as u64))))
    }

    fn equals_value(&self, expected: &serde_json::Value) -> bool {
        match (&self.value, expected) {
            (Value::String(text), serde_json::Value::String(expected)) => text == expected,
            (Value::String(_), _) | (_, serde_json::Value::String(_)) => false,
            _ => jsonschema::json::cmp::equal(&json::Node::to_value(self), expected),
        }
    }

    /// Every error takes a copy of what it is about. Ours are read for their place and their kind alone, so a copy of the
    /// event would only cost time and carry texts about that nobody may see.
    fn to_value(&self) -> Cow<'a, serde_json::Value> {
        Cow::Borrowed(&serde_json::Value::Null)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<json::Node<'a>>(self) as usize))
    }
}

impl<'a> Object<'a, Tree> for &'a [Member<'a>] {
    type Node = &'a json::Node<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn get(&self, key: &String) -> Option<Self::Node> {
        self.iter().find(|member| member.name == *key).map(|member| &member.value)
    }

    fn members(&self) -> Members<'a> {
        Members(self.iter())
    }
}

pub(crate) struct Members<'a>(std::slice::Iter<'a, Member<'a>>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a json::Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|member| (&*member.name, &member.value))
    }
}

impl<'a> Array<'a, Tree> for &'a [json::Node<'a>] {
    type Node = &'a json::Node<'a>;
    type ElementsIter = std::slice::Iter<'a, json::Node<'a>>;

    fn len(&self) -> usize {
        <[_]>::len(self)
    }

    fn elements(&self) -> Self::ElementsIter {
        self.iter()
    }

    fn is_unique(&self) -> bool {
        let values: Vec<_> =
            self.iter().map(|item| Cow::<serde_json::Value>::Owned(json::Node::to_value(item))).collect();
        unique::is_unique(&values)
    }
}

impl JsonNumber for Number<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        let number = self.as_u64().map(Into::into).or_else(|| self.as_i64().map(Into::into));
        let number = number.or_else(|| self.as_f64().and_then(serde_json::Number::from_f64));
        // Beyond a double it has a finding of its own already.
        Cow::Owned(number.unwrap_or_else(|| 0.into()))
    }

    fn is_integer(&self) -> bool {
        self.as_f64().is_some_and(|number| number.fract() == 0.0)
    }
}
