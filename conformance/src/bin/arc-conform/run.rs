//! `arc-conform run`.

use crate::args::{ReplayArgs, RunArgs};
use crate::failure::{self, Failure, fault, unwritten, usage};
use crate::interrupt::Signals;
use crate::{dry_run, exit, output};
use arc_conformance::client::Client;
use arc_conformance::fresh;
use arc_conformance::generate;
use arc_conformance::pace::Pace;
use arc_conformance::plan::Selection;
use arc_conformance::privacy::Log;
use arc_conformance::profile::Profile;
use arc_conformance::requirement;
use arc_conformance::run_event::{Reporter, Summary};
use arc_conformance::runner::{self, End, Plan};
use arc_conformance::scenario::{self, Need, Scenario};
use arc_conformance::secret::{Redactor, Token};
use arc_conformance::spawned::Spawned;
use arc_conformance::stage::{Fleet, Stage};
use arc_conformance::target::{self, Embedded};
use arc_validator::advised;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, io};

/// How long one request puts up with 429.
const PATIENCE: Duration = Duration::from_secs(90);
/// Bytes of a run's prefix; in hexadecimal twice as many characters.
const RUN_BYTES: usize = 6;

/// Bytes of a seed: enough, and short enough to be told.
const SEED_BYTES: usize = 4;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let mut profile = profile(args)?;
    let plan = plan(args, &mut profile)?;
    if args.dry_run {
        return dry_run::print(args, &plan);
    }
    block_on(judge(args, profile, plan))
}

/// Plays one scenario file; the verdicts on its requirements decide, no claim is weighed.
pub(crate) fn replay(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let path = &args.file;
    let text = failure::read("the scenario", path)?;
    let next = "see schemas/scenario.schema.json, which `arc-conform vectors export DIR` writes";
    let scenario = Scenario::parse(&text).map_err(|e| failure::is_no("scenario", path, e, next))?;
    let mut profile = profile(&args.run)?;
    if scenario.needs.contains(&Need::Interactions) {
        profile.declares.push("interactions".to_owned());
    }
    let plan = Plan {
        scenarios: vec![scenario],
        jobs: 1,
        known_failures: output::known_failures(&args.run.output)?,
        ..Plan::default()
    };
    if args.run.dry_run {
        return dry_run::print(&args.run, &plan);
    }
    block_on(judge(&args.run, profile, plan))
}

pub(crate) fn block_on(judging: impl Future<Output = Result<ExitCode, Failure>>) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|e| fault(format!("no runtime: {e}")))?.block_on(judging)
}

async fn judge(args: &RunArgs, profile: Profile, plan: Plan) -> Result<ExitCode, Failure> {
    let mut signals = Signals::listen()?;
    let mut reporters = output::reporters(&args.output)?;
    let Some(url) = args.consumers().next() else {
        let embedded = Embedded::start().await.map_err(fault)?;
        let base = embedded.base.clone();
        let end = at(args, profile, base, embedded.token.clone(), &plan, &mut reporters, &mut signals).await;
        embedded.stop().await.map_err(fault)?;
        return end;
    };
    let base = target::base_url(url, &profile).map_err(usage)?;
    if let Some(patience) = args.pace.wait_for_ready {
        signals.unless(target::wait_until_ready(&base, patience)).await?;
    }
    let token = token(args)?;
    at(args, profile, base, token, &plan, &mut reporters, &mut signals).await
}

async fn at(
    args: &RunArgs,
    profile: Profile,
    base: String,
    token: Token,
    plan: &Plan,
    reporters: &mut [Box<dyn Reporter>],
    signals: &mut Signals,
) -> Result<ExitCode, Failure> {
    let pace = Pace::new(usize::from(args.pace.jobs), PATIENCE).at_most(args.pace.rate);
    let redactor = Redactor::new(&token);
    let client = Client::new(profile.authorization.clone(), token, args.pace.timeout, pace).map_err(fault)?;
    let run = fresh::hex(RUN_BYTES);
    let log = args.consumer_log.clone().map(Log::open);
    // What --spawn starts may make its log when it has something to say.
    if let Some(log) = log.as_ref().filter(|_| args.spawn.is_none()) {
        log.readable().map_err(|e| unread_log(log, &e))?;
    }
    let spawned = match &args.spawn {
        Some(command) => Some(signals.unless(Spawned::start(command, &base)).await?.map_err(usage)?),
        None => None,
    };
    let also: Result<Vec<String>, String> =
        args.consumers().skip(1).map(|url| target::base_url(url, &profile)).collect();
    let fleet = Fleet::new(also.map_err(usage)?);
    let mut stage = Stage { client, profile, base, run, redactor, offers: BTreeSet::new(), spawned, log, fleet };
    let (ran, interrupted) = signals.until_stopped(runner::run(&mut stage, plan, reporters), || stop(plan)).await?;
    if let Some(spawned) = &stage.spawned {
        spawned.kill().await.map_err(fault)?;
    }
    match ran {
        Ok(End::Judged(summary)) => {
            save_minimal(args, &summary)?;
            Ok(interrupted.map_or_else(|| exit::told(&summary), ExitCode::from))
        }
        Ok(End::Unreachable(_)) => Ok(ExitCode::from(exit::UNREACHABLE)),
        Err(error) => Err(usage(format!("a report cannot be written: {}", advised(&error)))),
    }
}

