//! Placeholders: fresh names, times, and what earlier replies showed.
//!
//! `${run}` the run's own prefix; `${event}` a fresh event id, `${fresh}` a fresh word; `${id:NAME}` a name that stays the
//! same within one play of the scenario; `${key}` and `${key:NAME}`; `${now}`, `${in:SECONDS}`, and `${at:SECONDS}` after the play's begin; `${i}` in a race;
//! `${STEP.MEMBER}` what a step's reply showed, `${to.MEMBER}` the same of the step that the message answers. A filter
//! after `|` changes the value, `or:TEXT` stands for one that was not shown. Objects: `{"$repeat": [TEXT, TIMES]}`,
//! `{"$join": [TEXT, …]}`.

use crate::clock;
use crate::fresh;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Characters that `${fresh}` has.
pub const FRESH_LENGTH: usize = 29;

/// Why a template has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unresolved {
    /// The reply of that step did not show that member.
    Unseen(String),
    /// The scenario is wrong.
    Mistake(String),
}

/// What a play of a scenario knows.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The run's own prefix.
    pub run: String,
    /// The play's own word: part of each of its names.
    pub play: String,
    /// When the play began, UTC milliseconds.
    pub began: i64,
    /// What each step's exchange showed: member name to value. A member that the profile does not know is missing,
    /// one that the reply did not show is null.
    pub steps: BTreeMap<String, Map<String, Value>>,
}

/// What placeholders mean within one message.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    /// What the play knows.
    pub names: &'a Names,
    /// `${key}`.
    pub key: String,
    /// The step behind `${to.…}`.
    pub to: &'a str,
    /// `${i}`.
    pub index: usize,
}

impl Names {
    /// The key of that name, fresh for each play.
    pub fn key(&self, name: &str) -> String {
        format!("arc-conform-{}-{}-{name}", self.run, self.play)
    }
}

