//! Markdown, for the step summary of a CI job.

use crate::claim::Standing;
use crate::run_event::{Reporter, RunEvent, Summary};
use crate::verdict::{Judgement, Verdict};
use std::io::{self, Write};

/// Writes the claims first, then what is not a pass.
#[derive(Debug)]
pub struct Markdown<W> {
    out: W,
}

impl<W: Write> Markdown<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }

    fn ended(&mut self, summary: &Summary) -> io::Result<()> {
        for claim in &summary.claims {
            let word = match claim.standing {
                Standing::Holds => "holds",
                Standing::Broken => "does not hold",
                Standing::Open => "open",
            };
            writeln!(self.out, "- **{}: {word}.** {}", claim.name, plain(&claim.line))?;
        }
        let red: Vec<&Judgement> = summary.asked().filter(|judgement| judgement.is_told()).collect();
        if !red.is_empty() {
            writeln!(self.out, "\n| requirement | verdict | statement |\n|---|---|---|")?;
        }
        for judgement in &red {
            let requirement = judgement.requirement;
            let known = summary.known_entry(judgement);
            let known = known.map(|e| format!(", known until {}: {}", e.expires, plain(&e.reason))).unwrap_or_default();
            let word = format!("{} ({}){known}", judgement.verdict.as_str(), requirement.level.as_str());
            writeln!(self.out, "| {} | {word} | {} |", requirement.id, plain(&requirement.statement))?;
        }
        for problem in summary.known.iter().flat_map(|known| &known.problems) {
            writeln!(self.out, "\n**Known failures:** {}", plain(problem))?;
        }
        for (verdict, words) in [(Verdict::Disabled, "Disabled by the user"), (Verdict::NotJudged, "Not judged")] {
            let ids: Vec<&str> =
                summary.asked().filter(|j| j.verdict == verdict).map(|j| j.requirement.id.as_str()).collect();
            if !ids.is_empty() {
                writeln!(self.out, "\n{words}: {}", ids.join(", "))?;
            }
        }
        for judgement in &red {
            self.details(judgement)?;
        }
        writeln!(self.out, "\n{} requests in {:.1} s", summary.requests, summary.took.as_secs_f64())?;
        self.out.flush()
    }

    fn details(&mut self, judgement: &Judgement) -> io::Result<()> {
        let Some(evidence) = judgement.evidence.first() else { return Ok(()) };
        writeln!(
            self.out,
            "\n<details><summary>{}: {}</summary>\n",
            judgement.requirement.id,
            plain(&evidence.scenario)
        )?;
        for line in
            std::iter::once(evidence.place()).chain(evidence.lines().map(|(label, text)| format!("{label:<9} {text}")))
        {
            // Indented code: nothing in it is markup.
            writeln!(self.out, "    {}", line.replace(['\n', '\r'], " "))?;
        }
        writeln!(self.out, "\n</details>")
    }
}

/// A text without what Markdown or HTML would read as markup.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|").replace('`', "\\`").replace(['\n', '\r'], " ")
}

impl<W: Write> Reporter for Markdown<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Began { target, profile, .. } => {
                writeln!(self.out, "## ARC 0.2 conformance of {} ({})\n", plain(target), plain(profile))
            }
            RunEvent::Smoked(smoke) if smoke.trouble.is_some() => {
                writeln!(self.out, "**Not judged:** {}", plain(&smoke.line))?;
                self.out.flush()
            }
            RunEvent::Ended(summary) => self.ended(summary),
            _ => Ok(()),
        }
    }
}
