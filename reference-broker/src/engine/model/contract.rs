//! The model: what the contract says, with numbers for words.

use super::ops::{Proof, Spec};
use crate::engine::Millis;
use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ModelLife {
    pub(super) words: u8,
    pub(super) over: bool,
    pub(super) asked: Vec<ModelQuestion>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ModelQuestion {
    pub(super) words: u8,
    pub(super) spec: Spec,
    pub(super) end: Option<&'static str>,
    pub(super) answer: Option<(u8, u8)>,
}

#[derive(Default)]
pub(super) struct Model {
    pub(super) lives: HashMap<u8, Vec<ModelLife>>,
}

impl Model {
    pub(super) fn latest(&mut self, key: u8, now: Millis) -> Option<&mut ModelLife> {
        let life = self.lives.get_mut(&key)?.last_mut()?;
        if let Some(last) = life.asked.last_mut().filter(|q| q.end.is_none() && q.spec.deadline <= now) {
            last.end = Some("expired");
        }
        Some(life)
    }

    pub(super) fn request(
        &mut self,
        may_open: bool,
        key: u8,
        words: u8,
        spec: Option<Spec>,
        now: Millis,
    ) -> &'static str {
        let question = |spec| ModelQuestion { words, spec, end: None, answer: None };
        let too_late = spec.is_some_and(|spec| spec.deadline <= now);
        match self.latest(key, now) {
            Some(life) if !life.over => {
                if too_late {
                    return "past deadline";
                }
                life.words = words;
                let open = life.asked.last_mut().filter(|q| q.end.is_none());
                let wanted = spec.or(open.as_ref().map(|q| q.spec));
                match (wanted, open) {
                    (Some(spec), Some(open)) if open.words == words && open.spec == spec => {}
                    (Some(spec), open) => {
                        if let Some(open) = open {
                            open.end = Some("superseded");
                        }
                        life.asked.push(question(spec));
                    }
                    (None, _) => {}
                }
                "applied"
            }
            _ if !may_open => "not found",
            _ if too_late => "past deadline",
            _ => {
                let asked = spec.map(question).into_iter().collect();
                self.lives.entry(key).or_default().push(ModelLife { words, over: false, asked });
                "created"
            }
        }
    }

    pub(super) fn answer(&mut self, key: u8, response_id: u8, choice: u8, proof: Proof, now: Millis) -> &'static str {
        let Some(life) = self.latest(key, now) else { return "not found" };
        let Some(question) = life.asked.last_mut() else { return "not open" };
        match (question.answer, question.end, proof) {
            (Some((first, _)), ..) => return if first == response_id { "replayed" } else { "answered already" },
            (None, Some(_), _) => return "not open",
            (None, None, Proof::Stale) => return "digest",
            (None, None, Proof::StaleNonce | Proof::NoNonce) => return "nonce",
            (None, None, Proof::Current) => {}
        }
        if choice >= 2 + question.spec.choices {
            return "shape";
        }
        question.end = Some("answered");
        question.answer = Some((response_id, choice));
        life.over = true;
        "applied"
    }

    pub(super) fn withdraw(&mut self, key: u8, is_over: bool, now: Millis) -> &'static str {
        let Some(life) = self.latest(key, now) else { return "not found" };
        if let Some(open) = life.asked.last_mut().filter(|q| q.end.is_none()) {
            open.end = Some("cancelled");
        }
        life.over |= is_over;
        "applied"
    }
}
