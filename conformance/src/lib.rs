//! The conformance kit for consumers of the Attention Request Contract (ARC) 0.2.
//!
//! A scenario becomes a report line: arguments name a [`target`], a [`profile`] and a [`plan`]; [`smoke`] takes a first
//! look; [`scenario::interpreter`] plays each [`scenario`] (data, not code) through the [`client`], which keeps every
//! [`exchange`]; the judge holds what came against what the contract permits; checks add up to [`verdict`]s and these to
//! [`claim`]s; all of it is told as one linear stream of [`run_event`]s that the [`report`]s read.
//!
//! The kit knows nothing of the reference broker but how to start it as a target.

pub mod caught;
pub mod cause;
pub mod claim;
pub mod claim_file;
pub mod client;
pub mod clock;
pub mod exchange;
pub mod fresh;
pub mod generate;
pub mod history;
pub mod known_failures;
pub mod model;
pub mod pace;
pub mod plan;
pub mod privacy;
pub mod producer;
pub mod profile;
pub mod reading;
pub mod report;
pub mod requirement;
pub mod run_event;
pub mod runner;
pub mod scenario;
pub mod schema;
pub mod secret;
pub mod smoke;
pub mod spawned;
pub mod stage;
pub mod target;
pub mod trace;
pub mod vectors;
pub mod verdict;
