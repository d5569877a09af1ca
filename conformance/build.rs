//! Embeds every scenario, vector and schema, so that a new check is one new file and the program stays one static binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = manifest.join("..").canonicalize()?;
    let mut files = Vec::new();
    collect(&root.join("schemas"), &mut files)?;
    collect(&root.join("vectors"), &mut files)?;
    files.sort();
    let scenarios = root.join("vectors/scenarios");
    write("vectors.rs", &files, &root, "include_bytes")?;
    // The files of family folders; those beside the folders are no scenarios.
    files.retain(|file| file.starts_with(&scenarios) && file.parent() != Some(&scenarios));
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    write("scenarios.rs", &files, &scenarios, "include_str")
}

/// A list of paths under `root` and contents, as a Rust expression.
fn write(name: &str, files: &[PathBuf], root: &Path, include: &str) -> io::Result<()> {
    let mut code = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(root).expect("it lies under the root").display();
        writeln!(code, "    ({:?}, {include}!({:?})),", path.to_string(), file.display().to_string())
            .expect("a String takes all");
    }
    code.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join(name), code)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
