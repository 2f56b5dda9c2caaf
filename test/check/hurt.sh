#!/bin/sh
# Good traces cut at each byte and with each byte flipped, through reader, model and report, under the sanitizers.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
"${MAKE:-make}" -s BUILD="$build" asan
if output=$(ROOT="$PWD" "$build/asan/unit/reader/hurt" 2>&1); then
	exit 0
fi
printf '%s\n' "$output" | grep -v '^ok ' | sed 's/^/# /'
exit 1
