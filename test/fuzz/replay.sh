#!/bin/bash
# replay.sh NAME: every input of the corpora once through the fuzz program NAME, built with the sanitizers; those that are written as text
# (.asm), as the Makefile assembled them. Prints TAP, one line for all of them, or the file that failed.
set -u
inputs=()
for folder in test/fuzz/corpus/"$1" test/trace/good test/trace/bad; do
	for file in "$folder"/* "$BUILD/asan/assembled/$folder"/*; do
		[ -f "$file" ] && [ "$file" = "${file%.asm}" ] && inputs+=("$file")
	done
done
if [ ${#inputs[@]} = 0 ]; then
	echo "1..0 # SKIP no inputs for $1"
	exit 0
fi
if output=$("$BUILD/asan/replay/$1" "${inputs[@]}" 2>&1); then
	echo "ok 1 - $1: ${#inputs[@]} inputs"
	status=0
else
	echo "not ok 1 - $1"
	printf '%s\n' "$output" | grep -v '^ok ' | tail -60 | sed 's/^/# /'
	status=1
fi
echo 1..1
exit $status
