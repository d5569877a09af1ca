//! `JUnit` XML: one suite for each family, one case for each requirement.

use crate::known_failures::Entry;
use crate::requirement::Level;
use crate::run_event::{Reporter, RunEvent, Summary};
use crate::verdict::{Evidence, Judgement, Verdict};
use std::io::{self, Write};

/// Writes the XML at the end of a run.
#[derive(Debug)]
pub struct Junit<W> {
    out: W,
}

impl<W: Write> Junit<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }

    fn document(&mut self, summary: &Summary) -> io::Result<()> {
        let asked: Vec<&Judgement> = summary.asked().collect();
        let mut families: Vec<&str> = asked.iter().map(|j| j.requirement.family()).collect();
        families.dedup();
        let (mut tests, mut failures, errors, skipped) = counts(summary, &asked);
        let problems = summary.known.as_ref().map_or(&[][..], |known| &known.problems);
        tests += problems.len();
        failures += problems.len();
        writeln!(self.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(
            self.out,
            "<testsuites name=\"arc-conform\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
             skipped=\"{skipped}\" time=\"{:.3}\">",
            summary.took.as_secs_f64()
        )?;
        for family in families {
            let of: Vec<&Judgement> = asked.iter().copied().filter(|j| j.requirement.family() == family).collect();
            self.suite(summary, family, &of)?;
        }
        self.problems(problems)?;
        writeln!(self.out, "</testsuites>")?;
        self.out.flush()
    }

    /// What the list of known failures does not cover, or no longer should.
    fn problems(&mut self, problems: &[String]) -> io::Result<()> {
        if problems.is_empty() {
            return Ok(());
        }
        let count = problems.len();
        writeln!(
            self.out,
            "  <testsuite name=\"known failures\" tests=\"{count}\" failures=\"{count}\" errors=\"0\" skipped=\"0\">"
        )?;
        for problem in problems {
            let problem = escape(problem);
            writeln!(
                self.out,
                "    <testcase classname=\"arc.known-failures\" name=\"{problem}\"><failure message=\"{problem}\"/></testcase>"
            )?;
        }
        writeln!(self.out, "  </testsuite>")
    }

    fn suite(&mut self, summary: &Summary, family: &str, judgements: &[&Judgement]) -> io::Result<()> {
        let (tests, failures, errors, skipped) = counts(summary, judgements);
        writeln!(
            self.out,
            "  <testsuite name=\"{family}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">"
        )?;
        for judgement in judgements {
            self.case(summary, judgement)?;
        }
        writeln!(self.out, "  </testsuite>")
    }

    fn case(&mut self, summary: &Summary, judgement: &Judgement) -> io::Result<()> {
        let requirement = judgement.requirement;
        let name = escape(&format!("{} {}", requirement.id, requirement.statement));
        write!(self.out, "    <testcase classname=\"arc.{}\" name=\"{name}\">", requirement.claim)?;
        let text = escape(&evidence(judgement));
        match kind(summary, judgement) {
            Kind::Passed => {}
            Kind::Failure => write!(self.out, "<failure message=\"{name}\">{text}</failure>")?,
            Kind::Error => write!(self.out, "<error message=\"{}\">{text}</error>", judgement.verdict.as_str())?,
            Kind::Skipped => write!(self.out, "<skipped message=\"{}\"/>", judgement.verdict.as_str())?,
            Kind::Known(entry) => {
                let why = escape(&format!("known failure until {}: {}", entry.expires, entry.reason));
                write!(self.out, "<skipped message=\"{why}\"/><system-out>{text}</system-out>")?;
            }
            Kind::Note => write!(self.out, "<system-out>SHOULD, not met: {text}</system-out>")?,
        }
        writeln!(self.out, "</testcase>")
    }
}

enum Kind<'s> {
    Passed,
    Failure,
    Error,
    Skipped,
    /// A MUST that failed and is listed: what the list does not cover is a case of its own.
    Known(&'s Entry),
    /// A SHOULD that failed: reported, and no failure.
    Note,
}

fn kind<'s>(summary: &'s Summary, judgement: &Judgement) -> Kind<'s> {
    match (judgement.verdict, judgement.requirement.level) {
        (Verdict::Pass, _) => Kind::Passed,
        (Verdict::Fail, Level::Must) => summary.known_entry(judgement).map_or(Kind::Failure, Kind::Known),
        (Verdict::Fail, Level::Should) => Kind::Note,
        (Verdict::NotApplicable | Verdict::Disabled, _) | (Verdict::NotJudged, Level::Should) => Kind::Skipped,
        // Without a verdict the claim does not hold: that must not look like success.
        (Verdict::NotJudged | Verdict::Inconclusive | Verdict::KitError, _) => Kind::Error,
    }
}

fn counts(summary: &Summary, judgements: &[&Judgement]) -> (usize, usize, usize, usize) {
    let count = |test: fn(&Kind<'_>) -> bool| judgements.iter().filter(|j| test(&kind(summary, j))).count();
    (
        judgements.len(),
        count(|kind| matches!(kind, Kind::Failure)),
        count(|kind| matches!(kind, Kind::Error)),
        count(|kind| matches!(kind, Kind::Skipped | Kind::Known(_))),
    )
}

fn evidence(judgement: &Judgement) -> String {
    let piece = |evidence: &Evidence| {
        let lines = evidence.lines().map(|(label, text)| format!("{label:<9} {text}"));
        std::iter::once(evidence.place()).chain(lines).collect::<Vec<_>>().join("\n")
    };
    judgement.evidence.iter().map(piece).collect::<Vec<_>>().join("\n\n")
}

/// XML 1.0 text: markup escaped, characters that XML cannot hold made visible.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

impl<W: Write> Reporter for Junit<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Ended(summary) => self.document(summary),
            RunEvent::Smoked(smoke) if smoke.trouble.is_some() => {
                let text = escape(&smoke.line);
                write!(
                    self.out,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"arc-conform\" tests=\"1\" failures=\"0\" \
                     errors=\"1\" skipped=\"0\">\n  <testsuite name=\"smoke\" tests=\"1\" failures=\"0\" errors=\"1\" \
                     skipped=\"0\">\n    <testcase classname=\"arc\" name=\"first look\"><error message=\"{text}\"/>\
                     </testcase>\n  </testsuite>\n</testsuites>\n"
                )?;
                self.out.flush()
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_made_visible() {
        assert_eq!(escape("a<b>&\"\u{1b}\0\u{fffe}\n"), "a&lt;b&gt;&amp;&quot;\\u{1b}\\u{0}\u{fffd}\n");
    }
}
