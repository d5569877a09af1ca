//! The consumer's log: types and statuses, and what a faulty consumer writes beside.

use super::Fault;
use super::reply::Reply;
use super::server::Consumer;
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write as _;

impl Consumer {
    /// Writes one line about an event.
    pub(super) fn log(&self, body: &[u8], reply: &Reply) {
        let Some(path) = &self.log else { return };
        let event: Value = serde_json::from_slice(body).unwrap_or_default();
        let line = format!("{} {}{}\n", event["event_type"], reply.status(), self.leak(&event, reply));
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.and_then(|mut file| file.write_all(line.as_bytes())).expect("the log can be written");
    }

    fn leak(&self, event: &Value, reply: &Reply) -> String {
        let shown = &reply.body()["interaction"];
        let (request, answer) = (&event["request"], &event["response"]);
        let leaks = [
            (Fault::LogsNonce, &shown["nonce"]),
            (Fault::LogsNonceOfAnswers, &answer["nonce"]),
            (Fault::LogsPrompt, &request["message"]),
            (Fault::LogsChoices, &request["response"]["choices"]),
            (Fault::LogsAnswer, &answer["text"]),
            (Fault::LogsDigest, &shown["request_digest"]),
        ];
        let leaked = leaks.into_iter().find(|(fault, _)| self.behaviour.has(*fault));
        match leaked {
            Some((_, value)) => format!(" {value}"),
            None if self.behaviour.has(Fault::LogsToken) => format!(" Bearer {}", self.token),
            None if self.behaviour.has(Fault::LogsRefused) && reply.status() >= 400 => format!(" {event}"),
            None => String::new(),
        }
    }
}
