#!/bin/bash
# The demo: dwell records itself at work. demo.sh BUILD EVENTS; `make demo` builds what it needs.
#
#   BUILD/tracegen     makes a large trace, the same on every machine
#   BUILD/demo/dwell   is dwell compiled with -finstrument-functions; it reports that trace
#   BUILD/dwell        records it doing so, and shows where it spent its time
set -eu
build=$1 events=$2
work=$build/demo

# Status 1 is no failure: on a busy machine the recorded program may be faster than what it does can be written. dwell says so.
run()
{
	printf '\n$ %s\n' "$*"
	"$@" || [ $? = 1 ]
}

large=$work/large-$events.dwell
[ -s "$large" ] || run "$build/tracegen" --program "$build/dwell" --events "$events" --functions 40 --depth 6 -o "$large"
ls -lh "$large" | awk '{ print "(" $5 "B: what the recorded program will read)" }'
run "$build/dwell" record -o "$work/report.dwell" -- "$work/dwell" report --limit 5 "$large"
run "$build/dwell" report --limit 20 "$work/report.dwell"
run "$build/dwell" tree --depth 8 --min 2 "$work/report.dwell"

cat <<-END

	What this was: dwell, compiled with hooks, read a trace of $events events while another dwell recorded each call of its functions. The first table has
	where it spent its time, function by function; the second one the same by who called whom.

	Go on with:
	    $build/dwell tui $work/report.dwell                        # look around in it, here
	    $build/dwell html -o demo.html $work/report.dwell          # the same in a browser
	    $build/dwell slowest FUNCTION $work/report.dwell           # the slowest single calls of one of these functions
END
