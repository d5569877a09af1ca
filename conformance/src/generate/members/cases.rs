//! The cases of one event: each member at its bound and beyond it, absent, of each other JSON type, with each value of
//! its list and that value in another case; and an unknown member at each level.

use super::schema::Nodes;
use serde_json::{Value, json};

/// The characters that texts are filled with: of one, two, three and four bytes.
pub(super) const FILLS: [&str; 4] = ["x", "é", "本", "💩"];

/// What a consumer does with a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Accepted,
    Refused,
    /// Reading 15: null for an optional member.
    Free,
}

/// What is done to the member; decides which requirement it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// It is taken away.
    Absence,
    /// It stands where it may not.
    Place,
    /// Nobody knows it.
    Name,
    /// Its length in other characters than ASCII.
    CodePoints,
    /// Anything else about its value.
    Value,
}

/// One difference from a valid event.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) at: String,
    pub(super) about: About,
    pub(super) fate: Fate,
    /// A variant or a fault of the scenario language.
    pub(super) change: Value,
}

/// The cases of one event: those of the places that begin with one of `under`.
pub(super) fn of(event: &Value, under: &[&str], fills: &[&str]) -> Vec<Case> {
    let mut walk = Walk { under, fills, cases: Vec::new() };
    walk.object(&Nodes::of_event(event), "", event);
    walk.cases
}

struct Walk<'a> {
    under: &'a [&'a str],
    fills: &'a [&'a str],
    cases: Vec<Case>,
}

/// A valid value for a member that this event may not carry.
fn misplaced(at: &str) -> Value {
    match at {
        "/response" => json!({ "response_id": "r", "digest": "0".repeat(64), "choice_id": "allow_once" }),
        "/request/response" => json!({ "kind": "text", "expires_at": "${in:600}" }),
        "/request/outcome" => json!("answered"),
        "/request/kind" => json!("information"),
        "/request/priority" => json!("low"),
        "/request/response/choices" => json!([{ "id": "a", "label": "A" }, { "id": "b", "label": "B" }]),
        "/request/response/text_max_length" => json!(20),
        _ => json!("A text"),
    }
}

