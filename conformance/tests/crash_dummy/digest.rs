//! The digest of a question: SHA-256 over what is displayed, every text preceded by its length.

use super::question::Asked;
use super::{Behaviour, Fault, Variation, chance};
use serde_json::{Value, json};

/// The digest that is issued with a question; `id` only salts it where the behaviour says so.
pub(super) fn of(asked: &Asked, id: &str, behaviour: Behaviour) -> String {
    let mut displayed = displayed(asked);
    prune(&mut displayed, behaviour);
    if behaviour.has(Fault::DigestOfBeginnings) {
        cut(&mut displayed);
    }
    if behaviour.varies(Variation::DigestSalted) || behaviour.varies(Variation::NonceAbsent) {
        displayed["id"] = id.into();
    }
    let spelled = if behaviour.has(Fault::DigestJoined) {
        join(&displayed, "|")
    } else if behaviour.has(Fault::DigestJoinedByLines) {
        join(&displayed, "\n")
    } else if behaviour.has(Fault::DigestConcatenated) {
        join(&displayed, "")
    } else if behaviour.has(Fault::DigestFoldsCase) {
        spell(&displayed).to_lowercase()
    } else {
        spell(&displayed)
    };
    let digest = chance::sha256(spelled.as_bytes());
    if behaviour.has(Fault::DigestInUpperCase) {
        digest.to_uppercase()
    } else if behaviour.has(Fault::DigestShort) {
        digest[..32].to_owned()
    } else {
        digest
    }
}

/// The digest of what is asked, whenever it ends.
pub(super) fn of_question(asked: &Asked) -> String {
    let mut displayed = displayed(asked);
    displayed["expires_at"] = Value::Null;
    chance::sha256(spell(&displayed).as_bytes())
}

fn displayed(asked: &Asked) -> Value {
    let (shown, spec) = (&asked.shown, &asked.spec);
    json!({
        "kind": shown.kind, "title": shown.title, "message": shown.message, "priority": shown.priority,
        "answer": spec.kind, "choices": spec.choices, "bound": spec.bound, "expires_at": spec.expires_at,
    })
}

/// What a fault leaves out, and what need not be in.
fn prune(displayed: &mut Value, behaviour: Behaviour) {
    for (fault, name) in [
        (Fault::DigestWithoutKind, "kind"),
        (Fault::DigestWithoutTitle, "title"),
        (Fault::DigestWithoutMessage, "message"),
        (Fault::DigestWithoutBound, "bound"),
    ] {
        if behaviour.has(fault) {
            displayed[name] = Value::Null;
        }
    }
    let choices = displayed["choices"].as_array_mut().expect("a list of choices, perhaps an empty one");
    for (fault, name) in [
        (Fault::DigestWithoutChoiceId, "id"),
        (Fault::DigestWithoutLabel, "label"),
        (Fault::DigestWithoutDetail, "detail"),
    ] {
        if behaviour.has(fault) {
            for choice in choices.iter_mut() {
                choice[name] = Value::Null;
            }
        }
    }
    if behaviour.has(Fault::DigestWithoutOrder) {
        choices.sort_by_key(Value::to_string);
    }
    if behaviour.has(Fault::DigestWithoutCount) {
        choices.truncate(2);
    }
    if behaviour.varies(Variation::DigestOfQuestionOnly) {
        displayed["priority"] = Value::Null;
        displayed["expires_at"] = Value::Null;
    }
}

/// The first hundred characters of each text.
fn cut(displayed: &mut Value) {
    match displayed {
        Value::String(text) => *text = text.chars().take(100).collect(),
        Value::Array(items) => items.iter_mut().for_each(cut),
        Value::Object(members) => members.values_mut().for_each(cut),
        _ => {}
    }
}

/// Every value with its type, every text and list with its length: no two values are spelled alike.
fn spell(value: &Value) -> String {
    let text = |text: &str| format!("t{}:{text}", text.len());
    match value {
        Value::String(given) => text(given),
        Value::Array(items) => {
            let items = items.iter().map(spell);
            format!("l{}:{}", items.len(), items.collect::<String>())
        }
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| text(name) + &spell(member));
            format!("o{}:{}", members.len(), members.collect::<String>())
        }
        scalar => format!("s{scalar};"),
    }
}

/// The texts one after the other: content that moves from one field to the next is not noticed.
fn join(displayed: &Value, separator: &str) -> String {
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        scalar => scalar.to_string(),
    };
    let fields =
        ["kind", "title", "message", "priority", "answer", "bound", "expires_at"].map(|name| text(&displayed[name]));
    let choices = displayed["choices"].as_array().into_iter().flatten();
    let choices = choices.flat_map(|choice| ["id", "label", "detail"].map(|name| text(&choice[name])));
    fields.into_iter().chain(choices).collect::<Vec<_>>().join(separator)
}