impl Scope<'_> {
    /// A template's value; `None` where it is a member that no reply showed because there is none (a nonce).
    pub fn expand(&self, template: &Value) -> Result<Option<Value>, Unresolved> {
        match template {
            Value::String(text) => self.text(text, &str::to_owned),
            Value::Array(items) => {
                let items = items.iter().filter_map(|item| self.expand(item).transpose());
                Ok(Some(Value::Array(items.collect::<Result<_, _>>()?)))
            }
            Value::Object(members) => self.object(members).map(Some),
            other => Ok(Some(other.clone())),
        }
    }

    /// A template that stands for a string.
    pub fn expand_text(&self, template: &Value) -> Result<String, Unresolved> {
        match self.expand(template)? {
            Some(Value::String(text)) => Ok(text),
            _ => Err(Unresolved::Mistake(format!("{template} is not a text"))),
        }
    }

    /// A path below a route. What stands for a placeholder is percent-encoded, but for the unreserved characters of RFC 3986: an
    /// id may hold any character.
    pub fn expand_path(&self, template: &str) -> Result<String, Unresolved> {
        match self.text(template, &encoded)? {
            Some(Value::String(path)) => Ok(path),
            _ => Err(Unresolved::Mistake(format!("{template} is not a path"))),
        }
    }

    fn object(&self, members: &Map<String, Value>) -> Result<Value, Unresolved> {
        if let Some(Value::Array(parts)) = members.get("$repeat") {
            return self.repeat(parts);
        }
        if let Some(Value::Array(parts)) = members.get("$join") {
            let parts: Result<String, _> = parts.iter().map(|part| self.expand_text(part)).collect();
            return Ok(Value::String(parts?));
        }
        let mut expanded = Map::new();
        for (name, template) in members {
            if let Some(value) = self.expand(template)? {
                expanded.insert(name.clone(), value);
            }
        }
        Ok(Value::Object(expanded))
    }

    fn repeat(&self, parts: &[Value]) -> Result<Value, Unresolved> {
        let [template, times] = parts else {
            return Err(Unresolved::Mistake("$repeat takes a text and a number".to_owned()));
        };
        let times = times.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        Ok(Value::String(self.expand_text(template)?.repeat(times)))
    }

    fn text(&self, text: &str, written: &dyn Fn(&str) -> String) -> Result<Option<Value>, Unresolved> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            let Some(end) = rest[at..].find('}') else {
                return Err(Unresolved::Mistake(format!("{text:?} has no closing brace")));
            };
            out.push_str(&rest[..at]);
            let value = self.placeholder(&rest[at + 2..at + end])?;
            let is_whole = at == 0 && at + end + 1 == text.len();
            match value {
                value if is_whole && !matches!(value, Value::String(_)) => {
                    return Ok(Some(value).filter(|value| !value.is_null()));
                }
                Value::String(part) => out.push_str(&written(&part)),
                other => out.push_str(&other.to_string()),
            }
            rest = &rest[at + end + 1..];
        }
        out.push_str(rest);
        Ok(Some(Value::String(out)))
    }

    fn placeholder(&self, expression: &str) -> Result<Value, Unresolved> {
        let (expression, default) =
            expression.rsplit_once("|or:").map_or((expression, None), |(before, text)| (before, Some(text)));
        let mut parts = expression.split('|');
        let value = match (self.name(parts.next().unwrap_or_default()), default) {
            (Err(Unresolved::Unseen(_)) | Ok(Value::Null), Some(default)) => return Ok(default.into()),
            (seen, _) => seen?,
        };
        parts.try_fold(value, |value, filter| match value {
            Value::String(text) => apply(filter, &text).map(Value::String),
            other => Ok(other),
        })
    }

    fn name(&self, name: &str) -> Result<Value, Unresolved> {
        let (name, argument) = name.split_once(':').unwrap_or((name, ""));
        let text = match name {
            "run" => self.names.run.clone(),
            "event" | "fresh" => format!("{}-{}", self.names.run, fresh::hex(8)),
            "id" => format!("{}-{}-{argument}", self.names.run, self.names.play),
            "key" if argument.is_empty() => self.key.clone(),
            "key" => self.names.key(argument),
            "now" => clock::rfc3339(clock::now_millis()),
            "in" => clock::rfc3339(clock::now_millis() + seconds(argument)?),
            "at" => clock::rfc3339(self.names.began + seconds(argument)?),
            "i" => self.index.to_string(),
            _ => return self.seen(name),
        };
        Ok(Value::String(text))
    }

    fn seen(&self, name: &str) -> Result<Value, Unresolved> {
        let Some((step, member)) = name.split_once('.') else {
            return Err(Unresolved::Mistake(format!("unknown placeholder ${{{name}}}")));
        };
        let step = if step == "to" { self.to } else { step };
        let shown = self.names.steps.get(step);
        let shown = shown.ok_or_else(|| Unresolved::Mistake(format!("no step is called {step:?}")))?;
        match shown.get(member) {
            Some(Value::Null) | None if member != "nonce" => {
                Err(Unresolved::Unseen(format!("{step} shows no {member}")))
            }
            value => Ok(value.cloned().unwrap_or(Value::Null)),
        }
    }
}

