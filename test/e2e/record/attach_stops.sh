#!/bin/bash
# attach --trace to a program of so many functions that to prepare them takes long: its threads go on meanwhile, end, fork and exec.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/many.c" -o many || exit

# begin MODE ARGUMENT: $pid
begin()
{
	rm -f many.out # one that is left of a test which failed may still write to it
	$alone ./many "$@" > many.out &
	pid=$!
	has_begun $pid many "${threads:-1}"
}
# end_of WHAT: it ends as it would have.
end_of()
{
	kill -TERM $pid 2> /dev/null || :
	wait $pid || fail "status $?"
	[ "$(cat many.out)" = "$1" ] || fail "$(cat many.out)"
}

# A busy machine makes any stop longer: what counts is what one can be. All at once takes three times as long.
short_stops()
{
	local round stops=
	for round in $(seq 12); do
		begin loop
		$alone "$DWELL" attach --trace --for 50ms -o stops.dwell $pid 2> stops.err || fail "round $round" "$(cat stops.err)"
		stops="$stops $("$DWELL" info stops.dwell | sed -n 's/^stops .*the longest \([0-9.]*\) ms.*/\1/p')"
		end_of "came to its end"
		! awk -v longest="${stops##* }" 'BEGIN { exit longest > 5 }' || break
	done
	echo "the longest stop of each:$stops ms"
	awk -v longest="${stops##* }" 'BEGIN { exit longest > 5 }' || fail "no stop is above 5 ms"
	whole stops
	report_csv stops
	[ "$(value stops many_0 calls)" -gt 500 ] || fail "$(grep many_ stops.csv)"
}
test_that "no stop is above 5 ms" short_stops

# On a busy machine a thread that is let go waits for a processor. If dwell stopped it before it had one, no call would ever come to its end.
busy()
{
	local round hogs=() stops
	for round in $(seq "$(nproc)") more; do
		while :; do :; done &
		hogs+=($!)
	done
	for round in 1 2 3; do
		begin loop
		$alone "$DWELL" attach --trace --for 300ms -o busy.dwell $pid 2> busy.err || fail "round $round" "$(cat busy.err)"
		stops=$("$DWELL" info busy.dwell | sed -n 's/^stops  *\([0-9]*\),.*/\1/p')
		echo "round $round: $stops stops"
		[ "$stops" -lt 500 ] || fail "the thread was stopped again and again before it had a processor"
		end_of "came to its end"
	done
}
test_that "all processors are busy" busy

# Its gates are turned on and off from outside: no thread of it, which may have a client, reads 2 MB of code for that.
outside()
{
	local round before read
	begin rest
	for round in 1 2; do # the plan is there by the second time
		before=$(sed -n 's/^rchar: //p' /proc/$pid/task/$pid/io)
		$alone "$DWELL" attach --trace --for 200ms -o outside.dwell $pid 2> outside.err || fail "$(cat outside.err)"
		read=$(($(sed -n 's/^rchar: //p' /proc/$pid/task/$pid/io) - before))
	done
	end_of "came to its end"
	report_csv outside
	[ "$(value outside many_0 calls)" -gt 50 ] || fail "$(grep many_ outside.csv)"
	echo "it read $read bytes"
	[ $read -lt 1000000 ] || fail "it read $read bytes"
}
test_that "gates are turned on and off from outside" outside

# Killed between two portions, and all that was made until then is made again. Killed while calls were recorded, the next request is seen
# by a thread of the program, which waits for plans then: the next dwell makes them while it looks for a thread to borrow.
killed()
{
	local after dwell
	begin rest
	for after in 0.03 0.05 0.07 0.09 0.11 0.13; do
		"$DWELL" attach --trace --for 10s -o killed.dwell $pid > killed.err 2>&1 &
		dwell=$!
		sleep $after
		kill -KILL $dwell
		wait $dwell 2> /dev/null || :
		[ -d "/proc/$pid" ] || fail "after $after s"
	done
	for after in 1 2 3; do
		"$DWELL" attach --trace --for 200ms -o killed.dwell $pid 2> killed.err || fail "$(cat killed.err)"
		"$DWELL" attach --trace --for 100s -o kill.dwell $pid 2> kill.err &
		dwell=$!
		until [ "$(cat kill.dwell 2> /dev/null | wc -c)" -gt 20000 ]; do
			kill -0 $dwell || fail "$(cat kill.err)"
			sleep 0.02
		done
		kill -KILL $dwell
		wait $dwell 2> /dev/null || rm kill.dwell
	done
	"$DWELL" attach --trace --for 200ms -o killed.dwell $pid 2> killed.err || fail "$(cat killed.err)"
	report_csv killed
	[ "$(value killed many_0 calls)" -gt 50 ] || fail "$(grep many_ killed.csv)"
	end_of "came to its end"
}
test_that "dwell is killed in between" killed

# The thread that was borrowed may end with the call put aside; and children are forked.
relay()
{
	local round attached=0
	begin relay 60
	for round in $(seq 12); do
		! "$DWELL" attach --trace --for 50ms -o relay.dwell $pid 2> relay.err || attached=$((attached + 1))
		[ $attached -lt 2 ] || break
	done
	echo "attached $attached of $round times"
	[ $attached -gt 0 ] || fail "$(cat relay.err)"
	end_of fine
}
threads=2 test_that "threads that end soon, and children" relay

becomes()
{
	local attached=0 pid
	./many becomes 12 > many.out & # its name becomes another one, too
	pid=$!
	while [ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2> /dev/null; do
		timeout 30 "$DWELL" attach --trace --for 1ms -o becomes.dwell $pid 2> becomes.err || [ $? != 124 ] || fail "it does not end"
		attached=$((attached + 1))
	done
	echo "attached to $attached times"
	end_of "came to its end"
}
test_that "the program execs in between" becomes
done_testing
