//! The six rules of an answer, in order.

use super::condition::{Refusal, State};
use super::envelope::Checker;
use super::question::{Answer, Question, Status};
use super::{Fault, Variation};
use serde_json::{Value, json};

/// One answer, from whichever door.
#[derive(Clone, Copy)]
pub(super) struct Submission<'a> {
    /// `response_id`, `digest`, `nonce`, `choice_id` or `text`, `source`, `device_id`.
    pub(super) body: &'a Value,
    /// The event that carried it; null where it came through respond.
    pub(super) event: &'a Value,
}

impl Submission<'_> {
    fn is_from_route(&self) -> bool {
        self.event.is_null()
    }
}

/// What the rules say of an answer that is not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accept,
    Replay,
}

/// What an answer event is for.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Question(usize),
    /// A condition that asks nothing; only a faulty consumer takes an answer to it.
    OneWay(usize),
}

impl State {
    /// Rule 1: the question that an answer event is for.
    pub(super) fn asked_under(&self, answer: Submission<'_>) -> Result<Target, Refusal> {
        let event = answer.event;
        let Some(key) = event["request"]["key"].as_str() else {
            return self.questions.len().checked_sub(1).map(Target::Question).ok_or(Refusal::NotFound);
        };
        let Some(condition) = self.latest(key, &event["sender"]) else {
            let is_known = self.questions.iter().any(|question| self.is_accepted(question, answer.body));
            let fits_some = self.questions.iter().any(|question| answer.body["digest"] == *question.digest);
            return Err(match () {
                () if !fits_some && self.has(Fault::DigestBeforeNotFound) => Refusal::Digest,
                () if is_known && self.has(Fault::ConflictBeforeNotFound) => Refusal::Conflict,
                () if self.has(Fault::UnknownKeyRejected) => Refusal::Invalid,
                () => Refusal::NotFound,
            });
        };
        match self.current(condition) {
            Some(question) => Ok(Target::Question(question)),
            None if self.has(Fault::OneWayAnswerable) => Ok(Target::OneWay(condition)),
            None if self.varies(Variation::OneWayAnswerRejected) => Err(Refusal::NotOpen),
            None => Err(Refusal::NotFound),
        }
    }

    /// Rules 2 to 6.
    pub(super) fn judge(&self, at: usize, answer: Submission<'_>, now: i64) -> Result<Verdict, Refusal> {
        let question = &self.questions[at];
        self.misplaced_rules(question, answer)?;
        if self.is_answered(question, answer) {
            return self.judge_second(question, answer, now);
        }
        if self.has(Fault::ResponseIdEverywhere)
            && self.questions.iter().any(|other| self.is_accepted(other, answer.body))
        {
            return Ok(Verdict::Replay);
        }
        if !self.is_open(question, now) {
            return Err(Refusal::NotOpen);
        }
        if !self.digest_fits(question, answer) {
            return Err(Refusal::Digest);
        }
        if !self.nonce_fits(question, answer) {
            return Err(Refusal::Nonce);
        }
        if !self.shape_fits(question, answer.body) {
            return Err(Refusal::Shape);
        }
        let project = &answer.event["context"]["project"];
        let asked_in = &self.conditions[question.condition].origin["context"]["project"];
        if self.has(Fault::ContextMustMatch) && !project.is_null() && project != asked_in {
            return Err(Refusal::Shape);
        }
        Ok(Verdict::Accept)
    }

    /// Rules that a faulty consumer applies before their turn.
    fn misplaced_rules(&self, question: &Question, answer: Submission<'_>) -> Result<(), Refusal> {
        if self.has(Fault::DigestBeforeConflict) && !self.digest_fits(question, answer) {
            return Err(Refusal::Digest);
        }
        if self.has(Fault::NonceBeforeConflict) && !self.nonce_fits(question, answer) {
            return Err(Refusal::Nonce);
        }
        if self.has(Fault::ShapeBeforeConflict) && !self.shape_fits(question, answer.body) {
            return Err(Refusal::Shape);
        }
        Ok(())
    }

    fn is_answered(&self, question: &Question, answer: Submission<'_>) -> bool {
        let is_hidden = self.has(Fault::DoorsDisagree) && !answer.is_from_route() && question.is_answered_by_route();
        let is_raced = question.is_deciding && self.has(Fault::RetriesRace);
        (question.status == Status::Answered && !is_hidden) || is_raced
    }

