//! What to read: files, the files of directories, the standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// One thing to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

impl Source {
    /// What to read from, and its size where that is known.
    pub(crate) fn open(&self) -> io::Result<(Box<dyn Read>, Option<u64>)> {
        match self {
            Self::Stdin => Ok((Box::new(io::stdin().lock()), None)),
            Self::File(path) => {
                let file = File::open(path)?;
                let size = file.metadata()?.len();
                Ok((Box::new(file), Some(size)))
            }
        }
    }
}

/// The sources behind the paths of the command line; none given is the standard input. Directories are walked, in the
/// order of their names; links in them are not followed.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<Result<Source, (PathBuf, io::Error)>> {
    if paths.is_empty() {
        return vec![Ok(Source::Stdin)];
    }
    let mut sources = Vec::new();
    for path in paths {
        match path {
            path if path == Path::new("-") => sources.push(Ok(Source::Stdin)),
            path if path.is_dir() => walk(path, &mut sources),
            path => sources.push(Ok(Source::File(path.clone()))),
        }
    }
    sources
}

fn walk(directory: &Path, sources: &mut Vec<Result<Source, (PathBuf, io::Error)>>) {
    let entries = std::fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return sources.push(Err((directory.to_owned(), error))),
    };
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, sources),
            Ok(kind) if kind.is_file() && holds_events(&path) => sources.push(Ok(Source::File(path))),
            Ok(_) => {}
            Err(error) => sources.push(Err((path, error))),
        }
    }
}

fn holds_events(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["json", "jsonl", "ndjson"].iter().any(|known| extension == *known))
}
