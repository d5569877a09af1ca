//! The vectors and schemas, as they are embedded.

const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// Every file: its path, as `vectors/requirements.json`, and its bytes. Ordered by path.
pub fn files() -> &'static [(&'static str, &'static [u8])] {
    FILES
}
