//! Ctrl-C and SIGTERM: a run that is told to end cleans up after itself, and one that is told twice ends at once.

use crate::failure::{Failure, fault};
use std::io;
use std::pin::pin;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The exit code of a program that SIGINT (2) ended, as shells have it: 128 and the signal's number.
pub(crate) const INTERRUPTED: u8 = 130;
/// The same for SIGTERM (15).
pub(crate) const TERMINATED: u8 = 143;

/// Both signals, listened for from the moment that this is made.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, Failure> {
        let listen = || io::Result::Ok((signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?));
        let (interrupt, terminate) = listen().map_err(|e| fault(format!("signals cannot be listened for: {e}")))?;
        Ok(Self { interrupt, terminate })
    }

    /// Does the work, unless a signal comes first: then the work is dropped.
    pub(crate) async fn unless<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Failure> {
        tokio::select! {
            done = work => Ok(done),
            code = self.next() => Err(Failure { message: "interrupted".to_owned(), code }),
        }
    }

    /// Does the work. The first signal asks it to come to an end by `stop`, the second one drops it. With the first one's exit
    /// code, where one came.
    pub(crate) async fn until_stopped<T>(
        &mut self,
        work: impl Future<Output = T>,
        stop: impl FnOnce(),
    ) -> Result<(T, Option<u8>), Failure> {
        let mut work = pin!(work);
        match self.unless(&mut work).await {
            Ok(done) => Ok((done, None)),
            Err(interrupted) => {
                stop();
                Ok((self.unless(work).await?, Some(interrupted.code)))
            }
        }
    }

    async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPTED,
            _ = self.terminate.recv() => TERMINATED,
        }
    }
}
