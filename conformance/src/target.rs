//! Where the consumer is: at a URL, or in this process.

use crate::fresh;
use crate::profile::Profile;
use crate::secret::Token;
use arc_reference_broker::{Broker, Config};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Reads what the user gave: the base URL, or the event endpoint itself. Returns the base, without a slash at its end.
pub fn base_url(text: &str, profile: &Profile) -> Result<String, String> {
    let url = reqwest::Url::parse(text)
        .map_err(|e| format!("{:?} is no URL: {e}; give one as http://127.0.0.1:47821", shown(text)))?;
    match url.scheme() {
        "http" => {}
        "https" if cfg!(feature = "tls") => {}
        "https" => {
            return Err(format!(
                "{:?}: this program was built without TLS; build it with `--features tls`",
                shown(text)
            ));
        }
        _ => {
            return Err(format!(
                "{:?}: a consumer is judged over http:// or https://; give one as http://127.0.0.1:47821",
                shown(text)
            ));
        }
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "a URL with a name or a password in it would stand in reports: give the token with --token-file".to_owned()
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(
            "a consumer's URL has no query and no fragment: leave them out, and give a token with --token-file"
                .to_owned(),
        );
    }
    let text = url.as_str().trim_end_matches('/');
    Ok(text.strip_suffix(profile.events.as_str()).unwrap_or(text).to_owned())
}

/// What was given for a URL, without the parts that may hold a secret.
fn shown(text: &str) -> &str {
    if text.contains('@') { "…" } else { text.split(['?', '#']).next().unwrap_or_default() }
}

/// Returns when the consumer takes connections, or when the time is over: the first look says which.
pub async fn wait_until_ready(base: &str, patience: Duration) {
    let address = reqwest::Url::parse(base).ok().and_then(|url| url.socket_addrs(|| None).ok()?.first().copied());
    let Some(address) = address else { return };
    let connected = async {
        while TcpStream::connect(address).await.is_err() {
            tokio::time::sleep(LOOK).await;
        }
    };
    let _ = tokio::time::timeout(patience, connected).await;
}

/// Between two looks at a port.
const LOOK: Duration = Duration::from_millis(50);

/// The reference broker, in this process, on a free loopback port, with a temporary database.
#[derive(Debug)]
pub struct Embedded {
    /// Its base URL.
    pub base: String,
    /// Its token.
    pub token: Token,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), arc_reference_broker::ServeError>>,
    folder: tempfile::TempDir,
}

impl Embedded {
    /// Starts it.
    pub async fn start() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| format!("no temporary folder: {e}"))?;
        let token = fresh::hex(24);
        let config = Config::new(folder.path().join("broker.sqlite"), arc_reference_broker::Token::new(token.clone()));
        let broker = Broker::open(config).map_err(|e| format!("the embedded broker does not open: {e}"))?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(|e| format!("no loopback port: {e}"))?;
        let address = listener.local_addr().map_err(|e| format!("no loopback address: {e}"))?;
        let (stop, stopped) = oneshot::channel();
        let until = async move {
            let _ = stopped.await;
        };
        let served = tokio::spawn(broker.serve(listener, until));
        Ok(Self { base: format!("http://{address}"), token: Token::new(token), stop, served, folder })
    }

    /// Stops it and removes its database.
    pub async fn stop(self) -> Result<(), String> {
        let _ = self.stop.send(());
        let served = self.served.await.map_err(|e| format!("the embedded broker broke down: {e}"))?;
        served.map_err(|e| format!("the embedded broker ended with an error: {e}"))?;
        self.folder.close().map_err(|e| format!("the temporary folder stays: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_and_the_endpoint_are_the_same_target() {
        let profile = Profile::agentnotify();
        for text in [
            "http://127.0.0.1:47821",
            "http://127.0.0.1:47821/",
            "http://127.0.0.1:47821/v1/events",
            "http://127.0.0.1:47821/v1/events/",
        ] {
            assert_eq!(base_url(text, &profile).as_deref(), Ok("http://127.0.0.1:47821"), "{text}");
        }
        assert_eq!(base_url("http://h/arc/v1/events", &profile).as_deref(), Ok("http://h/arc"));
        for text in [
            "",
            "127.0.0.1:47821",
            "ftp://h",
            "http://h/?q=1",
            "http://canary@h",
            "http://:canary@h",
            "h/?t=canary",
            "h:canary@h",
            "http://h/?canary",
        ] {
            assert!(!base_url(text, &profile).unwrap_err().contains("canary"), "{text}");
        }
    }
}
