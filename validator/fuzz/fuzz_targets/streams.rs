//! Any file: it is read to its end, each valid event takes its place in the stream, and nothing panics.

#![no_main]

use arc_validator::input::{self, Chunk, Unit};
use arc_validator::output::Located;
use arc_validator::parse;
use arc_validator::stream::Stream;
use libfuzzer_sys::fuzz_target;

const MAX_EVENT: usize = 4096;

fuzz_target!(|bytes: &[u8]| {
    let mut stream = Stream::default();
    let mut see = |unit: Unit<'_>| {
        let Unit::Document(document) = unit else { return Ok(()) };
        if let Ok(event) = parse(document.bytes) {
            for finding in stream.check(&event, document.bytes, document.start.line) {
                let located = Located::new(&finding, "fuzz", 1, &document);
                assert!(located.end.offset <= bytes.len() as u64, "{finding:?}");
            }
        }
        Ok(())
    };
    input::read(bytes, MAX_EVENT, 1, |chunk| match chunk {
        Chunk::Lines(lines) => lines.split(2).into_iter().try_for_each(|part| part.each(&mut see)),
        Chunk::Unit(unit) => see(unit),
    })
    .expect("bytes in memory can be read");
});
