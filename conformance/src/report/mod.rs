//! What people and programs read of a run.

mod json;
mod terminal;

pub use json::Json;
pub use terminal::Terminal;
