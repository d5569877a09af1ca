//! Runs the command, once for each script, and tells what came of it.

use super::Script;
use super::endpoint::Endpoint;
use super::judge;
use crate::claim::Claim;
use crate::clock;
use crate::fresh;
use crate::known_failures::KnownFailures;
use crate::run_event::{Judged, Reporter, RunEvent, Summary, tell};
use crate::smoke::Smoke;
use crate::trace::Story;
use crate::verdict::{Check, sum};
use arc_validator::advised;
use futures_util::stream::{self, StreamExt as _};
use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::process::Command;

/// What is run.
#[derive(Debug)]
pub struct Job {
    /// The command and its arguments.
    pub command: Vec<String>,
    /// The scripts, each of which is one run.
    pub scripts: Vec<Script>,
    /// How long one run may take.
    pub limit: Duration,
    /// Violations that are put up with.
    pub known_failures: Option<KnownFailures>,
}

/// How one run of the command ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ended {
    /// By itself.
    Itself(ExitStatus),
    /// By the kit, when its time was over.
    Limit(Duration),
}

/// Why nothing was judged.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The command cannot be started.
    #[error("{0}")]
    Command(String),
    /// A report cannot be written.
    #[error("a report cannot be written: {}", advised(.0))]
    Report(#[from] io::Error),
    /// The kit is at fault.
    #[error("{0}")]
    Kit(String),
}

/// Judges one producer.
pub async fn run(job: &Job, reporters: &mut [Box<dyn Reporter>]) -> Result<Summary, RunError> {
    let began = Instant::now();
    // Arguments may hold secrets; the program's name does not.
    let target = job.command.first().cloned().unwrap_or_default();
    let run = fresh::hex(6);
    let scripts = job.scripts.len();
    let began_with = RunEvent::Began {
        judged: Judged::Producer,
        target: &target,
        profile: "recording endpoint of the kit",
        run: &run,
        seed: None,
        scenarios: scripts,
    };
    tell(reporters, &began_with)?;
    let words: Vec<&str> = job.scripts.iter().map(|script| script.as_str()).collect();
    let line = format!("the command is run once for each script: {}", words.join(", "));
    tell(reporters, &RunEvent::Smoked(&Smoke { line, ..Smoke::default() }))?;
    let mut checks = Vec::new();
    let mut requests = 0;
    // Scripts have an endpoint each and wait side by side.
    let mut played = stream::iter(&job.scripts).map(|script| play(job, *script)).buffer_unordered(scripts.max(1));
    while let Some(played) = played.next().await {
        let Played { script, found, took, story, asked } = played?;
        requests += asked;
        tell(reporters, &RunEvent::Played { scenario: &script.name(), checks: &found, took, story: &story })?;
        checks.extend(found);
    }
    let judgements = sum(&checks);
    let claims = vec![Claim::weigh("producer", &judgements, false)];
    let summary = Summary { judgements, claims, requests, took: began.elapsed(), ..Summary::default() };
    let today = clock::rfc3339(clock::now_millis());
    let known = job.known_failures.as_ref().map(|list| list.settle(summary.asked(), &today[..10]));
    let summary = Summary { known, ..summary };
    tell(reporters, &RunEvent::Ended(&summary))?;
    Ok(summary)
}

struct Played {
    script: Script,
    found: Vec<Check>,
    took: Duration,
    story: Story,
    asked: u64,
}

async fn play(job: &Job, script: Script) -> Result<Played, RunError> {
    let began = Instant::now();
    let endpoint = Endpoint::open(script).await.map_err(RunError::Kit)?;
    let ended = command(job, &endpoint).await?;
    endpoint.desk().sweep(clock::now_millis());
    let exchanges = endpoint.exchanges();
    let found = judge::judge(&endpoint, &exchanges, ended);
    let asked = u64::try_from(exchanges.len()).unwrap_or(u64::MAX);
    let story = Story::tell(exchanges, &found, &endpoint.redactor);
    Ok(Played { script, found, took: began.elapsed(), story, asked })
}

/// Runs the command to its end, or to the end of its time. What it prints goes to standard error.
async fn command(job: &Job, endpoint: &Endpoint) -> Result<Ended, RunError> {
    let [program, arguments @ ..] = &job.command[..] else {
        return Err(RunError::Command("no command is given".to_owned()));
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("ARC_URL", &endpoint.base)
        .env("ARC_TOKEN", &endpoint.token)
        .env("NO_PROXY", "127.0.0.1");
    command.stdin(Stdio::null()).stdout(std::io::stderr()).kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    let mut child =
        command.spawn().map_err(|e| RunError::Command(format!("{program} cannot be started: {}", advised(&e))))?;
    let group = Group(child.id());
    match tokio::time::timeout(job.limit, child.wait()).await {
        Ok(Ok(status)) => {
            group.leave();
            Ok(Ended::Itself(status))
        }
        Ok(Err(error)) => Err(RunError::Kit(format!("the command cannot be waited for: {error}"))),
        Err(_elapsed) => Ok(Ended::Limit(job.limit)),
    }
}

/// The command and all that it started: one process group, which is killed when this is dropped.
struct Group(Option<u32>);

impl Group {
    /// The command has ended by itself; what it leaves behind is its own affair.
    fn leave(mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            let group = format!("-{leader}");
            // Where there is no such group any more there is nothing to kill.
            let _ = std::process::Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
    }
}