fn encoded(text: &str) -> String {
    const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Seconds, with a fraction, in milliseconds.
fn seconds(text: &str) -> Result<i64, Unresolved> {
    let seconds: f64 = text.parse().map_err(|_| Unresolved::Mistake(format!("{text:?} is no number of seconds")))?;
    Ok(millis(seconds))
}

/// Seconds as whole milliseconds.
#[expect(clippy::cast_possible_truncation, reason = "a scenario's seconds are far below 2^53 milliseconds")]
pub fn millis(seconds: f64) -> i64 {
    (seconds * 1_000.0).round() as i64
}

fn tail(text: &str) -> String {
    text.chars().skip(1).collect()
}

/// Changes a value by a filter's name.
fn apply(filter: &str, text: &str) -> Result<String, Unresolved> {
    let last = text.char_indices().next_back();
    let head = last.map_or("", |(at, _)| &text[..at]);
    Ok(match filter {
        "flip" => format!("{head}{}", if text.ends_with('0') { '1' } else { '0' }),
        "turn" => format!("{}{}", if text.starts_with('0') { '1' } else { '0' }, tail(text)),
        "head" => head.to_owned(),
        "tail" => tail(text),
        "pad" => format!("{text}A"),
        "space" => format!("{text} "),
        "upper" => text.to_uppercase(),
        "swapcase" => swapped(text),
        offset if offset.starts_with(['+', '-']) => with_offset(offset, text)?,
        other => return Err(Unresolved::Mistake(format!("unknown filter {other:?}"))),
    })
}

/// The same instant, written with an offset as `+05:30`.
fn with_offset(offset: &str, text: &str) -> Result<String, Unresolved> {
    let mistake = || Unresolved::Mistake(format!("{offset:?} is no offset, or {text:?} no instant"));
    let minutes = arc_validator::timestamp::parse_millis(format!("1970-01-01T00:00:00{offset}").as_bytes());
    let instant = arc_validator::timestamp::parse_millis(text.as_bytes());
    let (east, instant) = minutes.map(std::ops::Neg::neg).zip(instant).ok_or_else(mistake)?;
    Ok(clock::rfc3339(instant + east).replace('Z', offset))
}

/// The text with the case of its last cased letter changed; with another last character where it has none.
fn swapped(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    match characters.iter_mut().rev().find(|c| c.is_ascii_alphabetic()) {
        Some(letter) if letter.is_ascii_lowercase() => letter.make_ascii_uppercase(),
        Some(letter) => letter.make_ascii_lowercase(),
        None => characters.push('a'),
    }
    characters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn expand(template: &Value) -> Result<Option<Value>, Unresolved> {
        let shown = json!({ "digest": "ab0", "nonce": null, "record": 7 });
        let steps = BTreeMap::from([("q".to_owned(), shown.as_object().cloned().unwrap())]);
        let names = Names { run: "r".to_owned(), play: "p".to_owned(), began: 0, steps };
        Scope { names: &names, key: names.key("a"), to: "q", index: 3 }.expand(template)
    }

    #[test]
    fn names_expand() {
        let template =
            json!({ "k": "${key}", "b": "${key:b}", "i": "n${i}", "d": "${to.digest|flip}", "r": "${q.record}" });
        let value = json!({ "k": "arc-conform-r-p-a", "b": "arc-conform-r-p-b", "i": "n3", "d": "ab1", "r": 7 });
        assert_eq!(expand(&template), Ok(Some(value)));
        assert_eq!(expand(&json!({ "$repeat": ["ab", 3] })), Ok(Some(json!("ababab"))));
        assert_eq!(expand(&json!({ "$join": ["a", { "$repeat": ["b", 2] }] })), Ok(Some(json!("abb"))));
        assert_eq!(expand(&json!("${at:1.5}")), Ok(Some(json!("1970-01-01T00:00:01.500Z"))));
        assert_ne!(expand(&json!("${event}")), expand(&json!("${event}")));
        assert_eq!(expand(&json!("${id:x}")), expand(&json!("${id:x}")));
    }

    #[test]
    fn an_id_of_any_characters_is_one_segment_of_a_path() {
        let shown = json!({ "question": "a/b?c#d%41 é", "number": 7 });
        let steps = BTreeMap::from([("q".to_owned(), shown.as_object().cloned().unwrap())]);
        let names = Names { steps, ..Names::default() };
        let scope = Scope { names: &names, key: String::new(), to: "q", index: 0 };
        let path = |template: &str| scope.expand_path(template).unwrap();
        assert_eq!(path("/${q.question}/wait?timeout=1"), "/a%2Fb%3Fc%23d%2541%20%C3%A9/wait?timeout=1");
        assert_eq!(path("/${q.number}"), "/7");
    }

    #[test]
    fn a_nonce_that_was_not_issued_is_left_out() {
        assert_eq!(expand(&json!({ "nonce": "${to.nonce}", "a": 1 })), Ok(Some(json!({ "a": 1 }))));
    }

    #[test]
    fn mistakes_are_told_from_what_a_reply_does_not_show() {
        assert!(matches!(expand(&json!("${q.choice}")), Err(Unresolved::Unseen(_))));
        assert_eq!(
            expand(&json!(["${q.choice|or:none}", "${q.nonce|or:AA}", "${q.digest|or:none}"])),
            Ok(Some(json!(["none", "AA", "ab0"])))
        );
        for mistake in ["${nothing}", "${x.digest}", "${to.digest|bend}", "${open", "${in:soon}"] {
            assert!(matches!(expand(&json!(mistake)), Err(Unresolved::Mistake(_))), "{mistake}");
        }
    }

    #[test]
    fn an_offset_names_the_same_instant() {
        let text = with_offset("+05:30", "2026-08-26T01:15:00.000Z").unwrap();
        assert_eq!(text, "2026-08-26T06:45:00.000+05:30");
        assert!(with_offset("+5", "2026-08-26T01:15:00Z").is_err());
    }

    #[test]
    fn filters_make_another_text() {
        for filter in ["flip", "turn", "head", "tail", "pad", "space", "upper", "swapcase"] {
            assert_ne!(apply(filter, "aB3x").unwrap(), "aB3x", "{filter}");
        }
    }
}
