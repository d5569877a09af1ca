//! From the arguments to the end, and the exit codes.

use crate::args::Args;
use crate::{stop, token};
use arc_reference_broker::{Broker, Config, OpenError, ServeError};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::net::TcpListener;

/// Stopped as it was told.
pub(crate) const OK: u8 = 0;
/// Failed while it was running.
pub(crate) const FAILED: u8 = 1;
/// Wrong usage, or a file, database or address that cannot be used.
pub(crate) const USAGE: u8 = 2;

/// Why the program ends otherwise than told.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0}")]
    Token(String),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("{0} can be reached from other machines; add --allow-remote if that is wanted")]
    Remote(SocketAddr),
    #[error("the system does not let it start: {0}")]
    System(io::Error),
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl Failure {
    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Token(_) | Self::Open(_) | Self::Listen { .. } | Self::Remote(_) => USAGE,
            Self::System(_) | Self::Serve(_) => FAILED,
        }
    }
}

/// Serves until a signal comes.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    if !args.listen.ip().is_loopback() && !args.allow_remote {
        return Err(Failure::Remote(args.listen));
    }
    let token_file = args.token_file.unwrap_or_else(|| beside(&args.db));
    let token = token::read_or_create(&token_file).map_err(Failure::Token)?;
    let broker = Broker::open(Config::new(args.db, token))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::System)?;
    runtime.block_on(async {
        let stop = stop::signals().map_err(Failure::System)?;
        let listen_error = |source| Failure::Listen { address: args.listen, source };
        let listener = TcpListener::bind(args.listen).await.map_err(listen_error)?;
        let address = listener.local_addr().map_err(listen_error)?;
        // Whoever closed stdout does not want to know.
        let _ = writeln!(io::stdout(), "arc-broker listens on http://{address}; token in {}", token_file.display());
        Ok(broker.serve(listener, stop).await?)
    })
}

fn beside(database: &std::path::Path) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".token");
    path.into()
}
