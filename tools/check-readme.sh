#!/bin/bash
# Does what the README tells to type work? Its blocks behind a line <!-- tested --> are run, in order, in one folder that holds the
# files of examples/first, each line by itself; the first that fails is named.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$root/build}
[ -x "$build/dwell" ] && [ -e "$build/libdwell.so" ] || { echo "build dwell first"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-readme.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "$root"/examples/first/* "$work"
awk '
	/^<!-- tested -->$/ { marked = 1; next }
	/^```/ { if (inside) inside = 0; else if (marked) { inside = 1; marked = 0 } next }
	inside { sub(/^    /, ""); if ($0 != "") print NR "\t" $0 }' "$root/README.md" > "$work/commands"
[ -s "$work/commands" ] || { echo "README.md: no block is marked <!-- tested -->"; exit 1; }
cd "$work" || exit 2
PATH=$build:$PATH
ran=0
while IFS=$'\t' read -r line command; do
	if ! bash -c "$command" > output 2>&1 < /dev/null; then
		echo "README.md:$line: $command"
		sed 's/^/    /' output | head -40
		exit 1
	fi
	ran=$((ran + 1))
done < commands
echo "$ran commands"
