//! What the consumer's log must not hold (claim `private-logs`): every secret that the run has met, and the canaries that
//! its events carried.

use crate::secret::Redactor;
use crate::verdict::{Check, Evidence, Verdict};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

/// A log file, and how long it was when the run began.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    from: u64,
}

impl Log {
    /// Notes where the log ends now. A file that does not exist yet begins empty.
    pub fn open(path: PathBuf) -> Self {
        let from = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        Self { path, from }
    }

    /// What was written since.
    fn written(&self) -> io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        let is_shorter = file.metadata()?.len() < self.from;
        file.seek(SeekFrom::Start(if is_shorter { 0 } else { self.from }))?;
        let mut written = Vec::new();
        file.read_to_end(&mut written)?;
        Ok(written)
    }
}

/// Searches the log for all that it must not hold.
pub fn search(log: &Log, run: &str, redactor: &Redactor) -> Vec<Check> {
    let written = match log.written() {
        Ok(written) if written.is_empty() => Err("nothing was written to the log during the run".to_owned()),
        Ok(written) => Ok(String::from_utf8_lossy(&written).into_owned()),
        Err(error) => Err(format!("the log cannot be read: {error}")),
    };
    let secrets = redactor.known();
    let holds = |text: &str, words: &[&str]| {
        let found = secrets.iter().find(|(secret, word)| words.contains(word) && text.contains(secret.as_str()));
        found.map(|(_, word)| format!("the log holds a {word}"))
    };
    let canary = |text: &str| {
        let found = text.split("canary-").skip(1).find_map(|rest| rest.split_once(&format!("-{run}")));
        found.map(|(what, _)| format!("the log holds the canary of a {}", shorten(what)))
    };
    let judge = |requirement: &str, find: &dyn Fn(&str) -> Option<String>| match &written {
        Err(why) => check(requirement, Verdict::Inconclusive, why.clone()),
        Ok(text) => find(text).map_or_else(
            || check(requirement, Verdict::Pass, String::new()),
            |got| check(requirement, Verdict::Fail, got),
        ),
    };
    vec![
        judge("PRV-01", &|text| holds(text, &["<nonce>"])),
        judge("PRV-02", &|text| canary(text).or_else(|| holds(text, &["<digest>"]))),
        judge("PRV-03", &|text| holds(text, &["$ARC_TOKEN"])),
    ]
}

/// A canary's name is a short word of the kit's own.
fn shorten(what: &str) -> String {
    what.chars().filter(char::is_ascii_alphanumeric).take(16).collect()
}

fn check(requirement: &str, verdict: Verdict, got: String) -> Check {
    let permitted = "nothing of it in the log".to_owned();
    let evidence = Evidence { scenario: "consumer-log".to_owned(), permitted, got, ..Evidence::default() };
    Check { requirement: requirement.to_owned(), verdict, evidence: (verdict != Verdict::Pass).then_some(evidence) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Token;

    fn verdicts(before: &str, during: &str) -> Vec<Verdict> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), before).unwrap();
        let log = Log::open(file.path().to_owned());
        std::fs::write(file.path(), format!("{before}{during}")).unwrap();
        let redactor = Redactor::new(&Token::new("tok-secret"));
        redactor.learn("nonce-secret", "<nonce>");
        redactor.learn("digest-secret", "<digest>");
        search(&log, "run1", &redactor).into_iter().map(|check| check.verdict).collect()
    }

    #[test]
    fn each_secret_is_found() {
        use Verdict::{Fail, Inconclusive, Pass};
        assert_eq!(verdicts("", "an id, a kind\n"), [Pass, Pass, Pass]);
        assert_eq!(verdicts("", "nonce-secret"), [Fail, Pass, Pass]);
        assert_eq!(verdicts("", "digest-secret"), [Pass, Fail, Pass]);
        assert_eq!(verdicts("", "asked canary-message-run1 now"), [Pass, Fail, Pass]);
        assert_eq!(verdicts("", "canary-message-run2"), [Pass, Pass, Pass]);
        assert_eq!(verdicts("", "Bearer tok-secret"), [Pass, Pass, Fail]);
        assert_eq!(verdicts("nonce-secret tok-secret", "ok"), [Pass, Pass, Pass]);
        assert_eq!(verdicts("before", ""), [Inconclusive, Inconclusive, Inconclusive]);
    }
}
