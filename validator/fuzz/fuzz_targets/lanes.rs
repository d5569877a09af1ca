//! One event: both lanes give the same verdict, every finding has a place in the bytes, and nothing panics.

#![no_main]

use arc_validator::{Finding, explain, lint, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let explained = explain(bytes);
    let findings = match parse(bytes) {
        Ok(event) => {
            assert!(!explained.iter().any(Finding::is_error), "valid, and yet {explained:?}");
            lint(&event, bytes)
        }
        Err(invalid) => {
            assert!(explained.iter().any(Finding::is_error), "not valid, and nobody knows why");
            assert_eq!(invalid.findings, explained);
            explained
        }
    };
    for finding in findings {
        assert!(finding.span.start <= finding.span.end && finding.span.end <= bytes.len(), "{finding:?}");
    }
});
