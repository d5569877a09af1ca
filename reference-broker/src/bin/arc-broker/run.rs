//! From the arguments to the end, and the exit codes.

use crate::args::Args;
use crate::generate::generate;
use crate::stop::Signals;
use crate::{log, token};
use arc_reference_broker::{Broker, Config, OpenError, ServeError, Token};
use arc_validator::advised;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

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
    #[error("cannot listen on {address}: {source}; {}", elsewhere(source))]
    Listen { address: SocketAddr, source: io::Error },
    #[error("--listen {0} can be reached from other machines: take 127.0.0.1, or add --allow-remote if that is wanted")]
    Remote(SocketAddr),
    #[error("cannot write to standard output: {}", advised(.0))]
    Output(io::Error),
    #[error("the system does not let it start: {}; see what it limits (ulimit -a)", advised(.0))]
    System(io::Error),
    #[error(
        "stopped at once by a second signal; requests under way were cut off; what was acknowledged is in the database"
    )]
    Insisted,
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl Failure {
    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Token(_) | Self::Open(_) | Self::Listen { .. } | Self::Remote(_) => USAGE,
            Self::System(_) | Self::Output(_) | Self::Insisted | Self::Serve(_) => FAILED,
        }
    }
}

/// What to do about an address that cannot be listened on.
fn elsewhere(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => "stop what listens there, or give --listen another port (0 takes a free one)",
        io::ErrorKind::PermissionDenied => "ports below 1024 are the system's: give --listen a higher one",
        _ => "give --listen an address that this machine has, such as 127.0.0.1:0",
    }
}

/// Serves until a signal comes; a second one does not wait for requests that are under way.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(command) = &args.command {
        return generate(command).map_err(Failure::Output);
    }
    if !args.listen.ip().is_loopback() && !args.allow_remote {
        return Err(Failure::Remote(args.listen));
    }
    log::start(args.log, args.log_format);
    let token_file = absolute(args.token_file.clone().unwrap_or_else(|| beside(&args.db)));
    let token = token::read_or_create(&token_file).map_err(Failure::Token)?;
    let broker = Broker::open(config(args, token))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::System)?;
    let ended = runtime.block_on(serve(broker, args.listen, &token_file));
    // Whatever still runs after a second signal is not waited for.
    runtime.shutdown_background();
    ended
}

async fn serve(broker: Broker, address: SocketAddr, token_file: &Path) -> Result<(), Failure> {
    let mut signals = Signals::listen().map_err(Failure::System)?;
    let listen_error = |source| Failure::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(listen_error)?;
    let bound = listener.local_addr().map_err(listen_error)?;
    // Whoever closed stdout does not want to know.
    let _ = writeln!(io::stdout(), "arc-broker listens on http://{bound}; token in {}", token_file.display());
    let (tell, told) = oneshot::channel();
    let stop = async {
        // A teller that has gone has told, too.
        let _ = told.await;
    };
    let insisted = async {
        signals.next().await;
        let _ = tell.send(());
        signals.next().await;
    };
    tokio::select! {
        served = broker.serve(listener, stop) => Ok(served?),
        () = insisted => Err(Failure::Insisted),
    }
}

fn config(args: &Args, token: Token) -> Config {
    let mut config = Config::new(&args.db, token);
    config.rate_limit = NonZeroU32::new(args.rate_limit);
    config.retain = args.retain_days.map(|days| Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    config
}

/// A path that means the same in whatever directory it is read.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

fn beside(database: &Path) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".token");
    path.into()
}
