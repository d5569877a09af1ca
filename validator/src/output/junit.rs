//! `JUnit` XML: a suite for each file, a case for each finding; a file without findings is one case that passed.

use super::{Located, Report, Summary};
use crate::finding::printable;
use crate::rules::Level;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The `JUnit` format. Its counts stand before its cases, so it holds all findings until the end.
#[derive(Debug, Default)]
pub struct Junit {
    suites: Vec<Suite>,
    /// The suite of each path; the same path given twice is one suite.
    by_path: HashMap<String, usize>,
}

#[derive(Debug)]
struct Suite {
    path: String,
    cases: String,
    tests: u64,
    failures: u64,
    /// How often each case's name was used.
    names: HashMap<String, u32>,
}

impl Junit {
    fn suite(&mut self, path: &str) -> &mut Suite {
        let index = *self.by_path.entry(path.to_owned()).or_insert(self.suites.len());
        if index == self.suites.len() {
            let path = path.to_owned();
            self.suites.push(Suite { path, cases: String::new(), tests: 0, failures: 0, names: HashMap::new() });
        }
        &mut self.suites[index]
    }
}

impl Report for Junit {
    fn source(&mut self, path: &str) {
        self.suite(path);
    }

    fn finding(&mut self, _: &mut dyn Write, located: &Located<'_>) -> io::Result<()> {
        self.suite(located.path).add(located);
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write, _: &Summary) -> io::Result<()> {
        let suites: Vec<_> = self.suites.iter().map(Suite::finished).collect();
        let sum = |of: fn(&(u64, u64, String)) -> u64| suites.iter().map(of).sum::<u64>();
        let (tests, failures) = (sum(|suite| suite.0), sum(|suite| suite.1));
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(
            out,
            r#"<testsuites name="arc-validate" tests="{tests}" failures="{failures}" errors="0" skipped="0" time="0">"#
        )?;
        suites.iter().try_for_each(|(_, _, xml)| out.write_all(xml.as_bytes()))?;
        writeln!(out, "</testsuites>")
    }
}

impl Suite {
    fn add(&mut self, located: &Located<'_>) {
        let (finding, start) = (located.finding, located.start);
        let (path, code) = (xml(&self.path), finding.rule.code);
        let name =
            self.unique(format!("{code} at {}:{} {}", start.line, start.column, finding.pointer).trim_end().to_owned());
        let (message, text) = (xml(&finding.message), xml(&finding.to_string()));
        self.tests += 1;
        let said = if located.level == Level::Error {
            self.failures += 1;
            format!(r#"<failure type="{code}" message="{message}">{text}</failure>"#)
        } else {
            format!("<system-out>{}: {text}</system-out>", located.level.as_str())
        };
        self.push_case(&path, &xml(&name), &said);
    }

    /// Two findings of one rule at one place are told apart by their number.
    fn unique(&mut self, name: String) -> String {
        let used = self.names.entry(name.clone()).and_modify(|used| *used += 1).or_insert(1);
        if *used == 1 { name } else { format!("{name} ({used})") }
    }

    fn push_case(&mut self, path: &str, name: &str, said: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.cases, r#"    <testcase classname="{path}" name="{name}" time="0">{said}</testcase>"#);
    }

    /// Cases, failures, and the whole suite as XML.
    fn finished(&self) -> (u64, u64, String) {
        let (path, failures) = (xml(&self.path), self.failures);
        let passed = format!("    <testcase classname=\"{path}\" name=\"no findings\" time=\"0\"></testcase>\n");
        let (tests, cases) = if self.tests == 0 { (1, &passed) } else { (self.tests, &self.cases) };
        let suite = format!(
            "  <testsuite name=\"{path}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\" \
             time=\"0\">\n{cases}  </testsuite>\n"
        );
        (tests, failures, suite)
    }
}

/// A text as XML 1.0 can hold it, in an element or an attribute. What XML has no spelling for is shown as an escape.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::xml;

    #[test]
    fn xml_holds_any_text() {
        assert_eq!(xml("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&apos;");
        assert_eq!(xml("\0\u{1b}[31m\n\u{fffe}]]>"), r"\u{0}\u{1b}[31m\u{a}\u{fffe}]]&gt;");
    }
}
