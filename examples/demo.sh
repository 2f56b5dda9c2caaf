#!/bin/bash
# The demo: dwell records itself at work. demo.sh BUILD EVENTS; `make demo` builds what it needs.
#
#   BUILD/tracegen     makes a large trace, the same on every machine
#   BUILD/demo/dwell   is dwell compiled with -finstrument-functions; it reports that trace
#   BUILD/dwell        records it doing so, and shows where it spent its time
set -eu
build=$1 events=$2
work=$build/demo

say() { printf '\n$ %s\n' "$*"; }

large=$work/large-$events.dwell
if [ ! -s "$large" ]; then
	say "$build/tracegen --events $events -o $large"
	"$build/tracegen" --events "$events" -o "$large.new"
	mv "$large.new" "$large"
fi
ls -lh "$large" | awk '{ print "a trace of " $5 "B, which is what the recorded program will read" }'

say "$build/dwell record -o $work/report.dwell -- $work/dwell report --limit 5 $large"
"$build/dwell" record -o "$work/report.dwell" -- "$work/dwell" report --limit 5 "$large"

say "$build/dwell report --limit 20 $work/report.dwell"
"$build/dwell" report --limit 20 "$work/report.dwell"
