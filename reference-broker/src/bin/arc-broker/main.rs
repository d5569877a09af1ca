//! `arc-broker`: the reference consumer of ARC 0.2 on this machine.

mod args;
mod generate;
mod log;
mod run;
mod stop;
mod token;

use clap::Parser as _;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run::run(&args::Args::parse()) {
        Ok(()) => ExitCode::from(run::OK),
        Err(failure) => {
            // A closed stderr leaves nobody to tell; the exit code still says it.
            let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("arc-broker: {failure}\n"));
            ExitCode::from(failure.exit_code())
        }
    }
}
