//! Replies: what was decided, then how it is written on the wire.

use super::condition::Refusal;
use super::{Behaviour, Fault, Variation};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A status and a body, not yet written.
#[derive(Clone)]
pub(super) struct Reply {
    status: u16,
    body: Value,
}

impl Reply {
    pub(super) fn new(status: u16, body: Value) -> Self {
        Self { status, body }
    }

    pub(super) fn status(&self) -> u16 {
        self.status
    }

    pub(super) fn body(&self) -> &Value {
        &self.body
    }

    /// A refusal with a sentence that holds nothing of the request.
    pub(super) fn error(status: u16, sentence: &str) -> Self {
        Self::new(status, json!({ "error": sentence }))
    }

    /// The refusal as the binding has it, or as the behaviour does.
    pub(super) fn refusal(refusal: Refusal, behaviour: Behaviour) -> Self {
        let sentence = match refusal {
            Refusal::Invalid => "this is not valid",
            Refusal::NotFound => "there is no such condition",
            Refusal::Conflict => "it was answered already",
            Refusal::NotOpen => "the question is not open",
            Refusal::Digest => "the question is another one now",
            Refusal::Nonce => "the nonce is not the one issued",
            Refusal::Shape => "the answer does not fit the question",
        };
        let moved = MOVED.iter().find(|(fault, what, _)| *what == refusal && behaviour.has(*fault));
        let status = match refusal {
            Refusal::NotOpen if behaviour.varies(Variation::NotOpenIsGone) => 410,
            Refusal::Invalid if behaviour.varies(Variation::InvalidIsUnprocessable) => 422,
            _ if moved.is_some() => moved.map_or(400, |(_, _, status)| *status),
            Refusal::NotFound => 404,
            Refusal::Conflict => 409,
            _ => 400,
        };
        Self::error(status, sentence)
    }

    /// Writes the reply the way the behaviour writes.
    pub(super) fn write(mut self, behaviour: Behaviour) -> Response {
        let status = StatusCode::from_u16(self.status).expect("a known status");
        if behaviour.varies(Variation::MembersExtra) {
            add_members(&mut self.body);
        }
        let (content_type, text) = self.spelled(behaviour);
        let body = if behaviour.varies(Variation::Chunked) {
            Body::from_stream(Body::from(text).into_data_stream())
        } else {
            Body::from(text)
        };
        (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
    }

    fn spelled(&self, behaviour: Behaviour) -> (&'static str, String) {
        let is_error = self.status >= 400;
        let sentence = || self.body["error"].as_str().unwrap_or_default().to_owned();
        if is_error && behaviour.varies(Variation::ErrorsPlainText) {
            return ("text/plain; charset=utf-8", sentence());
        }
        if is_error && behaviour.varies(Variation::ErrorsEmpty) {
            return ("text/plain", String::new());
        }
        if is_error && behaviour.varies(Variation::ErrorsProblemJson) {
            let problem = json!({ "type": "about:blank", "title": sentence(), "status": self.status });
            return ("application/problem+json", problem.to_string());
        }
        let text = if behaviour.varies(Variation::MembersReversed) {
            reversed(&self.body)
        } else if behaviour.varies(Variation::Pretty) {
            serde_json::to_string_pretty(&self.body).expect("a JSON value is written")
        } else {
            self.body.to_string()
        };
        ("application/json", text)
    }
}

impl IntoResponse for Reply {
    /// Carries the reply to the gate, which writes it.
    fn into_response(self) -> Response {
        let mut carrier = Response::new(Body::empty());
        carrier.extensions_mut().insert(self);
        carrier
    }
}

/// Faults in the statuses of refusals.
const MOVED: &[(Fault, Refusal, u16)] = &[
    (Fault::MissingIs400, Refusal::NotFound, 400),
    (Fault::ConflictIs400, Refusal::Conflict, 400),
    (Fault::InvalidIs422, Refusal::Invalid, 422),
    (Fault::NotOpenIs409, Refusal::NotOpen, 409),
    (Fault::DigestIs409, Refusal::Digest, 409),
    (Fault::NonceIs403, Refusal::Nonce, 403),
    (Fault::ShapeIs422, Refusal::Shape, 422),
];

/// The headers that the behaviour adds to every response.
pub(super) fn finish(mut response: Response, behaviour: Behaviour) -> Response {
    if behaviour.varies(Variation::ConnectionClosed) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn add_members(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(add_members);
            members.insert("x_more".to_owned(), json!({ "nested": [1, null] }));
        }
        Value::Array(items) => items.iter_mut().for_each(add_members),
        _ => {}
    }
}

/// JSON with the members of every object in reverse order.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let member = |(name, member): (&String, &Value)| format!("{}:{}", json!(name), reversed(member));
            format!("{{{}}}", members.iter().rev().map(member).collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(",")),
        scalar => scalar.to_string(),
    }
}
