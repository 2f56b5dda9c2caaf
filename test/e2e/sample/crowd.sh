#!/bin/bash
# Measures time: its samples are compared with shares that are known.
# Hundreds of threads that all want a processor: the sampler gets one seldom, and what is sampled meanwhile must find room.
. "$(dirname "$0")/../lib.sh"

compile crowd crowd.c -fno-instrument-functions || { echo "Bail out! no compiler"; exit 1; }
HOOKS=-fno-instrument-functions RECORD_OPTIONS=--sample record try ./crowd 2 100
if [ ! -s try.dwell ]; then
	skip "sampling a crowd" "$(head -1 try.err)"
	done_testing
	exit 0
fi
user=$((60000 + $$ % 5000)) # of this test alone: what a user may lock is for all that he runs
mkdir crowd.d
cp "$DWELL" "${DWELL%/*}"/libdwell-timer.so crowd crowd.d
chmod 755 .
chmod 777 crowd.d
cd crowd.d || exit 2

# crowd_is_seen NAME CALLERS LOST COMMAND ...: of a hundred samples that were due no more than LOST are lost, so many of 100 have their callers, and the
# shares are true.
# What stands for less than the system counts is of threads that end, 13 ms each, before a sample that is due.
crowd_is_seen()
{
	local name=$1 callers=$2 lost_most=$3 samples lost stands
	shift 3
	"$@" -o "$name.dwell" -- ./crowd 300 1000 2> "$name.err" || fail "status $?" "$(cat "$name.err")"
	cat "$name.err"
	"$DWELL" report "$name.dwell" > "$name.txt" || true
	head -20 "$name.txt"
	samples=$("$DWELL" report --csv "$name.dwell" 2> /dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "samples") at = i; next } { n += $at } END { print n }')
	lost=$(sed -n 's/.*samples lost, there was no room for them: \([0-9]*\) beside.*/\1/p' "$name.err")
	between 0 "$((100 * ${lost:-0} / (samples + ${lost:-0})))" "$lost_most" "lost of a hundred"
	stands=$(sed -n 's/^the kernel measured .*; the samples cover \([0-9.]*\) % of .*/\1/p' "$name.txt")
	[ "$lost_most" -gt 5 ] || between 80 "$stands" 106 "percent of the system's count"
	# Lost or not, each sample that was due is counted.
	between 50 "$(awk "BEGIN { print $stands * ($samples + ${lost:-0}) / $samples }")" 150 "percent of the system's count, with what is lost"
	if [ "$callers" != none ]; then
		between "$callers" "$(sed -n 's/^callers: \([0-9.]*\) % complete.*/\1/p' "$name.txt")" 100 "percent complete"
	fi
	for pair in two_fifths:40 three_tenths:30 fifth:20 tenth:10; do
		between "$((${pair#*:} - 4))" "$(share "$name.dwell" "${pair%:*}" | awk '{ print $2 }')" "$((${pair#*:} + 4))" "share of ${pair%:*}"
	done
}

test_that "with callers" crowd_is_seen all 95 5 ./dwell record --sample
test_that "without callers" crowd_is_seen leaf none 5 ./dwell record --sample --no-stacks
test_that "by timers" crowd_is_seen timers 90 5 ./dwell record --sample --engine=timer
if [ "$(id -u)" = 0 ]; then
	as_user="setpriv --reuid $user --regid $user --clear-groups"
	# Whoever may not ask to run soon has one part in 300 of the processors, and the threads may begin just before the tables of the C library are read.
	# shellcheck disable=SC2086
	test_that "by an ordinary user" crowd_is_seen user 95 50 $as_user ./dwell record --sample
	# Callers are what is left out first.
	# shellcheck disable=SC2086
	test_that "by a user who may lock little" crowd_is_seen little 0 90 prlimit --memlock=0:0 $as_user ./dwell record --sample
	# shellcheck disable=SC2086
	test_that "by a user who may lock little, by timers" crowd_is_seen little_timers 90 5 prlimit --memlock=0:0 $as_user ./dwell record --sample --engine=timer
else
	skip "by other users" "not root: no other user to be"
fi
done_testing
