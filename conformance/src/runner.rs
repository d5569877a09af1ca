//! Plays the scenarios side by side and tells what happens as one stream of events.

use crate::claim::Claim;
use crate::clock;
use crate::generate::{self, Lifecycle};
use crate::known_failures::KnownFailures;
use crate::plan::Selection;
use crate::privacy;
use crate::requirement;
use crate::run_event::{Judged, Reporter, RunEvent, Summary, tell};
use crate::scenario::interpreter::{self, Found};
use crate::scenario::{Need, Scenario};
use crate::smoke::{self, Smoke};
use crate::stage::Stage;
use crate::trace::{self, Story};
use crate::verdict::{Check, Evidence, NOT_BEGUN, Verdict, sum};
use futures_util::stream::{self, StreamExt as _};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a run does.
#[derive(Debug, Default)]
pub struct Plan {
    /// The scenarios.
    pub scenarios: Vec<Scenario>,
    /// Which of them are switched on.
    pub selection: Selection,
    /// The claims that are asked for.
    pub claims: Vec<String>,
    /// The seed of the lifecycles, where there are some.
    pub seed: Option<u64>,
    /// Random lifecycles, played like scenarios.
    pub lifecycles: Vec<Lifecycle>,
    /// How many scenarios are played at once, beside those that wait for a deadline.
    pub jobs: usize,
    /// When it has passed no further scenario is begun; what was not begun is inconclusive.
    pub budget: Option<Duration>,
    /// Once it is set no further scenario is begun either.
    pub stop: AtomicBool,
    /// Violations that are put up with.
    pub known_failures: Option<KnownFailures>,
}

impl Plan {
    /// The scenarios that prove something of the claims: those that are played, and those that the user switched off.
    pub fn partition<'s>(&'s self, random: &'s [Scenario]) -> (Vec<&'s Scenario>, Vec<&'s Scenario>) {
        let all = self.scenarios.iter().chain(random);
        let asked = all.filter(|scenario| scenario.requirements().iter().any(|id| self.weighs(id)));
        asked.partition(|scenario| self.selection.takes(scenario))
    }

    /// Whether a requirement belongs to a claim that is judged; where no claim is, each does.
    fn weighs(&self, id: &str) -> bool {
        let is_claimed = |claim: &str| self.claims.iter().any(|asked| asked == claim);
        self.claims.is_empty() || requirement::find(id).is_some_and(|requirement| is_claimed(&requirement.claim))
    }
}

/// How a run ended.
#[derive(Debug)]
pub enum End {
    /// The consumer was judged.
    Judged(Box<Summary>),
    /// It could not be reached, or is no ARC endpoint.
    Unreachable(String),
}

/// Judges one consumer.
pub async fn run(stage: &mut Stage, plan: &Plan, reporters: &mut [Box<dyn Reporter>]) -> io::Result<End> {
    let began = Instant::now();
    let target = stage.events_url();
    let random: Vec<Scenario> = plan.lifecycles.iter().filter_map(Lifecycle::scenario).collect();
    let (on, off) = plan.partition(&random);
    let profile = stage.profile.name.clone();
    let run = stage.run.clone();
    let began_with = RunEvent::Began {
        judged: Judged::Consumer,
        target: &target,
        profile: &profile,
        run: &run,
        seed: plan.seed,
        scenarios: on.len(),
    };
    tell(reporters, &began_with)?;
    let smoke = first_look(stage, plan.budget).await;
    tell(reporters, &RunEvent::Smoked(&smoke))?;
    if let Some(trouble) = &smoke.trouble {
        return Ok(End::Unreachable(trouble.clone()));
    }
    stage.offers.clone_from(&smoke.offers);
    let mut checks = switched_off(&off);
    let until = plan.budget.map(|budget| began + budget);
    play_all(stage, plan, until, &on, &mut checks, reporters).await?;
    let minimal = minimal(stage, plan, &checks).await;
    checks.extend(no_question(&smoke));
    checks.extend(rate_limit(stage));
    if let Some(log) = &stage.log {
        checks.extend(privacy::search(log, &stage.run, &stage.redactor));
    }
    checks.retain(|check| plan.weighs(&check.requirement));
    let summary = Summary { minimal, ..summary(stage, plan, &smoke, &checks, began.elapsed()) };
    tell(reporters, &RunEvent::Ended(&summary))?;
    Ok(End::Judged(Box::new(summary)))
}

