#!/bin/bash
# Measures time: what its commands record beside other tests would not look like what the pages show.
# Is what README.md and doc/*.md show what happens? Their commands are run, and the outputs that they show are compared with what comes out:
# tools/docs.py. With --update it writes what came out into the pages; read the difference before you commit it.
: "${ROOT:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${BUILD:=$ROOT/build}"
export ROOT BUILD
[ -x "$BUILD/dwell" ] && [ -e "$BUILD/libdwell.so" ] && [ -x "$BUILD/tracegen" ] || { echo "build dwell and its tests first"; exit 77; }
command -v python3 > /dev/null || { echo "no python3"; exit 77; }
exec python3 "$ROOT/tools/docs.py" "$@"
