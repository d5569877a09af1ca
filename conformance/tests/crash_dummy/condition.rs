//! Conditions and their questions: how events open, change and close them.

use super::question::{Asked, Question, Shown, Spec, Status};
use super::{Behaviour, Fault, Variation, chance};
use serde_json::Value;
use std::collections::HashMap;

/// Why nothing was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Not a valid event or body.
    Invalid,
    /// Rule 1, and updates and resolutions of nothing.
    NotFound,
    /// Rule 2.
    Conflict,
    /// Rule 3.
    NotOpen,
    /// Rule 4.
    Digest,
    /// Rule 5.
    Nonce,
    /// Rule 6.
    Shape,
}

/// What a person is told: the notification half.
pub(super) struct Condition {
    pub(super) id: String,
    pub(super) key: String,
    pub(super) is_keyed: bool,
    /// Sender and context of the event that opened it.
    pub(super) origin: Value,
    pub(super) shown: Shown,
    pub(super) is_active: bool,
    pub(super) is_listed_active: bool,
    pub(super) created_at: i64,
    pub(super) updated_at: i64,
    pub(super) resolved_at: Option<i64>,
}

/// What an accepted event did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) condition: usize,
    pub(super) is_new: bool,
}

/// An accepted event, remembered under its identity.
pub(super) struct Seen {
    event: Value,
    done: Done,
    /// The first reply.
    pub(super) reply: Value,
}

/// Everything that the consumer knows.
pub(super) struct State {
    pub(super) behaviour: Behaviour,
    pub(super) conditions: Vec<Condition>,
    pub(super) questions: Vec<Question>,
    pub(super) nonces_issued: u64,
    seen: HashMap<String, Seen>,
}

impl State {
    pub(super) fn new(behaviour: Behaviour) -> Self {
        Self { behaviour, conditions: vec![], questions: vec![], nonces_issued: 0, seen: HashMap::new() }
    }

    pub(super) fn has(&self, fault: Fault) -> bool {
        self.behaviour.has(fault)
    }

    pub(super) fn varies(&self, variation: Variation) -> bool {
        self.behaviour.varies(variation)
    }

    /// The latest condition under a key, whoever sends.
    pub(super) fn latest(&self, key: &str, sender: &Value) -> Option<usize> {
        self.conditions.iter().rposition(|condition| {
            let is_own = || condition.origin["sender"]["id"] == sender["id"];
            let cut = |key: &str| key.chars().take(64).collect::<String>();
            let is_cut = self.has(Fault::KeysCut) && cut(&condition.key) == cut(key);
            let folds = self.has(Fault::KeysFolded) && condition.key.eq_ignore_ascii_case(key);
            (condition.key == key || folds || is_cut) && (!self.has(Fault::KeysPerSender) || is_own())
        })
    }

    /// The condition's latest question.
    pub(super) fn current(&self, condition: usize) -> Option<usize> {
        self.questions.iter().rposition(|question| question.condition == condition)
    }

    // Identity.

    /// The result of the event's first sending; `None` where it is new.
    pub(super) fn replay(&self, event: &Value) -> Option<Result<(Done, &Seen), Refusal>> {
        let seen = self.seen.get(&self.identity(event)).filter(|seen| !self.is_forgotten(event, seen))?;
        let is_same = seen.event == *event;
        let is_unkeyed = event["request"].get("key").is_none();
        if !is_same && !self.varies(Variation::EventIdReuseReplays) && !self.has(Fault::IdentityWithoutSender) {
            return Some(Err(Refusal::Conflict));
        }
        if is_unkeyed && self.has(Fault::UnkeyedReplayRefused) {
            return Some(Err(Refusal::Conflict));
        }
        Some(Ok((seen.done, seen)))
    }

    pub(super) fn remember(&mut self, event: &Value, done: Done, reply: &Value) {
        // Only one variation ever shows it again.
        let reply = if self.varies(Variation::ReplayShowsFirst) { reply.clone() } else { Value::Null };
        let seen = Seen { event: event.clone(), done, reply };
        self.seen.insert(self.identity(event), seen);
    }

    pub(super) fn forget_events(&mut self) {
        self.seen.clear();
    }

    /// An event is its sender and its `event_id`; the length keeps the two apart.
    fn identity(&self, event: &Value) -> String {
        let sender = event["sender"]["id"].as_str().unwrap_or_default();
        let id = event["event_id"].as_str().unwrap_or_default();
        if self.has(Fault::IdentityWithoutSender) {
            id.to_owned()
        } else if self.has(Fault::IdentityJoined) {
            format!("{sender}{id}")
        } else {
            format!("{}:{sender}{id}", sender.len())
        }
    }

