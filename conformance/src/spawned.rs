//! A consumer that the kit itself starts, kills and starts again.

use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;

/// How long a consumer may take until its port answers.
const READY: Duration = Duration::from_secs(30);
/// Between two looks at the port.
const LOOK: Duration = Duration::from_millis(20);

/// A command and the process that it became.
#[derive(Debug)]
pub struct Spawned {
    command: String,
    address: String,
    child: Mutex<Child>,
}

impl Spawned {
    /// Starts `command` with the system's shell and waits until `base` (an http URL) takes connections.
    pub async fn start(command: &str, base: &str) -> Result<Self, String> {
        let url = reqwest::Url::parse(base).map_err(|e| format!("{base:?} is no URL: {e}"))?;
        let host = url.host_str().ok_or_else(|| format!("{base:?} names no host"))?;
        let address = format!("{host}:{}", url.port_or_known_default().unwrap_or(80));
        if TcpStream::connect(&address).await.is_ok() {
            return Err(format!(
                "something else answers at {address} already and would be judged instead of what --spawn starts: stop it, or choose another port"
            ));
        }
        let child = spawn(command)?;
        let spawned = Self { command: command.to_owned(), address, child: Mutex::new(child) };
        spawned.ready().await?;
        Ok(spawned)
    }

    /// Kills the consumer, as a crash does: it gets no chance to write anything.
    pub async fn kill(&self) -> Result<(), String> {
        self.child.lock().await.kill().await.map_err(|e| format!("the consumer cannot be killed: {e}"))
    }

    /// Starts the consumer that was killed.
    pub async fn revive(&self) -> Result<(), String> {
        *self.child.lock().await = spawn(&self.command)?;
        self.ready().await
    }

    async fn ready(&self) -> Result<(), String> {
        let began = Instant::now();
        while TcpStream::connect(&self.address).await.is_err() {
            if let Ok(Some(status)) = self.child.lock().await.try_wait() {
                return Err(format!(
                    "--spawn: the consumer ended ({status}) before {} answered; start its command by hand to see why",
                    self.address
                ));
            }
            if began.elapsed() > READY {
                return Err(format!(
                    "--spawn: the consumer does not answer at {} within {} s; let its command listen on the URL's port",
                    self.address,
                    READY.as_secs()
                ));
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }
}

/// `exec`, so that the process to kill is the consumer and not its shell.
fn spawn(command: &str) -> Result<Child, String> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec {command}")).stdin(Stdio::null()).stdout(Stdio::null());
    shell
        .kill_on_drop(true)
        .spawn()
        .map_err(|e| format!("--spawn: the consumer cannot be started: {e}; a POSIX shell (sh) is needed for it"))
}
