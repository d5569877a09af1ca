//! The command line.

use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const RUN_EXAMPLES: &str = "\
Examples:
  arc-conform run                                     judges the embedded reference broker
  arc-conform run http://127.0.0.1:47821 --token-file token.txt
  ARC_TOKEN=… arc-conform run http://127.0.0.1:47821/v1/events --report json=report.json
  arc-conform run http://127.0.0.1:47821 --only ANS --only DIG-02

Exit codes:
  0 every requested claim holds        3 the target cannot be reached or is no ARC endpoint
  1 violations                         4 inconclusive, or nothing ran
  2 usage or configuration             5 the kit itself is at fault";

/// Judges consumers of the Attention Request Contract (ARC) 0.2.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judges a consumer; without a URL the embedded reference broker.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Plays one scenario file, for instance what a failing lifecycle was shrunk to.
    Replay(ReplayArgs),
    /// Checks a claim file: recomputes its claims from its verdicts.
    Verify(VerifyArgs),
    /// Lists requirements and the scenarios that judge them.
    List(ListArgs),
    /// Explains a requirement or a scenario.
    Explain(ExplainArgs),
    /// Shows a red report: judges an embedded consumer with one deliberate fault; without a name lists the faults.
    #[cfg(feature = "demo")]
    Demo(DemoArgs),
}

/// `arc-conform run`.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The consumer: its base URL, or its event endpoint.
    pub(crate) url: Option<String>,
    /// A further URL of the same consumer, of a fleet behind one store: requests take turns; repeatable.
    #[arg(long = "url", value_name = "URL", requires = "url")]
    pub(crate) urls: Vec<String>,
    /// The bearer token.
    #[arg(long, env = "ARC_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    /// A file that holds the bearer token.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
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
    #[arg(long, value_name = "COMMAND", requires = "url")]
    pub(crate) spawn: Option<String>,
    /// The consumer's log, to search it for secrets (claim private-logs).
    #[arg(long, value_name = "FILE")]
    pub(crate) consumer_log: Option<PathBuf>,
    /// What is written to standard output.
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    pub(crate) format: Format,
    /// A report file, as json=FILE, junit=FILE, markdown=FILE, badge=FILE or claim=FILE; repeatable.
    #[arg(long = "report", value_name = "FORMAT=FILE")]
    pub(crate) reports: Vec<String>,
    /// Violations that are put up with, each with a reason and a date; a stale or expired entry is red.
    #[arg(long, value_name = "FILE")]
    pub(crate) known_failures: Option<PathBuf>,
    /// How many random lifecycles are played.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16))]
    pub(crate) cases: u16,
    /// The seed of the random lifecycles; by default another one each time. It is always printed.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Where a lifecycle that failed is written, as small as it fails.
    #[arg(long, value_name = "DIR", default_value = "arc-conform-failures")]
    pub(crate) failures: PathBuf,
    /// How many scenarios and requests are under way at once.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// Seconds to wait until the consumer takes connections.
    #[arg(long, value_name = "SECONDS", requires = "url")]
    pub(crate) wait_for_ready: Option<u64>,
    /// Seconds to wait for one reply.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=300))]
    pub(crate) timeout: u64,
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
