//! From a message to the bytes on the wire.

use super::expand::{Names, Scope, Unresolved};
use super::{Change, Message, Splice, base_events};
use crate::clock;
use crate::exchange::{Auth, Request};
use serde_json::{Map, Value};

/// So near to its deadline a question may already count as expired when it is asked.
const NEARLY_MILLIS: i64 = 500;

/// An event as it is sent.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    pub(super) body: Vec<u8>,
    pub(super) auth: Auth,
    pub(super) chunked: bool,
    /// `request.key`, where the event has one.
    pub(super) key: Option<String>,
    /// The event's type, empty where there is none.
    pub(super) event_type: String,
    /// `request.response.expires_at` as it was sent.
    pub(super) deadline: Option<String>,
    /// When it was written, UTC milliseconds.
    pub(super) built: i64,
    /// The deadline in UTC milliseconds.
    pub(super) expires_at: Option<i64>,
}

impl Outgoing {
    /// What a call without a body sends.
    pub(super) fn nothing() -> Self {
        described(&Value::Null)
    }

    /// Whether its deadline, ahead when it was written, had passed or nearly so when the reply came.
    pub(super) fn came_too_late(&self, ended: i64) -> bool {
        self.expires_at.is_some_and(|deadline| self.built < deadline && ended + NEARLY_MILLIS > deadline)
    }

    pub(super) fn request(&self, url: String) -> Request {
        Request { method: "POST", url, auth: self.auth, body: Some(self.body.clone()), chunked: self.chunked }
    }
}

/// Builds a message: base event, the message's own changes, then the others in order.
pub(super) fn build(scope: &Scope<'_>, message: &Message, more: &[&Change]) -> Result<Outgoing, Unresolved> {
    let Some(base) = base_events().get(&message.event) else {
        return Err(Unresolved::Mistake(format!("no event is called {:?}", message.event)));
    };
    let changes: Vec<&Change> = std::iter::once(&message.change).chain(more.iter().copied()).collect();
    let mut template = base.clone();
    for change in &changes {
        alter(&mut template, change)?;
    }
    let event = scope.expand(&template)?.unwrap_or(Value::Null);
    let mut body = event.to_string().into_bytes();
    for change in &changes {
        body = finish(scope, body, change)?;
    }
    let auth = changes.iter().rev().find_map(|change| change.auth).unwrap_or_default();
    let chunked = changes.iter().any(|change| change.chunked);
    Ok(Outgoing { body, auth, chunked, ..described(&event) })
}

/// A resolution of a condition, for tear-down and for asking whether it is there.
pub(super) fn resolve(names: &Names, key: String) -> Outgoing {
    let scope = Scope { names, key, to: "", index: 0 };
    let template = &base_events()["resolve"];
    let event = scope.expand(template).ok().flatten().unwrap_or(Value::Null);
    Outgoing { body: event.to_string().into_bytes(), auth: Auth::Token, chunked: false, ..described(&event) }
}

fn described(event: &Value) -> Outgoing {
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
    let deadline = text("/request/response/expires_at");
    Outgoing {
        body: Vec::new(),
        auth: Auth::Token,
        chunked: false,
        key: text("/request/key").map(str::to_owned),
        event_type: text("/event_type").unwrap_or_default().to_owned(),
        deadline: deadline.map(str::to_owned),
        built: clock::now_millis(),
        expires_at: deadline.and_then(|text| arc_validator::timestamp::parse_millis(text.as_bytes())),
    }
}

fn alter(event: &mut Value, change: &Change) -> Result<(), Unresolved> {
    for pointer in &change.remove {
        take(event, pointer)?;
    }
    for (pointer, value) in &change.set {
        put(event, pointer, value.clone())?;
    }
    Ok(())
}

/// Takes away what a pointer names; it has to be there.
fn take(event: &mut Value, pointer: &str) -> Result<(), Unresolved> {
    let mistake = || Unresolved::Mistake(format!("nothing stands at {pointer}"));
    let (parent, name) = pointer.rsplit_once('/').ok_or_else(mistake)?;
    match event.pointer_mut(parent).ok_or_else(mistake)? {
        Value::Object(members) => members.remove(&unescape(name)).map(drop).ok_or_else(mistake),
        Value::Array(items) => {
            let at = name.parse().ok().filter(|at| *at < items.len()).ok_or_else(mistake)?;
            items.remove(at);
            Ok(())
        }
        _ => Err(mistake()),
    }
}

