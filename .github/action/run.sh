#!/bin/sh
# What action.yml runs: gets arc-conform, judges, and tells the workflow. It takes everything from its environment, evaluates
# none of it, and ends with the exit code of arc-conform.
set -eu

say() { printf 'arc-conform action: %s\n' "$*" >&2; }
usage() { say "$*"; verdict usage 2; exit 2; }

# One line of the step's outputs. No value holds a line break: words, numbers, and paths that were looked at.
output() { printf '%s=%s\n' "$1" "$2" >> "${GITHUB_OUTPUT:-/dev/null}"; }
verdict() { output verdict "$1"; output exit-code "$2"; }

# The program of a release whose checksum is right. 1: there is no such release.
download() {
  case "${ARC_ACTION_REF:-}" in v[0-9]*) ;; *) return 1 ;; esac
  [ "$(uname -s)" = Linux ] || return 1
  name="arc-${ARC_ACTION_REF#v}-$(uname -m)-unknown-linux-musl"
  from="${ARC_ACTION_RELEASES:?}/$ARC_ACTION_REF"
  fetch "$from/$name.tar.gz" "$folder/$name.tar.gz" || return 1
  fetch "$from/SHA256SUMS" "$folder/SHA256SUMS" || usage "$from has an archive and no SHA256SUMS"
  (cd "$folder" && grep -F "  $name.tar.gz" SHA256SUMS > expected && sha256sum --check --status expected) ||
    usage "$name.tar.gz is not what SHA256SUMS says: it is not run"
  tar -xzf "$folder/$name.tar.gz" -C "$folder"
  program="$folder/$name/arc-conform"
}

fetch() { curl --proto '=https,file' --fail --silent --show-error --location --retry 3 --output "$2" "$1"; }

build() {
  command -v cargo > /dev/null || usage "there is no release for this machine, and no cargo: name a program, or install Rust"
  say "no release to download: building with cargo"
  CARGO_TARGET_DIR="$folder/target" cargo build --quiet --release --locked --bin arc-conform \
    --manifest-path "$ARC_ACTION_PATH/Cargo.toml" >&2
  program="$folder/target/release/arc-conform"
}

# How many requirements of the JSON report have a verdict. Its strings hold no line breaks, so a line is a member.
count() {
  [ -s "$reports/report.json" ] || { echo 0; return; }
  awk -v line="      \"verdict\": \"$1\"," '
    /^  "requirements": \[/ { inside = 1 }
    /^  \]/ { inside = 0 }
    inside && $0 == line { n++ }
    END { print n + 0 }' "$reports/report.json"
}

folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/arc-conform.XXXXXX")
trap 'rm -rf "$folder"' EXIT

# Absolute, so that a name that begins with a dash is no option.
reports="${ARC_ACTION_REPORTS:-arc-conform-reports}"
case "$reports" in
  *[[:cntrl:]]*) usage "the input reports holds a control character" ;;
  /*) ;;
  *) reports="$PWD/$reports" ;;
esac
mkdir -p "$reports"

program="${ARC_ACTION_PROGRAM:-}"
[ -n "$program" ] || download || build

set -- run "--report=json=$reports/report.json" "--report=junit=$reports/report.xml" \
  "--report=html=$reports/report.html" "--report=markdown=$reports/report.md"
[ -z "${ARC_ACTION_URL:-}" ] || set -- "$@" "--url=$ARC_ACTION_URL"
while IFS= read -r option || [ -n "$option" ]; do
  [ -z "$option" ] || set -- "$@" "$option"
done << OPTIONS
${ARC_ACTION_OPTIONS:-}
OPTIONS
[ -n "${ARC_TOKEN:-}" ] || unset ARC_TOKEN

code=0
"$program" "$@" || code=$?

case "$code" in
  0) verdict pass 0 ;;
  1) verdict fail 1 ;;
  2) verdict usage 2 ;;
  3) verdict unreachable 3 ;;
  4) verdict inconclusive 4 ;;
  *) verdict kit-fault "$code" ;;
esac
output passed "$(count pass)"
output failed "$(count fail)"
output inconclusive "$(count inconclusive)"
output json "$reports/report.json"
output junit "$reports/report.xml"
output html "$reports/report.html"
output markdown "$reports/report.md"
[ ! -s "$reports/report.md" ] || cat "$reports/report.md" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
exit "$code"
