//! What the broker counts about itself.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// Upper bounds of the batch sizes that are counted apart.
const BATCH_SIZES: [u64; 8] = [1, 2, 4, 8, 16, 64, 256, 512];

/// Counters of the writer.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    commits: AtomicU64,
    failures: AtomicU64,
    busy_retries: AtomicU64,
    commands: AtomicU64,
    batches: [AtomicU64; BATCH_SIZES.len()],
}

/// What is counted when somebody asks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gauges {
    pub(crate) waiters: usize,
    pub(crate) pending: i64,
}

impl Metrics {
    /// So many commands were committed together.
    pub(crate) fn committed(&self, commands: usize) {
        let commands = commands as u64;
        add(&self.commits, 1);
        add(&self.commands, commands);
        // Prometheus counts a value in every bucket that is wide enough.
        for (count, _) in self.batches.iter().zip(BATCH_SIZES).filter(|(_, bound)| commands <= *bound) {
            add(count, 1);
        }
    }

    /// A batch could not be committed.
    pub(crate) fn failed(&self) {
        add(&self.failures, 1);
    }

    /// Another process held the database's write lock.
    pub(crate) fn busy(&self) {
        add(&self.busy_retries, 1);
    }

    /// The Prometheus text format.
    pub(crate) fn text(&self, gauges: Gauges) -> String {
        let mut text = String::new();
        let mut series = |name: &str, kind: &str, help: &str, value: &dyn std::fmt::Display| {
            let _ = write!(text, "# HELP arc_broker_{name} {help}\n# TYPE arc_broker_{name} {kind}\n");
            let _ = writeln!(text, "arc_broker_{name} {value}");
        };
        series("waiters", "gauge", "Requests that wait for the end of a question.", &gauges.waiters);
        series("pending_questions", "gauge", "Questions that are open.", &gauges.pending);
        series("commits_total", "counter", "Transactions committed.", &get(&self.commits));
        series("commit_failures_total", "counter", "Transactions that could not be committed.", &get(&self.failures));
        series("busy_retries_total", "counter", "Attempts that found the database locked.", &get(&self.busy_retries));
        self.batch_sizes(&mut text);
        text
    }

    fn batch_sizes(&self, text: &mut String) {
        const NAME: &str = "arc_broker_batch_size";
        let _ = write!(text, "# HELP {NAME} Commands committed together.\n# TYPE {NAME} histogram\n");
        for (count, bound) in self.batches.iter().zip(BATCH_SIZES) {
            let _ = writeln!(text, "{NAME}_bucket{{le=\"{bound}\"}} {}", get(count));
        }
        let (commits, commands) = (get(&self.commits), get(&self.commands));
        let _ = write!(text, "{NAME}_bucket{{le=\"+Inf\"}} {commits}\n{NAME}_sum {commands}\n{NAME}_count {commits}\n");
    }
}

fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_counted_by_size() {
        let metrics = Metrics::default();
        for commands in [1, 1, 3, 600] {
            metrics.committed(commands);
        }
        metrics.busy();
        insta::assert_snapshot!(metrics.text(Gauges { waiters: 2, pending: 7 }));
    }
}
