//! When to stop.

use std::io;
use tokio::signal::unix::{SignalKind, signal};

/// Listens for SIGTERM and SIGINT from now on; the future returned is done with the first of them.
pub(crate) fn signals() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
