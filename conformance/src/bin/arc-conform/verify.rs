//! `arc-conform verify`.

use crate::args::VerifyArgs;
use crate::exit;
use crate::failure::{self, Failure};
use crate::list::print;
use arc_conformance::claim_file::ClaimFile;
use std::fmt::Write as _;
use std::process::ExitCode;

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let usage = |error: String| failure::usage(format!("{}: {error}", args.file.display()));
    let text = std::fs::read_to_string(&args.file).map_err(|e| usage(e.to_string()))?;
    let file = ClaimFile::parse(&text).map_err(usage)?;
    let problems = file.problems();
    let mut text = String::new();
    for problem in &problems {
        let _ = writeln!(text, "Not sound: {problem}.");
    }
    if problems.is_empty() {
        for line in file.lines() {
            let _ = writeln!(text, "{line}");
        }
        text.push_str("Sound: the claims follow from the verdicts, and the vectors are this kit's.\n");
    }
    print(&text)?;
    Ok(ExitCode::from(if problems.is_empty() { exit::HOLDS } else { exit::VIOLATIONS }))
}