impl Walk<'_> {
    fn note(&mut self, at: &str, about: About, fate: Fate, name: String, change: Value) {
        if self.under.iter().any(|place| at.starts_with(place)) {
            let mut change = change;
            change["name"] = name.into();
            self.cases.push(Case { at: at.to_owned(), about, fate, change });
        }
    }

    fn set(&mut self, at: &str, about: About, fate: Fate, what: &str, value: Value) {
        let set = serde_json::Map::from_iter([(at.to_owned(), value)]);
        self.note(at, about, fate, format!("{at} {what}"), json!({ "set": set }));
    }

    fn object(&mut self, nodes: &Nodes, at: &str, object: &Value) {
        for name in nodes.names() {
            let place = format!("{at}/{name}");
            match (nodes.member(name, &object[name]), object.get(name)) {
                (None, _) => self.set(&place, About::Place, Fate::Refused, "where it may not stand", misplaced(&place)),
                (Some(_), None) => {}
                (Some(member), Some(value)) => {
                    let is_optional = nodes.does_without(name, object);
                    let fate = if is_optional { Fate::Accepted } else { Fate::Refused };
                    let remove = json!({ "remove": [place] });
                    self.note(&place, About::Absence, fate, format!("{place} absent"), remove);
                    self.member(&member, &place, value, is_optional);
                }
            }
        }
        self.set(&format!("{at}/unheard_of"), About::Name, Fate::Refused, "which nobody knows", json!("a text"));
    }

    fn member(&mut self, nodes: &Nodes, at: &str, value: &Value, is_optional: bool) {
        self.types(nodes, at, is_optional);
        self.values(nodes, at);
        match value {
            // What extensions hold is their vendors' affair.
            Value::Object(_) if at == "/extensions" => {}
            Value::Object(_) => self.object(nodes, at, value),
            Value::Array(items) => self.list(nodes, at, items),
            Value::Number(_) => self.integer(nodes, at),
            _ => self.text(nodes, at),
        }
    }

    fn types(&mut self, nodes: &Nodes, at: &str, is_optional: bool) {
        let others = [
            ("null", Value::Null),
            ("boolean", json!(true)),
            ("integer", json!(7)),
            ("string", json!("a text")),
            ("array", json!([])),
            ("object", json!({})),
        ];
        for (name, other) in others.into_iter().filter(|(name, _)| !nodes.is_type(name)) {
            let fate = if name == "null" && is_optional { Fate::Free } else { Fate::Refused };
            self.set(at, About::Value, fate, &format!("of type {name}"), other);
        }
    }

    /// Each value of a list, in this spelling and no other.
    fn values(&mut self, nodes: &Nodes, at: &str) {
        // The event's type and the kind of an answer decide what else may stand there: these have events of their own.
        let decides = at == "/event_type" || at == "/request/response/kind";
        for value in nodes.says("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !decides {
                self.set(at, About::Value, Fate::Accepted, value, json!(value));
            }
            let (first, rest) = value.split_at(1);
            for other in [value.to_uppercase(), format!("{}{rest}", first.to_uppercase()), format!("{value} ")] {
                self.set(at, About::Value, Fate::Refused, &format!("{other:?}"), json!(other));
            }
        }
        if nodes.says("enum").is_some() {
            self.set(at, About::Value, Fate::Refused, "not on the list", json!("unheard_of"));
        }
    }

    fn text(&mut self, nodes: &Nodes, at: &str) {
        let max = nodes.number("maxLength").or_else(|| nodes.says("pattern")?.as_str().and_then(greatest));
        if nodes.says("const").is_some() || nodes.says("enum").is_some() || nodes.says("format").is_some() {
            return self.set(at, About::Value, Fate::Refused, "empty", json!(""));
        }
        if nodes.number("minLength").is_some() || nodes.says("pattern").is_some() {
            self.set(at, About::Value, Fate::Refused, "empty", json!(""));
        }
        let Some(max) = max else { return };
        let fills = if nodes.number("maxLength").is_some() { self.fills } else { &FILLS[..1] };
        for fill in fills {
            let about = if fill.is_ascii() { About::Value } else { About::CodePoints };
            // An answer's digest, nonce and choice are given: only one length of them is right.
            if !["/response/digest", "/response/nonce", "/response/choice_id"].contains(&at) {
                self.set(at, about, Fate::Accepted, &format!("of {max} x {fill:?}"), filled(max, fill));
            }
            self.set(at, about, Fate::Refused, &format!("of {} x {fill:?}", max + 1), filled(max + 1, fill));
        }
    }

    fn integer(&mut self, nodes: &Nodes, at: &str) {
        let bound = |keyword: &str| nodes.says(keyword).and_then(Value::as_i64);
        for (edge, outward) in [(bound("minimum"), -1), (bound("maximum"), 1)] {
            let Some(edge) = edge else { continue };
            self.set(at, About::Value, Fate::Accepted, &format!("{edge}"), json!(edge));
            self.set(at, About::Value, Fate::Refused, &format!("{}", edge + outward), json!(edge + outward));
        }
        self.set(at, About::Value, Fate::Refused, "2.5", json!(2.5));
    }

    fn list(&mut self, nodes: &Nodes, at: &str, items: &[Value]) {
        for (keyword, outward) in [("minItems", -1), ("maxItems", 1)] {
            let Some(edge) = nodes.number(keyword) else { continue };
            let beyond = edge.saturating_add_signed(outward);
            self.set(at, About::Value, Fate::Accepted, &format!("of {edge} items"), numbered(edge));
            self.set(at, About::Value, Fate::Refused, &format!("of {beyond} items"), numbered(beyond));
        }
        // The first and the last: whoever looks at one of them only is found out.
        let last = items.len() - 1;
        for index in [0, last] {
            self.member(&nodes.item(&items[index]), &format!("{at}/{index}"), &items[index], false);
        }
    }
}

/// So many choices.
fn numbered(count: usize) -> Value {
    (0..count).map(|n| json!({ "id": format!("choice_{n}"), "label": format!("Choice {n}") })).collect()
}

/// The greatest length that a pattern of one class of characters permits.
fn greatest(pattern: &str) -> Option<usize> {
    pattern.strip_suffix("}$")?.rsplit(['{', ',']).next()?.parse().ok()
}

/// A text of so many code points, with a fresh word in front where there is room: ids and keys stay unique.
fn filled(length: usize, fill: &str) -> Value {
    let fresh = crate::scenario::expand::FRESH_LENGTH;
    if length < 2 * fresh || !fill.is_ascii() && length < 3 * fresh {
        return json!({ "$repeat": [fill, length] });
    }
    json!({ "$join": ["${fresh}", { "$repeat": [fill, length - fresh] }] })
}
