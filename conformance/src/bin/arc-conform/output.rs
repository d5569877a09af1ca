//! Where a run is told: standard output, progress, report files; and the list of known failures.

use crate::args::{Format, OutputArgs};
use crate::failure::{self, Failure, unwritten, usage};
use arc_conformance::known_failures::KnownFailures;
use arc_conformance::report::{Badge, ClaimJson, Html, Json, Junit, Markdown, Progress, Svg, Terminal};
use arc_conformance::run_event::Reporter;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

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
    let out = BufWriter::new(File::create(path).map_err(|e| unwritten(Path::new(path), &e))?);
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

/// The list of known failures; a broken one is told before anything is judged.
pub(crate) fn known_failures(args: &OutputArgs) -> Result<Option<KnownFailures>, Failure> {
    let Some(path) = &args.known_failures else { return Ok(None) };
    let text = failure::read("the known failures", path)?;
    let next = "see schemas/known-failures.schema.json, which `arc-conform vectors export DIR` writes";
    KnownFailures::parse(&text).map(Some).map_err(|e| failure::is_no("list of known failures", path, e, next))
}
