//! A scenario is walked once without a consumer, before it is played: every event, step and held call that it names is there,
//! and every placeholder means something.

use super::expand::{Names, Scope, Unresolved};
use super::expectation::Relation;
use super::outgoing::{self, Outgoing};
use super::{Change, Expectation, Message, Scenario, See, Step};
use crate::clock;
use crate::profile::Profile;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What is wrong with a scenario beyond its grammar, and in which step.
pub(super) fn check(scenario: &Scenario) -> Result<(), String> {
    let mut walk = Walk::default();
    let walked = |(at, step)| walk.step(step).map_err(|why| format!("/steps/{at}: {why}"));
    scenario.steps.iter().enumerate().try_for_each(walked)
}

/// What is known so far.
#[derive(Debug, Clone, Default)]
struct Walk {
    names: Names,
    /// What the named steps send; nothing where that rests on what only a consumer can show.
    sent: BTreeMap<String, Option<Outgoing>>,
    held: BTreeSet<String>,
}

impl Walk {
    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Post(post) => {
                let sent = self.built(&post.message, &[])?;
                self.answered(&post.expectation, sent)
            }
            Step::Again(again) => {
                let sent = self.step_called(&again.step)?.clone();
                self.answered(&again.expectation, sent)
            }
            Step::Call(call) => {
                self.path(&call.path)?;
                call.body.as_ref().map_or(Ok(()), |body| self.value(body))?;
                self.answered(&call.expectation, Some(Outgoing::nothing()))
            }
            Step::Refuse(refuse) => {
                refuse.faults.iter().try_for_each(|fault| self.built(&refuse.message, &[&fault.change]).map(drop))?;
                let sent = self.built(&refuse.message, &[])?;
                self.answered(&refuse.expectation, sent)
            }
            Step::Accept(accept) => {
                let aside = self.after(accept.after.as_deref())?;
                accept.variants.iter().try_for_each(|one| aside.built(&accept.message, &[&one.change]).map(drop))?;
                aside.expected(&accept.expectation)
            }
            Step::Bounds(bounds) => {
                let aside = self.after(bounds.after.as_deref())?;
                aside.built(&bounds.message, &[])?;
                aside.expected(&bounds.expectation)
            }
            Step::Race(race) => {
                let sent = self.built(&race.message, &[])?;
                self.answered(&race.expectation, sent)
            }
            Step::Sample(sample) => self.built(&sample.message, &[]).map(drop),
            Step::Meet(meet) => {
                meet.posts.iter().try_for_each(|message| self.built(message, &[]).map(drop))?;
                meet.cancel.iter().chain(&meet.look).try_for_each(|path| self.path(path))?;
                meet.responds.iter().try_for_each(|one| self.path(&one.path).and_then(|()| self.value(&one.body)))
            }
            Step::Hold(hold) => {
                self.held.insert(hold.name.clone());
                self.path(&hold.path)
            }
            Step::StillHeld(still) => {
                self.is_held(&still.of)?;
                still.before.iter().try_for_each(|step| self.step_called(step).map(drop))
            }
            Step::Release(release) => {
                self.is_held(&release.of)?;
                self.answered(&release.expectation, Some(Outgoing::nothing()))
            }
            Step::Wait(wait) => match self.step_called(&wait.deadline_of)? {
                Some(sent) if sent.expires_at.is_none() => {
                    Err(format!("step {:?} asks no question with a deadline", wait.deadline_of))
                }
                _ => Ok(()),
            },
            Step::Restart(_) => Ok(()),
        }
    }

    /// The reply is judged, and known under the step's name from now on.
    fn answered(&mut self, expectation: &Expectation, sent: Option<Outgoing>) -> Result<(), String> {
        if let Some(name) = &expectation.name {
            self.names.steps.insert(name.clone(), SHOWN.clone());
            self.sent.insert(name.clone(), sent);
        }
        self.expected(expectation)
    }

    /// Where `after` is posted first it is known as `q`.
    fn after(&self, after: Option<&Message>) -> Result<Self, String> {
        let mut aside = self.clone();
        if let Some(message) = after {
            let named = Expectation { name: Some("q".to_owned()), ..Expectation::default() };
            aside.answered(&named, self.built(message, &[])?)?;
        }
        Ok(aside)
    }

    fn expected(&self, expectation: &Expectation) -> Result<(), String> {
        expectation.before.iter().try_for_each(|step| self.step_called(step).map(drop))?;
        expectation.see.values().try_for_each(|see| match see {
            See::Value(template) => self.value(template),
            See::Relation(Relation::SameAs(step)) => self.step_called(step).map(drop),
            See::Relation(Relation::DiffersFrom(steps)) => {
                steps.as_slice().iter().try_for_each(|step| self.step_called(step).map(drop))
            }
            See::Relation(Relation::Lists(id) | Relation::Omits(id)) => self.value(&Value::from(id.as_str())),
            See::Relation(_) => Ok(()),
        })
    }

    fn built(&self, message: &Message, changes: &[&Change]) -> Result<Option<Outgoing>, String> {
        seen(outgoing::build(&self.scope(message), message, changes))
    }

    fn value(&self, template: &Value) -> Result<(), String> {
        seen(self.scope(&Message::default()).expand(template)).map(drop)
    }

    fn path(&self, template: &str) -> Result<(), String> {
        seen(self.scope(&Message::default()).expand_path(template)).map(drop)
    }

    fn scope<'a>(&'a self, message: &'a Message) -> Scope<'a> {
        let key = self.names.key(message.key.as_deref().unwrap_or("a"));
        Scope { names: &self.names, key, to: message.to.as_deref().unwrap_or("q"), index: 0 }
    }

    fn step_called(&self, name: &str) -> Result<&Option<Outgoing>, String> {
        self.sent.get(name).ok_or_else(|| format!("no step before it is called {name:?}"))
    }

    fn is_held(&self, name: &str) -> Result<(), String> {
        if self.held.contains(name) { Ok(()) } else { Err(format!("no call is held as {name:?}")) }
    }
}

