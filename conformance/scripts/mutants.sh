#!/bin/sh
# Changes the rules in one place at a time and shows which changes no test notices (cargo-mutants, installed into a folder of
# its own). All files take hours on two cores; name some to have less.
#
#   conformance/scripts/mutants.sh [FILE …]
#
# docs/MUTANTS.md keeps the last result.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
if [ "$#" -eq 0 ]; then
    set -- validator/src/rules/*.rs reference-broker/src/engine/*.rs \
        conformance/src/scenario/judge.rs conformance/src/history.rs conformance/src/model.rs conformance/src/claim.rs
fi
tools=${ARC_MUTANTS_TOOLS:-$top/target/mutants-tools}
[ -x "$tools/bin/cargo-mutants" ] || cargo install cargo-mutants --locked --root "$tools"
PATH="$tools/bin:$PATH"
missed=0
for file in "$@"; do
    package=$(sed -n 's/^name = "\(.*\)"$/\1/p' "${file%%/*}/Cargo.toml" | head -n 1)
    # The kit's matrix takes minutes a change: its unit tests alone are asked.
    tests=""
    [ "$package" = arc-conformance ] && tests="--lib"
    cargo mutants --package "$package" --file "$file" --jobs 1 --timeout 120 --output "$tools" -- $tests || missed=1
    cat "$tools/mutants.out/missed.txt"
done
exit "$missed"
