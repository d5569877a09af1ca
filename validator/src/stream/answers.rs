//! PRO-06 and PRO-07: an answer fits the question that is open.

use super::condition::{Finished, Last};
use super::facts::{Answer, Facts, Question, Shape, Value};
use super::{Breach, REMEMBERED_CONDITIONS, Stream};
use crate::rules::{
    ANSWER_AFTER_DEADLINE, ANSWER_NOT_OFFERED, ANSWER_TO_NOTHING, ANSWER_TOO_LONG, ANSWER_WRONG_KIND,
    RESPONSE_ID_REUSED, SECOND_ANSWER,
};

const KEY: &[&str] = &["request", "key"];
const RESPONSE_ID: &[&str] = &["response", "response_id"];
const CHOICE: &[&str] = &["response", "choice_id"];
const TEXT: &[&str] = &["response", "text"];

impl Stream {
    /// Applies an answer; one that fits closes the question.
    pub(super) fn answer(&mut self, key: u64, answer: &Answer, facts: &Facts, last: Last) -> Option<Breach> {
        let Some(active) = self.active.get(&key) else {
            return match self.finished.get(key) {
                Some(finished) => answer_to_finished(finished, answer),
                None if self.may_be_keyless(facts) => None,
                None => {
                    let message = "no earlier event opened the condition that this answers".to_owned();
                    Some(Breach::new(&ANSWER_TO_NOTHING, KEY, message))
                }
            };
        };
        let Some(question) = &active.question else {
            let message = format!("the condition that line {} spoke of waits for no answer", active.last.line);
            return Some(Breach::new(&ANSWER_TO_NOTHING, KEY, message));
        };
        let breach = late(question, facts).or_else(|| unfit(question, answer));
        if breach.is_none() {
            // Clocks differ: what the producer says next is compared to what it said last, not to the answer.
            let last = Last { line: last.line, ..active.last };
            self.active.remove(&key);
            let answered = Finished { accepted: Some((answer.response_id, answer.content)), last };
            self.finished.insert(key, answered, REMEMBERED_CONDITIONS);
        }
        breach
    }
}

fn answer_to_finished(finished: &Finished, answer: &Answer) -> Option<Breach> {
    let Finished { accepted, last } = finished;
    let line = last.line;
    match accepted {
        Some((response_id, content)) if *response_id == answer.response_id => (*content != answer.content).then(|| {
            let message = format!("this response_id stands for another answer, accepted on line {line}");
            Breach::new(&RESPONSE_ID_REUSED, RESPONSE_ID, message)
        }),
        Some(_) => {
            let message = format!("the condition has an answer already, accepted on line {line}");
            Some(Breach::new(&SECOND_ANSWER, RESPONSE_ID, message))
        }
        None => {
            let message = format!("the condition was resolved on line {line} without an answer");
            Some(Breach::new(&ANSWER_TO_NOTHING, KEY, message))
        }
    }
}

fn late(question: &Question, facts: &Facts) -> Option<Breach> {
    (facts.occurred_at >= question.expires_at).then(|| {
        let late = facts.occurred_at - question.expires_at;
        let message = format!("this answer comes {}.{:03} s after the question's deadline", late / 1000, late % 1000);
        Breach::new(&ANSWER_AFTER_DEADLINE, &["occurred_at"], message)
    })
}

fn unfit(question: &Question, answer: &Answer) -> Option<Breach> {
    match (question.shape, answer.value) {
        (Shape::Text { max_length }, Value::Text(length)) if length > usize::from(max_length) => {
            let message = format!("the text has {length} characters; the question permits {max_length}");
            Some(Breach::new(&ANSWER_TOO_LONG, TEXT, message))
        }
        (Shape::Text { .. }, Value::Choice(_)) => {
            Some(Breach::new(&ANSWER_WRONG_KIND, CHOICE, "the question waits for a text, not for a choice".to_owned()))
        }
        (Shape::Choice { .. }, Value::Text(_)) => {
            Some(Breach::new(&ANSWER_WRONG_KIND, TEXT, "the question waits for a choice, not for a text".to_owned()))
        }
        (shape @ Shape::Choice { .. }, Value::Choice(id)) if !shape.offers(id) => {
            let message = "the question does not offer this choice".to_owned();
            Some(Breach::new(&ANSWER_NOT_OFFERED, CHOICE, message))
        }
        _ => None,
    }
}
