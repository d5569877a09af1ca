//! Where a run is told: standard output, progress, report files; and the list of known failures.

use crate::args::{Format, OutputArgs};
use crate::failure::{self, Failure, unwritten, usage};
use arc_conformance::known_failures::KnownFailures;
use arc_conformance::report::{Badge, ClaimJson, Html, Json, Junit, Markdown, Progress, Svg, Terminal};
use arc_conformance::run_event::Reporter;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// The formats of report files.
const FORMATS: [&str; 7] = ["html", "json", "junit", "markdown", "badge", "badge-svg", "claim"];

pub(crate) fn reporters(args: &OutputArgs) -> Result<Vec<Box<dyn Reporter>>, Failure> {
    let mut reporters: Vec<Box<dyn Reporter>> = vec![
        Box::new(Progress::new()),
        match args.format {
            Format::Terminal => Box::new(Terminal::new(anstream::stdout())),
            Format::Json => Box::new(Json::new(std::io::stdout())),
        },
    ];
    for report in &args.reports {
        reporters.push(reporter(report)?);
    }
    Ok(reporters)
}

/// A reporter that writes a file, from FORMAT=FILE.
fn reporter(report: &str) -> Result<Box<dyn Reporter>, Failure> {
    let (format, path) = report.split_once('=').unwrap_or((report, ""));
    if !FORMATS.contains(&format) || path.is_empty() {
        return Err(usage(format!(
            "--report {report:?}: FORMAT=FILE is needed, where FORMAT is {}",
            FORMATS.join(", ")
        )));
    }
    let out = ReportFile::create(path)?;
    Ok(match format {
        "html" => Box::new(Html::new(out)),
        "junit" => Box::new(Junit::new(out)),
        "markdown" => Box::new(Markdown::new(out)),
        "badge" => Box::new(Badge::new(out)),
        "badge-svg" => Box::new(Svg::new(out)),
        "claim" => Box::new(ClaimJson::new(out)),
        _ => Box::new(Json::new(out)),
    })
}

/// A report file, made before anything is asked, so that nobody waits for a run whose report cannot be written. A run that ends
/// without a report leaves no empty file.
struct ReportFile {
    path: PathBuf,
    out: BufWriter<File>,
    is_empty: bool,
}

impl ReportFile {
    fn create(path: &str) -> Result<Self, Failure> {
        let path = PathBuf::from(path);
        let file = File::create(&path).map_err(|e| unwritten(&path, &e))?;
        Ok(Self { path, out: BufWriter::new(file), is_empty: true })
    }
}

impl Write for ReportFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_empty = false;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for ReportFile {
    fn drop(&mut self) {
        // A pipe or a device has no length, and is not ours to remove.
        let is_file = self.out.get_ref().metadata().is_ok_and(|metadata| metadata.is_file());
        if self.is_empty && is_file {
            // The run has ended for a reason that was told; that a file is left over is none to tell beside it.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The list of known failures; a broken one is told before anything is judged.
pub(crate) fn known_failures(args: &OutputArgs) -> Result<Option<KnownFailures>, Failure> {
    let Some(path) = &args.known_failures else { return Ok(None) };
    let text = failure::read("the known failures", path)?;
    let next = "see schemas/known-failures.schema.json, which `arc-conform vectors export DIR` writes";
    KnownFailures::parse(&text).map(Some).map_err(|e| failure::is_no("list of known failures", path, e, next))
}