    /// Rule 2: the accepted answer is replayed, every other one conflicts.
    fn judge_second(&self, question: &Question, answer: Submission<'_>, now: i64) -> Result<Verdict, Refusal> {
        let conflict = Err(Refusal::Conflict);
        if !self.is_accepted(question, answer.body) {
            return match () {
                () if self.has(Fault::SecondAnswerWins) => Ok(Verdict::Accept),
                () if self.has(Fault::SecondAnswerAcknowledged) => Ok(Verdict::Replay),
                () => conflict,
            };
        }
        let accepted = question.answer.as_ref().map_or(&Value::Null, |accepted| &accepted.body);
        let differs = |names: [&str; 2]| names.iter().any(|name| answer.body[*name] != accepted[*name]);
        if self.has(Fault::ReplayConflicts)
            || (question.asked.spec.kind == "text" && self.has(Fault::TextRetryConflicts))
            || (answer.is_from_route() && self.has(Fault::RespondNeverReplays))
            || (self.varies(Variation::ReplayNeedsDigest) && differs(["digest", "nonce"]))
            || (self.varies(Variation::ReplayNeedsAnswer) && differs(["choice_id", "text"]))
        {
            return conflict;
        }
        let is_late = now >= question.asked.spec.expires_at && self.has(Fault::ReplayExpires);
        if is_late || (question.is_resolved && self.has(Fault::ReplayEndsWithResolution)) {
            return Err(Refusal::NotOpen);
        }
        if differs(["choice_id", "text"]) && self.has(Fault::ResponseIdOverwrites) {
            return Ok(Verdict::Accept);
        }
        Ok(Verdict::Replay)
    }

    /// Rule 3.
    fn is_open(&self, question: &Question, now: i64) -> bool {
        let grace = question.asked.spec.expires_at + 1_500;
        match question.status {
            Status::Pending => true,
            Status::Answered => self.has(Fault::DoorsDisagree),
            Status::Expired => self.has(Fault::ExpiredAnswerable) || (self.has(Fault::DeadlineGrace) && now < grace),
            Status::Cancelled => self.has(Fault::CancelledAnswerable),
            Status::Superseded => self.has(Fault::SupersededRespondable),
        }
    }

    /// Rule 4.
    fn digest_fits(&self, question: &Question, answer: Submission<'_>) -> bool {
        let given = answer.body["digest"].as_str().unwrap_or_default();
        let skips = answer.is_from_route() && self.has(Fault::RespondSkipsDigest);
        given == question.digest
            || skips
            || self.has(Fault::DigestUnchecked)
            || (self.has(Fault::TextNeedsNoDigest) && question.asked.spec.kind == "text")
            || (self.has(Fault::DigestFirstDigitFree) && given.get(1..) == question.digest.get(1..))
            || (self.has(Fault::DigestByPrefix) && given.get(..8) == question.digest.get(..8))
            || (self.has(Fault::DigestUpperAccepted) && given.eq_ignore_ascii_case(&question.digest))
            || (self.has(Fault::DigestInUpperCase) && given.eq_ignore_ascii_case(&question.digest))
            || (self.has(Fault::DigestOfQuestionBefore) && self.before(question).any(|before| given == before.digest))
            || self.fits_earlier(question, answer)
    }

    /// Rule 5; it does not apply where no nonce was issued.
    fn nonce_fits(&self, question: &Question, answer: Submission<'_>) -> bool {
        let Some(issued) = &question.nonce else { return true };
        let skips = answer.is_from_route() && self.has(Fault::RespondSkipsNonce);
        let is_free = self.has(Fault::TextNeedsNoNonce) && question.asked.spec.kind == "text";
        if self.has(Fault::NonceUnchecked) || skips || is_free || self.fits_earlier(question, answer) {
            return true;
        }
        let Some(given) = answer.body["nonce"].as_str() else {
            let asker = &self.conditions[question.condition].origin["sender"]["id"];
            let is_asker = answer.event["sender"]["id"] == *asker;
            return self.has(Fault::NonceOnlyWhenPresent)
                || (is_asker && self.has(Fault::CreatorNeedsNoNonce))
                || (self.is_same_place(question, answer) && self.has(Fault::ContextAuthorizes));
        };
        given == issued
            || (self.has(Fault::NonceByPrefix) && issued.starts_with(given))
            || (self.has(Fault::NonceByStart) && given.starts_with(issued))
            || (self.has(Fault::NonceFolded) && given.eq_ignore_ascii_case(issued))
            || (self.has(Fault::NonceTrimmed) && given.trim() == issued)
            || (self.has(Fault::NonceOfQuestionBefore)
                && self.before(question).any(|before| before.nonce.as_deref() == Some(given)))
    }

    /// What else was asked under the same condition.
    fn before(&self, question: &Question) -> impl Iterator<Item = &Question> {
        let condition = question.condition;
        self.questions.iter().filter(move |other| other.condition == condition)
    }

    fn is_same_place(&self, question: &Question, answer: Submission<'_>) -> bool {
        let asked_in = &self.conditions[question.condition].origin["context"];
        ["cwd", "pid"].iter().any(|name| !asked_in[name].is_null() && asked_in[name] == answer.event["context"][name])
    }

