//! The house is as its plan says: dependencies point one way, and the README's commands work.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

const README: &str = include_str!("../../README.md");

fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let output = Command::new(cargo).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The lines of the README's `sh` blocks: what a reader would paste.
fn commands() -> Vec<&'static str> {
    let blocks = README.split("```sh\n").skip(1).filter_map(|block| block.split("```").next());
    blocks.flat_map(str::lines).collect()
}

#[test]
fn dependencies_point_one_way() {
    let mut arrows = BTreeSet::new();
    for package in packages() {
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            if name.starts_with("arc-") {
                arrows.insert((package["name"].as_str().unwrap().to_owned(), name.to_owned()));
            }
        }
    }
    let arrow = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let plan = BTreeSet::from([
        arrow("arc-conformance", "arc-validator"),
        arrow("arc-conformance", "arc-reference-broker"),
        arrow("arc-reference-broker", "arc-validator"),
    ]);
    assert_eq!(arrows, plan);
}

/// What cargo-binstall asks for is what `.ci/dist` makes and release.yml attaches.
#[test]
fn each_package_says_where_its_program_is_to_be_had() {
    let (release, dist) = (include_str!("../../.github/workflows/release.yml"), include_str!("../../.ci/dist"));
    assert!(release.contains(r#".ci/dist "$TARGET""#) && release.contains("target/dist/*.tar.gz"));
    assert!(release.contains("SHA256SUMS") && dist.contains(r#"name="arc-$version-$target""#));
    assert!(dist.contains(r#"-c "$name" | gzip -9n > "$out/$name.tar.gz""#));
    let programs = dist.split_once("programs=(").unwrap().1.split(')').next().unwrap();
    let programs: BTreeSet<&str> = programs.split(' ').collect();
    for package in packages() {
        let binstall = &package["metadata"]["binstall"];
        let url = binstall["pkg-url"].as_str().unwrap();
        assert_eq!(url.rsplit('/').next(), Some("arc-{ version }-{ target }.tar.gz"));
        assert!(url.starts_with("{ repo }/releases/download/v{ version }/"), "{url}");
        assert_eq!(binstall["bin-dir"], "arc-{ version }-{ target }/{ bin }{ binary-ext }");
        for target in package["targets"].as_array().unwrap().iter().filter(|target| target["kind"][0] == "bin") {
            let name = target["name"].as_str().unwrap();
            assert!(programs.contains(&name), "{name}");
        }
        for member in ["description", "license", "readme"] {
            assert!(package[member].is_string(), "{member}");
        }
        for list in ["keywords", "categories"] {
            assert!(!package[list].as_array().unwrap().is_empty(), "{list}");
        }
    }
}

/// The kit may start the broker as its target and know nothing else of it.
#[test]
fn only_the_target_names_the_broker() {
    fn walk(folder: &std::path::Path, naming: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, naming);
            } else if std::fs::read_to_string(&path).unwrap().contains("arc_reference_broker") {
                naming.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut naming = Vec::new();
    walk(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut naming);
    assert_eq!(naming, ["target.rs"]);
}

#[test]
fn the_readme_shows_two_commands_and_they_work() {
    let [main, tests] = commands()[..] else { panic!("{:?}", commands()) };
    let arguments = main.strip_prefix("cargo run --release --bin arc-conform -- ").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_arc-conform");
    let output = Command::new(program).args(arguments.split(' ')).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));

    assert_eq!(tests, "cargo test --workspace");
    let names: BTreeSet<_> = packages().iter().map(|package| package["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, ["arc-conformance", "arc-reference-broker", "arc-validator"].map(str::to_owned).into());
}

#[test]
fn what_the_readme_links_to_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let links = README.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for link in links.filter(|link| !link.starts_with("http")) {
        assert!(root.join(link).exists(), "{link}");
    }
}
