#!/bin/bash
# record --throttle: what is short and called often ceases to be recorded while the program runs, and calls that are recorded and calls that
# are counted are all calls that there were; with hooks that are called and with sites that are patched, which then nobody counts.
#
# Depends on time: which functions are found, and when, depends on it. What holds is looked at whether one was found or not.
# Takes long, programs that run until they are throttled.
. "$(dirname "$0")/../lib.sh"

# throttled NAME: "FUNCTION CALLS RECORDED" of what was throttled; CALLS is empty where nobody counted.
throttled()
{
	"$DWELL" info --csv "$1.dwell" | awk -F , '
		$1 == "throttled" { value[$3] = $4 }
		$1 == "throttled" && $3 == "saved_ns" { print value["function"] "\t" value["calls"] "\t" value["recorded_calls"] }'
}

# agree NAME: of each function, what was recorded and what was counted are together what the program counted, or the sum of what its processes
# did. Of what nobody counted, no more was recorded than there were.
agree()
{
	report_csv "$1"
	throttled "$1" > "$1.throttled"
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' "$1.out" |
		awk -F '\t' '{ calls[$1] += $2 } END { for (name in calls) if (calls[name]) print name "\t" calls[name] }' | LC_ALL=C sort > "$1.want"
	columns "$1.csv" function calls | awk -F '\t' '
		FILENAME != "-" { all[$1] = $2; recorded[$1] = $3; is[$1] = 1; next }
		is[$1] && all[$1] != "" { print $1 "\t" all[$1]; if (recorded[$1] != $2) print $1 " is recorded " $2 " times, not " recorded[$1] }
		is[$1] && all[$1] == "" { print $1 "\tat least " $2 }
		!is[$1]' "$1.throttled" - | LC_ALL=C sort > "$1.got"
	[ -s "$1.want" ] || fail "the program counted nothing:" "$(head "$1.out" "$1.err")"
	LC_ALL=C join -t "$(printf '\t')" -a 1 -a 2 "$1.want" "$1.got" | awk -F '\t' '
		$3 ~ /^at least / { if (substr($3, 10) + 0 > $2) { print; bad = 1 } next }
		$2 != $3 || NF != 3 { print; bad = 1 }
		END { exit bad }' || fail "(function, as the program counted, as recorded)" "$(cat "$1.throttled")"
	whole "$1"
}

# records NAME COMMAND ...: again where the machine was so busy that events were lost, which is not what this is about.
records()
{
	local try
	for try in 1 2 3 4 5; do
		record "$@"
		grep -qE 'lost|dropped' "$1.err" || return 0
	done
}

# finds NAME STATUS ARGUMENTS ...: leaf is found, in a program that runs for longer and longer, as whoever looks for it may wait for a processor.
finds()
{
	local name=$1 status=$2 turns
	shift 2
	for turns in 1000 5000 25000; do
		records "$name" "./$kind" $turns "$@"
		[ "$(cat "$name.status")" = "$status" ] && ! grep -q '^dwell: ' "$name.err" || fail "$(cat "$name.status" "$name.err")"
		agree "$name"
		! grep -q "^leaf	" "$name.throttled" || return 0
	done
	fail "leaf was never found:" "$("$DWELL" report "$name.dwell")"
}

runs()
{
	compile "$kind" throttled.c
	RECORD_OPTIONS=--throttle finds "$kind-one" 0
	RECORD_OPTIONS=--throttle=0.01 finds "$kind-threads" 0 3
}

forks()
{
	compile "$kind" throttled.c
	RECORD_OPTIONS=--throttle=0.01 finds "$kind-forks" 0 1 4
	RECORD_OPTIONS=--throttle=0.01 finds "$kind-twice" 0 1 4 twice
	RECORD_OPTIONS=--throttle=0.01 records "$kind-exec" bash -c "./$kind 500; ./$kind 500 1 2; exec ./$kind 1000"
	exits "$kind-exec" 0
	agree "$kind-exec"
}

killed()
{
	compile "$kind" throttled.c
	RECORD_OPTIONS=--throttle finds "$kind-killed" 137 1 1 kill
}

# Libraries that take each other's place: what was said of a function is not said of the one that is there next.
opened()
{
	local name
	for name in alpha beta; do
		compile "$name.so" plugin.c -shared -fPIC -DNAME=$name
	done
	compile "$kind-opens" opens.c -ldl
	RECORD_OPTIONS="--throttle=0.01" records "$kind-opened" "./$kind-opens" ./alpha.so ./beta.so 1000000
	exits "$kind-opened" 0
	throttled "$kind-opened" > opened.throttled
	report_csv "$kind-opened"
	whole "$kind-opened"
	# Two functions of that name: 3 and 6 million calls.
	columns "$kind-opened.csv" function calls | grep -v '^step' | LC_ALL=C sort > opened.got
	printf 'alpha\t3\nbeta\t3\nmain\t1\nuse\t6\n' | diff - opened.got
	[ "$kind" = hooks ] || return 0
	"$DWELL" info --csv "$kind-opened.dwell" | awk -F , '$1 == "throttled" && $3 == "counted_calls" { n += $4 } END { print n + 0 }' > opened.counted
	columns "$kind-opened.csv" function calls | awk -F '\t' -v counted="$(cat opened.counted)" '/^step/ { n += $2 } END { print n + counted }' > opened.all
	[ "$(cat opened.all)" = 9000000 ] || fail "$(cat opened.all) calls of step, expected 9,000,000:" "$(cat opened.throttled)"
}

