//! The HTML report: one file that needs nothing beside it. Claims, each violation with what was said, and the matrix of
//! requirements, scenarios and verdicts.
//!
//! The template escapes all that it is given. The page runs no script and loads nothing.

use super::worst;
use crate::claim::{Claim, Standing};
use crate::known_failures::Entry;
use crate::requirement::{Level, Requirement};
use crate::run_event::{Judged, Reporter, RunEvent, Summary};
use crate::scenario;
use crate::trace::Story;
use crate::verdict::{Evidence, Judgement, Verdict};
use askama::Template;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// At most so many pieces of evidence are shown for one requirement.
const SHOWN: usize = 3;

/// Collects a run and writes the page at its end.
#[derive(Debug)]
pub struct Html<W> {
    out: W,
    run: Run,
}

/// What the stream said before its end.
#[derive(Debug, Default)]
struct Run {
    judged: Judged,
    target: String,
    profile: String,
    prefix: String,
    seed: Option<u64>,
    first_look: String,
    /// Requirement to scenario to verdict.
    matrix: BTreeMap<String, BTreeMap<String, Verdict>>,
    stories: BTreeMap<String, Story>,
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    run: &'a Run,
    kit_version: &'static str,
    vectors: String,
    trouble: Option<&'a str>,
    summary: &'a Summary,
    claims: Vec<ClaimCard<'a>>,
    problems: &'a [String],
    groups: Vec<Group<'a>>,
    families: Vec<Family<'a>>,
}

struct ClaimCard<'a> {
    claim: &'a Claim,
    class: &'static str,
    mark: &'static str,
    word: &'static str,
}

/// Judgements of one kind, under one heading.
struct Group<'a> {
    id: &'static str,
    title: &'static str,
    class: &'static str,
    word: &'static str,
    told: Vec<Told<'a>>,
}

/// One requirement that is not met, or is open.
struct Told<'a> {
    requirement: &'a Requirement,
    known: Option<&'a Entry>,
    evidence: Vec<Shown<'a>>,
    more: usize,
}

/// One piece of evidence, and what was said, unless an earlier piece shows it.
struct Shown<'a> {
    evidence: &'a Evidence,
    diagram: Option<Diagram<'a>>,
    repeats: bool,
}

struct Diagram<'a> {
    story: &'a Story,
    arrows: Vec<Arrow<'a>>,
}

/// One arrow of a sequence diagram: a request, or what became of it.
struct Arrow<'a> {
    is_request: bool,
    at: i64,
    label: &'a str,
    body: &'a str,
    is_offending: bool,
}

struct Family<'a> {
    name: &'a str,
    counts: String,
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    requirement: &'a Requirement,
    verdict: Verdict,
    passed: usize,
    is_told: bool,
    scenarios: Vec<(&'a str, Verdict)>,
}

impl<W: Write> Html<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out, run: Run::default() }
    }

    fn write(&mut self, trouble: Option<&str>, summary: &Summary) -> io::Result<()> {
        let page = self.run.page(trouble, summary);
        self.out.write_all(page.render().map_err(io::Error::other)?.as_bytes())?;
        self.out.flush()
    }
}

