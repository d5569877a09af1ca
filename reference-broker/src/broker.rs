//! A broker from its opening to its end.

use crate::app::App;
use crate::config::Config;
use crate::guard::LoopbackOnly;
use crate::metrics::Metrics;
use crate::rate::Bucket;
use crate::routes::router;
use crate::store::{Files, Mail, OpenError, Reader, Tools, Writer, deliver};
use crate::waiters::Waiters;
use crate::{server, timers};
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Connections that read beside the writer.
const READERS: usize = 4;

/// A broker that has its database and can serve.
#[derive(Debug)]
pub struct Broker {
    app: Arc<App>,
    retain: Option<Duration>,
    mail: UnboundedReceiver<Mail>,
    writer: JoinHandle<()>,
}

/// Why a broker stopped serving before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener failed.
    #[error("cannot serve: {0}; start it again")]
    Listener(#[from] io::Error),
    /// The thread that writes has died.
    #[error(
        "the writer has died; the database holds everything that was acknowledged: see the log, and start the broker again"
    )]
    Writer,
}

impl Broker {
    /// Opens the database, which is this broker's alone until it has stopped.
    pub fn open(config: Config) -> Result<Self, OpenError> {
        let Config { database, token, rate_limit, retain, patience, lock_patience, max_bytes, clock } = config;
        let (files, connection) = Files::open(&database, max_bytes)?;
        let database_error = |source| OpenError::Database { path: database.clone(), source };
        let readers = (0..READERS).map(|_| files.reader()).collect::<Result<_, _>>().map_err(database_error)?;
        let (waiters, metrics) = (Arc::new(Waiters::default()), Arc::new(Metrics::default()));
        let tools = Tools { files, connection, clock: clock.clone(), metrics: Arc::clone(&metrics), lock_patience };
        let (handle, mail, writer) = Writer::start(tools).map_err(database_error)?;
        let app = App {
            token,
            rate: rate_limit.map(|rate| Bucket::new(rate, Instant::now())),
            patience,
            metrics,
            clock,
            writer: handle,
            reader: Reader::new(readers),
            waiters,
            stopping: watch::Sender::new(false),
        };
        Ok(Self { app: Arc::new(app), retain, mail, writer })
    }

    /// Serves until `stop` is done; then lets open waits end with their question's state and the rest within five
    /// seconds, and closes the database.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let Self { app, retain, mail, writer } = self;
        let loopback = LoopbackOnly(listener.local_addr()?.ip().is_loopback());
        let (stopping, patience) = (app.stopping.clone(), app.patience);
        let mut timers = JoinSet::new();
        timers.spawn(deliver(mail, Arc::clone(&app.waiters)));
        timers.spawn(timers::expire_on_time(Arc::clone(&app)));
        if let Some(retain) = retain {
            timers.spawn(timers::forget(Arc::clone(&app), retain));
        }
        let (told, writer_handle) = (stopping.subscribe(), app.writer.clone());
        timers.spawn(async move {
            tokio::select! {
                () = stop => {}
                // A broker that cannot write is of no use.
                () = writer_handle.died() => tracing::error!("the writer has died"),
            }
            stopping.send_replace(true);
        });
        server::serve(listener, router(app, loopback), patience, told).await;
        timers.shutdown().await;
        // The last handle has gone, so the writer ends, and with it the lock on the database.
        let ended = tokio::task::spawn_blocking(move || writer.join()).await;
        if matches!(ended, Ok(Ok(()))) { Ok(()) } else { Err(ServeError::Writer) }
    }
}
