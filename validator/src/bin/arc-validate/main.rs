//! `arc-validate`: reads events, writes findings, exits with a code that a pipeline can branch on.

mod args;
mod check;
mod commands;
mod exit;
mod judge;
mod levels;
mod migrate;
mod progress;
mod show;
mod sink;
mod sources;
mod together;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    ExitCode::from(match &cli.command {
        Some(command) => commands::run(command),
        None => check::run(&cli.check),
    })
}
