//! The fast lane: bytes straight into a borrowed event, every bound checked on the way.
//!
//! It says only whether an event is valid. Whatever it does not accept goes down the explaining lane, so it may stop at
//! the first doubt without a word.

mod answer;
mod bounds;
mod members;
mod request;
mod value;

use crate::event::{Context, Event, EventType, Sender, Spelling};
use crate::hash;
use crate::json::scan::{RawString, Scanner};
use crate::timestamp::Timestamp;
use bounds::{fits, is_extension_name, is_type_id};
use members::members;
use std::borrow::Cow;

/// Reads one event; `None` where it is not valid.
pub(crate) fn read(bytes: &[u8]) -> Option<Event<'_>> {
    read_text(simdutf8::basic::from_utf8(bytes).ok()?)
}

/// The same for what is known to be UTF-8.
#[inline]
pub(crate) fn read_text(text: &str) -> Option<Event<'_>> {
    let mut lane = Lane { scan: Scanner::new(text), is_inexact: false, is_veiled: false, names_text_bound: false };
    lane.event()
}

struct Lane<'a> {
    scan: Scanner<'a>,
    /// Whether a number was met that some readers would round.
    is_inexact: bool,
    /// Whether an escape was met that may spell any character.
    is_veiled: bool,
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
    /// Begins an object; whether a member comes next.
    #[inline]
    fn open(&mut self) -> Option<bool> {
        self.take(b'{')?;
        if self.scan.take(b'}') {
            return Some(false);
        }
        self.scan.peek().map(|_| true)
    }

    /// After a member: whether another one comes next. At its end the object is passed over.
    #[inline]
    fn more(&mut self) -> Option<bool> {
        if self.scan.take(b',') {
            return self.scan.peek().map(|_| true);
        }
        self.take(b'}').map(|()| false)
    }

    /// The name of the member that comes next, up to its value.
    fn name(&mut self) -> Option<Cow<'a, str>> {
        let name = self.string()?;
        self.take(b':').map(|()| name)
    }

    #[inline]
    fn take(&mut self, byte: u8) -> Option<()> {
        self.scan.take(byte).then_some(())
    }

    #[inline]
    fn string(&mut self) -> Option<Cow<'a, str>> {
        let raw = self.scan.try_string()?;
        if raw.escaped { self.escaped(raw) } else { Some(Cow::Borrowed(raw.raw)) }
    }

    fn escaped(&mut self, raw: RawString<'a>) -> Option<Cow<'a, str>> {
        self.is_veiled |= raw.is_veiled();
        raw.decode()
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
        members! { self:
            "arc_version" => put(&mut version, self.version()?),
            "event_id" => put(&mut event_id, self.text(1, 512)?),
            "event_type" => put(&mut event_type, EventType::parse(&self.string()?)?),
            "occurred_at" => put(&mut occurred_at, self.timestamp()?),
            "sender" => self.sender(&mut sender),
            "context" => self.context(fresh(&mut context)?),
            "request" => self.request(fresh(&mut request)?),
            "response" => put(&mut response, self.response()?),
            "extensions" => put(&mut extensions, self.extensions(&mut notification_type)?),
        }
        self.scan.end().ok()?;
        version?;
        let is_odd = self.scan.is_odd;
        Some(Event {
            event_id: event_id?,
            occurred_at: occurred_at?,
            sender: sender?,
            context,
            body: request?.into_body(event_type?, response)?,
            notification_type,
            extensions: extensions.unwrap_or_default(),
            names_text_bound: self.names_text_bound,
            spelling: Spelling { is_inexact: self.is_inexact, is_odd, is_veiled: self.is_veiled },
        })
    }

    fn version(&mut self) -> Option<()> {
        if self.scan.take_exactly("\"0.2\"") { Some(()) } else { self.string().filter(|v| v == "0.2").map(drop) }
    }

    fn sender(&mut self, slot: &mut Option<Sender<'a>>) -> Option<()> {
        let (mut id, mut name, mut version, mut instance_id) = (None, None, None, None);
        members! { self:
            "id" => put(&mut id, self.text(1, 100)?),
            "name" => put(&mut name, self.text(1, 160)?),
            "version" => put(&mut version, self.text(0, 100)?),
            "instance_id" => put(&mut instance_id, self.text(0, 100)?),
        }
        put(slot, Sender { id: id?, name, version, instance_id })
    }

    fn context(&mut self, context: &mut Context<'a>) -> Option<()> {
        members! { self:
            "session_id" => put(&mut context.session_id, self.text(0, 100)?),
            "correlation_id" => put(&mut context.correlation_id, self.text(0, 200)?),
            "project" => put(&mut context.project, self.text(0, 200)?),
            "cwd" => put(&mut context.cwd, self.text(0, 1024)?),
            "pid" => put(&mut context.pid, self.count()?),
            "turn_id" => put(&mut context.turn_id, self.text(0, 200)?),
            "native_request_id" => put(&mut context.native_request_id, self.text(0, 200)?),
        }
        Some(())
    }

    /// Fills the `notification_type`, if there is one, and fingerprints the rest. What other vendors' members hold only
    /// has to be JSON.
    fn extensions(&mut self, notification_type: &mut Option<Cow<'a, str>>) -> Option<u64> {
        let mut fingerprint = hash::of("extensions");
        let mut names: Vec<Cow<'a, str>> = Vec::new();
        let mut more = self.open()?;
        while more {
            let name = self.name()?;
            if names.contains(&name) || !is_extension_name(&name) {
                return None;
            }
            let value = match &*name {
                "x-agentnotify" => self.agentnotify(notification_type)?,
                _ => self.skip(2)?,
            };
            fingerprint = fingerprint.wrapping_add(hash::of((&name, value)));
            names.push(name);
            more = self.more()?;
        }
        Some(fingerprint)
    }

    fn agentnotify(&mut self, notification_type: &mut Option<Cow<'a, str>>) -> Option<u64> {
        members! { self:
            "notification_type" => put(notification_type, self.string().filter(|id| is_type_id(id))?),
        }
        Some(0)
    }
}