/// What has begun comes to its end and resolves what it opened; nothing else is begun.
fn stop(plan: &Plan) {
    plan.stop.store(true, Ordering::Relaxed);
    anstream::eprintln!("Interrupted: what is under way is brought to its end. Once more ends it at once.");
}

fn unread_log(log: &Log, error: &io::Error) -> Failure {
    let path = log.path().display();
    usage(format!(
        "cannot read the consumer's log {path}: {}; start the consumer so that it logs there",
        advised(error)
    ))
}

/// Keeps a lifecycle that failed, so that it can be played again.
fn save_minimal(args: &RunArgs, summary: &Summary) -> Result<(), Failure> {
    let Some(minimal) = &summary.minimal else { return Ok(()) };
    let path = args.failures.join(format!("{}.json", minimal["id"].as_str().unwrap_or("lifecycle")));
    let written = fs::create_dir_all(&args.failures).and_then(|()| fs::write(&path, format!("{minimal:#}\n")));
    written.map_err(|e| unwritten(&path, &e))?;
    anstream::eprintln!("A failing lifecycle, as small as it fails: arc-conform replay {} URL", path.display());
    Ok(())
}

fn profile(args: &RunArgs) -> Result<Profile, Failure> {
    let Some(path) = &args.profile else { return Ok(Profile::agentnotify()) };
    let text = failure::read("the profile", path)?;
    let next = "see schemas/profile.schema.json, which `arc-conform vectors export DIR` writes";
    Profile::parse(&text).map_err(|e| failure::is_no("profile", path, e, next))
}

/// A claim that is asked for is also declared.
fn plan(args: &RunArgs, profile: &mut Profile) -> Result<Plan, Failure> {
    let mut claims = args.claims.clone();
    if claims.is_empty() {
        claims.push("consumer".to_owned());
        claims.extend(profile.claim.clone());
        claims.extend(profile.declares.iter().cloned());
        claims.extend(args.spawn.as_ref().map(|_| "durable".to_owned()));
        claims.extend(args.consumer_log.as_ref().map(|_| "private-logs".to_owned()));
    }
    let known: BTreeSet<&str> = requirement::all().iter().map(|r| r.claim.as_str()).collect();
    if let Some(unknown) = claims.iter().find(|claim| !known.contains(claim.as_str())) {
        let all: Vec<&str> = known.iter().copied().collect();
        let list = format!("claims are {}", all.join(", "));
        return Err(failure::unknown(unknown, "claim", known, list));
    }
    let asks = |claim: &str| claims.iter().any(|asked| asked == claim);
    if asks("durable") && args.spawn.is_none() {
        return Err(usage(
            "the claim durable is judged by killing the consumer: give the command that starts it with --spawn",
        ));
    }
    if asks("private-logs") && args.consumer_log.is_none() {
        return Err(usage(
            "the claim private-logs is judged by what the consumer logs: name its log with --consumer-log FILE",
        ));
    }
    if asks("interactions") && !profile.declares.contains(&"interactions".to_owned()) {
        profile.declares.push("interactions".to_owned());
    }
    let scenarios = scenario::golden();
    let selection = Selection { only: args.only.clone(), skip: args.skip.clone() };
    if let Some(unknown) = selection.unknown(&scenarios) {
        let known = Selection::words(&scenarios);
        return Err(failure::unknown(unknown, "requirement, family, claim or scenario", known, failure::LIST));
    }
    let fresh = || u64::from_str_radix(&fresh::hex(SEED_BYTES), 16).unwrap_or_default();
    let seed = (args.cases > 0).then(|| args.seed.unwrap_or_else(fresh));
    let lifecycles = seed.map(|seed| generate::lifecycles(seed, usize::from(args.cases))).unwrap_or_default();
    let known_failures = output::known_failures(&args.output)?;
    let (jobs, budget) = (usize::from(args.pace.jobs), args.pace.budget);
    let stop = AtomicBool::default();
    Ok(Plan { scenarios, selection, claims, seed, lifecycles, jobs, budget, stop, known_failures })
}

fn token(args: &RunArgs) -> Result<Token, Failure> {
    if let Some(path) = &args.token_file {
        return usable(failure::read("the token file", path)?.trim(), &format!("the token file {}", path.display()));
    }
    match &args.token {
        Some(token) => usable(token, "--token or ARC_TOKEN"),
        None => Err(usage("the consumer's token is needed: give --token-file FILE, --token TOKEN or ARC_TOKEN")),
    }
}

/// A token that an `Authorization` header can carry. The error says where it came from, and nothing of it.
fn usable(token: &str, whence: &str) -> Result<Token, Failure> {
    if token.is_empty() {
        return Err(usage(format!("{whence} is empty: put the consumer's token there")));
    }
    if !token.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(usage(format!(
            "{whence} holds what no Authorization header can carry: a token is one word of visible ASCII characters"
        )));
    }
    Ok(Token::new(token))
}