impl Run {
    fn page<'a>(&'a self, trouble: Option<&'a str>, summary: &'a Summary) -> Page<'a> {
        Page {
            run: self,
            kit_version: env!("CARGO_PKG_VERSION"),
            vectors: scenario::fingerprint(),
            trouble,
            summary,
            claims: summary.claims.iter().map(card).collect(),
            problems: summary.known.as_ref().map_or(&[], |known| &known.problems),
            groups: self.groups(summary),
            families: self.families(summary),
        }
    }

    fn groups<'a>(&'a self, summary: &'a Summary) -> Vec<Group<'a>> {
        let mut drawn = BTreeSet::new();
        let mut group = |id, title, class, word, test: &dyn Fn(&Judgement) -> bool| {
            let chosen = summary.judgements.iter().filter(|judgement| test(judgement));
            let told = chosen.map(|judgement| self.told(summary, judgement, &mut drawn)).collect();
            Group { id, title, class, word, told }
        };
        let is = |verdict, level| move |j: &Judgement| j.verdict == verdict && j.requirement.level == level;
        let groups = vec![
            group("violations", "Violations", "fail", "FAIL", &is(Verdict::Fail, Level::Must)),
            group(
                "notes",
                "Notes: SHOULD requirements that are not met",
                "open",
                "NOTE",
                &is(Verdict::Fail, Level::Should),
            ),
            group("faults", "Faults of the kit", "fail", "KIT ERROR", &|j| j.verdict == Verdict::KitError),
            group("undecided", "Inconclusive", "open", "OPEN", &|j| j.verdict == Verdict::Inconclusive),
        ];
        groups.into_iter().filter(|group| !group.told.is_empty()).collect()
    }

    fn told<'a>(&'a self, summary: &'a Summary, judgement: &'a Judgement, drawn: &mut BTreeSet<&'a str>) -> Told<'a> {
        let shown = judgement.evidence.iter().take(SHOWN).map(|evidence| {
            let story = self.stories.get(&evidence.scenario).filter(|story| !story.is_empty());
            let is_new = story.is_some() && drawn.insert(&evidence.scenario);
            Shown { evidence, diagram: story.filter(|_| is_new).map(diagram), repeats: story.is_some() && !is_new }
        });
        Told {
            requirement: judgement.requirement,
            known: summary.known_entry(judgement),
            evidence: shown.collect(),
            more: judgement.evidence.len().saturating_sub(SHOWN),
        }
    }

    fn families<'a>(&'a self, summary: &'a Summary) -> Vec<Family<'a>> {
        let mut families: Vec<Family<'a>> = Vec::new();
        for judgement in summary.asked() {
            let name = judgement.requirement.family();
            if families.last().is_none_or(|family| family.name != name) {
                families.push(Family { name, counts: String::new(), rows: Vec::new() });
            }
            if let Some(family) = families.last_mut() {
                family.rows.push(self.row(judgement));
            }
        }
        for family in &mut families {
            family.counts = counts(&family.rows);
        }
        families
    }

    fn row<'a>(&'a self, judgement: &'a Judgement) -> Row<'a> {
        let mut scenarios: BTreeMap<&str, Verdict> = BTreeMap::new();
        // What was switched off was not played; the evidence names it.
        scenarios.extend(judgement.evidence.iter().map(|evidence| (evidence.scenario.as_str(), judgement.verdict)));
        let played = self.matrix.get(&judgement.requirement.id);
        scenarios.extend(played.into_iter().flatten().map(|(scenario, verdict)| (scenario.as_str(), *verdict)));
        Row {
            requirement: judgement.requirement,
            verdict: judgement.verdict,
            passed: judgement.passed,
            is_told: judgement.is_told(),
            scenarios: scenarios.into_iter().collect(),
        }
    }
}

fn card(claim: &Claim) -> ClaimCard<'_> {
    let (class, mark, word) = match claim.standing {
        Standing::Holds => ("pass", "✓", "holds"),
        Standing::Broken => ("fail", "✗", "does not hold"),
        Standing::Open => ("open", "?", "open"),
    };
    ClaimCard { claim, class, mark, word }
}

/// Arrows in the order of time: what was under way at once is seen to overlap.
fn diagram(story: &Story) -> Diagram<'_> {
    let sent = story.exchanges.iter().map(|leg| Arrow {
        is_request: true,
        at: leg.began,
        label: &leg.title,
        body: &leg.sent,
        is_offending: leg.is_offending,
    });
    let came = story.exchanges.iter().map(|leg| Arrow {
        is_request: false,
        at: leg.ended,
        label: &leg.answer,
        body: &leg.got,
        is_offending: leg.is_offending,
    });
    let mut arrows: Vec<Arrow<'_>> = sent.zip(came).flat_map(|(request, reply)| [request, reply]).collect();
    // Within one millisecond the order of the exchanges says more than the clock.
    arrows.sort_by_key(|arrow| arrow.at);
    Diagram { story, arrows }
}

fn counts(rows: &[Row<'_>]) -> String {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.verdict).or_default() += 1;
    }
    let words: Vec<String> =
        counts.iter().rev().map(|(verdict, count)| format!("{count} {}", verdict.as_str())).collect();
    words.join(", ")
}

/// The class that a verdict is coloured by.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the template hands out references")]
fn class(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail | Verdict::KitError => "fail",
        Verdict::Inconclusive => "open",
        Verdict::NotApplicable | Verdict::Disabled | Verdict::NotJudged => "none",
    }
}

impl<W: Write> Reporter for Html<W> {
    fn take(&mut self, event: &RunEvent<'_>) -> io::Result<()> {
        match event {
            RunEvent::Began { judged, target, profile, run, seed, .. } => {
                self.run.judged = *judged;
                (*target).clone_into(&mut self.run.target);
                (*profile).clone_into(&mut self.run.profile);
                (*run).clone_into(&mut self.run.prefix);
                self.run.seed = *seed;
            }
            RunEvent::Smoked(smoke) => {
                self.run.first_look.clone_from(&smoke.line);
                if let Some(trouble) = &smoke.trouble {
                    return self.write(Some(trouble), &Summary::default());
                }
            }
            RunEvent::Played { scenario, checks, story, .. } => {
                for (requirement, verdict) in worst(checks) {
                    self.run.matrix.entry(requirement).or_default().insert((*scenario).to_owned(), verdict);
                }
                if !story.is_empty() {
                    self.run.stories.insert((*scenario).to_owned(), (*story).clone());
                }
            }
            RunEvent::Ended(summary) => return self.write(None, summary),
        }
        Ok(())
    }
}
