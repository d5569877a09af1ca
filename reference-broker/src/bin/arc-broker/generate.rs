//! `arc-broker completions` and `arc-broker man`: from the one definition of the command line.

use crate::args::{Args, Command};
use clap::CommandFactory as _;
use std::io::{self, ErrorKind, Write as _};

/// Writes what was asked for; a reader that has gone wants no more of it.
pub(crate) fn generate(command: &Command) -> io::Result<()> {
    let mut text = Vec::new();
    match command {
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Args::command(), "arc-broker", &mut text);
        }
        // The page's head has room for one line.
        Command::Man => clap_mangen::Man::new(Args::command().version(env!("CARGO_PKG_VERSION"))).render(&mut text)?,
    }
    match io::stdout().write_all(&text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
