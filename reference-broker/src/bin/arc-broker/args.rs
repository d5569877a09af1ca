//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

/// The reference consumer of the Attention Request Contract (ARC) 0.2: takes events, shows questions, hands back answers.
#[derive(Debug, clap::Parser)]
#[command(
    name = "arc-broker",
    version,
    after_help = "\
Exit codes: 0 stopped as told; 1 failed while running; 2 wrong usage, or a file, database or address that cannot be used.

Example:
  arc-broker --db broker.db --token-file broker.token &
  curl -H \"Authorization: Bearer $(cat broker.token)\" -H 'Content-Type: application/json' \\
       -d @event.json http://127.0.0.1:47821/v1/events"
)]
pub(crate) struct Args {
    /// The SQLite database; created where it is missing
    #[arg(long, value_name = "PATH", env = "ARC_BROKER_DB", default_value = "arc-broker.db")]
    pub(crate) db: PathBuf,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", env = "ARC_BROKER_LISTEN", default_value = "127.0.0.1:47821")]
    pub(crate) listen: SocketAddr,
    /// The file that holds the bearer token; created with a fresh token where it is missing [default: beside the database]
    #[arg(long, value_name = "PATH", env = "ARC_BROKER_TOKEN_FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// POST requests a second that are served; 0 sets no limit
    #[arg(long, value_name = "NUMBER", env = "ARC_BROKER_RATE_LIMIT", default_value_t = 100)]
    pub(crate) rate_limit: u32,
    /// Forget conditions that ended so many days ago, with their questions and the names of their events; a late retry
    /// of such an event is a new event then [default: keep everything]
    #[arg(long, value_name = "DAYS", env = "ARC_BROKER_RETAIN_DAYS")]
    pub(crate) retain_days: Option<u32>,
    /// What to log to stderr: off, error, warn, info, debug, trace
    #[arg(long, value_name = "LEVEL", env = "ARC_BROKER_LOG", default_value = "info")]
    pub(crate) log: tracing_subscriber::filter::LevelFilter,
    /// How to log
    #[arg(long, value_name = "FORMAT", env = "ARC_BROKER_LOG_FORMAT", value_enum, default_value_t)]
    pub(crate) log_format: LogFormat,
    /// Listen on an address that other machines reach, too
    #[arg(long)]
    pub(crate) allow_remote: bool,
}

/// How log lines look. They hold ids, kinds and outcomes; never prompts, choices, answers, digests, nonces or tokens.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
}