    /// Whether a faulty consumer takes the pair of an earlier question for that of this one.
    fn fits_earlier(&self, question: &Question, answer: Submission<'_>) -> bool {
        let key = &self.conditions[question.condition].key;
        self.questions.iter().any(|earlier| {
            let is_superseded = self.has(Fault::SupersededAnswerable) && earlier.condition == question.condition;
            let is_earlier_life = self.has(Fault::EarlierLifeAnswers)
                && earlier.condition != question.condition
                && self.conditions[earlier.condition].key == *key;
            let fits =
                answer.body["digest"] == *earlier.digest && answer.body["nonce"].as_str() == earlier.nonce.as_deref();
            fits && (is_superseded || is_earlier_life)
        })
    }

    /// Rule 6.
    fn shape_fits(&self, question: &Question, body: &Value) -> bool {
        let spec = &question.asked.spec;
        let takes_text = spec.kind == "text" || self.has(Fault::TextForChoice);
        let takes_choice = spec.kind != "text" || self.has(Fault::ChoiceForText);
        match (body["choice_id"].as_str(), body["text"].as_str()) {
            (Some(choice), None) => takes_choice && (spec.kind == "text" || self.is_offered(question, choice)),
            (None, Some(text)) => takes_text && (spec.kind != "text" || self.is_within(question, text)),
            (Some(_), Some(_)) => true,
            (None, None) => self.has(Fault::NeitherAccepted),
        }
    }

    fn is_offered(&self, question: &Question, choice: &str) -> bool {
        let folds = self.has(Fault::ChoiceFolded);
        let is_it = |offered: &str| offered == choice || (folds && offered.eq_ignore_ascii_case(choice));
        let mut offered = question.asked.spec.choices.iter().filter_map(|offered| offered["id"].as_str());
        self.has(Fault::ChoiceUnchecked) || offered.any(is_it)
    }

    fn is_within(&self, question: &Question, text: &str) -> bool {
        let bound = question.asked.spec.text_bound(self.behaviour) + usize::from(self.has(Fault::TextOneOver));
        let text = if self.has(Fault::TextTrimmed) { text.trim() } else { text };
        self.has(Fault::TextUnbounded) || Checker { behaviour: self.behaviour }.length(text) <= bound
    }

    /// The first valid answer wins; it closes the condition.
    pub(super) fn accept(&mut self, at: usize, answer: Submission<'_>, now: i64) {
        let body = self.recorded(answer.body);
        let is_cancelled = self.has(Fault::DenyCancels) && body["choice_id"] == "deny";
        let question = &mut self.questions[at];
        question.is_deciding = false;
        if is_cancelled {
            question.end(Status::Cancelled, now);
        } else {
            question.answer = Some(Answer { body, at: now, is_from_route: answer.is_from_route() });
            question.end(Status::Answered, now);
        }
        let condition = question.condition;
        let stays_listed = self.has(Fault::NotificationStaysActive);
        if !self.has(Fault::AnsweredStaysActive) {
            self.close(condition, now);
            self.conditions[condition].is_listed_active = stays_listed;
        }
    }

    /// The answer as it is kept: every text as it came.
    fn recorded(&self, body: &Value) -> Value {
        let mut body = body.clone();
        let Some(choice) = body["choice_id"].as_str().map(str::to_owned) else { return body };
        if self.has(Fault::ChoiceIdLowered) {
            body["choice_id"] = choice.to_lowercase().into();
        } else if let (true, Ok(number)) = (self.has(Fault::ChoiceIdInterpreted), choice.parse::<u64>()) {
            body["choice_id"] = number.to_string().into();
        }
        body
    }

    /// What a faulty consumer changes when it refuses or replays an answer; a conforming one changes nothing.
    pub(super) fn aftermath(&mut self, at: usize, verdict: Result<Verdict, Refusal>, now: i64) {
        let closes = match verdict {
            Err(Refusal::Digest) => self.has(Fault::WrongDigestCloses),
            Err(Refusal::Shape) => self.has(Fault::WrongChoiceCloses),
            Err(Refusal::Nonce) if self.has(Fault::WrongNonceRenews) => {
                self.questions[at].nonce = Some(super::chance::hex::<16>());
                false
            }
            _ => false,
        };
        if closes {
            self.questions[at].end(Status::Cancelled, now);
        }
        if verdict == Ok(Verdict::Replay) && self.has(Fault::ReplayShowsAnother) {
            let other = self.questions[at].asked.spec.choices.last().cloned().unwrap_or(json!({ "id": "other" }));
            if let Some(accepted) = &mut self.questions[at].answer {
                accepted.body["choice_id"] = other["id"].clone();
            }
        }
    }

    fn is_accepted(&self, question: &Question, body: &Value) -> bool {
        let Some(accepted) = &question.answer else { return false };
        let ids = [&accepted.body, body].map(|answer| answer["response_id"].as_str().unwrap_or_default());
        ids[0] == ids[1] || (self.has(Fault::ResponseIdFolded) && ids[0].eq_ignore_ascii_case(ids[1]))
    }
}
