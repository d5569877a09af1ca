//! `arc-validate`: reads events, writes findings, exits with a code that a pipeline can branch on.

mod args;
mod check;
mod exit;
mod judge;
mod levels;
mod progress;
mod sink;
mod sources;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    ExitCode::from(check::run(&args))
}
