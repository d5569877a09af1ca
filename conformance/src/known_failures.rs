//! Known failures: requirements whose violation is known, with a reason and a date until when it is put up with.
//!
//! The claim does not hold for all that. A listed requirement that does not fail any more is stale, an entry whose date
//! has passed is expired; both are red, so that the list cannot rot.

use crate::requirement::{self, Level};
use crate::schema;
use crate::verdict::{Judgement, Verdict};
use serde::{Deserialize, Serialize};

const SCHEMA: &str = include_str!("../../schemas/known-failures.schema.json");

/// The list.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct KnownFailures {
    known_failures: Vec<Entry>,
}

/// A violation that is put up with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The requirement's id.
    pub requirement: String,
    /// Why, for people.
    pub reason: String,
    /// The last day, `YYYY-MM-DD` in UTC.
    pub expires: String,
}

/// What a list comes to, given a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Known {
    /// Entries whose requirement fails, as they say.
    pub failing: Vec<Entry>,
    /// What is red: failures that are not listed, and entries that are stale or expired.
    pub problems: Vec<String>,
}

impl Known {
    /// The entry of a requirement that fails as it says.
    pub fn entry(&self, requirement: &str) -> Option<&Entry> {
        self.failing.iter().find(|entry| entry.requirement == requirement)
    }
}

impl KnownFailures {
    /// Reads a file's text. The error says what is wrong and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
        schema::check(SCHEMA, &value)?;
        let list: Self = serde_json::from_value(value).map_err(|e| e.to_string())?;
        for (at, entry) in list.known_failures.iter().enumerate() {
            let id = &entry.requirement;
            if requirement::find(id).is_none() {
                let known = requirement::all().iter().map(|known| known.id.as_str());
                let meant = arc_validator::most_alike(id, known);
                let meant = meant.map(|meant| format!(", did you mean {meant}?")).unwrap_or_default();
                return Err(format!("{id} is no requirement{meant}"));
            }
            if list.known_failures[..at].iter().any(|before| before.requirement == *id) {
                return Err(format!("{id} is listed twice; one entry says until when it is put up with"));
            }
            if entry.expires.parse::<jiff::civil::Date>().is_err() {
                return Err(format!("{id} expires on {:?}, which is no day; write it as 2026-12-31", entry.expires));
            }
        }
        Ok(list)
    }

    /// Holds the list against a run. `today` is `YYYY-MM-DD` in UTC.
    pub fn settle<'j>(&self, judgements: impl Iterator<Item = &'j Judgement>, today: &str) -> Known {
        let judgements: Vec<&Judgement> = judgements.collect();
        let failed: Vec<&str> =
            judgements.iter().filter(|j| j.verdict == Verdict::Fail).map(|j| j.requirement.id.as_str()).collect();
        let is_listed = |id: &str| self.known_failures.iter().any(|entry| entry.requirement == id);
        let musts = judgements.iter().filter(|j| j.requirement.level == Level::Must && j.verdict == Verdict::Fail);
        let unknown = musts.filter(|j| !is_listed(&j.requirement.id));
        let mut problems: Vec<String> =
            unknown.map(|j| format!("{} fails and is not listed", j.requirement.id)).collect();
        let mut failing = Vec::new();
        for entry in &self.known_failures {
            let Entry { requirement, reason, expires } = entry;
            if expires.as_str() < today {
                problems.push(format!("the entry for {requirement} ({reason}) expired on {expires}"));
            } else if !failed.contains(&requirement.as_str()) {
                problems.push(format!("the entry for {requirement} ({reason}) is stale: it does not fail"));
            } else {
                failing.push(entry.clone());
            }
        }
        Known { failing, problems }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Check, sum};

    fn problems(failing: &[&str], listed: &[(&str, &str)]) -> Vec<String> {
        let fail = |id: &&str| Check { requirement: (*id).to_owned(), verdict: Verdict::Fail, evidence: None };
        let judgements = sum(&failing.iter().map(fail).collect::<Vec<_>>());
        let entry = |(id, expires): &(&str, &str)| serde_json::json!({ "requirement": id, "reason": "ticket 7", "expires": expires });
        let list = serde_json::json!({ "known_failures": listed.iter().map(entry).collect::<Vec<_>>() });
        KnownFailures::parse(&list.to_string()).unwrap().settle(judgements.iter(), "2026-08-26").problems
    }

    #[test]
    fn only_known_failures_are_put_up_with() {
        assert!(problems(&["ANS-06"], &[("ANS-06", "2026-08-26")]).is_empty());
        assert!(problems(&["NON-02"], &[]).is_empty());
        assert_eq!(problems(&["ANS-06", "ANS-07"], &[("ANS-06", "2027-01-01")]), ["ANS-07 fails and is not listed"]);
        assert!(problems(&["ANS-06"], &[("ANS-06", "2026-08-25")])[0].contains("expired"));
        assert!(problems(&[], &[("ANS-06", "2027-01-01")])[0].contains("stale"));
    }

    #[test]
    fn a_broken_list_says_where() {
        assert!(KnownFailures::parse("{}").is_err());
        let list = r#"{"known_failures":[{"requirement":"ANS-99","reason":"r","expires":"2027-01-01"}]}"#;
        assert!(KnownFailures::parse(list).unwrap_err().contains("ANS-99"));
        let list = |entries: &str| KnownFailures::parse(&format!(r#"{{"known_failures":[{entries}]}}"#)).unwrap_err();
        let entry = |expires: &str| format!(r#"{{"requirement":"ANS-06","reason":"r","expires":"{expires}"}}"#);
        assert!(list(&entry("2099-02-31")).contains("no day"));
        assert!(list(&format!("{},{}", entry("2027-01-01"), entry("2028-01-01"))).contains("listed twice"));
    }
}
