//! The steps of a scenario.

use super::{Change, Expectation, Message};
use crate::exchange::Auth;
use serde::Deserialize;
use serde_json::Value;

/// One step.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Posts one event.
    Post(Box<Post>),
    /// Sends an earlier step's very bytes again.
    Again(Box<Again>),
    /// Calls another route.
    Call(Box<Call>),
    /// Posts one event with one fault at a time, each of which is refused; then without a fault, which is accepted.
    Refuse(Box<Refuse>),
    /// Posts variants of one event, each of which is accepted.
    Accept(Box<Accept>),
    /// Generates variants at the bound (accepted) and faults over it (refused).
    Bounds(Box<Bounds>),
    /// Sends several events at the same time.
    Race(Box<Race>),
    /// Posts one event several times and judges whether a member of the replies can be guessed.
    Sample(Box<Sample>),
    /// Sends different events at the same time; some order of them explains all replies.
    Meet(Box<Meet>),
    /// Begins a GET and does not wait for its reply.
    Hold(Hold),
    /// No reply to a held call comes yet.
    StillHeld(StillHeld),
    /// The reply to a held call comes in time.
    Release(Box<Release>),
    /// Kills the consumer, starts it again and waits until it answers.
    Restart(Restart),
    /// Waits for a moment.
    Wait(Wait),
}

impl Step {
    /// What it expects, where that is written once for the whole step.
    pub fn expectation(&self) -> Option<&Expectation> {
        match self {
            Self::Post(post) => Some(&post.expectation),
            Self::Again(again) => Some(&again.expectation),
            Self::Call(call) => Some(&call.expectation),
            Self::Refuse(refuse) => Some(&refuse.expectation),
            Self::Accept(accept) => Some(&accept.expectation),
            Self::Bounds(bounds) => Some(&bounds.expectation),
            Self::Race(race) => Some(&race.expectation),
            Self::Sample(sample) => Some(&sample.expectation),
            Self::Meet(meet) => Some(&meet.expectation),
            Self::Release(release) => Some(&release.expectation),
            Self::Hold(_) | Self::StillHeld(_) | Self::Restart(_) | Self::Wait(_) => None,
        }
    }
}

