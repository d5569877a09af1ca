#!/usr/bin/env bash
# How fast whole processes are: whole-process.sh CORPUS [HALF_BROKEN_CORPUS]
#
# Runs arc-validate and the yardsticks in turn (A B C, A B C …), so that a machine that grows slower slows all of them, and
# prints medians of user-visible time, the ratio to `serde-value` of the same file, and the largest memory.
#   ROUNDS  how often each is run (5)
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,7p' "$0"; exit 2; }
corpora=()
for corpus in "$@"; do corpora+=("$(realpath "$corpus")"); done
cd "$(dirname "$0")/../.."
cargo build --release --locked -p arc-validator --bin arc-validate --example yardstick
target=$(cargo metadata --format-version 1 --no-deps | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
python3 - "$target/release" "${ROUNDS:-5}" "${corpora[@]}" <<'PY'
import os, pathlib, statistics, subprocess, sys, time

programs, rounds, corpora = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
validate, yardstick = str(programs / "arc-validate"), str(programs / "examples/yardstick")
# What each is called, and its arguments before the file; the first one is what the others are compared to.
WAYS = [
    ("serde-value", [yardstick, "serde-value"]),
    ("jsonschema-errors", [yardstick, "jsonschema-errors"]),
    ("arc-validate --threads 1", [validate, "--format", "json", "--threads", "1"]),
    ("arc-validate --threads 1 --no-lifecycle", [validate, "--format", "json", "--threads", "1", "--no-lifecycle"]),
    ("arc-validate --threads 2", [validate, "--format", "json", "--threads", "2"]),
]

def run(command):
    """Seconds, and the largest resident memory in MiB."""
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - begun
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 1):
        sys.exit(f"{command} exited with {code}")
    return seconds, usage.ru_maxrss / 1024

for corpus in corpora:
    # Into the page cache, and by another process: what this one holds would count as the memory of its children.
    subprocess.run(["cat", corpus], stdout=subprocess.DEVNULL, check=True)
    runs = {name: [] for name, _ in WAYS}
    for _ in range(rounds):
        for name, command in WAYS:
            runs[name].append(run([*command, corpus]))
    print(f"\n{os.path.basename(corpus)}, {os.path.getsize(corpus) / 1e6:.0f} MB, medians of {rounds}")
    print(f"{'':42}{'seconds':>9}{'x serde-value':>15}{'peak MiB':>10}")
    base = statistics.median(seconds for seconds, _ in runs[WAYS[0][0]])
    for name, _ in WAYS:
        median = statistics.median(seconds for seconds, _ in runs[name])
        print(f"{name:42}{median:9.3f}{base / median:15.2f}{max(mib for _, mib in runs[name]):10.1f}")
PY
