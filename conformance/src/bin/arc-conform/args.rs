//! The command line.

use crate::help::{
    ABOUT, CHALLENGE_EXAMPLES, EXAMPLES, EXPORT_EXAMPLES, PRODUCER_EXAMPLES, REPLAY_EXAMPLES, RUN_EXAMPLES, judging,
};
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

/// `--version`: the program, the contract and the vectors that it judges by.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let vectors = arc_conformance::scenario::fingerprint();
    format!("{}\ncontract ARC 0.2\nvectors {vectors}", env!("CARGO_PKG_VERSION"))
});

/// Judges implementations of the Attention Request Contract (ARC) 0.2.
#[derive(Debug, Parser)]
#[command(name = "arc-conform", version = VERSION.as_str(), about, long_about = ABOUT, after_help = judging(EXAMPLES))]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judges a consumer; without a URL the embedded reference broker.
    #[command(after_help = judging(RUN_EXAMPLES))]
    Run(RunArgs),
    /// Judges a producer: runs its command against a recording endpoint that answers by a script.
    #[command(after_help = judging(PRODUCER_EXAMPLES))]
    Producer(ProducerArgs),
    /// Plays one scenario file, for instance what a failing lifecycle was shrunk to.
    #[command(after_help = judging(REPLAY_EXAMPLES))]
    Replay(ReplayArgs),
    /// Checks a claim file: recomputes its claims from its verdicts.
    Verify(VerifyArgs),
    /// Lists requirements and the scenarios that judge them.
    List(ListArgs),
    /// Explains a requirement or a scenario.
    Explain(ExplainArgs),
    /// Writes an issue text that disputes a verdict, with the evidence of a report filled in.
    #[command(after_help = CHALLENGE_EXAMPLES)]
    Challenge(ChallengeArgs),
    /// The embedded vectors and schemas.
    #[command(subcommand)]
    Vectors(VectorsCommand),
    /// Writes a shell's completions to standard output.
    Completions(CompletionsArgs),
    /// Writes the manual page (roff) to standard output.
    Man,
    /// Shows a red report: judges an embedded consumer with one deliberate fault; without a name lists the faults.
    #[cfg(feature = "demo")]
    Demo(DemoArgs),
}

/// `arc-conform run`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("consumer").args(["url", "urls"]).multiple(true)))]
pub(crate) struct RunArgs {
    /// The consumer: its base URL, or its event endpoint.
    pub(crate) url: Option<String>,
    /// A further URL of the same consumer, of a fleet behind one store: requests take turns; repeatable. One alone is the
    /// consumer.
    #[arg(long = "url", value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// The bearer token.
    #[arg(long, env = "ARC_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    /// A file that holds the bearer token; it wins over `--token` and `ARC_TOKEN`.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// A binding profile, for consumers that speak otherwise than AgentNotify.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// A claim to judge; repeatable. By default: consumer, and the profile's binding; what the profile declares.
    #[arg(long = "claim", value_name = "CLAIM")]
    pub(crate) claims: Vec<String>,
    /// Only these requirements, families, claims or scenarios; repeatable.
    #[arg(long, value_name = "ID")]
    pub(crate) only: Vec<String>,
    /// Not these requirements, families, claims or scenarios; repeatable.
    #[arg(long, value_name = "ID")]
    pub(crate) skip: Vec<String>,
    /// A shell command that starts the consumer in the foreground; the kit kills and restarts it (claim durable).
    #[arg(long, value_name = "COMMAND", requires = "consumer")]
    pub(crate) spawn: Option<String>,
    /// The consumer's log, to search it for secrets (claim private-logs).
    #[arg(long, value_name = "FILE")]
    pub(crate) consumer_log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// How many random lifecycles are played.
    #[arg(long, default_value_t = 24, value_parser = cases)]
    pub(crate) cases: u16,
    /// The seed of the random lifecycles; by default another one each time. It is always printed.
    #[arg(long, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Where a lifecycle that failed is written, as small as it fails.
    #[arg(long, value_name = "DIR", default_value = "arc-conform-failures")]
    pub(crate) failures: PathBuf,
    #[command(flatten)]
    pub(crate) pace: PaceArgs,
    /// Prints what would be asked, and asks nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl RunArgs {
    /// The URLs of the consumer, in the order in which requests take turns. None: the embedded broker is judged.
    pub(crate) fn consumers(&self) -> impl Iterator<Item = &String> {
        self.url.iter().chain(&self.urls)
    }
}