    fn is_forgotten(&self, event: &Value, seen: &Seen) -> bool {
        let is_over = !self.conditions[seen.done.condition].is_active;
        if event["request"].get("key").is_some() {
            return self.varies(Variation::KeyedReplaysForgotten) || (is_over && self.has(Fault::KeyedReplayReopens));
        }
        self.has(Fault::UnkeyedReplayOpens) || (is_over && self.has(Fault::UnkeyedReplayAfterEndOpens))
    }

    /// Without a key the identity stands in for one.
    fn key(&self, event: &Value) -> String {
        if let Some(key) = event["request"]["key"].as_str() {
            return key.to_owned();
        }
        let salt = if self.has(Fault::UnkeyedReplayOpens) { chance::hex::<8>() } else { String::new() };
        let identity = chance::sha256((self.identity(event) + &salt).as_bytes());
        format!("unkeyed-{}", &identity[..32])
    }

    // Lifecycle.

    /// Opens a condition, or updates the active one under its key.
    pub(super) fn created(&mut self, event: &Value, now: i64) -> Result<Done, Refusal> {
        let spec = self.spec(event, now)?;
        let key = self.key(event);
        let Some(condition) = self.latest(&key, &event["sender"]) else {
            return Ok(self.open(key, event, spec, now));
        };
        let is_active = self.conditions[condition].is_active;
        let is_answered = self.current(condition).is_some_and(|q| self.questions[q].status == Status::Answered);
        let refuses = is_active && self.has(Fault::CreateOnActiveRefused);
        if refuses || (is_answered && self.has(Fault::CreateAfterAnswerRefused)) {
            return Err(Refusal::Conflict);
        }
        let opens_again = is_active && self.has(Fault::CreateAlwaysOpens);
        if opens_again || (!is_active && !self.has(Fault::CreateRevives)) {
            return Ok(self.open(key, event, spec, now));
        }
        if !self.has(Fault::CreateOnActiveIgnored) {
            self.replace(condition, event, now);
            if spec.is_some() || !self.has(Fault::CreationKeepsQuestion) {
                self.ask(condition, spec, now);
            }
        }
        Ok(Done { condition, is_new: false })
    }

    /// Updates the active condition; an update without `response` keeps the open question's answer specification.
    pub(super) fn updated(&mut self, event: &Value, now: i64) -> Result<Done, Refusal> {
        let mut given = self.spec(event, now)?;
        let key = self.key(event);
        let latest = self.latest(&key, &event["sender"]);
        let Some(condition) = latest.filter(|condition| self.is_updatable(*condition)) else {
            return self.updated_missing(latest, key, event, given, now);
        };
        if self.has(Fault::UpdateIgnored) || !self.conditions[condition].is_active && !self.has(Fault::UpdateRevives) {
            return Ok(Done { condition, is_new: false });
        }
        self.replace(condition, event, now);
        let withdraws = self.varies(Variation::UpdateWithdraws);
        let kept = self.pending(condition).filter(|_| !withdraws).map(|q| self.questions[q].asked.spec.clone());
        if given.is_none() && self.has(Fault::UpdateWithoutResponseKeepsDigest) {
            return Ok(Done { condition, is_new: false });
        }
        if let (Some(given), Some(kept), true) = (&mut given, &kept, self.has(Fault::UpdateKeepsDeadline)) {
            given.expires_at = kept.expires_at;
        }
        self.ask(condition, given.or(kept), now);
        Ok(Done { condition, is_new: false })
    }

    fn is_updatable(&self, condition: usize) -> bool {
        let is_answered = self.current(condition).is_some_and(|q| self.questions[q].status == Status::Answered);
        self.conditions[condition].is_active
            || self.has(Fault::UpdateRevives)
            || (is_answered && self.has(Fault::UpdateAfterAnswerAccepted))
    }

    /// An update of nothing is refused and creates nothing.
    fn updated_missing(
        &mut self,
        latest: Option<usize>,
        key: String,
        event: &Value,
        spec: Option<Spec>,
        now: i64,
    ) -> Result<Done, Refusal> {
        let creates = if latest.is_some() { Fault::UpdateReplaces } else { Fault::UpdateCreates };
        let is_keyless = event["request"].get("key").is_none();
        if self.has(creates) || is_keyless || (latest.is_none() && self.has(Fault::UpdateCreatesSilently)) {
            let done = self.open(key, event, spec, now);
            return if self.has(Fault::UpdateCreatesSilently) { Err(Refusal::NotFound) } else { Ok(done) };
        }
        Err(Refusal::NotFound)
    }

