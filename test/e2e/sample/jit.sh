#!/bin/bash
# Code that a program makes while it runs, and its names, which the program writes itself: they are in the recording, and are not believed when
# they may be somebody else's.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS=--sample
case $(uname -m) in
x86_64 | aarch64) ;;
*)
	skip "names of code made at run time" "no code for this machine"
	done_testing
	exit 0
	;;
esac
if ! compile makes_code makes_code.c -g -fno-omit-frame-pointer; then
	echo "Bail out! no compiler"
	exit 1
fi
SLOW='JS:*slow /app/node modules/@scope/slow.js:3:1' FAST='fast::run()'

# made NAME HOW [ROUNDS]: records it, and takes away what it has written.
made()
{
	record "$1" ./makes_code "$2" "${3-4000}"
	rm -f "/tmp/perf-$(cut -d ' ' -f 1 "$1.out").map"
}

# percent NAME FUNCTION: its self %.
percent()
{
	dwell report --csv "$1.dwell" > report.csv || true
	columns report.csv function self_percent | awk -F '\t' -v name="$2" '$1 == name { print $2; found = 1 } END { if (!found) print 0 }'
}

# Three times as long, give or take what five hundred samples can be wrong by (2 points, one standard deviation), and a processor between two clock rates.
shares()
{
	slow=$(percent "$1" "$SLOW") fast=$(percent "$1" "$FAST")
	echo "slow $slow %, fast $fast %, expected 75 and 25"
	awk -v s="$slow" -v f="$fast" 'BEGIN { exit !(s > 60 && s < 88 && f > 10 && f < 38) }' || fail "shares" "$(cat report.csv)"
}

named()
{
	RECORD_OPTIONS="--sample $1" made named good
	exits named 0
	shares named
	dwell info named.dwell | grep -Eq '^jit-names  *of ([0-9]+) of the \1 addresses' || fail "info" "$(dwell info named.dwell)"
	dwell callers "$FAST" named.dwell | grep -q ' run$' || fail "callers" "$(dwell callers "$FAST" named.dwell)"
}

# Such code is left by its frame pointers, whatever it calls: all of main, call, between, called is there.
between()
{
	RECORD_OPTIONS="--sample $1" made between between 2000
	of_samples tree --csv between.dwell > tree.csv || fail "tree: $?"
	columns tree.csv depth function > tree
	dwell report between.dwell | grep "^callers" > callers
	cat callers
	sed -n 's/.*: \([0-9.]*\) % complete.*/\1/p' callers | awk '$1 >= 98 { good = 1 } END { exit !good }' || fail "stacks are not complete"
	awk -F '\t' '{ at[$1] = $2; if ($2 == "called") { n++; good += at[$1 - 1] == "between" && at[$1 - 2] == "call" && at[$1 - 3] == "main" } }
		END { exit !(n && n == good) }' tree || fail "callers of called" "$(cat tree)"
}

attached()
{
	./makes_code good 0 > running &
	pid=$!
	comes . running
	timeout 60 "$DWELL" attach --sample --for 500ms -o attached.dwell $pid > attached.log 2>&1 || fail "attach: $?" "$(cat attached.log)"
	kill $pid
	rm -f "/tmp/perf-$pid.map"
	shares attached
}

bad_lines()
{
	made bad bad
	shares bad
	[ "$(grep -c '/tmp/perf-' bad.err)" = 1 ] || fail "said $(grep -c '/tmp/perf-' bad.err) times" "$(cat bad.err)"
	grep -Eq "/tmp/perf-[0-9]+\.map:0x[0-9a-f]+: line 2, '', expected a start and a size in hex and a name; lines that are passed over for this: 2" \
		bad.err || fail "$(cat bad.err)"
}

again()
{
	made again again
	shares again
	[ "$(percent again before)" = 0 ] || fail "what was there before"
	grep -Eq 'code made at run time: at ([0-9]+) of \1 sampled addresses several functions have been' again.err || fail "$(cat again.err)"
	dwell info again.dwell | grep -q 'jit-names.*several functions have been: the last one is named' || fail "$(dwell info again.dwell)"
}

# One function at two addresses, in each of two processes: one row in every view, and one in a comparison with another recording. In a tree that is
# one row at each place: a stack that is left wrong between two frames has a place of its own.
moved()
{
	record moved sh -c './makes_code moved 2000 & ./makes_code moved 2000; wait'
	record later ./makes_code moved 2000
	for pid in $(cut -d ' ' -f 1 moved.out later.out); do rm -f "/tmp/perf-$pid.map"; done
	shares moved
	of_samples report --csv moved.dwell | columns /dev/stdin function > rows
	of_samples tree --csv moved.dwell | columns /dev/stdin depth function | awk -F '\t' '{ print path[$1] = path[$1 - 1] "/" $2 }' |
		grep '/main/run/' > tree
	of_samples diff --csv --all moved.dwell later.dwell | columns /dev/stdin function > diff
	of_samples callers "$SLOW" moved.dwell > callers
	for view in rows tree diff; do
		[ "$(grep -cF "$SLOW" $view)" = 1 ] && [ "$(grep -cF "$FAST" $view)" = 1 ] || fail "$view" "$(cat $view)"
	done
	[ "$(grep -c ' run$' callers)" = 1 ] || fail "callers" "$(cat callers)"
}

# refused HOW WHY: none of its names, and addresses instead; the samples are all there.
refused()
{
	made refused "$1" 500
	[ "$(cat refused.status)" = 0 ] || fail "status" "$(cat refused.err)"
	if [ -n "$2" ]; then
		grep -q "/tmp/perf-[0-9]*.map: names of code are not read from it: $2" refused.err || fail "$(cat refused.err)"
	else
		exits refused 0
	fi
	dwell report --csv refused.dwell > report.csv || true
	! columns report.csv function | grep -Fx -e "$SLOW" -e "$FAST" || fail "names"
	base=$(cut -d ' ' -f 2 refused.out)
	columns report.csv function self_percent | awk -F '\t' -v base="[jit]+0x${base%???}" 'index($1, base) == 1 { sum += $2 } END { exit !(sum > 90) }' ||
		fail "addresses" "$(cat report.csv)"
	dwell info refused.dwell | grep -Eq "^jit-names  *of 0 of .*: $3" || fail "info" "$(dwell info refused.dwell)"
}

record probe ./makes_code none 10
if grep -q "cannot be sampled" probe.err; then
	skip "names of code made at run time" "$(head -1 probe.err)"
	done_testing
	exit 0
fi
if grep -q "perf events are refused" probe.err; then
	skip "by perf events" "$(grep refused probe.err)"
	skip "of a process that runs already" "$(grep refused probe.err)"
	skip "callers through such code" "$(grep refused probe.err)"
else
	test_that "names of code made at run time" named --engine=perf
	test_that "of a process that runs already" attached
	test_that "callers through such code" between --engine=perf
fi
test_that "sampled by timers from within" named --engine=timer
test_that "lines that are none" bad_lines
test_that "code where other code was" again
test_that "one function at several addresses" moved
test_that "a program that writes no names" refused none "" "No such file"
test_that "names of an earlier process of that number" refused old "it is older than the process" "it is older"
if [ "$(id -u)" = 0 ]; then
	test_that "names by another user" refused foreign "it belongs to user 12345" "it belongs to user 12345"
else
	skip "names by another user" "only root can make such a file"
fi
done_testing
