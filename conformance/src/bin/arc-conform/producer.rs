//! `arc-conform producer`.

use crate::args::ProducerArgs;
use crate::failure::{Failure, fault, usage};
use crate::interrupt::Signals;
use crate::run::block_on;
use crate::{exit, output};
use arc_conformance::producer::{self, Job, RunError, Script};
use std::process::ExitCode;

pub(crate) fn producer(args: &ProducerArgs) -> Result<ExitCode, Failure> {
    let scripts = if args.scripts.is_empty() { Script::ALL.to_vec() } else { args.scripts.clone() };
    let known_failures = output::known_failures(&args.output)?;
    let job = Job { command: args.command.clone(), scripts, limit: args.limit, known_failures };
    let mut reporters = output::reporters(&args.output)?;
    block_on(async {
        let mut signals = Signals::listen()?;
        match signals.unless(producer::run(&job, &mut reporters)).await? {
            Ok(summary) => Ok(exit::told(&summary)),
            Err(RunError::Kit(message)) => Err(fault(message)),
            Err(error) => Err(usage(error.to_string())),
        }
    })
}