/// What no reply has shown yet is no mistake.
fn seen<T>(value: Result<T, Unresolved>) -> Result<Option<T>, String> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(Unresolved::Unseen(_)) => Ok(None),
        Err(Unresolved::Mistake(why)) => Err(why),
    }
}

/// A reply that shows something under each name.
static SHOWN: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let shown = |name: String| (name, Value::from("0a".repeat(32)));
    let mut all: Map<String, Value> = Profile::agentnotify().members.into_keys().map(shown).collect();
    all.insert("key".to_owned(), Value::from("key"));
    all.insert("expires_at".to_owned(), Value::from(clock::rfc3339(0)));
    all
});

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problem(steps: &Value) -> String {
        let text = json!({ "id": "a", "title": "T", "proves": ["ANS-01"], "steps": steps }).to_string();
        Scenario::parse(&text).map(drop).unwrap_err()
    }

    #[test]
    fn what_a_scenario_names_is_there() {
        let note = json!({ "post": { "event": "note", "as": "q", "expect": "created" } });
        for (step, why) in [
            (json!({ "post": { "event": "aks" } }), "no event is called \"aks\""),
            (json!({ "post": { "event": "answer", "to": "p" } }), "no step is called \"p\""),
            (json!({ "post": { "event": "note", "set": { "/request/title": "${nw}" } } }), "unknown placeholder ${nw}"),
            (json!({ "post": { "event": "note", "see": { "digest": { "same_as": "p" } } } }), "is called \"p\""),
            (json!({ "post": { "event": "note", "before": "p" } }), "no step before it is called \"p\""),
            (json!({ "again": { "step": "p", "expect": "accepted" } }), "no step before it is called \"p\""),
            (json!({ "call": { "method": "GET", "path": "/${p.question}" } }), "no step is called \"p\""),
            (json!({ "call": { "method": "POST", "path": "/x", "body": "${q.digest|bend}" } }), "\"bend\""),
            (json!({ "release": { "of": "w", "within": 1 } }), "no call is held as \"w\""),
            (json!({ "wait": { "deadline_of": "q", "plus": 1 } }), "asks no question with a deadline"),
        ] {
            let error = problem(&json!([note, step]));
            assert!(error.starts_with("/steps/1: ") && error.ends_with(why), "{step}: {error}");
        }
    }
}
