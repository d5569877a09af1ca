//! Embeds every scenario file, so that a new check is one new file and the program stays one static binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = manifest.join("../vectors/scenarios").canonicalize()?;
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut code = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).expect("it lies under the root").display();
        writeln!(code, "    ({:?}, include_str!({:?})),", name.to_string(), file.display().to_string())
            .expect("a String takes all");
    }
    code.push_str("]\n");
    println!("cargo::rerun-if-changed={}", root.display());
    fs::write(PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("scenarios.rs"), code)
}

/// The scenario files of every family folder; files beside the folders are not scenarios.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let family = entry?.path();
        if !family.is_dir() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", family.display());
        for entry in fs::read_dir(&family)? {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == "json") {
                files.push(path);
            }
        }
    }
    Ok(())
}
