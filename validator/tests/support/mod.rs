//! Where the golden vectors are, and how they are read.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The project's top folder.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The JSON in a file.
pub(crate) fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every vector of a folder by its file's name.
pub(crate) fn vectors_in(folder: &str) -> BTreeMap<String, Value> {
    let paths = std::fs::read_dir(root().join("vectors").join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: std::path::PathBuf| (path.file_stem().unwrap().to_str().unwrap().to_owned(), read_json(&path));
    paths.map(named).collect()
}
