#!/bin/sh
# The broker's figures beside their yardsticks. One argument picks one of: start, throughput, wake, crowd, history.
set -eu
cd "$(dirname "$0")/../.."
# 10,000 waits need as many sockets twice over; where the limit cannot be raised, that figure is not to be had.
ulimit -n 32768 2>/dev/null || ulimit -n "$(ulimit -H -n)"
ARC_BENCH_DIR="${ARC_BENCH_DIR:-${CARGO_TARGET_DIR:-$PWD/target}}" \
    cargo bench -p arc-reference-broker --features bench --bench load -- "$@"
