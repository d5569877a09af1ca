//! A question: what was asked, its digest and nonce, and what became of it.

use super::condition::State;
use super::{Behaviour, Fault, Variation, chance, digest, timestamp};
use serde_json::Value;

/// What a person sees of a request.
#[derive(Clone, PartialEq)]
pub(super) struct Shown {
    pub(super) kind: String,
    pub(super) title: Option<String>,
    pub(super) message: String,
    pub(super) priority: String,
}

impl Shown {
    pub(super) fn of(event: &Value, behaviour: Behaviour) -> Self {
        let text = |name: &str| event["request"][name].as_str().map(str::to_owned);
        let kind = text("kind").unwrap_or_default();
        let is_normal =
            behaviour.has(Fault::PriorityAlwaysNormal) || behaviour.varies(Variation::DefaultPriorityNormal);
        let is_urgent = matches!(&*kind, "question" | "permission" | "blocked" | "failure") && !is_normal;
        let default = if is_urgent { "high" } else { "normal" };
        let priority = text("priority").unwrap_or_else(|| default.to_owned());
        Self { kind, title: text("title"), message: text("message").unwrap_or_default(), priority }
    }
}

/// What an answer has to look like, and until when.
#[derive(Clone, PartialEq)]
pub(super) struct Spec {
    pub(super) kind: String,
    pub(super) choices: Vec<Value>,
    pub(super) bound: Option<usize>,
    pub(super) expires_at: i64,
}

impl Spec {
    pub(super) fn of(given: &Value, behaviour: Behaviour, now: i64) -> Self {
        let kind = match given["kind"].as_str().unwrap_or_default() {
            "single_choice" if behaviour.has(Fault::KindDegraded) => "permission",
            kind => kind,
        };
        let mut choices = given["choices"].as_array().cloned().unwrap_or_default();
        if behaviour.has(Fault::DetailDropped) {
            choices.iter_mut().filter_map(Value::as_object_mut).for_each(|choice| drop(choice.remove("detail")));
        }
        let bound = given["text_max_length"].as_u64().and_then(|bound| usize::try_from(bound).ok());
        Self { kind: kind.to_owned(), choices, bound, expires_at: deadline(given, behaviour, now) }
    }

    /// How long a text may be: 500 characters, unless the producer says otherwise.
    pub(super) fn text_bound(&self, behaviour: Behaviour) -> usize {
        let default = if behaviour.has(Fault::TextDefaultUnbounded) {
            2_000
        } else if behaviour.has(Fault::TextDefaultOneOver) {
            501
        } else {
            500
        };
        self.bound.unwrap_or(default)
    }
}

/// The producer's own deadline, to the millisecond.
fn deadline(given: &Value, behaviour: Behaviour, now: i64) -> i64 {
    let text = given["expires_at"].as_str().unwrap_or_default();
    let local = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':').trim_end_matches(['+', '-', 'Z', 'z']);
    let text = if behaviour.has(Fault::DeadlineWithoutOffset) && text.len() > 20 && !text.ends_with(['Z', 'z']) {
        format!("{local}Z")
    } else {
        text.to_owned()
    };
    let at = timestamp::millis(&text, behaviour).unwrap_or(now + 600_000);
    if behaviour.has(Fault::PastDeadlineStretched) && at <= now {
        now + 600_000
    } else if behaviour.has(Fault::DeadlineMinimum) {
        at.max(now + 30_000)
    } else if behaviour.varies(Variation::DeadlineWholeSecond) {
        at - at.rem_euclid(1_000)
    } else {
        at
    }
}

/// A request and its answer specification: what the digest binds.
#[derive(Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) shown: Shown,
    pub(super) spec: Spec,
}

impl Asked {
    /// The same question, whenever it ends.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let spec = Spec { expires_at: other.spec.expires_at, ..self.spec.clone() };
        self.shown == other.shown && spec == other.spec
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Pending,
    Answered,
    Expired,
    Cancelled,
    Superseded,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::Answered => "answered",
            Status::Expired => "expired",
            Status::Cancelled => "cancelled",
            Status::Superseded => "superseded",
        }
    }
}

/// The accepted answer, as it was sent.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) body: Value,
    pub(super) at: i64,
    pub(super) is_from_route: bool,
}

pub(super) struct Question {
    pub(super) id: String,
    pub(super) condition: usize,
    pub(super) asked: Asked,
    pub(super) digest: String,
    pub(super) nonce: Option<String>,
    pub(super) status: Status,
    pub(super) answer: Option<Answer>,
    /// Its condition was resolved by an event.
    pub(super) is_resolved: bool,
    /// An answer is on its way in.
    pub(super) is_deciding: bool,
    pub(super) created_at: i64,
    pub(super) updated_at: i64,
}

