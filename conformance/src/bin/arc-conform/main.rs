//! `arc-conform`: judges consumers of the Attention Request Contract (ARC) 0.2.

mod args;
#[cfg(feature = "demo")]
mod demo;
mod exit;
mod list;
mod run;
mod verify;

use args::{Args, Command};
use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Replay(args) => run::replay(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::List(args) => list::list(&args),
        Command::Explain(args) => list::explain(&args),
        #[cfg(feature = "demo")]
        Command::Demo(args) => demo::demo(&args),
    };
    done.unwrap_or_else(|failure| {
        anstream::eprintln!("arc-conform: {}", failure.message);
        ExitCode::from(failure.code)
    })
}
