//! The main job: every source is read, every unit judged, every finding reported in the order of the file.

use crate::args::Args;
use crate::exit;
use crate::judge::{Judged, judge};
use crate::progress::Progress;
use crate::sink::{self, Sink, cannot_write};
use crate::sources::{self, Source};
use crate::together::judge_together;
use arc_validator::input::{self, Chunk, Document, Lines, Place};
use arc_validator::output::{Human, Located, Report, Summary};
use arc_validator::stream::Stream;
use arc_validator::{Finding, Levels, advised};
use std::io::{self, BufWriter, Write};

/// Runs the program and returns its exit code. A closed standard output ends it early and is no failure.
pub(crate) fn run(args: &Args) -> u8 {
    let levels = match args.levels.levels() {
        Ok(levels) => levels,
        Err(error) => {
            complain(&error);
            return exit::USAGE_OR_IO;
        }
    };
    let out = match Sink::of_findings(args) {
        Ok(out) => out,
        Err(error) => {
            complain(&cannot_write(args.output_file.as_deref(), &error));
            return exit::USAGE_OR_IO;
        }
    };
    let gate = args.gate.then(|| BufWriter::new(io::stdout()));
    let report = sink::report(args.format);
    let mut run = Run { args, levels, out, gate, report, summary: Summary::default(), failed: false };
    match run.all() {
        Ok(()) => run.exit_code(),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit::CLEAN,
        Err(error) => {
            complain(&cannot_write(args.output_file.as_deref(), &error));
            exit::USAGE_OR_IO
        }
    }
}

struct Run<'a> {
    args: &'a Args,
    levels: Levels,
    out: Sink,
    /// Where valid events pass to.
    gate: Option<BufWriter<io::Stdout>>,
    report: Box<dyn Report>,
    summary: Summary,
    /// Something could not be read.
    failed: bool,
}

/// One file on its way.
struct File {
    path: String,
    events: u64,
    stream: Option<Stream>,
    first: Option<First>,
    progress: Progress,
}

