//! Every output format, of one and the same run.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const VALID: &str = include_str!("../../vectors/examples/create.json");
const ANSWER: &str = include_str!("../../vectors/examples/answer.json");

fn arc_validate(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-validate"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that has seen enough may stop reading.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn one_line(json: &str) -> String {
    serde_json::from_str::<Value>(json).unwrap().to_string()
}

/// A stream with faults that formats have stumbled over: an emoji before the fault, escaped control characters and a
/// noncharacter, commas, colons, quotes and per cent signs, a secret beside the fault, a fault over several lines' worth
/// of text, broken JSON with a raw escape, a warning.
fn sample() -> String {
    let valid = one_line(VALID);
    let member = |name: &str| {
        valid.replace(
            r#""kind":"permission","message""#,
            &format!(r#""{name}":1,{}"#, "\"kind\":\"permission\",\"message\""),
        )
    };
    [
        valid.clone(),
        valid.replace(r#""title":"Release approval required""#, r#""title":"😀😀","titel":"x""#),
        member(r"\u001b[31m\u0000\ufffe\u202e"),
        member("50%: <a, b> & 'c' ::error::]]>"),
        valid
            .replace(r#""May I run the release workflow?""#, "17")
            .replace(r#""context":{"#, r#""context":{"pid":9007199254740993,"#),
        one_line(ANSWER)
            .replace(r#""nonce":"kR3xP0qz7Nf4""#, r#""nonce":"canary-nonce","x":1"#)
            .replace("9f2c0b7d", "CANARY00"),
        "{\"nonce\":\"canary-nonce\" \u{1b}[31m}".to_owned(),
    ]
    .join("\n")
}

/// The sample in one format, under a name that needs care.
fn report(format: &str) -> String {
    let output = arc_validate(&["--format", format, "--stdin-filename", "büro, 1/a:b.ndjson"], sample().as_bytes());
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""), "{format}");
    text(&output.stdout).to_owned()
}

const FORMATS: [&str; 7] = ["human", "concise", "json", "ndjson", "sarif", "junit", "github"];

#[test]
fn no_format_shows_secrets_or_control_characters() {
    for format in FORMATS {
        let shown = report(format);
        assert!(!shown.to_lowercase().contains("canary"), "{format}: {shown}");
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{format}: {shown:?}");
    }
}

#[test]
fn every_format_reports_every_finding() {
    let json: Value = serde_json::from_str(&report("json")).unwrap();
    let codes: Vec<_> =
        json["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap().to_owned()).collect();
    assert!(codes.len() >= 8, "{codes:?}");
    for format in FORMATS {
        let shown = report(format);
        for code in &codes {
            assert!(shown.contains(code.as_str()), "{format} lacks {code}");
        }
    }
}

#[test]
fn concise_is_one_line_a_finding() {
    insta::assert_snapshot!(report("concise"));
}

#[test]
fn human_shows_the_lines() {
    insta::assert_snapshot!(report("human"));
}

#[test]
fn json_is_one_object() {
    let report: Value = serde_json::from_str(&report("json")).unwrap();
    insta::assert_json_snapshot!(report);
}

#[test]
fn ndjson_is_one_object_a_line_with_the_summary_last() {
    let report = report("ndjson");
    let lines: Vec<Value> = report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, findings) = lines.split_last().unwrap();
    assert_eq!(summary["type"], "summary");
    assert!(findings.iter().all(|finding| finding["type"] == "finding"));
    insta::assert_snapshot!(report);
}

#[test]
fn ndjson_is_written_as_findings_come() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arc-validate"))
        .args(["--format", "ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Blocks are read whole; what fills one is reported while the stream goes on.
    let feed = std::thread::spawn(move || stdin.write_all("{}\n".repeat(400_000).as_bytes()).map(|()| stdin));
    let mut line = String::new();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut stdout, &mut line).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["type"], "finding");
    drop(stdout);
    // The program ends when nobody reads any more, perhaps before everything is fed.
    let _ = feed.join().unwrap();
    child.wait().unwrap();
}

fn sarif_schema() -> jsonschema::Validator {
    // As published, the pattern of language codes is no regular expression: its brackets do not match.
    let schema = include_str!("data/sarif-2.1.0.schema.json")
        .replace("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    let schema = serde_json::from_str(&schema).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

#[test]
fn sarif_is_valid_and_locates_every_result() {
    let mut sarif: Value = serde_json::from_str(&report("sarif")).unwrap();
    let errors: Vec<_> = sarif_schema().iter_errors(&sarif).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "b%C3%BCro%2C%201/a%3Ab.ndjson");
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert_eq!(rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()]["id"], result["ruleId"]);
    }
    // The emoji before the second fault is one column, as columnKind says.
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
    let line = sample().lines().nth(1).unwrap().to_owned();
    let column = line[..line.find("\"titel\"").unwrap()].chars().count() + 1;
    assert_eq!((&region["startLine"], &region["startColumn"]), (&2.into(), &column.into()));
    sarif["runs"][0]["tool"]["driver"]["rules"] = "every rule".into();
    sarif["runs"][0]["tool"]["driver"]["version"] = "the program's".into();
    insta::assert_json_snapshot!(sarif);
}

#[test]
fn sarif_has_a_usable_uri_for_every_name() {
    for (name, uri) in [
        ("<stdin>", "stdin"),
        (r"C:\hooks\a b.json", "C/hooks/a%20b.json"),
        (r"\\server\share\a.json", "server/share/a.json"),
        (r"deep\a.json", "deep/a.json"),
        ("/nowhere/else/a.json", "nowhere/else/a.json"),
    ] {
        let output = arc_validate(&["--format", "sarif", "--stdin-filename", name], b"{}");
        let sarif: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(sarif_schema().is_valid(&sarif));
        for result in sarif["runs"][0]["results"].as_array().unwrap() {
            assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], uri);
        }
    }
    let empty = arc_validate(&["--format", "sarif"], VALID.as_bytes());
    let sarif: Value = serde_json::from_slice(&empty.stdout).unwrap();
    assert!(sarif_schema().is_valid(&sarif) && sarif["runs"][0]["results"] == serde_json::json!([]));
}

