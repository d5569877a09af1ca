//! The request, and which of its members go with which event type.

use super::bounds::is_not_blank;
use super::members::members;
use super::{Lane, put};
use crate::event::{AnswerSpec, Ask, Body, EventType, Outcome, Priority, Private, RequestKind, Response};
use std::borrow::Cow;

/// The request of any event type, before its type has had a say.
#[derive(Default)]
pub(super) struct Request<'a> {
    key: Option<Cow<'a, str>>,
    kind: Option<RequestKind>,
    title: Option<Private<'a>>,
    message: Option<Private<'a>>,
    priority: Option<Priority>,
    response: Option<AnswerSpec<'a>>,
    outcome: Option<Outcome>,
}

impl<'a> Lane<'a> {
    pub(super) fn request(&mut self, request: &mut Request<'a>) -> Option<()> {
        members! { self:
            "key" => put(&mut request.key, self.text(1, 100).filter(|key| is_not_blank(key))?),
            "kind" => put(&mut request.kind, RequestKind::parse(&self.string()?)?),
            "title" => put(&mut request.title, self.text(1, 200)?.into()),
            "message" => put(&mut request.message, self.text(1, 4000)?.into()),
            "priority" => put(&mut request.priority, Priority::parse(&self.string()?)?),
            "response" => put(&mut request.response, self.answer_spec()?),
            "outcome" => put(&mut request.outcome, Outcome::parse(&self.string()?)?),
        }
        Some(())
    }
}

impl<'a> Request<'a> {
    /// The event's body, where the members are those of its type.
    pub(super) fn into_body(mut self, event_type: EventType, response: Option<Response<'a>>) -> Option<Body<'a>> {
        let is_answer = event_type == EventType::Submitted;
        if response.is_some() != is_answer {
            return None;
        }
        match event_type {
            EventType::Created => Some(Body::Created { key: self.key.take(), ask: self.into_ask()? }),
            EventType::Updated => Some(Body::Updated { key: self.key.take()?, ask: self.into_ask()? }),
            EventType::Submitted => {
                let key = self.bare_key()?;
                Some(Body::Submitted { key, response: response? })
            }
            EventType::Resolved => {
                let outcome = self.outcome;
                let key = Self { outcome: None, ..self }.bare_key()?;
                Some(Body::Resolved { key, outcome })
            }
        }
    }

    fn into_ask(self) -> Option<Ask<'a>> {
        if self.outcome.is_some() {
            return None;
        }
        let (title, priority, response) = (self.title, self.priority, self.response);
        Some(Ask { kind: self.kind?, title, message: self.message?, priority, response })
    }

    /// The key, where nothing else stands beside it.
    fn bare_key(self) -> Option<Cow<'a, str>> {
        match self {
            Self { key, kind: None, title: None, message: None, priority: None, response: None, outcome: None } => key,
            _ => None,
        }
    }
}
