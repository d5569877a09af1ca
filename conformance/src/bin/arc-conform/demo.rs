//! `arc-conform demo`: what a red report looks like. The kit judges an embedded consumer that has one deliberate fault.

#[path = "../../../tests/crash_dummy/mod.rs"]
mod crash_dummy;

use crate::args::{Args, Command, DemoArgs};
use crate::failure::{self, Failure, fault};
use crate::list::print;
use crate::{exit, run};
use clap::Parser as _;
use crash_dummy::{Behaviour, Dummy, Fault};
use std::process::ExitCode;

pub(crate) fn demo(args: &DemoArgs) -> Result<ExitCode, Failure> {
    let Some(name) = &args.fault else { return print(&list()) };
    let known = faults().find(|fault| fault.name().eq_ignore_ascii_case(name));
    let unknown = || failure::unknown(name, "fault", faults().map(Fault::name), "`arc-conform demo` lists them");
    let shown = known.ok_or_else(unknown)?;
    let trouble = |e: std::io::Error| fault(format!("the demonstration: {e}"));
    let log = tempfile::NamedTempFile::new().map_err(trouble)?;
    let runtime = tokio::runtime::Runtime::new().map_err(trouble)?;
    let dummy = runtime.block_on(Dummy::fleet(Behaviour::fault(shown), 1, Some(log.path().to_owned())));
    anstream::eprintln!("A consumer that {}. The contract: {:?}\n", shown.does(), shown.sentence());
    let log = log.path().display().to_string();
    let mut line = vec!["arc-conform", "run", dummy.url(), "--token", dummy.token(), "--cases", "0"];
    for claim in ["consumer", "agentnotify-http", "interactions"] {
        line.extend(["--claim", claim]);
    }
    if shown.needs_log() {
        line.extend(["--claim", "private-logs", "--consumer-log", &log]);
    }
    line.extend(args.options.iter().map(String::as_str));
    match Args::try_parse_from(line) {
        Ok(Args { command: Command::Run(args) }) => run::run(&args),
        Ok(_) => Err(unknown()),
        Err(error) => {
            // A closed stream leaves nobody to tell; the exit code still says it.
            let _ = error.print();
            Ok(ExitCode::from(if error.use_stderr() { exit::USAGE } else { exit::HOLDS }))
        }
    }
}

/// Faults that show themselves without a crash.
fn faults() -> impl Iterator<Item = Fault> {
    Fault::ALL.iter().copied().filter(|fault| !fault.needs_restart())
}

fn list() -> String {
    let line = |fault: Fault| format!("{:<34} {:<16} {}\n", fault.name(), fault.requirements().join(" "), fault.does());
    faults().map(line).collect()
}