#[test]
fn sarif_rules_say_what_they_mean() {
    let sarif: Value = serde_json::from_slice(&arc_validate(&["--format", "sarif"], b"{}").stdout).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), arc_validator::rules().count());
    for rule in rules {
        for text in ["help", "fullDescription", "shortDescription"] {
            assert!(rule[text]["text"].as_str().unwrap().len() > 10, "{} lacks {text}", rule["id"]);
        }
        assert!(rule["defaultConfiguration"]["level"].is_string() && rule["helpUri"].is_null());
    }
}

#[test]
fn junit_counts_its_cases_and_names_each_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    for (name, content) in [("a/x.json", "{}"), ("b/x.json", "{}"), ("b/clean.json", VALID)] {
        std::fs::create_dir_all(Path::new(&path(name)).parent().unwrap()).unwrap();
        std::fs::write(path(name), content).unwrap();
    }
    let output = arc_validate(&["--format", "junit", &path("a"), &path("b"), &path("a/x.json")], b"");
    let xml = text(&output.stdout);
    let count = |what: &str| xml.matches(what).count();
    assert_eq!((count("<testsuite "), count("no findings")), (3, 1));
    let cases = format!(
        "<testsuites name=\"arc-validate\" tests=\"{}\" failures=\"{}\"",
        count("<testcase "),
        count("<failure ")
    );
    assert!(xml.contains(&cases), "{xml}");
    let mut names: Vec<_> = xml
        .lines()
        .filter(|line| line.contains("<testcase "))
        .map(|line| line.split(" time=").next().unwrap())
        .collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn junit_is_xml() {
    insta::assert_snapshot!(report("junit"));
}

