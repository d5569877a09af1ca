//! 0.1 events become 0.2 events: the version changes, and whatever 0.1 could not say stays unsaid and is pointed out.

use crate::args;
use crate::check::complain;
use crate::exit;
use crate::sink::{Sink, cannot_write};
use crate::sources::{self, Source};
use arc_validator::event::{Ask, Body, Event, RequestKind};
use arc_validator::input::{self, Chunk, Document, Unit};
use arc_validator::output::{Human, Located, Report, printable};
use arc_validator::{Finding, advised, json, parse};
use clap::Args;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::PathBuf;

/// The arguments of `migrate`.
#[derive(Debug, Args)]
pub(crate) struct Migrate {
    /// Files, directories, or `-` for the standard input, as for a check [default: -]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The name that notes on the standard input carry
    #[arg(long, value_name = "NAME", default_value = "<stdin>")]
    stdin_filename: String,

    /// Write the events to this file, which appears when everything is rewritten
    #[arg(long, value_name = "PATH")]
    output_file: Option<PathBuf>,

    /// The largest event that is read, in bytes; larger ones are left out
    #[arg(long, value_name = "BYTES", default_value_t = input::MAX_EVENT, value_parser = args::bytes)]
    max_event: usize,
}

impl Migrate {
    /// Writes every event that is or becomes a valid 0.2 event to the standard output or a file, one a line; notes and
    /// faults go to the standard error. Returns the exit code.
    pub(crate) fn run(&self) -> u8 {
        match self.all() {
            Ok(count) => count.exit_code(),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit::CLEAN,
            Err(error) => {
                complain(&cannot_write(self.output_file.as_deref(), &error));
                exit::USAGE_OR_IO
            }
        }
    }

    fn all(&self) -> io::Result<Count> {
        let out = match &self.output_file {
            Some(path) => Sink::file(path)?,
            None => Sink::stream(io::stdout()),
        };
        let mut run = Run { out, max_event: self.max_event, count: Count::default() };
        run.all(self)?;
        Ok(run.count)
    }
}

struct Run {
    out: Sink,
    max_event: usize,
    count: Count,
}

/// What a whole run came to.
#[derive(Debug, Default)]
struct Count {
    migrated: u64,
    already: u64,
    left_out: u64,
    without_outcome: u64,
    /// Something could not be read.
    failed: bool,
}

impl Run {
    fn all(&mut self, args: &Migrate) -> io::Result<()> {
        for source in sources::expand(&args.paths) {
            match source {
                Ok(Source::Stdin) => self.source(&Source::Stdin, &args.stdin_filename)?,
                Ok(Source::File(path)) => {
                    let name = path.display().to_string();
                    self.source(&Source::File(path), &name)?;
                }
                Err((path, error)) => self.cannot_read(&path.display().to_string(), &error),
            }
        }
        self.out.finish()?;
        self.count.write(&mut io::stderr())
    }

    fn source(&mut self, source: &Source, path: &str) -> io::Result<()> {
        let reader = match source.open() {
            Ok((reader, _)) => reader,
            Err(error) => {
                self.cannot_read(path, &error);
                return Ok(());
            }
        };
        let mut written = Ok(());
        let mut event = 0;
        let read = input::read(reader, self.max_event, 1, |chunk| {
            let mut each = |unit: Unit<'_>| {
                event += 1;
                self.unit(path, event, &unit)
            };
            written = match chunk {
                Chunk::Lines(lines) => lines.each(each),
                Chunk::Unit(unit) => each(unit),
            };
            // Any error ends the reading; which one it was, reading or writing, is told apart below.
            if written.is_ok() { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
        });
        written?;
        if let Err(error) = read {
            self.cannot_read(path, &error);
        }
        Ok(())
    }

    fn unit(&mut self, path: &str, event: u64, unit: &Unit<'_>) -> io::Result<()> {
        match unit {
            Unit::Document(document) => self.document(path, event, document),
            Unit::Unreadable { start, finding } => {
                let document = Document::new(b"", *start);
                self.leave_out(path, event, &document, std::slice::from_ref(finding))
            }
        }
    }

    fn document(&mut self, path: &str, nth: u64, document: &Document<'_>) -> io::Result<()> {
        let current = with_current_version(document.bytes);
        let event = match parse(&current) {
            Ok(event) => event,
            Err(invalid) => {
                let document = Document::new(&current, document.start);
                return self.leave_out(path, nth, &document, &invalid.findings);
            }
        };
        if let Cow::Owned(_) = current {
            self.count.migrated += 1;
            self.note(path, document, &event)?;
        } else {
            self.count.already += 1;
        }
        self.out.write_all(&on_one_line(&current))?;
        self.out.write_all(b"\n")
    }

