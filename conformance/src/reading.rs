//! The readings: where the contract is open, what the kit demands all the same, and what it leaves free.

use serde::Deserialize;
use std::sync::LazyLock;

const SOURCE: &str = include_str!("../readings.json");

/// One open point of the contract.
#[derive(Debug, Deserialize)]
pub struct Reading {
    /// The number by which scenarios cite it.
    pub number: u8,
    /// What is open.
    pub point: String,
    /// What the reference broker does.
    pub broker: String,
    /// What the kit demands of any consumer.
    pub demand: String,
}

#[derive(Deserialize)]
struct Readings {
    readings: Vec<Reading>,
}

static READINGS: LazyLock<Vec<Reading>> = LazyLock::new(|| {
    let readings: Readings = serde_json::from_str(SOURCE).expect("a test parses the embedded readings");
    readings.readings
});

/// Every reading, by number.
pub fn all() -> &'static [Reading] {
    &READINGS
}

/// The reading of that number.
pub fn find(number: u8) -> Option<&'static Reading> {
    all().iter().find(|reading| reading.number == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reading_that_a_scenario_cites_is_there_once() {
        assert!(all().is_sorted_by(|a, b| a.number < b.number));
        for scenario in crate::scenario::golden() {
            for number in &scenario.readings {
                assert!(find(*number).is_some(), "{} cites reading {number}", scenario.id);
            }
        }
    }
}