/// How fast, and for how long.
#[derive(Debug, clap::Args)]
pub(crate) struct PaceArgs {
    /// How many scenarios and requests are under way at once.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// At most so many requests a second, as 30 or 30/s; by default as many as the consumer takes.
    #[arg(long, value_name = "N/s", value_parser = rate)]
    pub(crate) rate: Option<f64>,
    /// How long to wait for one reply, as 10s.
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration)]
    pub(crate) timeout: Duration,
    /// When this has passed no further scenario is begun, as 90s or 5m; what was not begun is inconclusive.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    /// How long to wait until the consumer takes connections, as 30s.
    #[arg(long, value_name = "DURATION", requires = "consumer", value_parser = duration)]
    pub(crate) wait_for_ready: Option<Duration>,
}

/// What is written, and what is put up with.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// What is written to standard output.
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    pub(crate) format: Format,
    /// A report file, as html=FILE, json=FILE, junit=FILE, markdown=FILE, badge=FILE (JSON), badge-svg=FILE or claim=FILE;
    /// repeatable.
    #[arg(long = "report", value_name = "FORMAT=FILE")]
    pub(crate) reports: Vec<String>,
    /// Violations that are put up with, each with a reason and a date; a stale or expired entry is red.
    #[arg(long, value_name = "FILE")]
    pub(crate) known_failures: Option<PathBuf>,
}

/// `arc-conform producer`.
#[derive(Debug, clap::Args)]
pub(crate) struct ProducerArgs {
    /// How its questions are answered; repeatable. By default the command is run once for each script.
    #[arg(long = "script", value_name = "SCRIPT", value_parser = script)]
    pub(crate) scripts: Vec<arc_conformance::producer::Script>,
    /// How long one run of the command may take, as 60s; then it is ended.
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub(crate) limit: Duration,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// The command and its arguments, after `--`.
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<String>,
}

/// `arc-conform replay`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// The scenario file.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What is written to standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Terminal,
    /// The JSON report.
    Json,
}

/// `arc-conform verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The claim file, as --report claim=FILE writes it.
    pub(crate) file: PathBuf,
}

/// `arc-conform list`.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// How the list is written.
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    pub(crate) format: Format,
}

/// `arc-conform explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// A requirement's or a scenario's id.
    pub(crate) id: String,
}

/// `arc-conform challenge`.
#[derive(Debug, clap::Args)]
pub(crate) struct ChallengeArgs {
    /// The requirement whose verdict is disputed, or a scenario.
    pub(crate) id: String,
    /// The JSON report of the run, as --report json=FILE writes it.
    #[arg(long = "from", value_name = "REPORT")]
    pub(crate) from: PathBuf,
}

/// `arc-conform vectors`.
#[derive(Debug, Subcommand)]
pub(crate) enum VectorsCommand {
    /// Writes them as files, byte for byte as they are embedded.
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArgs),
}

/// `arc-conform vectors export`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// The folder, made if need be.
    pub(crate) folder: PathBuf,
    /// Overwrites files that are there already.
    #[arg(long)]
    pub(crate) force: bool,
}

/// `arc-conform completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// `arc-conform demo`.
#[cfg(feature = "demo")]
#[derive(Debug, clap::Args)]
pub(crate) struct DemoArgs {
    /// The fault's name, as `DigestWithoutTitle`.
    pub(crate) fault: Option<String>,
    /// Options as for run, as --only DIG.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) options: Vec<String>,
}

/// The command line's definition, for completions and the manual.
pub(crate) fn definition() -> clap::Command {
    Args::command()
}

/// A duration in words as 90s, 5m or 1h 30m; a plain number means seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<u64>().ok().map(Duration::from_secs);
    let words = || text.parse::<jiff::SignedDuration>().ok().and_then(|duration| Duration::try_from(duration).ok());
    seconds
        .or_else(words)
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "a duration longer than nothing is needed, as 90s, 5m or 1h".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix("/s").unwrap_or(text).parse::<f64>().ok();
    number
        .filter(|rate| (0.01..=1_000_000.0).contains(rate))
        .ok_or_else(|| "a number of requests a second is needed, as 30 or 30/s".to_owned())
}

fn cases(text: &str) -> Result<u16, &'static str> {
    text.parse().map_err(|_| "a whole number from 0 to 65535 is needed")
}

fn seed(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "a whole number is needed, as an earlier run printed it")
}

fn script(text: &str) -> Result<arc_conformance::producer::Script, String> {
    use arc_conformance::producer::Script;
    Script::ALL.into_iter().find(|script| script.as_str() == text).ok_or_else(|| {
        let words: Vec<&str> = Script::ALL.into_iter().map(Script::as_str).collect();
        format!("scripts are {}", words.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }

    #[test]
    fn durations_and_rates_are_read() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("5m"), Ok(Duration::from_mins(5)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_mins(90)));
        assert_eq!((rate("30"), rate("2.5/s")), (Ok(30.0), Ok(2.5)));
        for text in ["0", "", "-5s", "soon"] {
            assert!(duration(text).is_err(), "{text}");
            assert!(rate(text).is_err(), "{text}");
        }
    }
}
