//! Holds what a producer said against the rules for producers.
//!
//! What one event or the stream shows is the validator's to find; here is what only somebody can know who answered, or did
//! not: whether a resolution as answered has an answer behind it.

use super::desk::{Item, key_of};
use super::endpoint::Endpoint;
use super::question::Question;
use super::run::Ended;
use crate::exchange::{Auth, Exchange};
use crate::requirement;
use crate::verdict::{Check, Evidence, Verdict};
use arc_validator::event::{Body, Event};
use arc_validator::stream::Stream;
use arc_validator::{Finding, Rule};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What one run of the command comes to.
pub(super) fn judge(endpoint: &Endpoint, exchanges: &[Exchange], ended: Ended) -> Vec<Check> {
    let desk = endpoint.desk();
    let mut reading = Reading { exchanges, ..Reading::new(endpoint) };
    for (at, item) in desk.items.iter().enumerate() {
        reading.item(at + 1, item);
    }
    reading.lost_and_renamed(&desk.items);
    let silence = match () {
        () if reading.events == 0 => None,
        () if !endpoint.script.is_silent() => Some((Verdict::NotApplicable, "in this script somebody answers")),
        () if desk.questions.is_empty() => Some((Verdict::NotApplicable, "the producer asked nothing")),
        () if !desk.has_looked => Some((
            Verdict::Inconclusive,
            "the producer never looked for an answer, so what it does without one was not seen",
        )),
        () if matches!(ended, Ended::Limit(_)) && !desk.questions.values().any(Question::is_over_unanswered) => Some((
            Verdict::Inconclusive,
            "the producer was still waiting when --limit was over: let the question's deadline lie nearer, or the limit further",
        )),
        () => None,
    };
    reading.checks(silence, ended)
}

/// What has been read of the recording so far.
struct Reading<'a> {
    endpoint: &'a Endpoint,
    exchanges: &'a [Exchange],
    stream: Stream,
    events: usize,
    /// Requirements that something in the recording bears on.
    borne: BTreeSet<&'static str>,
    faults: Vec<(&'static str, Evidence)>,
    spoken: BTreeMap<(String, String), usize>,
}

impl<'a> Reading<'a> {
    fn new(endpoint: &'a Endpoint) -> Self {
        Self {
            endpoint,
            exchanges: &[],
            stream: Stream::default(),
            events: 0,
            borne: BTreeSet::new(),
            faults: Vec::new(),
            spoken: BTreeMap::new(),
        }
    }

    fn item(&mut self, line: usize, item: &Item) {
        match item {
            Item::Event { bytes, exchange, knew_of_the_end, .. } => {
                self.event(line, bytes, *exchange, *knew_of_the_end);
            }
            Item::Accepted { bytes } => {
                if let Ok(event) = arc_validator::parse(bytes) {
                    self.stream.check(&event, bytes, line_number(line));
                }
            }
            Item::OwnAnswer { exchange } => self.own_answer(line, *exchange),
        }
    }

    fn event(&mut self, line: usize, bytes: &[u8], exchange: usize, knew_of_the_end: bool) {
        self.events += 1;
        self.borne.extend(["PRO-01", "PRO-11"]);
        let event = match arc_validator::parse(bytes) {
            Ok(event) => event,
            Err(invalid) => {
                for finding in invalid.findings.iter().filter(|finding| finding.is_error()) {
                    self.fault("PRO-01", line, finding, exchange);
                    self.fault_by_its_rule(line, finding, exchange);
                }
                return;
            }
        };
        self.bear(&event);
        for finding in arc_validator::lint(&event, bytes) {
            self.fault_by_its_rule(line, &finding, exchange);
        }
        if matches!(event.body, Body::Submitted { .. }) {
            self.own_answer(line, exchange);
        }
        let keyed = with_key(bytes, &key_of(&event));
        let Ok(event) = arc_validator::parse(&keyed) else { return };
        for finding in self.stream.check(&event, &keyed, line_number(line)) {
            // Somebody answered while the event was on its way: no producer could know.
            let crossed = finding.rule.code == "finished-condition" && !knew_of_the_end;
            if finding.rule.code != "retry" && !crossed {
                self.fault_by_its_rule(line, &finding, exchange);
            }
        }
    }

    /// What a valid event bears on.
    fn bear(&mut self, event: &Event<'_>) {
        self.borne.extend(["PRO-02", "PRO-08", "PRO-09"]);
        match &event.body {
            Body::Created { ask, .. } if ask.response.is_some() => _ = self.borne.insert("PRO-05"),
            Body::Created { .. } => {}
            Body::Updated { ask, .. } => {
                self.borne.insert("PRO-04");
                self.borne.extend(ask.response.as_ref().map(|_| "PRO-05"));
            }
            Body::Resolved { .. } => _ = self.borne.insert("PRO-04"),
            Body::Submitted { .. } => self.borne.extend(["PRO-06", "PRO-07"]),
        }
        let spoken = self.spoken.entry((event.sender.id.to_string(), key_of(event))).or_default();
        *spoken += 1;
        if *spoken > 1 {
            self.borne.insert("PRO-03");
        }
    }

    /// Only a person answers; the command runs without one.
    fn own_answer(&mut self, line: usize, exchange: usize) {
        let permitted = "an answer comes from a person: the producer waits for one and gives none itself";
        let got = "the producer answered a question itself".to_owned();
        let evidence = Evidence { permitted: permitted.to_owned(), got, ..self.evidence(line, exchange) };
        self.faults.push(("PRO-10", evidence));
    }

