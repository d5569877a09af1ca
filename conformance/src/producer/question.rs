//! One question, as this endpoint shows it, and the six answer rules.

use crate::clock::rfc3339;
use crate::fresh;
use serde_json::{Value, json};

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Pending,
    Answered,
    Expired,
    Cancelled,
    Superseded,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Answered => "answered",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::Superseded => "superseded",
        }
    }
}

/// An answer, by whomever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) response_id: String,
    pub(super) digest: String,
    pub(super) nonce: String,
    pub(super) value: Chosen,
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Chosen {
    Choice(String),
    Text(String),
}

/// Why an answer is refused, with the status of the binding.
pub(super) type Refusal = (u16, &'static str);

/// One question.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) id: String,
    pub(super) key: String,
    /// The answer specification, as the producer wrote it.
    pub(super) spec: Value,
    pub(super) expires_at: i64,
    pub(super) digest: String,
    pub(super) nonce: String,
    pub(super) state: State,
    /// Whether a reply to the producer showed that it is over.
    pub(super) is_known_over: bool,
    prompt: Value,
    created: i64,
    ended: Option<i64>,
    answer: Option<Answer>,
}

impl Question {
    /// Opens the question that a request asks.
    pub(super) fn open(key: &str, request: &Value, spec: Value, now: i64) -> Self {
        let deadline = spec["expires_at"].as_str().unwrap_or_default();
        Self {
            id: format!("ask_{}", fresh::hex(8)),
            key: key.to_owned(),
            expires_at: arc_validator::timestamp::parse_millis(deadline.as_bytes()).unwrap_or(now),
            digest: digest(&json!([request, spec])),
            nonce: fresh::hex(16),
            state: State::Pending,
            is_known_over: false,
            prompt: request["message"].clone(),
            created: now,
            ended: None,
            answer: None,
            spec,
        }
    }

    /// The digest that the question has, or would have, under this request.
    pub(super) fn digest_under(request: &Value, spec: &Value) -> String {
        digest(&json!([request, spec]))
    }

    /// The offered choices, in order; none for a text.
    pub(super) fn choices(&self) -> Vec<String> {
        let choices = self.spec["choices"].as_array().into_iter().flatten();
        choices.filter_map(|choice| choice["id"].as_str().map(str::to_owned)).collect()
    }

    /// The bound of a text answer, in code points.
    pub(super) fn text_bound(&self) -> usize {
        let default = u64::from(arc_validator::event::AnswerShape::DEFAULT_TEXT_MAX_LENGTH);
        let bound = self.spec["text_max_length"].as_f64().map_or(default, as_u64);
        usize::try_from(bound).unwrap_or(usize::MAX)
    }

    /// Ends it, unless it is over.
    pub(super) fn end(&mut self, state: State, now: i64) {
        if self.state == State::Pending {
            self.state = state;
            self.ended = Some(now);
        }
    }

    /// Whether its deadline passed, or the producer withdrew it.
    pub(super) fn is_over_unanswered(&self) -> bool {
        matches!(self.state, State::Expired | State::Cancelled)
    }

    /// Lets the deadline pass.
    pub(super) fn sweep(&mut self, now: i64) {
        if now >= self.expires_at {
            self.end(State::Expired, self.expires_at);
        }
    }

    /// The answer rules from the second on, in order.
    pub(super) fn answer(&mut self, answer: &Answer, now: i64) -> Result<(), Refusal> {
        self.sweep(now);
        if let Some(accepted) = &self.answer {
            let is_retry = accepted.response_id == answer.response_id;
            return if is_retry { Ok(()) } else { Err((409, "the condition is already answered")) };
        }
        if self.state != State::Pending {
            return Err((400, "the question is not open"));
        }
        if answer.digest != self.digest {
            return Err((400, "the digest is not that of the current question"));
        }
        if answer.nonce != self.nonce {
            return Err((400, "the nonce is not the one that was issued"));
        }
        let fits = match &answer.value {
            Chosen::Choice(id) => self.choices().contains(id),
            Chosen::Text(text) => self.spec["kind"] == "text" && text.chars().count() <= self.text_bound(),
        };
        if !fits {
            return Err((400, "the answer does not have the shape that the question asks for"));
        }
        self.answer = Some(answer.clone());
        self.end(State::Answered, now);
        Ok(())
    }