# Jumps out of what is not recorded any more, and into it; signals that come at any instruction; other stacks.
unwound()
{
	local how
	compile "$kind-jump" jump.c
	for how in longjmp signal same; do
		RECORD_OPTIONS="--throttle=0.001" records "$kind-$how" "./$kind-jump" $how 300000
		exits "$kind-$how" 0
		agree "$kind-$how"
	done
	compile "$kind-throw" throw.cc
	RECORD_OPTIONS="--throttle=0.001" records "$kind-thrown" "./$kind-throw" 50000
	exits "$kind-thrown" 0
	agree "$kind-thrown"
	compile "$kind-storm" storm.c
	RECORD_OPTIONS="--throttle=0.001" records "$kind-storm" "./$kind-storm" 500
	exits "$kind-storm" 0
	agree "$kind-storm"
	compile "$kind-coroutines" coroutines.c
	for how in contexts bare threads; do
		RECORD_OPTIONS="--throttle=0.001" records "$kind-$how" "./$kind-coroutines" $how 2000
		exits "$kind-$how" 0
		agree "$kind-$how"
	done
}

# What is left is counted, or counted where it is short: the numbers are the same.
combined()
{
	compile "$kind" throttled.c
	RECORD_OPTIONS="--throttle --count" finds "$kind-counted" 0
	RECORD_OPTIONS="--throttle --longer 5us" finds "$kind-longer" 0
}

# What was short when it was found, and takes long now, is recorded again, and not its caller's time: by patched code, too, where nothing
# else is recorded that would make the agent look. from and to hold what is known to be true.
turns_long()
{
	local least
	compile "$kind-turns" turns_long.c
	records "$kind-turns" "./$kind-turns"
	exits "$kind-turns" 0
	least=$(sed -n 's/^work \(.*\) to 100$/\1/p' "$kind-turns.out")
	throttled "$kind-turns" | grep -q '^work	' || fail "work was not found:" "$("$DWELL" report "$kind-turns.dwell")"
	report_csv "$kind-turns"
	between "$least" "$(value "$kind-turns" work self_high)" 100 "most percent of work"
	between 0 "$(value "$kind-turns" drive self_low)" "$(awk "BEGIN { print 100 - $least }")" "least percent of drive"
	between 25 "$(value "$kind-turns" work self_percent)" 100 "percent of work"
	between 0 "$(value "$kind-turns" work self_low)" 100 "least percent of work"
	whole "$kind-turns"
}

# SQLite against another program's count of the same calls.
sqlite()
{
	local from=$BUILD/sqlite
	need_sqlite "$from"
	build_sqlite "$from"
	gcc -O2 -shared -fPIC "$prog/calls/count_calls.c" -o count_calls.so
	COUNTS=$PWD/counts LD_PRELOAD=$PWD/count_calls.so ./sqlite 20000 > sqlite.said
	nm --defined-only sqlite | awk '$2 ~ /^[tTwW]$/ { print $1 "\t" $3 }' | LC_ALL=C sort > names
	LC_ALL=C sort counts | tr ' ' '\t' | LC_ALL=C join -t "$(printf '\t')" names - | awk '{ print "count " $2 " " $3 }' > counted
	RECORD_OPTIONS=--throttle records sqlite ./sqlite 20000
	exits sqlite 0
	cat counted >> sqlite.out
	report_csv sqlite
	sed -i 's/ ([^)]*+0x[0-9a-f]*)//' sqlite.csv
	agree sqlite
}

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf"
sites=$("$DWELL" cflags)
for kind in hooks sites; do
	[ $kind = hooks ] && HOOKS="-g $as_written -finstrument-functions -fno-tree-ter" || HOOKS="-g $as_written -fno-ipa-cp -fno-ipa-sra $sites"
	test_that "$kind: recorded and counted calls are all calls, in one thread and in four" runs
	test_that "$kind: children of fork go on as their parent, other programs begin anew" forks
	test_that "$kind: the program is killed" killed
	test_that "$kind: libraries that take each other's place" opened
	test_that "$kind: with --count and --longer" combined
	test_that "$kind: jumps, exceptions, signals, coroutines" unwound
	RECORD_OPTIONS=--throttle test_that "$kind: what becomes long is recorded again" turns_long
done
kind=trace
HOOKS="-g $as_written" RECORD_OPTIONS="--trace --throttle" test_that "$kind: what becomes long is recorded again" turns_long
test_that "SQLite: each function's calls as counted otherwise" sqlite
done_testing
