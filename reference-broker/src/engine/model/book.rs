//! The engine with a store in memory that does what it is told.

use super::contract::{ModelLife, ModelQuestion};
use super::ops::Spec;
use crate::engine::*;
use arc_validator::event::{AnswerValue, Private};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Book {
    pub(super) conditions: Vec<Condition>,
    pub(super) questions: Vec<(String, Question)>,
    pub(super) drawn: u32,
    /// Accepted events: what they said, and what they touched.
    pub(super) events: HashMap<usize, (String, String, Option<String>)>,
}

impl Book {
    pub(super) fn life(&self, condition: &Condition, question: Option<&str>) -> Life {
        let mut of_condition = self.questions.iter().filter(|(id, _)| *id == condition.id).map(|(_, q)| q);
        let question = match question {
            Some(id) => of_condition.find(|q| q.id == id),
            None => of_condition.next_back(),
        };
        Life { condition: condition.clone(), question: question.cloned() }
    }

    pub(super) fn latest(&self, key: &str) -> Option<Life> {
        self.conditions.iter().rfind(|c| c.key == key).map(|condition| self.life(condition, None))
    }

    /// Decides and writes, as the store's writer does.
    pub(super) fn send(
        &mut self,
        key: u8,
        event: Option<(usize, &str)>,
        command: Command,
        now: Millis,
    ) -> &'static str {
        let earlier = event.and_then(|(id, content)| {
            let (before, condition, question) = self.events.get(&id)?;
            let condition = self.conditions.iter().find(|c| c.id == *condition).expect("conditions stay");
            Some(Earlier { same_content: before == content, life: self.life(condition, question.as_deref()) })
        });
        let is_new = earlier.is_none();
        let life = self.latest(&key.to_string());
        self.drawn += 1;
        let mut bits = [0; Fresh::BITS];
        bits[Fresh::BITS - 4..].copy_from_slice(&self.drawn.to_be_bytes());
        let fresh = Fresh::new(self.drawn.into(), self.drawn.into(), bits);
        let Decision { changes, verdict } = decide(Known { earlier, life }, command, now, &fresh);
        let accepted = verdict.as_ref().ok();
        for change in changes {
            self.write(change);
        }
        if let (Some((id, content)), Some(accepted), true) = (event, accepted, is_new) {
            let question = accepted.life.question.as_ref().map(|q| q.id.clone());
            self.events.insert(id, (content.to_owned(), accepted.life.condition.id.clone(), question));
        }
        if let Some(accepted) = accepted {
            let stored = self.conditions.iter().find(|c| c.id == accepted.life.condition.id).expect("it was written");
            assert_eq!(self.life(stored, accepted.life.question.as_ref().map(|q| q.id.as_str())), accepted.life);
        }
        word(&verdict)
    }

    pub(super) fn write(&mut self, change: Change) {
        match change {
            Change::Open(condition) => self.conditions.push(condition),
            Change::Show(condition) => {
                let stored = self.conditions.iter_mut().find(|c| c.id == condition.id).expect("it is there");
                assert!(stored.is_active(), "a condition that is over is never written again");
                *stored = condition;
            }
            Change::Ask(condition_id, question) => self.questions.push((condition_id, question)),
            Change::End(question) => {
                let (_, stored) = self.questions.iter_mut().find(|(_, q)| q.id == question.id).expect("it is there");
                assert!(stored.is_pending(), "only a pending question ends");
                *stored = question;
            }
        }
    }

    /// What the model shows, read from the book.
    pub(super) fn visible(&self, key: u8) -> Vec<ModelLife> {
        let of_key = self.conditions.iter().filter(|c| c.key == key.to_string());
        of_key.map(|condition| self.visible_life(condition)).collect()
    }

    pub(super) fn visible_life(&self, condition: &Condition) -> ModelLife {
        let asked = self.questions.iter().filter(|(id, _)| *id == condition.id).map(|(_, q)| visible_question(q));
        ModelLife { words: number(&condition.shown.message), over: !condition.is_active(), asked: asked.collect() }
    }
}

pub(super) fn visible_question(question: &Question) -> ModelQuestion {
    let answer = match &question.status {
        Status::Answered(Answer { response_id, value: AnswerValue::Choice(id), .. }) => {
            Some((response_id.parse().unwrap(), number(id)))
        }
        _ => None,
    };
    let choices = u8::try_from(question.shape.choices().len()).unwrap() - 2;
    let end = (!question.is_pending()).then(|| question.status.as_str());
    ModelQuestion {
        words: number(&question.prompt),
        spec: Spec { choices, deadline: question.expires_at },
        end,
        answer,
    }
}

pub(super) fn number(text: &Private<'_>) -> u8 {
    text.expose().parse().unwrap()
}

pub(super) fn word(verdict: &Result<Accepted, Refusal>) -> &'static str {
    match verdict {
        Ok(Accepted { news: News::Created, .. }) => "created",
        Ok(Accepted { news: News::Applied, .. }) => "applied",
        Ok(Accepted { news: News::Replayed, .. }) => "replayed",
        Err(Refusal::NotFound) => "not found",
        Err(Refusal::AlreadyAnswered) => "answered already",
        Err(Refusal::NotOpen) => "not open",
        Err(Refusal::Digest) => "digest",
        Err(Refusal::Nonce) => "nonce",
        Err(Refusal::Shape) => "shape",
        Err(Refusal::PastDeadline) => "past deadline",
        Err(Refusal::EventIdReused) => "event id reused",
    }
}
