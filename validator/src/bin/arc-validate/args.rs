//! The command line.

use crate::commands::Command;
use crate::levels::LevelArgs;
use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::sync::LazyLock;

/// `--version`: the program, the contract, and the schema that events are held against.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let schema = arc_validator::hex::sha256(arc_validator::schema::SOURCE);
    format!("{}\ncontract ARC 0.2\nschema {schema}", env!("CARGO_PKG_VERSION"))
});

/// Checks Attention Request Contract (ARC) 0.2 events: strict JSON, schema and semantics, with exact places.
///
/// Reads single events, JSON arrays and NDJSON streams; tells them apart by content.
#[derive(Debug, Parser)]
#[command(name = "arc-validate", version, long_version = VERSION.as_str(), after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) check: Args,
}

/// The arguments of a check.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files to check, directories to search for *.json, *.jsonl and *.ndjson, or `-` for the standard input
    /// [default: -]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How findings are written
    #[arg(long, value_enum, default_value_t = Format::Human, env = "ARC_VALIDATE_FORMAT")]
    pub(crate) format: Format,

    /// Write the findings to this file, which appears when everything is checked; the summary goes to the standard error
    #[arg(long, value_name = "PATH")]
    pub(crate) output_file: Option<PathBuf>,

    /// The name that findings in the standard input carry
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    pub(crate) stdin_filename: String,

    /// The largest event that is read, in bytes; larger ones are findings
    #[arg(long, value_name = "BYTES", default_value_t = arc_validator::input::MAX_EVENT, value_parser = bytes)]
    pub(crate) max_event: usize,

    /// Judge each event by itself: no rule about what stood before it. By default these rules apply to every file with
    /// more than one event
    #[arg(long)]
    pub(crate) no_lifecycle: bool,

    /// Stand in a pipe: valid events pass to the standard output unchanged, findings go to the standard error
    #[arg(long)]
    pub(crate) gate: bool,

    /// How many threads judge long NDJSON streams [default: one a core, at most 4]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// Exit with 0 where there is no event to check
    #[arg(long)]
    pub(crate) allow_empty: bool,

    #[command(flatten)]
    pub(crate) levels: LevelArgs,
}

impl Args {
    /// Threads to use for what is worth it.
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4));
        self.threads.unwrap_or_else(all)
    }
}

/// A size in bytes, from 1.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|bytes| *bytes > 0).ok_or_else(|| "a number of bytes is needed, as 1048576".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "a number of threads is needed, as 2".to_owned())
}

/// Output formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people, with the line underlined
    Human,
    /// One line a finding, which editors make clickable
    Concise,
    /// One JSON object: findings and summary
    Json,
    /// One JSON object a line, as soon as it is found; the last one is the summary
    Ndjson,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for test reports
    Junit,
    /// Workflow commands of GitHub Actions: annotations beside the lines
    Github,
}

const AFTER_HELP: &str = "\
Examples:
  arc-validate event.json                 check one event
  my-hook | arc-validate                  check what a hook prints
  arc-validate --format json recorded/    check a directory, for a program to read
  my-hook | arc-validate --gate | send    let only valid events through
  arc-validate explain unknown-member     say more about a finding
  arc-validate ./rules                    check a file that is called like a subcommand

Exit codes:
  0  every event is valid
  1  at least one error was found
  2  wrong usage, or something could not be read or written
  4  there was no event to check (0 with --allow-empty)";
