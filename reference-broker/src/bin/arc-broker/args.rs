//! The command line.

use arc_validator::hex::sha256;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::LazyLock;
use tracing_subscriber::filter::LevelFilter;

/// The vectors that the broker's own words are held to: its digests.
const DIGESTS: &str = include_str!("../../../../vectors/digests/reference-broker.json");

/// `--version`: the program, the contract with the schema that events are checked by, and the digest vectors.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (schema, digests) = (sha256(arc_validator::schema::SOURCE), sha256(DIGESTS));
    format!("{}\ncontract ARC 0.2\nschema {schema}\ndigest vectors {digests}", env!("CARGO_PKG_VERSION"))
});

const EXAMPLES: &str = "\
Exit codes:
  0  stopped as told
  1  failed while running, or stopped by a second signal
  2  wrong usage, or a file, database or address that cannot be used

Examples:
  arc-broker --db broker.db --token-file broker.token
      listen on 127.0.0.1:47821; make a token where there is none; stop at SIGINT or SIGTERM

  curl -H \"Authorization: Bearer $(cat broker.token)\" -H 'Content-Type: application/json' \\
       -d @event.json http://127.0.0.1:47821/v1/events
      tell it of an event; `arc-validate event.json` says what is wrong with one that it refuses

  curl -H \"Authorization: Bearer $(cat broker.token)\" \\
       'http://127.0.0.1:47821/v1/interactions?pending=true'
      what people are asked now

  arc-broker --listen 127.0.0.1:0 --log debug --log-format json
      a free port, which the first line names; one JSON object a line on stderr for each request

  arc-broker completions bash > ~/.local/share/bash-completion/completions/arc-broker
  arc-broker man > ~/.local/share/man/man1/arc-broker.1";

/// The reference consumer of the Attention Request Contract (ARC) 0.2: takes events, shows questions, hands back answers.
#[derive(Debug, clap::Parser)]
#[command(
    name = "arc-broker",
    version = VERSION.as_str(),
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The SQLite database; created where it is missing
    #[arg(long, value_name = "PATH", env = "ARC_BROKER_DB", default_value = "arc-broker.db")]
    pub(crate) db: PathBuf,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", env = "ARC_BROKER_LISTEN", default_value = "127.0.0.1:47821", value_parser = address)]
    pub(crate) listen: SocketAddr,
    /// The file that holds the bearer token; created with a fresh token where it is missing [default: beside the database]
    #[arg(long, value_name = "PATH", env = "ARC_BROKER_TOKEN_FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// POST requests a second that are served; 0 sets no limit
    #[arg(long, value_name = "NUMBER", env = "ARC_BROKER_RATE_LIMIT", default_value_t = 100, value_parser = number)]
    pub(crate) rate_limit: u32,
    /// Forget conditions that ended so many days ago, with their questions and the names of their events; a late retry
    /// of such an event is a new event then [default: keep everything]
    #[arg(long, value_name = "DAYS", env = "ARC_BROKER_RETAIN_DAYS", value_parser = number)]
    pub(crate) retain_days: Option<u32>,
    /// What to log to stderr: off, error, warn, info, debug, trace
    #[arg(long, value_name = "LEVEL", env = "ARC_BROKER_LOG", default_value = "info", value_parser = level)]
    pub(crate) log: LevelFilter,
    /// How to log
    #[arg(long, value_name = "FORMAT", env = "ARC_BROKER_LOG_FORMAT", value_enum, default_value_t)]
    pub(crate) log_format: LogFormat,
    /// Listen on an address that other machines reach, too
    #[arg(long)]
    pub(crate) allow_remote: bool,
}

/// What it does instead of serving.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Write a shell's completions to standard output
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual page (roff) to standard output
    Man,
}

fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "an address and a port are needed, as 127.0.0.1:47821 or [::1]:47821")
}

fn number(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "a whole number is needed, as 30")
}

fn level(text: &str) -> Result<LevelFilter, &'static str> {
    text.parse().map_err(|_| "the levels are off, error, warn, info, debug and trace")
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