    /// What was sent again after its reply was lost keeps its `event_id`.
    fn lost_and_renamed(&mut self, items: &[Item]) {
        let event = |item: &Item| match item {
            Item::Event { bytes, exchange, was_lost, .. } => {
                let mut event: Value = serde_json::from_slice(bytes).ok()?;
                let id = event.as_object_mut()?.remove("event_id")?;
                Some((event, id, *exchange, *was_lost))
            }
            _ => None,
        };
        let events: Vec<_> = items.iter().map(event).collect();
        for (at, later) in events.iter().enumerate() {
            let Some((content, id, exchange, _)) = later else { continue };
            let is_renamed =
                events[..at].iter().flatten().any(|(before, name, _, lost)| *lost && before == content && name != id);
            if is_renamed {
                let permitted =
                    "an event that is sent again keeps its event_id: one id stands for one immutable event".to_owned();
                let got = "the same event came again under another event_id after its reply was lost".to_owned();
                let evidence = Evidence { permitted, got, ..self.evidence(at + 1, *exchange) };
                self.faults.push(("PRO-02", evidence));
            }
        }
    }

    fn fault_by_its_rule(&mut self, line: usize, finding: &Finding, exchange: usize) {
        let own = finding.rule.requirements.iter().filter(|id| id.starts_with("PRO-"));
        own.for_each(|id| self.fault(id, line, finding, exchange));
    }

    fn fault(&mut self, requirement: &'static str, line: usize, finding: &Finding, exchange: usize) {
        let permitted = finding.permitted.as_deref().unwrap_or(finding.rule.summary).to_owned();
        let place = if finding.pointer.is_empty() { String::new() } else { format!("{}: ", finding.pointer) };
        let redactor = &self.endpoint.redactor;
        let evidence = Evidence {
            permitted: redactor.clean(&permitted),
            got: redactor.clean(&format!("{place}{}", finding.message)),
            cause: finding.hint.clone().unwrap_or_else(|| explanation(finding.rule)),
            ..self.evidence(line, exchange)
        };
        self.faults.push((requirement, evidence));
    }

    fn evidence(&self, line: usize, exchange: usize) -> Evidence {
        Evidence {
            scenario: self.endpoint.script.name(),
            step: format!("{line}"),
            sent: self.exchanges.get(exchange).map(|e| e.sent(&self.endpoint.redactor)).unwrap_or_default(),
            ..Evidence::default()
        }
    }

    /// One check for each requirement that something bears on, or one for each fault.
    fn checks(self, silence: Option<(Verdict, &str)>, ended: Ended) -> Vec<Check> {
        let mut checks = Vec::new();
        for requirement in requirement::all().iter().filter(|requirement| requirement.claim == "producer") {
            let id = requirement.id.as_str();
            let check = |verdict, evidence| Check { requirement: id.to_owned(), verdict, evidence };
            let faults: Vec<_> = self.faults.iter().filter(|(of, _)| *of == id).collect();
            if !faults.is_empty() {
                checks.extend(faults.into_iter().map(|(_, evidence)| check(Verdict::Fail, Some(evidence.clone()))));
                continue;
            }
            let (verdict, got) = match silence {
                _ if self.events == 0 => (Verdict::Inconclusive, self.nothing_came(ended)),
                Some((verdict, why)) if id == "PRO-10" => (verdict, why.to_owned()),
                None if id == "PRO-10" => (Verdict::Pass, String::new()),
                _ if self.borne.contains(id) => (Verdict::Pass, String::new()),
                _ => (Verdict::NotApplicable, "nothing that the producer sent bears on it".to_owned()),
            };
            // Whoever answers says nothing about silence: only a silent script does.
            if id == "PRO-10" && verdict == Verdict::NotApplicable && !self.endpoint.script.is_silent() {
                continue;
            }
            let evidence = Evidence { scenario: self.endpoint.script.name(), got, ..Evidence::default() };
            checks.push(check(verdict, (verdict != Verdict::Pass).then_some(evidence)));
        }
        checks
    }

    fn nothing_came(&self, ended: Ended) -> String {
        let how = match ended {
            Ended::Itself(status) => format!("it ended with {status}"),
            Ended::Limit(limit) => format!("it was ended after {} s", limit.as_secs_f64()),
        };
        let strangers = self.exchanges.iter().filter(|exchange| exchange.request.auth != Auth::Token).count();
        let strangers = if strangers > 0 {
            format!("; {strangers} requests came without `Authorization: Bearer $ARC_TOKEN`")
        } else {
            String::new()
        };
        format!("no event came to $ARC_URL/v1/events; {how}{strangers}")
    }
}

/// Why the rule matters; without the advice on how to switch it off, which is the validator's.
fn explanation(rule: &Rule) -> String {
    rule.explanation.split_inclusive(". ").filter(|sentence| !sentence.contains("this code")).collect()
}

fn line_number(line: usize) -> u64 {
    u64::try_from(line).unwrap_or(u64::MAX)
}

/// The event under the key that the reply showed: what refers to it later is then seen to.
fn with_key(bytes: &[u8], key: &str) -> Vec<u8> {
    let mut event: Value = serde_json::from_slice(bytes).unwrap_or_default();
    if event["request"].get("key").is_some() {
        return bytes.to_vec();
    }
    event["request"]["key"] = json!(key);
    event.to_string().into_bytes()
}
