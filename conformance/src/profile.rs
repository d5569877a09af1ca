//! A binding profile: how one family of HTTP consumers speaks, as data.
//!
//! It maps outcomes to statuses and says where a reply shows what a scenario looks at. AgentNotify's is built in.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const AGENTNOTIFY: &str = include_str!("../profiles/agentnotify.json");
const SCHEMA: &str = include_str!("../../schemas/profile.schema.json");

/// What a consumer may do with a request. The first five are the contract's; the last two belong to HTTP bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A new condition was opened.
    Created,
    /// The event was applied, or replayed.
    Accepted,
    /// No such condition.
    NotFound,
    /// The condition is already answered.
    Conflict,
    /// Refused, for any other reason.
    Rejected,
    /// The body is over the limit.
    TooLarge,
    /// The token is missing or wrong.
    Unauthorized,
}

impl Outcome {
    /// The word that scenarios and profiles use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Accepted => "accepted",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::Rejected => "rejected",
            Self::TooLarge => "too_large",
            Self::Unauthorized => "unauthorized",
        }
    }
}

/// How a status is read where only the outcome is prescribed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The event took effect, or is a replay of one that did.
    Success,
    /// No such condition.
    NotFound,
    /// Already answered.
    Conflict,
    /// Refused by a client error that says neither of the two above.
    Refused,
    /// 401 or 403.
    Unauthorized,
    /// Anything else: redirections and server errors.
    Unexpected,
}

/// The statuses of one outcome, and the requirement that prescribes them.
#[derive(Debug, Clone, Deserialize)]
pub struct Binding {
    /// The statuses permitted.
    pub statuses: Vec<u16>,
    /// The requirement that an exact check proves; absent where the binding makes no claim.
    pub requirement: Option<String>,
}

/// The header that carries the token.
#[derive(Debug, Clone, Deserialize)]
pub struct Authorization {
    /// Its name.
    pub header: String,
    /// What stands before the token.
    pub prefix: String,
}

/// One consumer's dialect.
#[derive(Debug, Clone, Deserialize)]
pub struct Profile {
    /// For people.
    pub name: String,
    /// The claim that exact statuses and bodies prove, if there is one.
    pub claim: Option<String>,
    /// Path of the event endpoint.
    pub events: String,
    /// Path of the interactions routes.
    pub interactions: Option<String>,
    /// How the token is sent.
    pub authorization: Authorization,
    /// Outcome to wire.
    pub outcomes: BTreeMap<Outcome, Binding>,
    /// Member name to JSON pointer into a reply.
    pub members: BTreeMap<String, String>,
    /// Optional features that the consumer claims to have.
    #[serde(default)]
    pub declares: Vec<String>,
}

impl Profile {
    /// The AgentNotify HTTP binding.
    ///
    /// # Panics
    /// Never: a test parses the embedded file.
    pub fn agentnotify() -> Self {
        Self::parse(AGENTNOTIFY).expect("a test parses the embedded profile")
    }

    /// Reads a profile file's text. The error says what is wrong and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
        crate::schema::check(SCHEMA, &value)?;
        serde_json::from_value(value).map_err(|e| e.to_string())
    }

    /// How a status is read where only the outcome is prescribed: the profile's own words first, then HTTP's.
    pub fn class(&self, status: u16) -> Class {
        let named = self.outcomes.iter().find(|(_, binding)| binding.statuses.contains(&status));
        match (named.map(|(outcome, _)| *outcome), status) {
            (Some(Outcome::Created | Outcome::Accepted), _) | (None, 200..=299) => Class::Success,
            (Some(Outcome::NotFound), _) | (None, 404) => Class::NotFound,
            (Some(Outcome::Conflict), _) | (None, 409) => Class::Conflict,
            (Some(Outcome::Unauthorized), _) | (None, 401 | 403) => Class::Unauthorized,
            (Some(Outcome::Rejected | Outcome::TooLarge), _) | (None, 400..=499) => Class::Refused,
            _ => Class::Unexpected,
        }
    }

    /// The statuses that the binding prescribes for any of these outcomes.
    pub fn statuses(&self, outcomes: &[Outcome]) -> Vec<u16> {
        outcomes.iter().filter_map(|o| self.outcomes.get(o)).flat_map(|b| b.statuses.iter().copied()).collect()
    }

    /// A reply as the profile's pointers read it. The interactions routes return what events return as `interaction`.
    pub fn view(&self, url: &str, reply: Value) -> Value {
        if self.is_route(url) && reply.get("interaction").is_none() {
            serde_json::json!({ "interaction": reply })
        } else {
            reply
        }
    }

    /// Whether a URL is one of the interactions routes.
    pub fn is_route(&self, url: &str) -> bool {
        self.interactions.as_ref().is_some_and(|routes| url.contains(routes.as_str()))
    }

    /// What a reply shows under a member's name, or under a JSON pointer. `None` where it is absent or null.
    pub fn member<'v>(&self, name: &str, reply: &'v Value) -> Option<&'v Value> {
        let pointer = if name.is_empty() || name.starts_with('/') { name } else { self.members.get(name)? };
        reply.pointer(pointer).filter(|value| !value.is_null())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_one_reading() {
        let profile = Profile::agentnotify();
        for (status, class) in [
            (200, Class::Success),
            (201, Class::Success),
            (204, Class::Success),
            (302, Class::Unexpected),
            (400, Class::Refused),
            (401, Class::Unauthorized),
            (403, Class::Unauthorized),
            (404, Class::NotFound),
            (409, Class::Conflict),
            (410, Class::Refused),
            (413, Class::Refused),
            (422, Class::Refused),
            (500, Class::Unexpected),
        ] {
            assert_eq!(profile.class(status), class, "{status}");
        }
    }

    #[test]
    fn a_broken_profile_says_where() {
        assert!(Profile::parse("{").unwrap_err().contains("not JSON"));
        assert!(Profile::parse(&AGENTNOTIFY.replace("statuses", "stati")).unwrap_err().contains("/outcomes/"));
    }
}
