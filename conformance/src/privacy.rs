//! What the consumer's log must not hold (claim `private-logs`): every secret that the run has met, and the canaries that
//! its events carried.

use crate::secret::Redactor;
use crate::verdict::{Check, Evidence, Verdict};
use aho_corasick::AhoCorasick;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is there and can be read.
    pub fn readable(&self) -> io::Result<()> {
        File::open(&self.path).map(drop)
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

/// No nonce, nothing of a request or answer, no token.
const REQUIREMENTS: [&str; 3] = ["PRV-01", "PRV-02", "PRV-03"];

/// A shorter secret stands in many a text that tells nothing of it.
const SEARCHABLE: usize = 8;

/// Searches the log for all that it must not hold.
pub fn search(log: &Log, run: &str, redactor: &Redactor) -> Vec<Check> {
    let written = match log.written() {
        Ok(written) if written.is_empty() => Err("nothing was written to the log during the run".to_owned()),
        Ok(written) => Ok(written),
        Err(error) => Err(format!("the log cannot be read: {error}")),
    };
    let written = match written {
        Ok(written) => written,
        Err(why) => return REQUIREMENTS.map(|id| check(id, Verdict::Inconclusive, why.clone())).into(),
    };
    let secrets = Secrets::new(redactor.known());
    let private = canary(&written, run).map_or_else(|| secrets.find(&written, "<digest>"), |got| Ok(Some(got)));
    let found = [secrets.find(&written, "<nonce>"), private, secrets.find(&written, "$ARC_TOKEN")];
    let judged = REQUIREMENTS.iter().zip(found).map(|(id, found)| match found {
        Err(why) => check(id, Verdict::Inconclusive, why),
        Ok(None) => check(id, Verdict::Pass, String::new()),
        Ok(Some(got)) => check(id, Verdict::Fail, got),
    });
    judged.collect()
}

/// What is searched for: each secret as it is and inside of Base64, with the word that stands for it.
struct Secrets(Vec<(String, &'static str)>);

impl Secrets {
    fn new(known: Vec<(String, &'static str)>) -> Self {
        let long = known.into_iter().filter(|(secret, _)| secret.len() >= SEARCHABLE);
        Self(long.flat_map(|(secret, word)| spellings(&secret).into_iter().map(move |s| (s, word))).collect())
    }

    fn find(&self, log: &[u8], word: &str) -> Result<Option<String>, String> {
        let of_it: Vec<&String> = self.0.iter().filter(|(_, its)| *its == word).map(|(secret, _)| secret).collect();
        if of_it.is_empty() {
            return Err(format!(
                "no {word} of at least {SEARCHABLE} characters was met, and a shorter one means nothing"
            ));
        }
        let found = AhoCorasick::new(of_it).map_err(|e| format!("the log cannot be searched: {e}"))?.is_match(log);
        Ok(found.then(|| format!("the log holds a {word}")))
    }
}

/// The secret, and what is always the same of it in Base64, wherever it begins among the bytes that are encoded.
fn spellings(secret: &str) -> BTreeSet<String> {
    let mut spellings = BTreeSet::from([secret.to_owned()]);
    for (before, shared) in [("", 0), ("-", 2), ("--", 3)] {
        let text = format!("{before}{secret}");
        let partial = usize::from(text.len() % 3 > 0);
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let encoded = engine.encode(&text);
            spellings.insert(encoded[shared..encoded.len() - partial].to_owned());
        }
    }
    spellings
}

fn canary(log: &[u8], run: &str) -> Option<String> {
    let text = String::from_utf8_lossy(log);
    let found = text.split("canary-").skip(1).find_map(|rest| rest.split_once(&format!("-{run}")));
    found.map(|(what, _)| format!("the log holds the canary of a {}", shorten(what)))
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
        verdicts_with("tok-secret", before, during)
    }

    fn verdicts_with(token: &str, before: &str, during: &str) -> Vec<Verdict> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), before).unwrap();
        let log = Log::open(file.path().to_owned());
        std::fs::write(file.path(), format!("{before}{during}")).unwrap();
        let redactor = Redactor::new(&Token::new(token));
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

    #[test]
    fn a_secret_is_found_in_base64_wherever_it_begins() {
        for before in ["", "a", "ab", "abc"] {
            for after in ["", "z", "yz", "xyz"] {
                let encoded = STANDARD_NO_PAD.encode(format!("{before}tok-secret{after}"));
                assert_eq!(verdicts("", &encoded)[2], Verdict::Fail, "{before:?} {after:?}");
                let other = STANDARD_NO_PAD.encode(format!("{before}tok-sacred{after}"));
                assert_eq!(verdicts("", &other)[2], Verdict::Pass, "{before:?} {after:?}");
            }
        }
    }

    #[test]
    fn a_short_token_is_not_looked_for() {
        assert_eq!(verdicts_with("tok", "", "took a token")[2], Verdict::Inconclusive);
    }
}
