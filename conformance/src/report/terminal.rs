//! The terminal report: the first look, each failure with its reason, a table by family, the claims.

use crate::claim::Standing;
use crate::known_failures::Entry;
use crate::requirement::Level;
use crate::run_event::{Reporter, RunEvent, Summary};
use crate::verdict::{Evidence, Judgement, Verdict};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// At most so many pieces of evidence are shown for one requirement.
const SHOWN: usize = 3;

const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// Writes for people. Colours are taken out by the stream where nobody wants them.
#[derive(Debug)]
pub struct Terminal<W> {
    out: W,
}

impl<W: Write> Terminal<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }

    /// The stream that was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn ended(&mut self, summary: &Summary) -> io::Result<()> {
        let (left, begun): (Vec<&Judgement>, Vec<&Judgement>) = summary.judgements.iter().partition(|j| was_left(j));
        for judgement in begun {
            self.judgement(judgement, summary.known_entry(judgement))?;
        }
        self.left(&left)?;
        self.table(summary)?;
        let limited =
            if summary.rate_limited > 0 { format!(", {} of them 429", summary.rate_limited) } else { String::new() };
        writeln!(self.out, "\n{} requests{limited} in {:.1} s", summary.requests, summary.took.as_secs_f64())?;
        for claim in &summary.claims {
            let style = match claim.standing {
                Standing::Holds => GREEN,
                Standing::Broken => RED,
                Standing::Open => YELLOW,
            };
            writeln!(self.out, "{style}{}{style:#}", claim.line)?;
            if !claim.notes.is_empty() {
                writeln!(self.out, "  Notes (SHOULD requirements that are not met): {}.", claim.notes.join(", "))?;
            }
        }
        for problem in summary.known.iter().flat_map(|known| &known.problems) {
            writeln!(self.out, "{RED}Known failures:{RED:#} {problem}")?;
        }
        self.out.flush()
    }

    /// One requirement, unless it passed or nothing is to be said.
    fn judgement(&mut self, judgement: &Judgement, known: Option<&Entry>) -> io::Result<()> {
        let requirement = judgement.requirement;
        let (word, style) = match (judgement.verdict, requirement.level) {
            (Verdict::Fail, Level::Must) => ("FAIL", RED),
            (Verdict::Fail, Level::Should) => ("NOTE", YELLOW),
            (Verdict::Inconclusive, _) => ("OPEN", YELLOW),
            (Verdict::KitError, _) => ("KIT ERROR", RED),
            _ => return Ok(()),
        };
        writeln!(
            self.out,
            "\n{style}{word} {}{style:#} ({}, {}; claim {})",
            requirement.id,
            requirement.level.as_str(),
            requirement.section,
            requirement.claim
        )?;
        writeln!(self.out, "  {}", requirement.statement)?;
        if let Some(Entry { reason, expires, .. }) = known {
            writeln!(self.out, "  Known until {expires}: {reason}")?;
        }
        for evidence in judgement.evidence.iter().take(SHOWN) {
            self.evidence(evidence)?;
        }
        let more = judgement.evidence.len().saturating_sub(SHOWN);
        if more > 0 {
            writeln!(self.out, "  … and {more} more")?;
        }
        Ok(())
    }

    /// The requirements that the run did not come to, for one reason; the claims' lines name them.
    fn left(&mut self, left: &[&Judgement]) -> io::Result<()> {
        let Some(evidence) = left.iter().flat_map(|judgement| &judgement.evidence).next() else { return Ok(()) };
        let requirements = if left.len() == 1 { "requirement" } else { "requirements" };
        writeln!(self.out, "\n{YELLOW}OPEN{YELLOW:#} {} {requirements}: {}", left.len(), evidence.got)
    }

    fn evidence(&mut self, evidence: &Evidence) -> io::Result<()> {
        writeln!(self.out, "  {}", evidence.place())?;
        for (label, text) in evidence.lines() {
            writeln!(self.out, "    {label:<9} {text}")?;
        }
        Ok(())
    }

    fn table(&mut self, summary: &Summary) -> io::Result<()> {
        let mut families: Vec<&str> = summary.asked().map(|judgement| judgement.requirement.family()).collect();
        families.dedup();
        writeln!(self.out)?;
        for family in families {
            let judgements: Vec<&Judgement> = summary.asked().filter(|j| j.requirement.family() == family).collect();
            let counts: Vec<String> = [
                Verdict::Pass,
                Verdict::Fail,
                Verdict::Inconclusive,
                Verdict::KitError,
                Verdict::NotApplicable,
                Verdict::Disabled,
                Verdict::NotJudged,
            ]
            .into_iter()
            .map(|verdict| (judgements.iter().filter(|j| j.verdict == verdict).count(), verdict))
            .filter(|(count, _)| *count > 0)
            .map(|(count, verdict)| format!("{count} {}", verdict.as_str()))
            .collect();
            writeln!(self.out, "{family}  {:>2} requirements: {}", judgements.len(), counts.join(", "))?;
        }
        Ok(())
    }
}

/// Whether it is open because some of its scenarios were not begun, and for no other reason.
fn was_left(judgement: &Judgement) -> bool {
    judgement.verdict == Verdict::Inconclusive && judgement.evidence.iter().all(Evidence::is_not_begun)
}

impl<W: Write> Reporter for Terminal<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Began { target, profile, run, seed, scenarios, .. } => {
                let seed = seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
                writeln!(
                    self.out,
                    "arc-conform {}: {scenarios} scenario{}, run {run}{seed}",
                    env!("CARGO_PKG_VERSION"),
                    if *scenarios == 1 { "" } else { "s" }
                )?;
                writeln!(self.out, "Target: {target} ({profile})")
            }
            RunEvent::Smoked(smoke) if smoke.trouble.is_some() => {
                writeln!(self.out, "{RED}Not judged:{RED:#} {}", smoke.line)?;
                self.out.flush()
            }
            RunEvent::Smoked(smoke) => writeln!(self.out, "First look: {}", smoke.line),
            RunEvent::Played { .. } => Ok(()),
            RunEvent::Ended(summary) => self.ended(summary),
        }
    }
}
