//! Where the findings go: the standard output, or a file that appears whole or not at all.

use crate::args::{Args, Format};
use arc_validator::advised;
use arc_validator::output::{Concise, Github, Human, Json, Junit, Ndjson, Report, Sarif};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The writer of one format.
pub(crate) fn report(format: Format) -> Box<dyn Report> {
    let cwd = || std::env::current_dir().unwrap_or_default();
    match format {
        Format::Human => Box::new(Human),
        Format::Concise => Box::new(Concise),
        Format::Json => Box::new(Json::default()),
        Format::Ndjson => Box::new(Ndjson),
        Format::Sarif => Box::new(Sarif::new(cwd())),
        Format::Junit => Box::new(Junit::default()),
        Format::Github => Box::new(Github::new(cwd())),
    }
}

/// Takes what a reporter writes.
pub(crate) struct Sink {
    out: BufWriter<Box<dyn Write>>,
    /// The file that is still to be put in its place.
    unfinished: Option<(NamedTempFile, PathBuf)>,
}

impl Sink {
    /// Takes the findings of a check: to the file of `--output-file`; else to the standard output, which in a gate belongs
    /// to the events, so that the findings go to the standard error. Colour only where a terminal wants it.
    pub(crate) fn of_findings(args: &Args) -> io::Result<Self> {
        match (&args.output_file, args.gate, args.format) {
            (Some(path), ..) => Self::file(path),
            (None, false, Format::Human) => Ok(Self::stream(anstream::AutoStream::auto(io::stdout()))),
            (None, false, _) => Ok(Self::stream(io::stdout())),
            (None, true, Format::Human) => Ok(Self::stream(anstream::AutoStream::auto(io::stderr()))),
            (None, true, _) => Ok(Self::stream(io::stderr())),
        }
    }

    /// Takes what goes to a stream.
    pub(crate) fn stream(out: impl Write + 'static) -> Self {
        Self { out: BufWriter::new(Box::new(out)), unfinished: None }
    }

    /// Takes what goes to a file.
    pub(crate) fn file(path: &Path) -> io::Result<Self> {
        // A link stays a link, and what is no regular file (a pipe, a device) is written to and not replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(Self::stream(plain(File::options().write(true).open(&path)?)));
        }
        let file = beside(&path)?;
        let out = plain(file.reopen()?);
        Ok(Self { unfinished: Some((file, path)), ..Self::stream(out) })
    }

    /// Everything is written; a file takes its place.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()?;
        if let Some((file, path)) = self.unfinished.take() {
            file.as_file().sync_all()?;
            file.persist(path).map_err(|error| error.error)?;
        }
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What kept a run's results from where they belong, for people.
pub(crate) fn cannot_write(file: Option<&Path>, error: &io::Error) -> String {
    match file {
        Some(path) => format!("cannot write --output-file {}: {}", path.display(), advised(error)),
        None => format!("cannot write the results: {}", advised(error)),
    }
}

/// A file never gets colour.
fn plain(file: File) -> impl Write {
    anstream::StripStream::new(file)
}

/// A new file in the directory of `path`, with the permissions that any new file there would have.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".arc-validate-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The path that the error names is not the one that was asked for.
    builder.tempfile_in(directory).map_err(|error| error.kind().into())
}
