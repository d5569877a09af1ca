//! The main job: every source is read, every finding reported, the exit code decided by what was counted.

use crate::args::Args;
use crate::exit;
use crate::sink::{self, Sink};
use crate::sources::{self, Source};
use arc_validator::input::{self, Document, Unit};
use arc_validator::output::{Human, Located, Report, Summary};
use std::io;

/// Runs the program and returns its exit code. A closed standard output ends it early and is no failure.
pub(crate) fn run(args: &Args) -> u8 {
    let out = match Sink::open(args.output_file.as_deref(), args.format) {
        Ok(out) => out,
        Err(error) => {
            complain(&format!("cannot write the findings: {error}"));
            return exit::USAGE_OR_IO;
        }
    };
    let report = sink::report(args.format);
    let mut run = Run { args, out, report, summary: Summary::default(), failed: false };
    match run.all() {
        Ok(()) => run.exit_code(),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit::CLEAN,
        Err(error) => {
            complain(&format!("cannot write the findings: {error}"));
            exit::USAGE_OR_IO
        }
    }
}

struct Run<'a> {
    args: &'a Args,
    out: Sink,
    report: Box<dyn Report>,
    summary: Summary,
    /// Something could not be read.
    failed: bool,
}

impl Run<'_> {
    fn all(&mut self) -> io::Result<()> {
        for source in sources::expand(&self.args.paths) {
            match source {
                Ok(source) => self.source(&source)?,
                Err((path, error)) => self.cannot_read(&path.display().to_string(), &error),
            }
        }
        self.report.finish(&mut self.out, &self.summary)?;
        if self.args.output_file.is_some() {
            Human.finish(&mut anstream::AutoStream::auto(io::stderr()), &self.summary)?;
        }
        self.out.finish()
    }

    fn source(&mut self, source: &Source) -> io::Result<()> {
        let path = match source {
            Source::Stdin => self.args.stdin_filename.clone(),
            Source::File(path) => path.display().to_string(),
        };
        let reader = match source.open() {
            Ok(reader) => reader,
            Err(error) => {
                return {
                    self.cannot_read(&path, &error);
                    Ok(())
                };
            }
        };
        self.summary.files += 1;
        self.report.source(&path);
        let mut event = 0;
        let mut written = Ok(());
        let read = input::read(reader, self.args.max_event, |unit| {
            event += 1;
            written = self.unit(&path, event, &unit);
            // Any error ends the reading; which one it was, reading or writing, is told apart below.
            if written.is_ok() { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
        });
        written?;
        if let Err(error) = read {
            self.cannot_read(&path, &error);
        }
        Ok(())
    }

    fn unit(&mut self, path: &str, event: u64, unit: &Unit<'_>) -> io::Result<()> {
        self.summary.events += 1;
        match unit {
            Unit::Document(document) => match arc_validator::parse(document.bytes) {
                Ok(_) => self.summary.valid += 1,
                Err(invalid) => {
                    for finding in &invalid.findings {
                        self.finding(&Located::new(finding, path, event, document))?;
                    }
                }
            },
            Unit::Unreadable { start, finding } => {
                self.finding(&Located::new(finding, path, event, &Document { bytes: b"", start: *start }))?;
            }
        }
        Ok(())
    }

    fn finding(&mut self, located: &Located<'_>) -> io::Result<()> {
        self.summary.count(located.level);
        self.report.finding(&mut self.out, located)
    }

    fn cannot_read(&mut self, path: &str, error: &io::Error) {
        complain(&format!("cannot read {path}: {error}"));
        self.failed = true;
    }

    fn exit_code(&self) -> u8 {
        match self.summary {
            _ if self.failed => exit::USAGE_OR_IO,
            Summary { errors: 1.., .. } => exit::FINDINGS,
            Summary { events: 0, .. } if !self.args.allow_empty => {
                complain("there was no event to check (--allow-empty makes this a success)");
                exit::NOTHING_CHECKED
            }
            _ => exit::CLEAN,
        }
    }
}

#[expect(clippy::print_stderr, reason = "the program's one way to say what kept it from its job")]
fn complain(message: &str) {
    eprintln!("arc-validate: {message}");
}
