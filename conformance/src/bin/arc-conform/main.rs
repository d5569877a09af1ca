//! `arc-conform`: judges implementations of the Attention Request Contract (ARC) 0.2.

mod args;
mod challenge;
#[cfg(feature = "demo")]
mod demo;
mod dry_run;
mod exit;
mod export;
mod failure;
mod generate;
mod help;
mod interrupt;
mod list;
mod output;
mod producer;
mod run;
mod verify;

use args::{Args, Command, VectorsCommand};
use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Producer(args) => producer::producer(&args),
        Command::Replay(args) => run::replay(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::List(args) => list::list(&args),
        Command::Explain(args) => list::explain(&args),
        Command::Challenge(args) => challenge::challenge(&args),
        Command::Vectors(VectorsCommand::Export(args)) => export::export(&args),
        Command::Completions(args) => generate::completions(&args),
        Command::Man => generate::man(),
        #[cfg(feature = "demo")]
        Command::Demo(args) => demo::demo(&args),
    };
    done.unwrap_or_else(|failure| {
        anstream::eprintln!("arc-conform: {}", failure.message);
        ExitCode::from(failure.code)
    })
}
