#!/bin/bash
# one.sh NAME: the fuzz program NAME, by Clang's libFuzzer under its sanitizers: every input of its corpus once, then FUZZ_SECONDS (5) of
# new ones. Prints TAP, one line. Corpora are test/fuzz/corpus/NAME and, of a NAME_KIND, NAME's; of traces, test/trace, too; those that are
# written as text (.asm), as the Makefile assembled them. A file test/fuzz/NAME.dict has the format's words.
#
# What it newly reached is in BUILD/fuzz-found/NAME, not in the corpus: whoever runs it decides what is worth keeping. An input that stops it
# is kept there as crash-…, and is in the output as base64.
set -u
name=$1 seconds=${FUZZ_SECONDS:-5}
found=$BUILD/fuzz-found/$name log=$BUILD/fuzz-found/$name.log
mkdir -p "$found"
folders=("$found")
of_traces=
[ "${name%%_*}" = trace ] && of_traces="test/trace/good test/trace/bad"
for folder in test/fuzz/corpus/"$name" test/fuzz/corpus/"${name%%_*}" $of_traces; do
	for place in "$folder" "$BUILD/asan/assembled/$folder"; do
		[ -d "$place" ] && [[ " ${folders[*]} " != *" $place "* ]] && folders+=("$place")
	done
done
# With entropic schedules libFuzzer counts features for a third of the time, which is too short for them to be of use.
options=(-entropic=0 -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -artifact_prefix="$found/crash-" -print_final_stats=1)
[ -f "test/fuzz/$name.dict" ] && options+=(-dict="test/fuzz/$name.dict")
if "$BUILD/asan/fuzz/$name" "${options[@]}" "${folders[@]}" > "$log" 2>&1; then
	echo "ok 1 - $name: $(grep -o 'number_of_executed_units: *[0-9]*' "$log" | grep -o '[0-9]*$') inputs in $seconds s"
	status=0
else
	echo "not ok 1 - $name"
	tail -60 "$log" | cut -c 1-2000 | sed 's/^/# /'
	status=1
fi
echo 1..1
exit $status