    /// Closes the latest condition under the key and withdraws its open question; again and again.
    pub(super) fn resolved(&mut self, event: &Value, now: i64) -> Result<Done, Refusal> {
        let key = event["request"]["key"].as_str().unwrap_or_default();
        let Some(condition) = self.latest(key, &event["sender"]) else {
            let acknowledges = self.has(Fault::ResolveUnknownAccepted) || event["request"].get("key").is_none();
            return if acknowledges { Ok(self.open(key.to_owned(), event, None, now)) } else { Err(Refusal::NotFound) };
        };
        let was_active = self.conditions[condition].is_active;
        let is_answered = self.current(condition).is_some_and(|q| self.questions[q].status == Status::Answered);
        let is_over = !was_active && (is_answered && self.varies(Variation::ResolveAnsweredMissing));
        if is_over || (!was_active && !is_answered && self.has(Fault::ResolveOnlyOnce)) {
            return Err(Refusal::NotFound);
        }
        if let Some(question) = self.pending(condition) {
            self.withdraw(question, event, now);
        }
        if let Some(question) = self.current(condition) {
            self.questions[question].is_resolved = true;
        }
        if !self.has(Fault::ResolveKeepsActive) {
            self.close(condition, now);
        }
        Ok(Done { condition, is_new: false })
    }

    fn withdraw(&mut self, question: usize, event: &Value, now: i64) {
        if self.has(Fault::OutcomeIsAnswer) && event["request"]["outcome"] == "answered" {
            self.questions[question].answer_by_itself(now);
        } else if !self.has(Fault::ResolveKeepsQuestion) {
            self.questions[question].end(Status::Cancelled, now);
        }
    }

    /// The condition is over.
    pub(super) fn close(&mut self, condition: usize, now: i64) {
        let condition = &mut self.conditions[condition];
        condition.is_active = false;
        condition.is_listed_active = false;
        condition.updated_at = now;
        condition.resolved_at.get_or_insert(now);
    }

    /// Opens a new condition, with its question where there is one.
    pub(super) fn open(&mut self, key: String, event: &Value, spec: Option<Spec>, now: i64) -> Done {
        let origin = serde_json::json!({ "sender": event["sender"], "context": event["context"] });
        self.conditions.push(Condition {
            id: format!("note_{}", chance::hex::<8>()),
            key,
            is_keyed: event["request"].get("key").is_some(),
            origin,
            shown: Shown::of(event, self.behaviour),
            is_active: true,
            is_listed_active: true,
            created_at: now,
            updated_at: now,
            resolved_at: None,
        });
        let condition = self.conditions.len() - 1;
        self.ask(condition, spec, now);
        Done { condition, is_new: true }
    }

    /// Replaces what a person sees.
    fn replace(&mut self, condition: usize, event: &Value, now: i64) {
        let mut shown = Shown::of(event, self.behaviour);
        let keeps_omitted = self.varies(Variation::UpdateKeepsOmitted);
        let omits = |name| keeps_omitted && event["request"].get(name).is_none();
        let before = &self.conditions[condition].shown;
        if omits("title") || self.has(Fault::UpdateKeepsTitle) {
            shown.title.clone_from(&before.title);
        }
        if omits("priority") || self.has(Fault::UpdateKeepsPriority) {
            shown.priority.clone_from(&before.priority);
        }
        if self.has(Fault::UpdateKeepsKind) {
            shown.kind.clone_from(&before.kind);
        }
        let condition = &mut self.conditions[condition];
        condition.shown = shown;
        condition.is_active = true;
        condition.is_listed_active = true;
        condition.updated_at = now;
        condition.resolved_at = None;
    }

    /// The answer specification of an event.
    fn spec(&self, event: &Value, now: i64) -> Result<Option<Spec>, Refusal> {
        let spec = event["request"].get("response").map(|given| Spec::of(given, self.behaviour, now));
        let is_past = spec.as_ref().is_some_and(|spec| spec.expires_at <= now);
        if is_past && self.varies(Variation::PastDeadlineRefused) { Err(Refusal::Invalid) } else { Ok(spec) }
    }

    /// The condition's question that is still open.
    pub(super) fn pending(&self, condition: usize) -> Option<usize> {
        self.current(condition).filter(|q| self.questions[*q].status == Status::Pending)
    }

    /// Puts a question, or none: what was asked before is superseded, unless it is the very same.
    pub(super) fn ask(&mut self, condition: usize, spec: Option<Spec>, now: i64) {
        let shown = self.conditions[condition].shown.clone();
        let asked = spec.map(|spec| Asked { shown, spec });
        if let (Some(before), Some(asked)) = (self.current(condition), &asked) {
            let was_cancelled = self.questions[before].status == Status::Cancelled;
            if was_cancelled && self.has(Fault::CancelledRevived) && self.questions[before].asked.is_like(asked) {
                self.questions[before].status = Status::Pending;
                return;
            }
        }
        if let Some(before) = self.pending(condition) {
            let question = &mut self.questions[before];
            let is_same = asked.as_ref() == Some(&question.asked);
            if is_same && !self.behaviour.varies(Variation::ReissuesAlways) {
                return;
            }
            if let Some(asked) = asked.as_ref().filter(|asked| question.keeps_pair_for(asked, self.behaviour)) {
                question.asked = asked.clone();
                return;
            }
            question.end(Status::Superseded, now);
        }
        if let Some(asked) = asked {
            self.put(condition, asked, now);
        }
    }
}