/// A file's first event, where the lifecycle finds fault with it: that counts only once a second one shows that this is
/// a stream, so until then it is held back.
struct First {
    bytes: Vec<u8>,
    start: Place,
    is_valid: bool,
    findings: Vec<Finding>,
    breaches: Vec<Finding>,
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
        let (reader, size) = match source.open() {
            Ok(opened) => opened,
            Err(error) => {
                self.cannot_read(&path, &error);
                return Ok(());
            }
        };
        self.summary.files += 1;
        self.report.source(&path);
        let stream = (!self.args.no_lifecycle).then(Stream::default);
        let mut file = File { path, events: 0, stream, first: None, progress: Progress::new(size) };
        let mut written = Ok(());
        let read = input::read(reader, self.args.max_event, self.args.threads(), |chunk| {
            written = self.chunk(&mut file, chunk);
            // Any error ends the reading; which one it was, reading or writing, is told apart below.
            if written.is_ok() { Ok(()) } else { Err(io::ErrorKind::Other.into()) }
        });
        file.progress.clear();
        written?;
        if let Some(First { bytes, start, is_valid, findings, .. }) = file.first.take() {
            self.tell(&file, 1, &Document::new(&bytes, start), is_valid, findings)?;
        }
        if let Err(error) = read {
            self.cannot_read(&file.path, &error);
        }
        Ok(())
    }

    fn chunk(&mut self, file: &mut File, chunk: Chunk<'_>) -> io::Result<()> {
        let lifecycle = file.stream.is_some();
        match chunk {
            Chunk::Unit(unit) => self.settle(file, judge(unit, lifecycle))?,
            Chunk::Lines(lines) => {
                file.progress.advance(lines.len());
                self.lines(file, lines, lifecycle)?;
            }
        }
        // Whoever reads the other end of a pipe should not have to wait for the next block.
        self.gate.as_mut().map_or(Ok(()), Write::flush)
    }

    fn lines(&mut self, file: &mut File, lines: Lines<'_>, lifecycle: bool) -> io::Result<()> {
        match self.args.threads() {
            1 => lines.each(|unit| self.settle(file, judge(unit, lifecycle))),
            threads => judge_together(lines, lifecycle, threads, |judged| self.settle(file, judged)),
        }
    }

    /// Takes one judged unit in its turn: state of the stream, findings, gate.
    fn settle(&mut self, file: &mut File, judged: Judged<'_>) -> io::Result<()> {
        if let Some(First { bytes, start, is_valid, findings, breaches }) = file.first.take() {
            self.tell(file, 1, &Document::new(&bytes, start), is_valid, [findings, breaches].concat())?;
        }
        file.events += 1;
        let Judged { document, facts, findings, is_valid } = judged;
        let breaches = match (&mut file.stream, facts) {
            (Some(stream), Some(facts)) => stream.step(&facts, document.start.line),
            _ => Vec::new(),
        };
        let breaches: Vec<_> = breaches.into_iter().map(|breach| breach.locate(document.bytes)).collect();
        if file.events == 1 && !breaches.is_empty() {
            let (bytes, start) = (document.bytes.to_vec(), document.start);
            file.first = Some(First { bytes, start, is_valid, findings, breaches });
            return Ok(());
        }
        let findings = if breaches.is_empty() { findings } else { [findings, breaches].concat() };
        self.tell(file, file.events, &document, is_valid, findings)
    }

    /// Reports what was found in one event, in the order of places, and lets a valid one pass.
    fn tell(
        &mut self,
        file: &File,
        event: u64,
        document: &Document<'_>,
        is_valid: bool,
        mut findings: Vec<Finding>,
    ) -> io::Result<()> {
        self.summary.events += 1;
        let errors = self.summary.errors;
        findings.sort_by_key(|finding| finding.span.start);
        self.report_all(file, event, document, &findings)?;
        if self.summary.errors == errors && is_valid {
            self.summary.valid += 1;
            self.pass(document.bytes)?;
        }
        Ok(())
    }

    fn report_all(&mut self, file: &File, event: u64, document: &Document<'_>, findings: &[Finding]) -> io::Result<()> {
        for finding in findings {
            let Some(level) = self.levels.of(finding.rule) else { continue };
            let located = Located { level, ..Located::new(finding, &file.path, event, document) };
            self.summary.count(located.level);
            self.report.finding(&mut self.out, &located)?;
        }
        Ok(())
    }

    /// Lets a valid event through the gate, byte for byte.
    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(gate) = &mut self.gate else { return Ok(()) };
        gate.write_all(bytes)?;
        gate.write_all(b"\n")
    }

    fn cannot_read(&mut self, path: &str, error: &io::Error) {
        complain(&format!("cannot read {path}: {}", advised(error)));
        self.failed = true;
    }

    /// Where an event was looked for in vain, and what to do about it.
    fn nothing_checked(&self) -> String {
        let (place, step) = match (&self.args.paths[..], self.summary.files) {
            (_, 0) => ("no file *.json, *.jsonl or *.ndjson in what was named", "name the files themselves"),
            ([], _) => ("the standard input was empty", "pipe events in, or name files"),
            _ => ("what was read is empty", "see whether anything was recorded"),
        };
        format!("there was no event to check: {place}; {step} (--allow-empty makes this a success)")
    }

    fn exit_code(&self) -> u8 {
        match self.summary {
            _ if self.failed => exit::USAGE_OR_IO,
            Summary { errors: 1.., .. } => exit::FINDINGS,
            Summary { events: 0, .. } if !self.args.allow_empty => {
                complain(&self.nothing_checked());
                exit::NOTHING_CHECKED
            }
            _ => exit::CLEAN,
        }
    }
}

#[expect(clippy::print_stderr, reason = "the program's one way to say what kept it from its job")]
pub(crate) fn complain(message: &str) {
    eprintln!("arc-validate: {message}");
}
