#!/bin/sh
# Gates a release on conformance, in any CI: sh gate.sh URL TOKEN_FILE [FOLDER]. Needs arc-conform in the PATH.
set -eu
url="$1"
token_file="$2"
reports="${3:-arc-reports}"
mkdir -p "$reports"

code=0
arc-conform run --url="$url" --token-file="$token_file" --wait-for-ready=30s \
  --report="junit=$reports/arc.xml" --report="html=$reports/arc.html" --report="claim=$reports/claim.json" || code=$?
case "$code" in
  0) echo "gate: open, every claim holds" ;;
  1) echo "gate: shut, a requirement is violated: see $reports/arc.html" ;;
  3) echo "gate: shut, $url cannot be reached or is no ARC endpoint" ;;
  4) echo "gate: shut, nothing is decided: not every requirement could be judged" ;;
  *) echo "gate: shut, arc-conform did not judge (exit code $code)" ;;
esac
exit "$code"
