#!/bin/bash
# Reading: dwell report on one core, medians of five; bar: 20 million events a second, and no more memory for a longer trace.
set -eu
work=$BUILD/bench
gcc -O2 -Wall -Wextra bench/measure.c -o "$work/measure"

# trace EVENTS: made once
trace()
{
	local file=$work/trace-$1.dwell
	[ -s "$file" ] || { "$BUILD/tracegen" --events "$1" -o "$file.new" && mv "$file.new" "$file"; }
	echo "$file"
}

# taken FILE: "CPU-seconds peak-KiB", the medians
taken()
{
	for _ in 1 2 3 4 5; do
		taskset -c 0 "$work/measure" "$BUILD/dwell" report --limit 1 "$1" 2>&1 > /dev/null | tail -1
	done > "$work/taken"
	printf '%s %s\n' "$(cut -d' ' -f1 "$work/taken" | sort -g | sed -n 3p)" "$(cut -d' ' -f3 "$work/taken" | sort -g | sed -n 3p)"
}

short=$(trace 4000000)
long=$(trace 40000000)
cat "$long" > /dev/null
read -r short_seconds short_kib <<< "$(taken "$short")"
read -r long_seconds long_kib <<< "$(taken "$long")"
awk -v ss="$short_seconds" -v sk="$short_kib" -v ls="$long_seconds" -v lk="$long_kib" 'BEGIN {
	rate = 40 / ls
	printf "  %-52s %8.1f   bar >= 20\n", "million events a second (40 million in " ls " s)", rate
	printf "  %-52s %8.2f\n", "peak memory, 4 million events, MiB", sk / 1024
	printf "  %-52s %8.2f   bar: +10 %% and 1 MiB\n", "peak memory, 40 million events, MiB", lk / 1024
	exit rate < 20 || lk > sk * 1.1 + 1024
}'
