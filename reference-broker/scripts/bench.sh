#!/bin/sh
# The broker's figures beside their yardsticks. One argument picks one of: start, throughput, wake, crowd, history.
set -eu
cd "$(dirname "$0")/../.."
ulimit -n 32768
ARC_BENCH_DIR="${ARC_BENCH_DIR:-${CARGO_TARGET_DIR:-$PWD/target}}" \
    cargo bench -p arc-reference-broker --features bench --bench load -- "$@"
