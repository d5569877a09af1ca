//! The fast lane: bytes straight into a borrowed event, every bound checked on the way.
//!
//! It says only whether an event is valid. Whatever it does not accept goes down the explaining lane, so it may stop at
//! the first doubt without a word.

mod answer;
mod bounds;
mod request;
mod value;

use crate::event::{Context, Event, EventType, Sender};
use crate::hash;
use crate::json::scan::Scanner;
use crate::timestamp::Timestamp;
use bounds::{fits, is_extension_name, is_type_id};
use std::borrow::Cow;

/// Reads one event; `None` where it is not valid.
pub(crate) fn read(bytes: &[u8]) -> Option<Event<'_>> {
    let text = simdutf8::basic::from_utf8(bytes).ok()?;
    let mut lane = Lane { scan: Scanner::new(text), is_inexact: false, names_text_bound: false };
    let event = lane.event()?;
    lane.scan.end().ok()?;
    Some(event)
}

struct Lane<'a> {
    scan: Scanner<'a>,
    /// Whether a number was met that some readers would round.
    is_inexact: bool,
    /// Whether a `text_max_length` was met.
    names_text_bound: bool,
}

/// Fills a slot; `None` where the member stands a second time.
#[inline]
fn put<T>(slot: &mut Option<T>, value: T) -> Option<()> {
    slot.replace(value).is_none().then_some(())
}

/// An empty value to fill in place; `None` where the member stands a second time.
#[inline]
fn fresh<T: Default>(slot: &mut Option<T>) -> Option<&mut T> {
    slot.is_none().then(|| slot.insert(T::default()))
}

impl<'a> Lane<'a> {
    /// Reads an object; `member` reads the value of each name.
    #[inline]
    fn object(&mut self, mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        if self.scan.take(b'}') {
            return Some(());
        }
        loop {
            let name = self.string()?;
            self.take(b':')?;
            member(self, name)?;
            if !self.scan.take(b',') {
                return self.take(b'}');
            }
        }
    }

    #[inline]
    fn take(&mut self, byte: u8) -> Option<()> {
        self.scan.take(byte).then_some(())
    }

    #[inline]
    fn string(&mut self) -> Option<Cow<'a, str>> {
        self.scan.try_string()?.decode()
    }

    /// A string of `min` to `max` code points.
    #[inline]
    fn text(&mut self, min: usize, max: usize) -> Option<Cow<'a, str>> {
        self.string().filter(|text| fits(text, min, max))
    }

    fn timestamp(&mut self) -> Option<Timestamp<'a>> {
        Timestamp::parse(self.string()?)
    }

    fn event(&mut self) -> Option<Event<'a>> {
        let (mut version, mut event_id, mut event_type, mut occurred_at) = (None, None, None, None);
        let (mut sender, mut context, mut request, mut response) = (None, None, None, None);
        let (mut extensions, mut notification_type) = (None, None);
        self.object(|lane, name| match &*name {
            "arc_version" => put(&mut version, lane.string().filter(|version| version == "0.2")?),
            "event_id" => put(&mut event_id, lane.text(1, 512)?),
            "event_type" => put(&mut event_type, EventType::parse(&lane.string()?)?),
            "occurred_at" => put(&mut occurred_at, lane.timestamp()?),
            "sender" => lane.sender(&mut sender),
            "context" => lane.context(fresh(&mut context)?),
            "request" => lane.request(fresh(&mut request)?),
            "response" => put(&mut response, lane.response()?),
            "extensions" => put(&mut extensions, lane.extensions(&mut notification_type)?),
            _ => None,
        })?;
        version?;
        Some(Event {
            event_id: event_id?,
            occurred_at: occurred_at?,
            sender: sender?,
            context,
            body: request?.into_body(event_type?, response)?,
            notification_type,
            extensions: extensions.unwrap_or_default(),
            names_text_bound: self.names_text_bound,
            is_inexact: self.is_inexact,
        })
    }

    fn sender(&mut self, slot: &mut Option<Sender<'a>>) -> Option<()> {
        let (mut id, mut name, mut version, mut instance_id) = (None, None, None, None);
        self.object(|lane, member| match &*member {
            "id" => put(&mut id, lane.text(1, 100)?),
            "name" => put(&mut name, lane.text(1, 160)?),
            "version" => put(&mut version, lane.text(0, 100)?),
            "instance_id" => put(&mut instance_id, lane.text(0, 100)?),
            _ => None,
        })?;
        put(slot, Sender { id: id?, name, version, instance_id })
    }

    fn context(&mut self, context: &mut Context<'a>) -> Option<()> {
        self.object(|lane, name| match &*name {
            "session_id" => put(&mut context.session_id, lane.text(0, 100)?),
            "correlation_id" => put(&mut context.correlation_id, lane.text(0, 200)?),
            "project" => put(&mut context.project, lane.text(0, 200)?),
            "cwd" => put(&mut context.cwd, lane.text(0, 1024)?),
            "pid" => put(&mut context.pid, lane.count()?),
            "turn_id" => put(&mut context.turn_id, lane.text(0, 200)?),
            "native_request_id" => put(&mut context.native_request_id, lane.text(0, 200)?),
            _ => None,
        })
    }

    /// Fills the `notification_type`, if there is one, and fingerprints the rest. What other vendors' members hold only
    /// has to be JSON.
    fn extensions(&mut self, notification_type: &mut Option<Cow<'a, str>>) -> Option<u64> {
        let mut fingerprint = hash::of("extensions");
        let mut names: Vec<Cow<'a, str>> = Vec::new();
        self.object(|lane, name| {
            if names.contains(&name) || !is_extension_name(&name) {
                return None;
            }
            let value = match &*name {
                "x-agentnotify" => lane.agentnotify(notification_type)?,
                _ => lane.skip(2)?,
            };
            fingerprint = fingerprint.wrapping_add(hash::of((&name, value)));
            names.push(name);
            Some(())
        })?;
        Some(fingerprint)
    }

    fn agentnotify(&mut self, notification_type: &mut Option<Cow<'a, str>>) -> Option<u64> {
        self.object(|lane, member| match &*member {
            "notification_type" => put(notification_type, lane.string().filter(|id| is_type_id(id))?),
            _ => None,
        })?;
        Some(0)
    }
}
