#!/bin/sh
# Good traces cut at each byte and with each byte flipped, through reader, model and report, under the sanitizers.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
"${MAKE:-make}" -s BUILD="$build" asan
exec env ROOT="$PWD" "$build/asan/unit/reader/hurt"
