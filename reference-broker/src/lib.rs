//! The reference consumer of the Attention Request Contract (ARC) 0.2: minimal in features, complete in promises.
//!
//! The journey of a request: HTTP -> token, limits -> `intake` (validated exactly as `arc-validate` does) -> a command
//! -> the store's one writer, where `engine::decide` says under the write lock what follows -> one transaction
//! -> commit -> waiters released -> reply. Nothing is acknowledged before its commit.
//!
//! ```no_run
//! use arc_reference_broker::{Broker, Config, Token};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let broker = Broker::open(Config::new("broker.db", Token::new("a secret".to_owned())))?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! broker.serve(listener, std::future::pending()).await?;
//! # Ok(())
//! # }
//! ```

mod app;
mod bare;
mod body;
mod broker;
mod clock;
mod config;
mod digest;
mod engine;
mod error;
mod fingerprint;
mod form;
mod fresh;
mod guard;
mod id;
mod instant;
mod intake;
mod metrics;
mod rate;
mod routes;
mod secret;
mod server;
mod store;
mod timers;
mod waiters;
mod wire;

pub use broker::{Broker, ServeError};
pub use clock::Clock;
pub use config::Config;
pub use fresh::token as fresh_token;
pub use secret::Token;
pub use store::OpenError;