/// The first look, which a consumer that hangs or limits requests cannot draw out beyond the budget.
async fn first_look(stage: &Stage, budget: Option<Duration>) -> Smoke {
    let look = smoke::look(stage);
    match budget {
        None => look.await,
        Some(budget) => tokio::time::timeout(budget, look).await.unwrap_or_else(|_elapsed| Smoke::cut_short()),
    }
}

async fn play_all(
    stage: &Stage,
    plan: &Plan,
    until: Option<Instant>,
    scenarios: &[&Scenario],
    checks: &mut Vec<Check>,
    reporters: &mut [Box<dyn Reporter>],
) -> io::Result<()> {
    let (alone, together): (Vec<&Scenario>, Vec<&Scenario>) = scenarios.iter().copied().partition(|s| s.alone);
    let (waiting, others): (Vec<&Scenario>, Vec<&Scenario>) = together.into_iter().partition(|s| s.waits());
    // Scenarios that wait for a deadline all begin at once, so that their waits overlap.
    let deadlines = stream::iter(waiting).map(|s| timed(stage, plan, until, s)).buffer_unordered(usize::MAX);
    let others = stream::iter(others).map(|s| timed(stage, plan, until, s)).buffer_unordered(plan.jobs.max(1));
    let alone = stream::iter(alone).then(|s| timed(stage, plan, until, s));
    let mut late = Vec::new();
    let mut played = std::pin::pin!(stream::select(deadlines, others).chain(alone));
    while let Some(played) = played.next().await {
        if played.found.was_late {
            late.push(played.scenario);
        } else {
            keep(plan, played, checks, reporters)?;
        }
    }
    // Beside many others a moment may be missed that is met when it is quieter: a consumer that permits few requests a
    // second is not to blame for their number.
    let mut again = std::pin::pin!(stream::iter(late).then(|s| timed(stage, plan, until, s)));
    while let Some(played) = again.next().await {
        keep(plan, played, checks, reporters)?;
    }
    Ok(())
}

/// Keeps what was found of the requirements that are asked for.
fn keep(
    plan: &Plan,
    played: Played<'_>,
    checks: &mut Vec<Check>,
    reporters: &mut [Box<dyn Reporter>],
) -> io::Result<()> {
    let Played { scenario, mut found, took, story } = played;
    found.checks.retain(|check| plan.weighs(&check.requirement));
    tell(reporters, &RunEvent::Played { scenario: &scenario.id, checks: &found.checks, took, story: &story })?;
    checks.extend(found.checks);
    Ok(())
}

/// The first lifecycle that failed, made as small as it fails.
async fn minimal(stage: &Stage, plan: &Plan, checks: &[Check]) -> Option<serde_json::Value> {
    let has_failed = |lifecycle: &&Lifecycle| {
        let of_it = |check: &&Check| check.evidence.as_ref().is_some_and(|e| e.scenario == lifecycle.name());
        checks.iter().filter(of_it).any(|check| check.verdict == Verdict::Fail)
    };
    let failed = plan.lifecycles.iter().find(has_failed).filter(|_| !plan.stop.load(Ordering::Relaxed))?;
    Some(generate::shrink(stage, failed).await.to_json())
}

/// A scenario that came to its end.
struct Played<'s> {
    scenario: &'s Scenario,
    found: Found,
    took: Duration,
    story: Story,
}

