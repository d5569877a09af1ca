//! A broker from its opening to its end.

use crate::app::App;
use crate::config::Config;
use crate::routes::router;
use crate::store::{Files, OpenError, Reader, Writer};
use crate::waiters::Waiters;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Connections that read beside the writer.
const READERS: usize = 4;
/// After a write that failed, the timer tries again so soon.
const RETRY: Duration = Duration::from_millis(100);

/// A broker that has its database and can serve.
#[derive(Debug)]
pub struct Broker {
    app: Arc<App>,
    writer: JoinHandle<()>,
}

/// Why a broker stopped serving before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The listener failed.
    #[error("cannot serve: {0}")]
    Listener(#[from] io::Error),
    /// The thread that writes has died.
    #[error("the writer has died; the database holds everything that was acknowledged")]
    Writer,
}

impl Broker {
    /// Opens the database, which is this broker's alone until it has stopped.
    pub fn open(config: Config) -> Result<Self, OpenError> {
        let Config { database, token, clock } = config;
        let (files, connection) = Files::open(&database)?;
        let database_error = |source| OpenError::Database { path: database.clone(), source };
        let readers = (0..READERS).map(|_| files.reader()).collect::<Result<_, _>>().map_err(database_error)?;
        let waiters = Arc::new(Waiters::default());
        let (handle, writer) =
            Writer::start(files, connection, clock.clone(), Arc::clone(&waiters)).map_err(database_error)?;
        let stopping = watch::Sender::new(false);
        let app = App { token, clock, writer: handle, reader: Reader::new(readers), waiters, stopping };
        Ok(Self { app: Arc::new(app), writer })
    }

    /// Serves until `stop` is done; then lets open waits end with their question's state, and closes the database.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let Self { app, writer } = self;
        let timer = tokio::spawn(expire_on_time(Arc::clone(&app)));
        let stopping = app.stopping.clone();
        let told = async move {
            stop.await;
            stopping.send_replace(true);
        };
        let served = axum::serve(listener, router(app)).with_graceful_shutdown(told).await;
        timer.abort();
        let _ = timer.await;
        let ended = tokio::task::spawn_blocking(move || writer.join()).await;
        served?;
        if matches!(ended, Ok(Ok(()))) { Ok(()) } else { Err(ServeError::Writer) }
    }
}

/// Ends each question at the millisecond of its deadline, so that its waiters are released without anybody's asking.
async fn expire_on_time(app: Arc<App>) {
    let mut deadline = app.writer.deadline();
    loop {
        let next = *deadline.borrow_and_update();
        let due = async {
            match next {
                Some(instant) => app.clock.until(instant).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = deadline.changed() => if changed.is_err() { return },
            () = due => if app.writer.sweep(app.clock.now()).await.is_err() {
                tokio::time::sleep(RETRY).await;
            },
        }
    }
}
