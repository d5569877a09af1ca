//! How much each rule weighs in a run: the rule's own level unless a selection says otherwise.

use crate::catalogue::{FAMILIES, rules};
use crate::finding::shown;
use crate::rules::{Level, Rule};
use crate::words::most_alike;
use std::collections::HashMap;
use std::fmt;

/// The levels of one run.
///
/// To demote an error changes what is reported and how a program exits, and nothing about the event: it stays invalid, no
/// consumer accepts it, and [`crate::parse`] does not return it.
///
/// ```
/// use arc_validator::{Level, Levels, Selection};
/// let mut levels = Levels::default();
/// let names = |name: &str| vec![name.to_owned()];
/// levels.apply(&Selection { deny: names("all"), allow: names("json"), ..Selection::default() }).unwrap();
/// let rule = |code: &str| arc_validator::rules().find(|rule| rule.code == code).unwrap();
/// assert_eq!(levels.of(rule("retry")), Some(Level::Error));
/// assert_eq!(levels.of(rule("comment")), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Levels {
    changed: HashMap<&'static str, Option<Level>>,
}

/// Rules by name: each name is a rule's code, a family of rules, or `all`. The narrower name wins over the wider one.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// These are errors.
    pub deny: Vec<String>,
    /// These are warnings.
    pub warn: Vec<String>,
    /// These are not reported.
    pub allow: Vec<String>,
}

/// A selection that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectionError {
    /// No rule and no family has this name.
    Unknown {
        /// The name, cleaned for display.
        name: String,
        /// What was probably meant.
        alike: Option<&'static str>,
    },
    /// The name stands in two of the three lists.
    Contradiction {
        /// The name.
        name: String,
    },
}

/// How wide a name is, widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    All,
    Family,
    Rule,
}

impl Levels {
    /// The level of a rule in this run; `None` where it is not reported.
    pub fn of(&self, rule: &Rule) -> Option<Level> {
        self.changed.get(rule.code).copied().unwrap_or(Some(rule.level))
    }

    /// Lays a selection over what was applied before: it wins wherever it says something.
    ///
    /// # Errors
    /// A name that no rule and no family has, or one that is selected twice in different ways. Nothing is applied then.
    pub fn apply(&mut self, selection: &Selection) -> Result<(), SelectionError> {
        let lists =
            [(&selection.deny, Some(Level::Error)), (&selection.warn, Some(Level::Warning)), (&selection.allow, None)];
        let mut chosen = HashMap::new();
        for (names, level) in lists {
            for name in names {
                if chosen.insert(name.as_str(), level).is_some_and(|other| other != level) {
                    return Err(SelectionError::Contradiction { name: name.clone() });
                }
            }
        }
        let mut named = Vec::new();
        for (name, level) in chosen {
            let (width, rules) = named_rules(name)?;
            named.push((width, rules, level));
        }
        named.sort_by_key(|(width, ..)| *width);
        for (_, rules, level) in named {
            self.changed.extend(rules.into_iter().map(|rule| (rule.code, level)));
        }
        Ok(())
    }
}

fn named_rules(name: &str) -> Result<(Width, Vec<&'static Rule>), SelectionError> {
    if name == "all" {
        return Ok((Width::All, rules().collect()));
    }
    if let Some(family) = FAMILIES.iter().find(|family| family.name == name) {
        return Ok((Width::Family, family.rules.to_vec()));
    }
    if let Some(rule) = rules().find(|rule| rule.code == name) {
        return Ok((Width::Rule, vec![rule]));
    }
    let known = rules().map(|rule| rule.code).chain(FAMILIES.iter().map(|family| family.name)).chain(["all"]);
    Err(SelectionError::Unknown { name: shown(name), alike: most_alike(name, known) })
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, alike: Some(alike) } => {
                write!(f, "there is no rule `{name}`; did you mean `{alike}`?")
            }
            Self::Unknown { name, alike: None } => {
                write!(f, "there is no rule `{name}`; `arc-validate rules` lists all of them")
            }
            Self::Contradiction { name } => write!(f, "`{name}` is selected twice, with different levels; keep one"),
        }
    }
}

impl std::error::Error for SelectionError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(layers: &[[&[&str]; 3]]) -> Result<Levels, SelectionError> {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let mut levels = Levels::default();
        for [deny, warn, allow] in layers {
            levels.apply(&Selection { deny: names(deny), warn: names(warn), allow: names(allow) })?;
        }
        Ok(levels)
    }

    fn level(levels: &Levels, code: &str) -> Option<Level> {
        levels.of(rules().find(|rule| rule.code == code).unwrap())
    }

    #[test]
    fn without_a_selection_each_rule_has_its_own_level() {
        let levels = Levels::default();
        assert!(rules().all(|rule| levels.of(rule) == Some(rule.level)));
    }

    #[test]
    fn the_narrower_name_wins_and_then_the_later_layer() {
        let levels = levels(&[[&["all"], &["json"], &["comment"]], [&[], &["retry"], &[]]]).unwrap();
        assert_eq!(level(&levels, "inexact-integer"), Some(Level::Warning));
        assert_eq!(level(&levels, "comment"), None);
        assert_eq!(level(&levels, "nobody-waits"), Some(Level::Error));
        assert_eq!(level(&levels, "retry"), Some(Level::Warning));
    }

    #[test]
    fn a_later_layer_wins_even_where_it_is_wider() {
        let levels = levels(&[[&["comment"], &[], &[]], [&[], &[], &["all"]]]).unwrap();
        assert_eq!(level(&levels, "comment"), None);
    }

    #[test]
    fn what_cannot_be_meant_is_an_error() {
        let said = |selection| levels(&[selection]).unwrap_err().to_string();
        assert_eq!(
            said([&["unknown-membr"], &[], &[]]),
            "there is no rule `unknown-membr`; did you mean `unknown-member`?"
        );
        assert!(said([&["zzz"], &[], &[]]).contains("lists all of them"));
        assert_eq!(said([&["json"], &[], &["json"]]), "`json` is selected twice, with different levels; keep one");
    }
}
