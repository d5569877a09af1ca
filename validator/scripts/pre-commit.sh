#!/bin/sh
# The pre-commit hook: arc-validate of the PATH where there is one; else the one of this clone, built once with cargo.
set -eu
command -v arc-validate > /dev/null && exec arc-validate "$@"
root=$(cd "$(dirname "$0")/../.." && pwd)
CARGO_TARGET_DIR="$root/target" cargo build --quiet --release --locked --bin arc-validate --manifest-path "$root/Cargo.toml" >&2
exec "$root/target/release/arc-validate" "$@"