/// Puts a value where a pointer says; objects on the way are made, `-` appends to a list, the empty pointer is the whole.
fn put(event: &mut Value, pointer: &str, value: Value) -> Result<(), Unresolved> {
    let mistake = || Unresolved::Mistake(format!("nothing can stand at {pointer}"));
    let mut place = event;
    for name in pointer.split('/').skip(1) {
        place = match place {
            Value::Array(items) => {
                if name == "-" {
                    items.push(Value::Null);
                }
                let at = if name == "-" { Some(items.len() - 1) } else { name.parse().ok() };
                at.and_then(|at| items.get_mut(at)).ok_or_else(mistake)?
            }
            Value::Object(members) => members.entry(unescape(name)).or_insert_with(|| Value::Object(Map::new())),
            _ => return Err(mistake()),
        };
    }
    *place = value;
    Ok(())
}

fn unescape(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

fn finish(scope: &Scope<'_>, body: Vec<u8>, change: &Change) -> Result<Vec<u8>, Unresolved> {
    let mut body = match &change.body {
        Some(template) => scope.expand_text(template)?.into_bytes(),
        None => body,
    };
    for splice in &change.splice {
        body = spliced(scope, &body, splice)?;
    }
    if let Some(length) = change.pad_to {
        body.resize(length.max(body.len()), b' ');
    }
    Ok(body)
}

fn spliced(scope: &Scope<'_>, body: &[u8], splice: &Splice) -> Result<Vec<u8>, Unresolved> {
    let find = scope.expand_text(&Value::String(splice.find.clone()))?.into_bytes();
    let places: Vec<usize> =
        body.windows(find.len()).enumerate().filter(|(_, window)| *window == find).map(|(at, _)| at).collect();
    let [at] = places[..] else {
        return Err(Unresolved::Mistake(format!("{:?} stands {} times in the event", splice.find, places.len())));
    };
    let with = match &splice.hex {
        Some(hex) => bytes(hex).ok_or_else(|| Unresolved::Mistake(format!("{hex:?} is not hexadecimal")))?,
        None => scope.expand_text(&splice.text)?.into_bytes(),
    };
    Ok([&body[..at], &with, &body[at + find.len()..]].concat())
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = hex.chars().map(|c| c.to_digit(16)).collect();
    digits?.chunks(2).map(|pair| u8::try_from(pair[0] * 16 + pair.get(1)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn built(message: &Value) -> Result<Outgoing, Unresolved> {
        let names = Names { run: "r".to_owned(), play: "p".to_owned(), began: 0, steps: BTreeMap::new() };
        let scope = Scope { names: &names, key: names.key("a"), to: "q", index: 0 };
        build(&scope, &serde_json::from_value(message.clone()).unwrap(), &[])
    }

    #[test]
    fn every_base_event_but_the_answer_stands_alone_and_is_valid() {
        for name in base_events().keys().filter(|name| !name.starts_with("answer") && *name != "resolve_shown") {
            let outgoing = built(&json!({ "event": name })).unwrap();
            let event: Value = serde_json::from_slice(&outgoing.body).unwrap();
            assert_eq!(
                crate::schema::check(include_str!("../../../schemas/arc-0.2.schema.json"), &event),
                Ok(()),
                "{name}"
            );
        }
    }

    #[test]
    fn changes_are_applied() {
        let set = json!({ "/context/pid": 7, "/request/response/choices/-": { "id": "c" }, "/request/title": "T" });
        let message =
            json!({ "event": "ask", "set": set, "remove": ["/request/response/choices/0", "/request/priority"] });
        let event: Value = serde_json::from_slice(&built(&message).unwrap().body).unwrap();
        assert_eq!(event["context"], json!({ "pid": 7 }));
        assert_eq!(event["request"]["response"]["choices"][1], json!({ "id": "c" }));
        assert!(event["request"].get("priority").is_none());
    }

    #[test]
    fn bytes_can_be_anything() {
        let splice = json!([{ "find": "\"arc_version\":\"0.2\"", "hex": "ff00" }]);
        let outgoing = built(&json!({ "event": "note", "splice": splice, "pad_to": 5000 })).unwrap();
        assert_eq!(outgoing.body.len(), 5000);
        assert!(outgoing.body.windows(2).any(|pair| pair == [0xff, 0x00]));
        assert_eq!(built(&json!({ "event": "note", "body": "[" })).unwrap().body, b"[");
    }

    #[test]
    fn mistakes_are_told() {
        for message in [
            json!({ "event": "nothing" }),
            json!({ "event": "note", "remove": ["/nowhere"] }),
            json!({ "event": "note", "splice": [{ "find": "no such text", "text": "" }] }),
        ] {
            assert!(matches!(built(&message), Err(Unresolved::Mistake(_))), "{message}");
        }
    }
}
