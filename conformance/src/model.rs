//! A condition as the contract describes it: which outcomes it permits for the next event.
//!
//! Written from the contract's sections "Event lifecycle", "Responses" and "Idempotency and ordering", apart from any
//! consumer. Where the contract leaves a point open the model permits each reading.

/// What a consumer may do with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permitted {
    /// A new condition.
    Created,
    /// It is applied.
    Accepted,
    /// No such condition.
    NotFound,
    /// Refused, as over: not found where the binding says how.
    Gone,
    /// Already answered.
    Conflict,
    /// Refused.
    Rejected,
    /// Refused, with any outcome.
    AnyRefusal,
    /// Applied, or no such condition (reading 12).
    AcceptedOrNotFound,
}

/// One event about one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// request.created without an answer specification.
    Note,
    /// request.created with one; the number is that of the question.
    Ask(usize),
    /// request.updated with one.
    Update(usize),
    /// request.resolved.
    Resolve,
    /// response.submitted.
    Answer(Answer),
}

/// What an answer carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Digest and nonce of that question, an offered choice, a fresh `response_id`.
    To(usize),
    /// The same with another digest.
    WrongDigest(usize),
    /// The same without the nonce.
    NoNonce(usize),
    /// The same with a choice that is not offered.
    WrongChoice(usize),
    /// The accepted answer once more.
    Replay,
}

/// Where a condition stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stand {
    /// Never created.
    #[default]
    Unknown,
    /// Active; the question that is open, if there is one.
    Active(Option<usize>),
    /// Closed by an answer.
    Answered,
    /// Closed by a resolution.
    Resolved,
}

/// A key's history so far.
#[derive(Debug, Clone, Default)]
pub struct Condition {
    /// Where its latest condition stands.
    pub stand: Stand,
    /// How many conditions it has had.
    pub lives: usize,
}

impl Condition {
    /// What the contract permits for the event; the condition moves on as if it happened.
    pub fn apply(&mut self, event: Event) -> (Permitted, &'static str) {
        match event {
            Event::Note => self.create(None),
            Event::Ask(question) => self.create(Some(question)),
            Event::Update(question) => self.update(question),
            Event::Resolve => self.resolve(),
            Event::Answer(answer) => self.answer(answer),
        }
    }

    fn create(&mut self, question: Option<usize>) -> (Permitted, &'static str) {
        let judged = match self.stand {
            Stand::Unknown => (Permitted::Created, "LIF-01"),
            Stand::Active(_) => (Permitted::Accepted, "LIF-04"),
            Stand::Answered | Stand::Resolved => (Permitted::Created, "LIF-05"),
        };
        if judged.0 == Permitted::Created {
            self.lives += 1;
        }
        self.stand = Stand::Active(question);
        judged
    }

    fn update(&mut self, question: usize) -> (Permitted, &'static str) {
        match self.stand {
            Stand::Unknown => (Permitted::NotFound, "LIF-06"),
            Stand::Resolved => (Permitted::Gone, "LIF-07"),
            // Reading 12: refused; how is free.
            Stand::Answered => (Permitted::AnyRefusal, "LIF-07"),
            Stand::Active(_) => {
                self.stand = Stand::Active(Some(question));
                (Permitted::Accepted, "LIF-08")
            }
        }
    }

    fn resolve(&mut self) -> (Permitted, &'static str) {
        match self.stand {
            Stand::Unknown => (Permitted::NotFound, "LIF-10"),
            Stand::Answered => (Permitted::AcceptedOrNotFound, "LIF-09"),
            Stand::Active(_) | Stand::Resolved => {
                self.stand = Stand::Resolved;
                (Permitted::Accepted, "LIF-09")
            }
        }
    }

    /// The six rules, in order.
    fn answer(&mut self, answer: Answer) -> (Permitted, &'static str) {
        let open = match (&self.stand, answer) {
            (Stand::Unknown, _) => return (Permitted::NotFound, "ANS-01"),
            (Stand::Answered, Answer::Replay) => return (Permitted::Accepted, "ANS-03"),
            (Stand::Answered, _) => return (Permitted::Conflict, "ANS-02"),
            // Reading 10: refused; how is free. Reading 9 for what asks nothing.
            (Stand::Resolved, _) => return (Permitted::AnyRefusal, "ANS-05"),
            (Stand::Active(None), _) => return (Permitted::AnyRefusal, "ASK-07"),
            (Stand::Active(Some(open)), _) => *open,
        };
        match answer {
            Answer::To(question) if question == open => {
                self.stand = Stand::Answered;
                (Permitted::Accepted, "ANS-13")
            }
            Answer::To(_) | Answer::Replay => (Permitted::Rejected, "LIF-13"),
            Answer::WrongDigest(_) => (Permitted::Rejected, "ANS-06"),
            Answer::NoNonce(_) => (Permitted::Rejected, "ANS-07"),
            Answer::WrongChoice(_) => (Permitted::Rejected, "ANS-08"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(events: &[Event]) -> Vec<Permitted> {
        let mut condition = Condition::default();
        events.iter().map(|event| condition.apply(*event).0).collect()
    }

    #[test]
    fn the_contracts_examples_in_a_row() {
        use Permitted::{Accepted, AcceptedOrNotFound, Created};
        let events = [Event::Ask(0), Event::Update(1), Event::Answer(Answer::To(1)), Event::Resolve];
        assert_eq!(walk(&events), [Created, Accepted, Accepted, AcceptedOrNotFound]);
    }

    #[test]
    fn rules_apply_in_order() {
        use Permitted::{Accepted, AnyRefusal, Conflict, Created, NotFound, Rejected};
        let events = [
            Event::Answer(Answer::WrongDigest(0)),
            Event::Update(0),
            Event::Ask(0),
            Event::Answer(Answer::WrongChoice(0)),
            Event::Ask(1),
            Event::Answer(Answer::To(0)),
            Event::Answer(Answer::To(1)),
            Event::Answer(Answer::WrongDigest(1)),
            Event::Answer(Answer::Replay),
            Event::Update(2),
            Event::Note,
            Event::Resolve,
            Event::Answer(Answer::To(1)),
        ];
        let permitted = [
            NotFound, NotFound, Created, Rejected, Accepted, Rejected, Accepted, Conflict, Accepted, AnyRefusal,
            Created, Accepted, AnyRefusal,
        ];
        assert_eq!(walk(&events), permitted);
    }
}