async fn timed<'s>(stage: &Stage, plan: &Plan, until: Option<Instant>, scenario: &'s Scenario) -> Played<'s> {
    let began = Instant::now();
    let missing = scenario.needs.iter().find(|need| !stage.offers.contains(need));
    let (found, exchanges) = match missing {
        Some(need) => (not_applicable(scenario, *need).into(), Vec::new()),
        None if plan.stop.load(Ordering::Relaxed) => {
            (not_begun(scenario, "the run was interrupted").into(), Vec::new())
        }
        None if until.is_some_and(|until| until <= began) => {
            (not_begun(scenario, "the time that --budget gives was over").into(), Vec::new())
        }
        None => trace::of(Box::pin(interpreter::play(stage, scenario))).await,
    };
    let story = Story::tell(exchanges, &found.checks, &stage.redactor);
    Played { scenario, found, took: began.elapsed(), story }
}

fn not_begun(scenario: &Scenario, why: &str) -> Vec<Check> {
    for_each(scenario, Verdict::Inconclusive, &format!("{NOT_BEGUN}{why}"))
}

fn not_applicable(scenario: &Scenario, need: Need) -> Vec<Check> {
    for_each(scenario, Verdict::NotApplicable, need.missing())
}

fn switched_off(scenarios: &[&Scenario]) -> Vec<Check> {
    scenarios.iter().flat_map(|scenario| for_each(scenario, Verdict::Disabled, "switched off by the user")).collect()
}

fn for_each(scenario: &Scenario, verdict: Verdict, why: &str) -> Vec<Check> {
    let evidence = Evidence { scenario: scenario.id.clone(), got: why.to_owned(), ..Evidence::default() };
    let check =
        |requirement: &str| Check { requirement: requirement.to_owned(), verdict, evidence: Some(evidence.clone()) };
    scenario.requirements().into_iter().map(check).collect()
}

/// LIF-01: every scenario about answers needs a question. Where none is taken they are not applicable, and the claim is an
/// ARC 0.1 consumer's.
fn no_question(smoke: &Smoke) -> Option<Check> {
    let evidence = smoke.no_question.clone()?;
    Some(Check { requirement: "LIF-01".to_owned(), verdict: Verdict::Fail, evidence: Some(evidence) })
}

/// HTP-07: what was seen of a rate limit, if one was met at all.
fn rate_limit(stage: &Stage) -> Option<Check> {
    if stage.profile.claim.as_deref() != Some("agentnotify-http") {
        return None;
    }
    let (limited, unsaid) = stage.client.pace().limited();
    let (verdict, got) = match (limited, unsaid) {
        (0, _) => (Verdict::NotApplicable, "no request was rate-limited".to_owned()),
        (_, 0) => (Verdict::Pass, String::new()),
        _ => (Verdict::Fail, format!("{unsaid} of {limited} replies 429 carried no Retry-After")),
    };
    let evidence = (verdict != Verdict::Pass).then(|| Evidence {
        scenario: "rate-limit".to_owned(),
        permitted: "429 with Retry-After".to_owned(),
        got,
        ..Evidence::default()
    });
    Some(Check { requirement: "HTP-07".to_owned(), verdict, evidence })
}

fn summary(stage: &Stage, plan: &Plan, smoke: &Smoke, checks: &[Check], took: Duration) -> Summary {
    let judgements = sum(checks);
    let weigh = |name: &String| Claim::weigh(name, &judgements, smoke.three_types_only);
    let claims = plan.claims.iter().map(weigh).collect();
    let pace = stage.client.pace();
    let (requests, rate_limited) = (pace.requests(), pace.limited().0);
    let summary = Summary { judgements, claims, requests, rate_limited, took, ..Summary::default() };
    let today = clock::rfc3339(clock::now_millis());
    let known = plan.known_failures.as_ref().map(|list| list.settle(summary.asked(), &today[..10]));
    Summary { known, ..summary }
}
