//! `arc-conform verify`.

use crate::args::VerifyArgs;
use crate::exit;
use crate::failure::{self, Failure};
use crate::list::print;
use arc_conformance::claim_file::ClaimFile;
use std::fmt::Write as _;
use std::process::ExitCode;

pub(crate) fn verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let text = failure::read("the claim file", &args.file)?;
    let next = "take the file that `arc-conform run --report claim=FILE` writes";
    let file = ClaimFile::parse(&text).map_err(|e| failure::is_no("claim file", &args.file, e, next))?;
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
