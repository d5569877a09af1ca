#!/usr/bin/env bash
# Searches for bytes on which the validator's lanes disagree, or that make it panic: fuzz.sh [SECONDS_PER_TARGET]
#
# Needs cargo-fuzz (cargo install cargo-fuzz) and a C++ compiler. It begins with the golden vectors; what it finds is kept in
# validator/fuzz/artifacts. Runs on the stable toolchain, whose compiler has to be told that coverage counters are meant.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-300}
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
python3 - "$corpus" ../vectors <<'PY'
import base64, hashlib, json, pathlib, sys

corpus, vectors = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
(corpus / "lanes").mkdir()
(corpus / "streams").mkdir()

def keep(target, data):
    (corpus / target / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

def events(value):
    """Everything in a vector that looks like an event."""
    if isinstance(value, dict):
        if "arc_version" in value:
            yield value
        for inner in value.values():
            yield from events(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from events(inner)

for path in vectors.rglob("*.json"):
    found = list(events(json.loads(path.read_text())))
    for event in found:
        keep("lanes", json.dumps(event, separators=(",", ":")).encode())
        keep("lanes", json.dumps(event, ensure_ascii=False).encode())
    if found:
        keep("streams", b"\n".join(json.dumps(event).encode() for event in found))
PY
for target in lanes streams; do
  RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none "$target" "$corpus/$target" -- -max_total_time="$seconds" -max_len=16384 -timeout=10
done
