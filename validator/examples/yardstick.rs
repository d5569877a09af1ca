//! What other ways of reading the same NDJSON file cost: `yardstick MODE FILE`, one line at a time.
//!
//! `serde-value` parses each line into a `serde_json::Value`; `jsonschema-errors` also counts all errors that the
//! jsonschema crate finds; `jsonschema-valid` only asks whether there is one. They check less than `arc-validate` does.

use serde_json::Value;
use std::hint::black_box;
use std::io::BufRead;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, mode, path] = arguments.as_slice() else { return Err("usage: yardstick MODE FILE".into()) };
    let schema: Value = serde_json::from_str(arc_validator::schema::SOURCE)?;
    let validator = jsonschema::options().should_validate_formats(true).build(&schema)?;
    let mut reader = std::io::BufReader::with_capacity(1 << 18, std::fs::File::open(path)?);
    let (mut line, mut lines, mut faults) = (Vec::new(), 0_usize, 0_usize);
    while reader.read_until(b'\n', &mut line)? > 0 {
        lines += 1;
        match (mode.as_str(), serde_json::from_slice::<Value>(&line)) {
            (_, Err(_)) => faults += 1,
            ("serde-value", Ok(value)) => drop(black_box(value)),
            ("jsonschema-errors", Ok(value)) => faults += validator.iter_errors(&value).count(),
            ("jsonschema-valid", Ok(value)) => faults += usize::from(!validator.is_valid(&value)),
            _ => return Err(format!("unknown mode {mode}").into()),
        }
        line.clear();
    }
    #[expect(clippy::print_stdout, reason = "the result of a program")]
    {
        println!("lines={lines} faults={faults}");
    }
    Ok(())
}
