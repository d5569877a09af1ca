#!/bin/sh
# Takes pictures of an HTML report, narrow and wide, light and dark, to be looked at. Needs Chromium; no test needs this.
#
#   conformance/scripts/screenshots.sh report.html pictures
set -eu
report=$(realpath "$1")
folder=${2:-pictures}
mkdir -p "$folder"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "no Chromium is installed" >&2
    exit 1
}
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
for scheme in light dark; do
    # Chromium has no flag for the light scheme; it is what is taken without one.
    if [ "$scheme" = dark ]; then dark=--blink-settings=preferredColorScheme=0; else dark=--blink-settings=preferredColorScheme=1; fi
    for width in 360 1440; do
        "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" "$dark" \
            --window-size="$width,${HEIGHT:-3000}" --screenshot="$folder/$width-$scheme.png" "file://$report" >/dev/null 2>&1
        echo "$folder/$width-$scheme.png"
    done
done
