//! What weighs how much: the configuration file, then the environment over it, then the flags over both.

use arc_validator::{Levels, Selection, advised};
use clap::Args;
use std::path::{Path, PathBuf};

/// The flags that set levels.
#[derive(Debug, Args)]
#[command(next_help_heading = "Levels (CODE is a rule, a family of rules, or `all`; the narrower one wins)")]
pub(crate) struct LevelArgs {
    /// Report CODE as an error
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    deny: Vec<String>,

    /// Report CODE as a warning. An event that breaks a rule of level error stays invalid for every consumer; only the
    /// report and the exit code change
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    warn: Vec<String>,

    /// Do not report CODE
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    allow: Vec<String>,

    /// The configuration file [default: the nearest arc.toml, from the working directory upward]
    #[arg(long, value_name = "FILE", env = "ARC_VALIDATE_CONFIG")]
    config: Option<PathBuf>,

    /// Read no configuration file
    #[arg(long)]
    isolated: bool,
}

/// arc.toml.
#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Configuration {
    validate: Selection,
}

impl LevelArgs {
    /// The levels of this run, or what is wrong with them, for people.
    pub(crate) fn levels(&self) -> Result<Levels, String> {
        let mut levels = Levels::default();
        let mut apply =
            |selection, whence: &str| levels.apply(&selection).map_err(|error| format!("{whence}: {error}"));
        if let Some(path) = self.configuration()? {
            apply(read(&path)?, &path.display().to_string())?;
        }
        apply(from_environment(), "ARC_VALIDATE_DENY, _WARN, _ALLOW")?;
        let (deny, warn, allow) = (self.deny.clone(), self.warn.clone(), self.allow.clone());
        apply(Selection { deny, warn, allow }, "--deny, --warn, --allow")?;
        Ok(levels)
    }

    fn configuration(&self) -> Result<Option<PathBuf>, String> {
        if self.isolated || self.config.is_some() {
            return Ok(self.config.clone().filter(|_| !self.isolated));
        }
        let cwd = std::env::current_dir().map_err(|error| {
            format!("cannot tell the working directory: {error}; run it in a directory that exists")
        })?;
        Ok(cwd.ancestors().map(|directory| directory.join("arc.toml")).find(|path| path.is_file()))
    }
}

/// What a configuration file looks like, for people whose file looks otherwise.
const AS_IT_SHOULD_BE: &str =
    "it holds one table [validate] with the lists deny, warn and allow; --isolated reads no configuration file";

fn read(path: &Path) -> Result<Selection, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read the configuration file {}: {}", path.display(), advised(&error)))?;
    let configuration: Configuration = toml::from_str(&text).map_err(|error| {
        let (path, error) = (path.display(), error.to_string());
        format!("{path} is no configuration file:\n{}\n{AS_IT_SHOULD_BE}", error.trim_end())
    })?;
    Ok(configuration.validate)
}

fn from_environment() -> Selection {
    let names = |variable: &str| {
        let value = std::env::var(variable).unwrap_or_default();
        value.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    };
    Selection { deny: names("ARC_VALIDATE_DENY"), warn: names("ARC_VALIDATE_WARN"), allow: names("ARC_VALIDATE_ALLOW") }
}
