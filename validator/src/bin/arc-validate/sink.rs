//! Where the findings go: the standard output, or a file that appears whole or not at all.

use crate::args::{Args, Format};
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
    /// The file of `--output-file`; else the standard output, which in a gate belongs to the events, so that the findings
    /// go to the standard error. Colour only where a terminal wants it.
    pub(crate) fn open(args: &Args) -> io::Result<Self> {
        let Some(path) = &args.output_file else {
            let out: Box<dyn Write> = match (args.gate, args.format) {
                (false, Format::Human) => Box::new(anstream::AutoStream::auto(io::stdout())),
                (false, _) => Box::new(io::stdout()),
                (true, Format::Human) => Box::new(anstream::AutoStream::auto(io::stderr())),
                (true, _) => Box::new(io::stderr()),
            };
            return Ok(Self { out: BufWriter::new(out), unfinished: None });
        };
        // A link stays a link, and what is no regular file (a pipe, a device) is written to and not replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&path)?;
            return Ok(Self { out: BufWriter::new(Box::new(plain(file))), unfinished: None });
        }
        let file = beside(&path)?;
        let out = BufWriter::new(Box::new(plain(file.reopen()?)) as Box<dyn Write>);
        Ok(Self { out, unfinished: Some((file, path)) })
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
    builder.tempfile_in(directory)
}
