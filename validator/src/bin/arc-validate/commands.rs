//! The small subcommands: each prints one text.

use crate::args::Cli;
use crate::check::complain;
use crate::sink::cannot_write;
use crate::{exit, migrate, show};
use arc_validator::{Levels, Selection};
use clap::{CommandFactory as _, Subcommand, ValueEnum};
use std::io::{self, Write};

/// What to do instead of checking.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explain a rule by its code, or the rules of a family or of a requirement
    Explain {
        /// Such as unknown-member, answers or ENV-15
        #[arg(value_name = "CODE")]
        name: String,
    },
    /// List every rule and lint
    Rules {
        /// How they are written
        #[arg(long, value_enum, default_value_t = Listing::Text)]
        format: Listing,
    },
    /// Print the JSON Schema of events, for editors
    Schema,
    /// Rewrite ARC 0.1 events as 0.2 ones, one a line, and say what nobody can know
    Migrate(migrate::Migrate),
    /// Print completions for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// The forms of the list of rules.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Listing {
    /// One line a rule
    Text,
    /// One JSON object
    Json,
    /// A page, with examples
    Markdown,
}

/// Runs a subcommand and returns its exit code.
pub(crate) fn run(command: &Command) -> u8 {
    match command {
        Command::Explain { name } => explain(name),
        Command::Rules { format: Listing::Text } => print(&show::table()),
        Command::Rules { format: Listing::Json } => print(&show::as_json()),
        Command::Rules { format: Listing::Markdown } => print(&show::as_markdown()),
        Command::Schema => print(arc_validator::schema::SOURCE),
        Command::Migrate(migrate) => migrate.run(),
        Command::Completions { shell } => print(&completions(*shell)),
        Command::Man => print(&manual()),
    }
}

fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "arc-validate", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The page of the program, then one part for each subcommand.
fn manual() -> String {
    // The page's head has room for one line.
    let mut program = Cli::command().version(env!("CARGO_PKG_VERSION"));
    program.build();
    let subcommands = program.get_subcommands().filter(|command| command.get_name() != "help").cloned();
    let mut page = Vec::new();
    for command in std::iter::once(program.clone()).chain(subcommands) {
        clap_mangen::Man::new(command).render(&mut page).expect("memory takes every write");
    }
    String::from_utf8_lossy(&page).into_owned()
}

fn explain(name: &str) -> u8 {
    if let Some(text) = show::explain(name) {
        return print(&text);
    }
    let selection = Selection { allow: vec![name.to_owned()], ..Selection::default() };
    if let Err(error) = Levels::default().apply(&selection) {
        complain(&error.to_string());
    }
    exit::USAGE_OR_IO
}

fn print(text: &str) -> u8 {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&cannot_write(None, &error));
            exit::USAGE_OR_IO
        }
        _ => exit::CLEAN,
    }
}
