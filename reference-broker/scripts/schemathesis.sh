#!/bin/sh
# Property-based requests from the OpenAPI description, against a broker of its own: no 5xx, no undeclared status or
# body. Needs `schemathesis` on the path (PyPI; 4.32 was used last). Further arguments go to it.
set -eu
cd "$(dirname "$0")/../.."
cargo build --release -p arc-reference-broker
dir="$(mktemp -d)"
"${CARGO_TARGET_DIR:-target}/release/arc-broker" --rate-limit 0 --log error --listen 127.0.0.1:0 \
    --db "$dir/broker.db" --token-file "$dir/token" >"$dir/out" &
broker=$!
trap 'kill "$broker"; wait "$broker" || true; rm -r "$dir"' EXIT
until [ -s "$dir/out" ]; do kill -0 "$broker"; done
url="$(sed -n 's/.*\(http:[^;]*\);.*/\1/p' "$dir/out")"
# It leaves what it found where it runs.
cd "$dir"
schemathesis run "$url/openapi.json" --url "$url" --header "Authorization: Bearer $(cat "$dir/token")" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
    --exclude-path-regex '/wait$' "$@"