impl Question {
    pub(super) fn end(&mut self, status: Status, now: i64) {
        self.status = status;
        self.updated_at = now;
    }

    pub(super) fn is_answered_by_route(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.is_from_route)
    }

    /// Whether a faulty consumer lets the old digest and nonce stand for the question as it is now.
    pub(super) fn keeps_pair_for(&self, asked: &Asked, behaviour: Behaviour) -> bool {
        let mut same_but_title = asked.clone();
        same_but_title.shown.title.clone_from(&self.asked.shown.title);
        let mut same_but_labels = asked.clone();
        for (choice, before) in same_but_labels.spec.choices.iter_mut().zip(&self.asked.spec.choices) {
            choice["label"] = before["label"].clone();
        }
        behaviour.has(Fault::UpdateKeepsDigest)
            || (behaviour.has(Fault::TitleKeepsDigest) && same_but_title == self.asked)
            || (behaviour.has(Fault::LabelsKeepDigest) && same_but_labels == self.asked)
    }

    /// What no consumer may do: the first choice stands for silence.
    pub(super) fn answer_by_itself(&mut self, now: i64) {
        let choice = self.asked.spec.choices.first().map_or(Value::Null, |choice| choice["id"].clone());
        let body = serde_json::json!({ "response_id": "silence", "choice_id": choice });
        self.answer = Some(Answer { body, at: now, is_from_route: false });
        self.end(Status::Answered, now);
    }
}

impl State {
    /// Puts a question: computes its digest, mints its nonce.
    pub(super) fn put(&mut self, condition: usize, asked: Asked, now: i64) {
        let id = if self.varies(Variation::IdsReserved) {
            format!("ask/{} ?#%41+é", chance::hex::<8>())
        } else if self.varies(Variation::IdsNumbers) {
            self.questions.len().to_string()
        } else {
            format!("ask_{}", chance::hex::<8>())
        };
        let digest = digest::of(&asked, &id, self.behaviour);
        let nonce = self.mint(condition, &asked, now);
        self.questions.push(Question {
            id,
            condition,
            asked,
            digest,
            nonce,
            status: Status::Pending,
            answer: None,
            is_resolved: false,
            is_deciding: false,
            created_at: now,
            updated_at: now,
        });
        self.sweep(now);
    }

    /// A nonce of 128 random bits, used once.
    fn mint(&mut self, condition: usize, asked: &Asked, now: i64) -> Option<String> {
        self.nonces_issued += 1;
        if self.varies(Variation::NonceNull) || self.varies(Variation::NonceAbsent) {
            return None;
        }
        if let Some(kept) = self.kept_nonce(condition, asked) {
            return Some(kept);
        }
        Some(if self.has(Fault::NonceFromQuestion) {
            digest::of_question(asked)[..32].to_owned()
        } else if self.has(Fault::NonceShort) {
            chance::hex::<2>()
        } else if self.has(Fault::NonceCounter) {
            format!("nonce-{:026}", self.nonces_issued)
        } else if self.has(Fault::NonceClock) {
            format!("nonce-{now:026}")
        } else if self.varies(Variation::NonceLong) {
            chance::hex::<64>()
        } else {
            chance::hex::<16>()
        })
    }

    fn kept_nonce(&self, condition: usize, asked: &Asked) -> Option<String> {
        let key = &self.conditions[condition].key;
        let earlier = self.questions.iter().rev().find(|earlier| {
            let is_superseded = earlier.condition == condition && self.has(Fault::NonceKeptOnSupersede);
            let is_same_key = self.conditions[earlier.condition].key == *key && self.has(Fault::NonceKeptPerKey);
            is_superseded || (is_same_key && earlier.asked.is_like(asked))
        });
        earlier.and_then(|earlier| earlier.nonce.clone())
    }

    /// Ends the questions whose deadline has passed.
    pub(super) fn sweep(&mut self, now: i64) {
        for at in 0..self.questions.len() {
            let question = &self.questions[at];
            let is_answered = question.status == Status::Answered;
            let is_due = now >= question.asked.spec.expires_at;
            let is_live =
                question.status == Status::Pending || (is_answered && self.has(Fault::DeadlineOverwritesAnswer));
            if is_due && is_live {
                self.expire(at, now);
            }
        }
    }

    fn expire(&mut self, at: usize, now: i64) {
        let condition = self.questions[at].condition;
        if self.has(Fault::SilenceIsFirstChoice) {
            self.questions[at].answer_by_itself(now);
            return self.close(condition, now);
        }
        self.questions[at].answer = None;
        self.questions[at].end(Status::Expired, now);
        if self.varies(Variation::EndOfQuestionEnds) {
            self.close(condition, now);
        }
    }
}
