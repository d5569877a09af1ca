//! `arc-conform vectors export`.

use crate::args::ExportArgs;
use crate::failure::{Failure, unwritten, usage};
use crate::list::print;
use arc_conformance::vectors;
use std::fs;
use std::process::ExitCode;

/// Writes nothing where one file stands in the way.
pub(crate) fn export(args: &ExportArgs) -> Result<ExitCode, Failure> {
    let files = vectors::files();
    let path = |name: &str| args.folder.join(name);
    if let Some((name, _)) = files.iter().find(|(name, _)| !args.force && path(name).exists()) {
        return Err(usage(format!("{} is there already; --force overwrites it", path(name).display())));
    }
    for (name, bytes) in files {
        let path = path(name);
        let folder = path.parent().unwrap_or(&args.folder);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes));
        written.map_err(|e| unwritten(&path, &e))?;
    }
    print(&format!("{} files in {}\n", files.len(), args.folder.display()))
}