/// Posts one event.
#[derive(Debug, Clone, Deserialize)]
pub struct Post {
    /// What is sent.
    #[serde(flatten)]
    pub message: Message,
    /// What is permitted.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// Sends an earlier step's very bytes again.
#[derive(Debug, Clone, Deserialize)]
pub struct Again {
    /// The earlier step.
    pub step: String,
    /// What is permitted.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// Calls a route other than the event endpoint.
#[derive(Debug, Clone, Deserialize)]
pub struct Call {
    /// `GET` or `POST`.
    pub method: Method,
    /// What follows the profile's path of the interactions routes; placeholders are expanded.
    pub path: String,
    /// The JSON body, a template.
    pub body: Option<Value>,
    /// The token that the request carries.
    #[serde(default)]
    pub auth: Auth,
    /// What is permitted.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// The methods that consumers' routes use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads.
    Get,
    /// Writes.
    Post,
}

/// One fault at a time.
#[derive(Debug, Clone, Deserialize)]
pub struct Refuse {
    /// The event that is valid without a fault.
    #[serde(flatten)]
    pub message: Message,
    /// What is made wrong, one by one.
    pub faults: Vec<Fault>,
    /// What is permitted for each fault; `rejected` by default.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// One thing that is wrong, or different.
#[derive(Debug, Clone, Deserialize)]
pub struct Fault {
    /// For people.
    pub name: String,
    /// How the event changes.
    #[serde(flatten)]
    pub change: Change,
}

/// Variants that are all accepted.
#[derive(Debug, Clone, Deserialize)]
pub struct Accept {
    /// The event.
    #[serde(flatten)]
    pub message: Message,
    /// An event that is posted before each variant under the same key, known as `q`: the question for an answer.
    pub after: Option<Box<Message>>,
    /// What is different, one by one.
    pub variants: Vec<Fault>,
    /// What is permitted for each; success by default.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// Bounds of members, from which variants and faults are generated.
#[derive(Debug, Clone, Deserialize)]
pub struct Bounds {
    /// The event.
    #[serde(flatten)]
    pub message: Message,
    /// An event that is posted before each variant under the same key, known as `q`: the question for an answer.
    pub after: Option<Box<Message>>,
    /// The bounded members.
    pub members: Vec<Bound>,
    /// The characters that members are filled with, one character a run; `x` by default.
    #[serde(default = "ascii")]
    pub fill: Vec<String>,
    /// What else the step names; `expect` has no meaning here.
    #[serde(flatten)]
    pub expectation: Expectation,
}

fn ascii() -> Vec<String> {
    vec!["x".to_owned()]
}

/// One bounded string member.
#[derive(Debug, Clone, Deserialize)]
pub struct Bound {
    /// Its JSON pointer.
    pub at: String,
    /// The least number of code points: 0, or 1 where an empty string is refused.
    #[serde(default)]
    pub min: usize,
    /// The greatest number of code points.
    pub max: usize,
    /// Whether values of the other JSON types are refused, too; null is left out (reading 15).
    #[serde(default)]
    pub types: bool,
}

/// Several events at the same time.
#[derive(Debug, Clone, Deserialize)]
pub struct Race {
    /// What is sent; `${i}` counts from 0.
    #[serde(flatten)]
    pub message: Message,
    /// How many.
    pub times: usize,
    /// Whether all send the very same bytes.
    #[serde(default)]
    pub identical: bool,
    /// How many of them succeed.
    pub winners: usize,
    /// When the consumer is killed in it, to be started again; then all send once more.
    pub crash: Option<Crash>,
    /// What is permitted for the others; `as` names the first winner.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// A moment in a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crash {
    /// Any, within the time that an answer takes.
    Midway,
    /// As soon as the first of them is told of its success.
    Acknowledged,
}

/// One event several times, each under a key of its own.
#[derive(Debug, Clone, Deserialize)]
pub struct Sample {
    /// The event.
    #[serde(flatten)]
    pub message: Message,
    /// How many.
    pub times: usize,
    /// The member of the replies that must not be guessable.
    pub member: String,
    /// What else the step names.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// Different calls about one question at the same time: answers, and at most one of what changes or ends it.
#[derive(Debug, Clone, Deserialize)]
pub struct Meet {
    /// Events.
    #[serde(default)]
    pub posts: Vec<Message>,
    /// Answers through the interactions route.
    #[serde(default)]
    pub responds: Vec<Respond>,
    /// A cancellation: what follows the profile's path of the interactions routes.
    pub cancel: Option<String>,
    /// Where the question is shown afterwards: what follows that path.
    pub look: Option<String>,
    /// What else the step names; outcomes follow from the order.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// An answer through the interactions route.
#[derive(Debug, Clone, Deserialize)]
pub struct Respond {
    /// What follows the profile's path of the interactions routes.
    pub path: String,
    /// The JSON body, a template.
    pub body: Value,
}

/// A call that the consumer may answer late.
#[derive(Debug, Clone, Deserialize)]
pub struct Hold {
    /// The name under which later steps know it.
    #[serde(rename = "as")]
    pub name: String,
    /// What follows the profile's path of the interactions routes.
    pub path: String,
    /// Seconds after which the consumer replies in any case: such a reply came because this machine was too slow, and
    /// the scenario is played again.
    pub timeout: Option<f64>,
}

/// A held call that is not answered yet.
#[derive(Debug, Clone, Deserialize)]
pub struct StillHeld {
    /// The held call.
    pub of: String,
    /// Seconds in which no reply comes.
    #[serde(rename = "for")]
    pub seconds: f64,
    /// The step whose question's deadline must be at least a second ahead meanwhile.
    pub before: Option<String>,
}

/// A held call that is answered now.
#[derive(Debug, Clone, Deserialize)]
pub struct Release {
    /// The held call.
    pub of: String,
    /// Seconds within which the reply comes.
    pub within: f64,
    /// What is permitted.
    #[serde(flatten)]
    pub expectation: Expectation,
}

/// A crash and a new start.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Restart {}

/// A moment: `plus` seconds after the deadline of the question that a step asked.
#[derive(Debug, Clone, Deserialize)]
pub struct Wait {
    /// The step whose event holds the deadline.
    pub deadline_of: String,
    /// Seconds after it; negative before it.
    pub plus: f64,
}
