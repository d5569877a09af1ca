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
    /// Listen on an address that other machines reach, too
    #[arg(long)]
    pub(crate) allow_remote: bool,
}