    /// What a reply shows.
    pub(super) fn view(&self) -> Value {
        let answered = self.ended.filter(|_| self.state == State::Answered).map(rfc3339);
        let response = self.answer.as_ref().map(|answer| {
            let (choice, text) = match &answer.value {
                Chosen::Choice(id) => (Some(id), None),
                Chosen::Text(text) => (None, Some(text)),
            };
            json!({
                "response_id": answer.response_id, "choice_id": choice, "text": text, "source": "conformance",
                "device_id": null, "created_at": answered,
            })
        });
        json!({
            "id": self.id, "key": self.key, "kind": self.spec["kind"], "prompt": self.prompt,
            "choices": self.spec["choices"], "text_max_length": self.spec["text_max_length"],
            "status": self.state.as_str(), "request_digest": self.digest, "nonce": self.nonce,
            "created_at": rfc3339(self.created), "updated_at": rfc3339(self.ended.unwrap_or(self.created)),
            "expires_at": self.spec["expires_at"], "answered_at": answered, "response": response,
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a valid bound is a whole number up to 2000"
)]
fn as_u64(bound: f64) -> u64 {
    bound as u64
}

fn digest(displayed: &Value) -> String {
    arc_validator::hex::sha256(&displayed.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(spec: Value) -> Question {
        Question::open("k", &json!({ "message": "May I?" }), spec, 0)
    }

    fn permission() -> Question {
        let choices = json!([{ "id": "allow", "label": "A" }, { "id": "deny", "label": "D" }]);
        question(json!({ "kind": "permission", "choices": choices, "expires_at": "1970-01-01T00:00:10Z" }))
    }

    fn answer(question: &Question, value: Chosen) -> Answer {
        Answer { response_id: "r".to_owned(), digest: question.digest.clone(), nonce: question.nonce.clone(), value }
    }

    #[test]
    fn the_answer_rules_are_applied_in_order() {
        let allow = |question: &Question| answer(question, Chosen::Choice("allow".to_owned()));
        let mut question = permission();
        let right = allow(&question);
        let wrong_shape = answer(&question, Chosen::Text("allow".to_owned()));
        let wrong_nonce = Answer { nonce: String::new(), ..wrong_shape.clone() };
        let wrong_digest = Answer { digest: String::new(), ..wrong_nonce.clone() };
        for (answer, why) in [(&wrong_digest, "digest"), (&wrong_nonce, "nonce"), (&wrong_shape, "shape")] {
            let (status, said) = question.answer(answer, 1).unwrap_err();
            assert!(status == 400 && said.contains(why), "{why}: {said}");
        }
        assert_eq!(question.answer(&right, 9_999), Ok(()));
        assert_eq!(question.answer(&right, 20_000), Ok(()), "a retry of the accepted answer, whenever it comes");
        let other = Answer { response_id: "other".to_owned(), ..right };
        assert_eq!(question.answer(&other, 9_999).unwrap_err().0, 409);
        assert_eq!(question.view()["response"]["choice_id"], "allow");
    }

    #[test]
    fn nothing_is_answered_from_the_deadline_on() {
        let mut question = permission();
        let right = answer(&question, Chosen::Choice("allow".to_owned()));
        assert_eq!(question.answer(&right, 10_000).unwrap_err(), (400, "the question is not open"));
        let view = question.view();
        assert_eq!((&view["status"], &view["response"]), (&json!("expired"), &Value::Null));
    }

    #[test]
    fn texts_are_bounded_by_code_points() {
        let spec = json!({ "kind": "text", "text_max_length": 3, "expires_at": "1970-01-01T00:00:10Z" });
        let mut asked = question(spec);
        let long = answer(&asked, Chosen::Text("long".to_owned()));
        assert!(asked.answer(&long, 1).is_err());
        let fits = answer(&asked, Chosen::Text("\u{1f4a9}".repeat(3)));
        assert_eq!(asked.answer(&fits, 1), Ok(()));
        assert_eq!(question(json!({ "kind": "text", "expires_at": "" })).text_bound(), 500);
    }
}
