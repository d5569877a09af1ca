//! Logs on stderr.

use crate::args::LogFormat;
use std::io::IsTerminal as _;
use tracing_subscriber::filter::LevelFilter;

/// Starts logging.
pub(crate) fn start(level: LevelFilter, format: LogFormat) {
    let builder = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
    match format {
        LogFormat::Human => builder.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => builder.json().init(),
    }
}
