//! The answer specification and the answer.

use super::bounds::{is_digest, is_word};
use super::members::members;
use super::{Lane, put};
use crate::event::{AnswerShape, AnswerSpec, AnswerValue, Choice, Response};

impl<'a> Lane<'a> {
    pub(super) fn answer_spec(&mut self) -> Option<AnswerSpec<'a>> {
        let (mut kind, mut choices, mut text_max_length, mut expires_at) = (None, None, None, None);
        members! { self:
            "kind" => put(&mut kind, self.string()?),
            "choices" => put(&mut choices, self.choices()?),
            "text_max_length" => put(&mut text_max_length, self.text_max_length()?),
            "expires_at" => put(&mut expires_at, self.timestamp()?),
        }
        let shape = match (kind?.as_ref(), choices, text_max_length) {
            ("permission", Some(choices), None) => AnswerShape::Permission(choices),
            ("single_choice", Some(choices), None) => AnswerShape::SingleChoice(choices),
            ("text", None, bound) => {
                AnswerShape::Text { max_length: bound.unwrap_or(AnswerShape::DEFAULT_TEXT_MAX_LENGTH) }
            }
            _ => return None,
        };
        Some(AnswerSpec { shape, expires_at: expires_at? })
    }

    fn choices(&mut self) -> Option<Vec<Choice<'a>>> {
        let mut choices: Vec<Choice<'a>> = Vec::with_capacity(4);
        self.take(b'[')?;
        loop {
            let choice = self.choice()?;
            if choices.len() == 12 || choices.iter().any(|other| other.id == choice.id) {
                return None;
            }
            choices.push(choice);
            if !self.scan.take(b',') {
                break;
            }
        }
        self.take(b']')?;
        (choices.len() >= 2).then_some(choices)
    }

    fn choice(&mut self) -> Option<Choice<'a>> {
        let (mut id, mut label, mut detail) = (None, None, None);
        members! { self:
            "id" => put(&mut id, self.string().filter(|id| is_word(id))?),
            "label" => put(&mut label, self.text(1, 200)?.into()),
            "detail" => put(&mut detail, self.text(1, 500)?.into()),
        }
        Some(Choice { id: id?, label: label?, detail })
    }

    pub(super) fn response(&mut self) -> Option<Response<'a>> {
        let (mut response_id, mut digest, mut nonce) = (None, None, None);
        let (mut value, mut source, mut device_id) = (None, None, None);
        members! { self:
            "response_id" => put(&mut response_id, self.text(1, 128)?),
            "digest" => put(&mut digest, self.string().filter(|digest| is_digest(digest))?.into()),
            "nonce" => put(&mut nonce, self.text(1, 128)?.into()),
            // Exactly one of the two: they share a slot.
            "choice_id" => put(&mut value, AnswerValue::Choice(self.string().filter(|id| is_word(id))?.into())),
            "text" => put(&mut value, AnswerValue::Text(self.text(1, 2000)?.into())),
            "source" => put(&mut source, self.string().filter(|source| is_word(source))?),
            "device_id" => put(&mut device_id, self.text(1, 128)?),
        }
        Some(Response { response_id: response_id?, digest: digest?, nonce, value: value?, source, device_id })
    }
}
