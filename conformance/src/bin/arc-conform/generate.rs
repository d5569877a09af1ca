//! `arc-conform completions` and `arc-conform man`: from the one definition of the command line.

use crate::args::{self, CompletionsArgs};
use crate::failure::{Failure, fault};
use crate::list::print;
use std::process::ExitCode;

pub(crate) fn completions(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::definition(), "arc-conform", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// The page of the program, then one part for each subcommand.
pub(crate) fn man() -> Result<ExitCode, Failure> {
    // The page's head has room for one line.
    let mut definition = args::definition().version(env!("CARGO_PKG_VERSION"));
    definition.build();
    let mut page = Vec::new();
    let mut render = |command: clap::Command| clap_mangen::Man::new(command).render(&mut page);
    render(definition.clone()).map_err(|e| fault(e.to_string()))?;
    for command in definition.get_subcommands().filter(|command| command.get_name() != "help") {
        render(command.clone()).map_err(|e| fault(e.to_string()))?;
    }
    print(&String::from_utf8_lossy(&page))
}
