#!/bin/sh
# Judges the embedded reference broker many times, every second time beside two busy loops, and shows each run that found
# a failure or came to no verdict.
#
#   conformance/scripts/steady.sh [RUNS]      200 runs by default: about a quarter of an hour
#
# ARC_CONFORM names a program that is built already.
set -u
runs=${1:-200}
here=$(cd "$(dirname "$0")/.." && pwd)
program=${ARC_CONFORM:-}
if [ -z "$program" ]; then
    cargo build --release --quiet --manifest-path "$here/Cargo.toml" --bin arc-conform || exit 2
    metadata=$(cargo metadata --format-version 1 --no-deps --manifest-path "$here/Cargo.toml")
    program=$(printf %s "$metadata" | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/arc-conform
fi
folder=$(mktemp -d)
load=""
rest() {
    for loop in $load; do kill "$loop" 2>/dev/null; done
    load=""
}
trap 'rest; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

bad=0
run=1
while [ "$run" -le "$runs" ]; do
    if [ $((run % 2)) -eq 0 ]; then
        for _ in 1 2; do (while :; do :; done) & load="$load $!"; done
    fi
    "$program" run --claim consumer --claim agentnotify-http --claim interactions \
        --failures "$folder/minimal" >"$folder/report" 2>&1
    code=$?
    rest
    if [ "$code" -ne 0 ] || grep -qE '^(FAIL|NOTE|OPEN|KIT ERROR)' "$folder/report"; then
        bad=$((bad + 1))
        echo "run $run of $runs (exit code $code)"
        cat "$folder/report"
    fi
    run=$((run + 1))
done
echo "$runs runs, half of them under load: $bad with a failure or without a verdict"
[ "$bad" -eq 0 ]
