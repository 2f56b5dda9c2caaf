#!/bin/bash
# ./demo on a tree that is built: a report, a tree and a page of a server, and the commands that made them.
set -eu
cd "$(dirname "$0")/../.."
[ "${BUILD:-$PWD/build}" = "$PWD/build" ] || { echo "./demo is for the folder build"; exit 77; }
mkdir -p build/demo
rm -f build/demo/requests.*
./demo > build/demo/out 2>&1 || { cat build/demo/out; exit 1; }
for line in '^\$ dwell report requests\.dwell$' '^ *40,000 .* checksum_body$' '^\$ dwell tree requests\.dwell$' '^ *4 .* reload_prices$' \
	'Three commands made' "a page for the browser: $PWD/build/demo/requests.html"; do
	grep -q -e "$line" build/demo/out || { echo "no \"$line\" in:"; cat build/demo/out; exit 1; }
done
grep -q 'id="data-0"' build/demo/requests.html
# What it proposes to do next works, and finds the slow request.
cd build/demo
PATH=$PWD/..:$PATH
dwell slowest --limit 1 --cpu handle_request requests.dwell > slowest
grep -q ' reload_prices$' slowest || { cat slowest; exit 1; }