#[test]
fn github_is_one_command_a_finding() {
    let report = report("github");
    assert!(
        report
            .lines()
            .filter(|line| line.starts_with("::"))
            .all(|line| line.contains("file=büro%2C 1/a%3Ab.ndjson,line="))
    );
    insta::assert_snapshot!(report);
}

#[test]
fn github_writes_no_more_annotations_than_are_shown() {
    let event = one_line(VALID).replace(r#""kind":"permission","m"#, r#""kind":"x","m"#);
    let output = arc_validate(&["--format", "github"], vec![event; 25].join("\n").as_bytes());
    let shown = text(&output.stdout);
    assert_eq!(shown.lines().filter(|line| line.starts_with("::error ")).count(), 10);
    assert_eq!(shown.lines().filter(|line| line.starts_with("  stdin") || line.starts_with("  <stdin>")).count(), 15);
    assert!(shown.contains("::notice title=arc-validate::15 more findings have no annotation"), "{shown}");
}

#[test]
fn an_output_file_appears_whole_and_the_summary_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("findings.json");
    for (input, code) in [("{}", 1), (VALID, 0)] {
        let output = arc_validate(&["--format", "json", "--output-file", path.to_str().unwrap()], input.as_bytes());
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), ""));
        assert!(text(&output.stderr).starts_with("1 event in 1 file: "), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(report["summary"]["events"], 1);
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "something was left behind");
    let nowhere = directory.path().join("no/such/directory");
    let output = arc_validate(&["--output-file", nowhere.to_str().unwrap()], b"{}");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write --output-file"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn an_output_file_that_is_no_regular_file_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let output = arc_validate(&["--output-file", "/dev/null"], b"{}");
    assert_eq!(output.status.code(), Some(1));
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

/// The problem matcher of GitHub finds each line of the concise format again, whatever its path holds.
#[test]
fn the_problem_matcher_reads_the_concise_format() {
    let matchers: Value =
        serde_json::from_str(include_str!("../../.github/problem-matchers/arc-validate.json")).unwrap();
    let patterns: Vec<_> = matchers["problemMatcher"].as_array().unwrap().iter().map(|m| &m["pattern"][0]).collect();
    let directory = tempfile::tempdir().unwrap();
    let retry = serde_json::from_str::<Value>(VALID).unwrap().to_string();
    let odd = retry.replace(r#""message":"#, r#""x:1:2: error[y] z":1,"message":"#);
    for name in ["plain.ndjson", "with space.ndjson", "a:b.ndjson", "a:7:8: b.ndjson"] {
        let path = directory.path().join(name);
        std::fs::write(&path, [retry.as_str(), &odd, &retry].join("\n")).unwrap();
        let output = arc_validate(&["--format", "concise", path.to_str().unwrap()], b"");
        let text = text(&output.stdout);
        let findings: Vec<_> = text.lines().rev().skip(1).collect();
        assert!(findings.len() >= 2, "{text}");
        for line in findings {
            let found = |pattern: &&Value| {
                let regexp = regex::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
                let captures = regexp.captures(line)?;
                let group = |member: &str| Some(captures[usize::try_from(pattern[member].as_u64()?).ok()?].to_owned());
                Some((group("file")?, group("line")?.parse::<u64>().ok()?, group("code")?, group("message")?))
            };
            let found: Vec<_> = patterns.iter().filter_map(found).collect();
            let [(file, at, code, message)] = &found[..] else { panic!("{line}: {found:?}") };
            assert_eq!(file, path.to_str().unwrap(), "{line}");
            assert!((2..=3).contains(at) && arc_validator::rules().any(|rule| rule.code == code), "{line}");
            assert!(line.ends_with(message.as_str()), "{line}");
        }
        // The summary is no finding.
        let summary = text.lines().last().unwrap();
        let is_finding =
            |pattern: &&Value| regex::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap().is_match(summary);
        assert!(!patterns.iter().any(is_finding), "{summary}");
    }
}
