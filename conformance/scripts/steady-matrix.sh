#!/bin/sh
# Runs the whole matrix many times and shows what each run came to; where one is red, what it said.
#
#   conformance/scripts/steady-matrix.sh [RUNS]      10 runs by default: about half an hour on two cores
set -u
runs=${1:-10}
here=$(cd "$(dirname "$0")/.." && pwd)
said=$(mktemp)
trap 'rm -f "$said"' EXIT
trap 'exit 130' INT TERM
cargo test --quiet --locked --manifest-path "$here/Cargo.toml" --test matrix --no-run || exit 2

red=0
run=1
while [ "$run" -le "$runs" ]; do
    began=$(date +%s)
    if cargo test --quiet --locked --manifest-path "$here/Cargo.toml" --test matrix >"$said" 2>&1; then
        word=green
    else
        word=red
        red=$((red + 1))
        cat "$said"
    fi
    echo "run $run of $runs: $word after $(($(date +%s) - began)) s: $(grep '^test result' "$said" | tail -n 1)"
    run=$((run + 1))
done
echo "$runs runs, $red of them red"
[ "$red" -eq 0 ]
