#!/bin/bash
# Page faults of calls, against what a program is known to do, and what the kernel counts for it.
. "$(dirname "$0")/../lib.sh"

TOUCHED=15000 # by all calls of touch

# The line of a report that divides all page faults: in functions, outside, lost and their sum.
divided()
{
	"$DWELL" report "$1.dwell" | sed -n 's/^page faults: in functions \([0-9,]*\) + outside \([0-9,]*\) + lost \([0-9,]*\) = \([0-9,]*\).*/\1 \2 \3 \4/p' | tr -d ,
}

# faults_agree NAME: of a recording of page_faults
faults_agree()
{
	local name=$1 functions outside lost all before after
	exits "$name" 0
	"$DWELL" report --csv "$name.dwell" > "$name.csv"
	read -r functions outside lost all <<< "$(divided "$name")"
	read -r _ before after < "$name.out"
	echo "# functions $functions, outside $outside, lost $lost, all $all; the kernel: $before in front of main, $after at its end"
	[ $((functions + outside + lost)) = "$all" ] || fail "they do not add up"
	[ "$(columns "$name.csv" page_faults | awk '{ sum += $1 } END { print sum }')" = "$functions" ] || fail "the table has others"
	if [ "$lost" = 0 ]; then
		for what in page_faults total_page_faults; do
			[ "$(value "$name" touch $what)" = $TOUCHED ] || fail "$what of touch: $(value "$name" touch $what)"
		done
		[ "$(value "$name" touch_fresh total_page_faults)" -ge $TOUCHED ] || fail "touch_fresh"
		[ "$(value "$name" main total_page_faults)" -ge $((TOUCHED / 3)) ] || fail "main"
	fi
	# Behind main there are few, and in front of main dwell's own start of the process has some.
	if "$DWELL" info "$name.dwell" | grep -q '^page-faults  *known$'; then
		between $((after - before)) "$all" $((after + 500)) "all page faults"
	else
		between $TOUCHED "$all" $((after + 500)) "all page faults outside of the kernel"
	fi
}

known_truth()
{
	compile page_faults page_faults.c
	RECORD_OPTIONS="-e page-faults" record known ./page_faults
	faults_agree known
	"$DWELL" report --sort page-faults --csv known.dwell | sed -n 2p | grep -q '^touch,' || fail "it does not sort by them"
	"$DWELL" calls --csv known.dwell > known.calls
	columns known.calls function page_faults | awk -F '\t' '$1 == "touch" && $2 != 500 { exit 1 }' || fail "single calls" "$(cat known.calls)"
	"$DWELL" slowest -n 1 --csv touch_fresh known.dwell > known.slowest
	columns known.slowest function total_page_faults | grep -q "^touch_fresh	50[0-9]$" || fail "slowest" "$(cat known.slowest)"
	for view in tree "callees touch_fresh"; do
		"$DWELL" $view known.dwell | grep -q 'total faults' || fail "$view has no column for them"
	done
	"$DWELL" tree --csv known.dwell > known.tree
	[ "$(columns known.tree function page_faults | awk -F '\t' '$1 == "touch" { sum += $2 } END { print sum }')" = $TOUCHED ] ||
		fail "tree" "$(cat known.tree)"
	[ "$("$DWELL" report --csv --jobs 1 known.dwell)" = "$("$DWELL" report --csv --jobs 3 known.dwell)" ] || fail "it depends on --jobs"
}

as_it_is()
{
	HOOKS=-fno-instrument-functions compile plain page_faults.c
	RECORD_OPTIONS="--trace -e page-faults" record traced ./plain
	faults_agree traced
}

not_asked_for()
{
	record without ./page_faults
	"$DWELL" dump without.dwell | grep -q FAULTS && fail "there are page faults in it"
	"$DWELL" info without.dwell | grep -q page-faults && fail "page faults are in its facts"
	"$DWELL" report without.dwell | grep -Eq '(page|total) faults' && fail "the report has them"
	"$DWELL" report --sort page-faults without.dwell > without.sorted 2>&1 && fail "sorted by what is not known"
	grep -q "its page faults are not known: dwell record -e page-faults" without.sorted || fail "$(cat without.sorted)"
}

refused()
{
	compile refuse refuse.c
	timeout -k 5 120 ./refuse 1 "$DWELL" record -e page-faults -o refused.dwell -- ./page_faults > refused.out 2> refused.err ||
		fail "status $?" "$(cat refused.err)"
	[ "$(grep -c "page faults are not recorded: perf_event_open is refused" refused.err)" = 1 ] || fail "$(cat refused.err)"
	"$DWELL" info refused.dwell | grep -q '^page-faults  *not known: perf_event_open is refused' || fail "$("$DWELL" info refused.dwell)"
	"$DWELL" report refused.dwell | grep -q '^ .* touch$' || fail "no calls"
}

# An option that cannot be obeyed: one line, and nothing is run.
not_possible()
{
	local line
	for options in "-e cycles" "-e page-faults --sample" "-e page-faults --ring" "-e page-faults --count"; do
		"$DWELL" record $options ./page_faults > not.out 2> not.err && fail "$options"
		line=$(cat not.err)
		[ "$(wc -l < not.err)" = 1 ] && [ ! -s not.out ] || fail "$options: $line"
	done
}

test_that "a function that touches fresh pages, in three threads" known_truth
[ "$(uname -m)" != x86_64 ] || test_that "a program as it is" as_it_is
test_that "without -e there are none" not_asked_for
test_that "refused by a filter" refused
test_that "what is not possible" not_possible
done_testing
