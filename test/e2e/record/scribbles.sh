#!/bin/bash
# A program that writes over all that dwell shares with it, and shortens it, in all ways of recording: dwell may lose the recording, and says
# so. It does not crash, does not hang, and prints no figure that cannot be.
# Takes long, each mode beside a program that scribbles.
. "$(dirname "$0")/../lib.sh"

compile scribbles scribbles.c -I"$ROOT/include" -I"$ROOT"

# survived NAME: dwell ended by itself; what it left, if anything, can be read.
survived()
{
	local name=$1 view status=0
	[ "$(cat "$name.status")" -le 2 ] || fail "record: status $(cat "$name.status")" "$(cat "$name.err")"
	[ -e "$name.dwell" ] || return 0
	for view in info report; do
		timeout -k 5 60 "$DWELL" $view "$name.dwell" > "$name.$view" 2> "$name.$view.err" || status=$?
		[ $status -le 2 ] || fail "$view: status $status" "$(cat "$name.$view.err")"
	done
	# A build-id may have as many digits.
	! sed 's/expected [0-9a-f]*;//' "$name.err" "$name.info.err" "$name.report.err" | grep -E '([0-9],?){15}' ||
		fail "that was not counted by anybody"
}
# Two runs of each test, which are all different: with the number of the test.
recorded()
{
	local options=$1 seed
	shift
	for seed in $((2 * tests)) $((2 * tests + 1)); do
		RECORD_OPTIONS=$options record scribbled ./scribbles $seed 150 "$@"
		survived scribbled
	done
}
attached()
{
	local seed status
	for seed in $((2 * tests)) $((2 * tests + 1)); do
		LD_PRELOAD=$BUILD/libdwell.so ./scribbles $seed 60000 "$@" 2> /dev/null &
		has_begun $! scribbles
		status=0
		timeout -k 5 60 "$DWELL" attach --for 300ms -o scribbled.dwell $! > scribbled.out 2> scribbled.err || status=$?
		echo $status > scribbled.status
		survived scribbled
		kill $! 2> /dev/null || true
		wait $! || true
	done
}

without_period()
{
	RECORD_SECONDS=60 RECORD_OPTIONS=--engine=timer record period ./scribbles period
	[ "$(cat period.status)" = 0 ] || fail "record: status $(cat period.status)" "$(cat period.err)"
	report_csv period
	[ "$(columns period.csv samples | awk '{ sum += $1 } END { print sum }')" -lt 3000 ] || fail "a storm of samples" "$(cat period.csv)"
}
test_that "timers: a program sets the period of samples to 0" without_period

for cuts in "" cut; do
	what="writes over${cuts:+, and cuts off,} what is shared"
	test_that "stream: a program $what" recorded "" $cuts
	test_that "--ring: a program $what" recorded "--ring=64K --memory=4M" $cuts
	test_that "--linear: a program $what" recorded "--linear=64K --memory=4M" $cuts
	test_that "--longer: a program $what" recorded "--longer=1us" $cuts
	test_that "--count: a program $what" recorded "--count" $cuts
	test_that "--keep-slowest: a program $what" recorded "--keep-slowest=3:handle" $cuts
	test_that "--snapshot-when: a program $what" recorded "--ring=64K --memory=4M --snapshot-when=handle>10us" $cuts
	test_that "--throttle: a program $what" recorded "--throttle" $cuts
	test_that "--only: a program $what" recorded "--only handle" $cuts
	test_that "timers: a program $what" recorded "--engine=timer" $cuts
	test_that "attach: a program $what" attached $cuts
done
done_testing
