//! One request and what came of it, as it is kept for judgement and for people.

use crate::secret::Redactor;
use arc_validator::output::printable;
use serde_json::Value;
use std::fmt::Write as _;

/// So many characters of a reply are shown.
const SHOWN: usize = 600;

/// So many bytes of a body are looked at to be shown: as many as the contract lets a body have. What stands beyond fills up
/// a body that is too large, and a megabyte of it would keep the whole run waiting.
const READ: usize = 65_536;

/// Which token a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// The user's token.
    #[default]
    Token,
    /// No header at all.
    None,
    /// The scheme and nothing after it.
    Empty,
    /// Another token of the same length.
    Wrong,
    /// The token without its last character.
    Truncated,
    /// The token and one more character.
    Extended,
    /// The token in the query instead of the header.
    Query,
    /// The token under another scheme.
    OtherScheme,
    /// The token with the case of its letters changed.
    OtherCase,
}

/// What is sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The whole URL.
    pub url: String,
    /// The token that it carries.
    pub auth: Auth,
    /// The body's bytes; none for `GET`.
    pub body: Option<Vec<u8>>,
    /// Whether the body is sent in chunks, without a Content-Length.
    pub chunked: bool,
}

/// What came back.
#[derive(Debug, Clone)]
pub enum Reply {
    /// An HTTP response.
    Http {
        /// Its status.
        status: u16,
        /// Its whole body.
        body: Vec<u8>,
    },
    /// The connection was made, and ended without a response.
    Closed(String),
    /// No connection could be made.
    Unreachable(String),
    /// Nothing came within the time limit.
    TimedOut,
    /// 429 until patience ran out.
    RateLimited,
}

impl Reply {
    /// The status, where there is one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Http { status, .. } => Some(*status),
            Self::RateLimited => Some(429),
            _ => None,
        }
    }

    /// Whether it is a response with a status of success.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Http { status: 200..=299, .. })
    }

    /// The body as JSON, where it is JSON.
    pub fn json(&self) -> Option<Value> {
        match self {
            Self::Http { body, .. } => serde_json::from_slice(body).ok(),
            _ => None,
        }
    }

    /// The status with its name, or a few words where there is none.
    pub fn headline(&self) -> String {
        match self {
            Self::Http { status, .. } => {
                let name = reqwest::StatusCode::from_u16(*status).ok().and_then(|status| status.canonical_reason());
                format!("{status} {}", name.unwrap_or_default()).trim_end().to_owned()
            }
            Self::Closed(_) => "connection closed".to_owned(),
            Self::Unreachable(_) => "no connection".to_owned(),
            Self::TimedOut => "no reply in time".to_owned(),
            Self::RateLimited => "429 until patience ran out".to_owned(),
        }
    }

    /// One line for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Http { status, body } => format!("{status} {}", shorten(&String::from_utf8_lossy(body), SHOWN)),
            Self::Closed(why) => format!("the connection was closed without a reply ({why})"),
            Self::Unreachable(why) => format!("no connection ({why})"),
            Self::TimedOut => "no reply within the time limit".to_owned(),
            Self::RateLimited => "429 until patience ran out".to_owned(),
        }
    }
}

/// A request with its reply.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// What was sent.
    pub request: Request,
    /// What came.
    pub reply: Reply,
    /// When the request that got this reply was begun, UTC milliseconds.
    pub began: i64,
    /// When its reply was complete.
    pub ended: i64,
    /// Whether the request was sent a second time because its first connection broke: then `created` may have
    /// turned into `accepted`.
    pub resent: bool,
}

impl Exchange {
    /// The body that was sent, shortened and without secrets.
    pub fn sent(&self, redactor: &Redactor) -> String {
        let body = shown(self.request.body.as_deref().unwrap_or_default(), 900, redactor);
        let text = format!("{} {} {body}", self.request.method, self.request.url);
        redactor.clean(text.trim_end())
    }

    /// What came, without secrets.
    pub fn got(&self, redactor: &Redactor) -> String {
        match &self.reply {
            Reply::Http { status, body } => format!("{status} {}", shown(body, SHOWN, redactor)),
            other => redactor.clean(&other.describe()),
        }
    }

