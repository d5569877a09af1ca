//! What people and programs read of a run.

mod badge;
mod claim;
mod json;
mod junit;
mod markdown;
mod terminal;

pub use badge::Badge;
pub use claim::ClaimJson;
pub use json::Json;
pub use junit::Junit;
pub use markdown::Markdown;
pub use terminal::Terminal;