    /// Says what nobody can know of a migrated event.
    fn note(&mut self, path: &str, document: &Document<'_>, event: &Event<'_>) -> io::Result<()> {
        let line = document.start.line;
        match &event.body {
            Body::Created { ask, .. } | Body::Updated { ask, .. } if asks(ask) => {
                let (path, kind) = (printable(path), ask.kind.as_str());
                writeln!(
                    io::stderr(),
                    "{path}:{line}: a {kind} that nobody can answer: 0.1 could not say which answers are valid; \
                     add `request.response` if its producer waits for one"
                )
            }
            Body::Resolved { outcome: None, .. } => {
                self.count.without_outcome += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn leave_out(&mut self, path: &str, event: u64, at: &Document<'_>, findings: &[Finding]) -> io::Result<()> {
        self.count.left_out += 1;
        let mut stderr = anstream::AutoStream::auto(io::stderr());
        findings.iter().try_for_each(|finding| Human.finding(&mut stderr, &Located::new(finding, path, event, at)))
    }

    fn cannot_read(&mut self, path: &str, error: &io::Error) {
        complain(&format!("cannot read {path}: {}", advised(error)));
        self.count.failed = true;
    }
}

impl Count {
    fn write(&self, err: &mut dyn Write) -> io::Result<()> {
        let Self { migrated, already, left_out, without_outcome, .. } = self;
        if *without_outcome > 0 {
            writeln!(err, "resolutions without an outcome, because 0.1 had none: {without_outcome}")?;
        }
        if *migrated > 0 {
            writeln!(
                err,
                "0.1 had no answers (request.response, response.submitted), no outcomes, no context.turn_id and no \
                 context.native_request_id; nothing was made up for them"
            )?;
        }
        writeln!(err, "{migrated} migrated, {already} of 0.2 already, {left_out} left out because they are invalid")
    }

    fn exit_code(&self) -> u8 {
        match self {
            Self { failed: true, .. } => exit::USAGE_OR_IO,
            Self { left_out: 1.., .. } => exit::FINDINGS,
            Self { migrated: 0, already: 0, .. } => {
                complain("there was no event to rewrite; pipe events in, or name files that hold some");
                exit::NOTHING_CHECKED
            }
            _ => exit::CLEAN,
        }
    }
}

/// Whether a person is asked something.
fn asks(ask: &Ask<'_>) -> bool {
    ask.response.is_none() && matches!(ask.kind, RequestKind::Permission | RequestKind::Question)
}

/// A 0.1 event with the version of 0.2 and every other byte as it was; anything else unchanged.
fn with_current_version(bytes: &[u8]) -> Cow<'_, [u8]> {
    let node = json::parse(bytes).ok();
    let version = node.as_ref().and_then(|node| node.get("arc_version")).filter(|v| v.as_str() == Some("0.1"));
    match version {
        Some(version) => {
            let (before, after) = (&bytes[..version.span.start], &bytes[version.span.end..]);
            Cow::Owned([before, b"\"0.2\"", after].concat())
        }
        None => Cow::Borrowed(bytes),
    }
}

/// A valid event without the line breaks between its tokens and the indentation after them; inside of strings JSON has no
/// raw line breaks.
fn on_one_line(event: &[u8]) -> Vec<u8> {
    event.split(|byte| matches!(byte, b'\n' | b'\r')).flat_map(<[u8]>::trim_ascii_start).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_version_changes() {
        let changed =
            |text: &'static str| String::from_utf8(with_current_version(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(changed(r#"{ "arc_version" :"0.1", "a": "0.1" }"#), r#"{ "arc_version" :"0.2", "a": "0.1" }"#);
        for unchanged in [r#"{"arc_version":"0.2"}"#, r#"{"arc_version":0.1}"#, "{", "[]", "{\"arc_version\":\"0.1\""] {
            assert_eq!(changed(unchanged), unchanged);
        }
    }

    #[test]
    fn an_event_over_several_lines_becomes_one() {
        let line = on_one_line(b"{\r\n  \"a\": \"b  c\",\n\t\"d\": [\n1 ]\n}\n");
        assert_eq!(String::from_utf8(line).unwrap(), r#"{"a": "b  c","d": [1 ]}"#);
    }
}