    /// A command that sends the same again. `$ARC_TOKEN` stands for the token, words in angle brackets for secrets
    /// that a new exchange has to issue.
    pub fn curl(&self, redactor: &Redactor) -> String {
        let request = &self.request;
        let mut line = format!("curl -sS -X {} '{}'", request.method, redactor.clean(&request.url));
        match request.auth {
            Auth::None | Auth::Query => {}
            Auth::Token => line.push_str(" -H \"Authorization: Bearer $ARC_TOKEN\""),
            other => {
                let _ = write!(line, " -H 'Authorization: <{other:?} token>'");
            }
        }
        if let Some(body) = &request.body {
            let text = shown(body, 4_000, redactor).replace('\'', r"'\''");
            let _ = write!(line, " -H 'Content-Type: application/json' --data-binary '{text}'");
        }
        line
    }
}

/// A body's beginning without secrets. They go first: one that is cut in two would not be known any more.
fn shown(body: &[u8], limit: usize, redactor: &Redactor) -> String {
    let (read, unread) = body.split_at(body.len().min(READ));
    shortened(&redactor.clean(&String::from_utf8_lossy(read)), limit, String::from_utf8_lossy(unread).chars().count())
}

/// A text cut to `limit` characters, saying how much is missing; characters that nobody sees, or that a terminal or a
/// browser would act on, are made visible.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    shortened(text, limit, 0)
}

/// The same of a text that goes on for so many characters.
fn shortened(text: &str, limit: usize, further: usize) -> String {
    let total = text.chars().count() + further;
    let mut short = String::new();
    for character in text.chars().take(limit) {
        if character.is_control() {
            short.extend(character.escape_default());
        } else {
            short.push(character);
        }
    }
    let mut short = printable(&short);
    if total > limit {
        let _ = write!(short, "… ({} characters more)", total - limit);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Token;

    #[test]
    fn what_would_turn_a_line_round_is_made_visible() {
        assert_eq!(shorten("a\u{202e}b\u{feff}\n\u{1b}", 9), r"a\u{202e}b\u{feff}\n\u{1b}");
        assert_eq!(shorten("abcdef", 2), "ab… (4 characters more)");
    }

    #[test]
    fn of_a_body_that_is_too_large_no_more_is_read_than_the_contract_permits() {
        let redactor = Redactor::new(&Token::new("canary-token"));
        let body = [b"canary-token".as_slice(), &vec![b' '; READ]].concat();
        let text = shown(&body, 10, &redactor);
        assert_eq!(text, format!("$ARC_TOKEN… ({READ} characters more)"));
    }

    #[test]
    fn a_secret_at_the_end_of_what_is_shown_is_not_cut_in_two() {
        let redactor = Redactor::new(&Token::new("canary-token"));
        let request = Request { method: "GET", url: String::new(), auth: Auth::Token, body: None, chunked: false };
        let body = format!("{}canary-token", "x".repeat(SHOWN - 6)).into_bytes();
        let exchange =
            Exchange { request, reply: Reply::Http { status: 200, body }, began: 0, ended: 0, resent: false };
        assert!(!exchange.got(&redactor).contains("canary"), "{}", exchange.got(&redactor));
    }

    #[test]
    fn nothing_secret_and_nothing_raw_is_shown() {
        let redactor = Redactor::new(&Token::new("canary-token"));
        let request = Request {
            method: "POST",
            url: "http://127.0.0.1:1/v1/events?token=canary-token".to_owned(),
            auth: Auth::Token,
            body: Some(b"it's \x1b[31m canary-token".to_vec()),
            chunked: false,
        };
        let reply = Reply::Http { status: 200, body: b"canary-token\n".to_vec() };
        let exchange = Exchange { request, reply, began: 0, ended: 0, resent: false };
        let shown = format!("{}\n{}\n{}", exchange.sent(&redactor), exchange.got(&redactor), exchange.curl(&redactor));
        assert!(!shown.contains("canary") && !shown.contains('\x1b'), "{shown}");
        assert!(shown.contains(r"it'\''s"), "{shown}");
    }
}
