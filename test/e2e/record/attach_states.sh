#!/bin/bash
# attach --trace to processes in states in which that is hard: it works, or says in one line why not; and they go on as if nothing had been.
# Takes long, a second and more in each state.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/states.c" -o states || exit

begin()
{
	./states "$@" > states.out &
	pid=$!
	has_begun $pid states
}
ends_well()
{
	kill "$pid" 2> /dev/null || true # it may have ended as it should
	wait "$pid" || fail "status $?"
	[ "$(cat states.out)" = good ] || fail "it was disturbed: $(cat states.out)"
}
# In the file, as mapped: the program's own code.
code_is_its_own()
{
	local range offset rest
	read -r range rest offset rest < <(grep -E ' r-xp .*/states$' "/proc/$pid/maps")
	cmp -n $((0x${range#*-} - 0x${range%-*})) -i $((0x${range%-*})):$((0x$offset)) "/proc/$pid/mem" states
}
attach()
{
	"$DWELL" attach --trace --for 300ms -o "$1.dwell" "$pid" 2> "$1.err"
}
is_recorded()
{
	begin "$1"
	[ -z "${2-}" ] || has_begun "$pid" states "$2"
	rm -rf "$XDG_CACHE_HOME" # the first time a plan is made, for which the call waits
	for round in 1 2; do
		attach "$1" || fail "round $round" "$(cat "$1.err")"
		code_is_its_own || fail "round $round: its code is not as it was"
	done
	report_csv "$1"
	[ "$(value "$1" step calls)" -ge 200 ] || fail "step" "$(cat "$1.csv")"
	whole "$1"
	ends_well
}
test_that "all threads wait for conditions" is_recorded waits 3
test_that "all signals are blocked" is_recorded blocked
test_that "a signal stack of 8 kB" is_recorded tiny
test_that "children of vfork come and go" is_recorded vforks
test_that "threads come and go" is_recorded churns
test_that "a sleep goes on for as long as it was to, and a read reads" is_recorded sleeps 3
test_that "nor is the sleep of the thread that attaches shorter" is_recorded rests 2

held()
{
	begin vforked
	has_begun "$pid" states 2
	! attach held || fail "it was attached to"
	grep -q '^dwell: process [0-9]*: one of its threads waits in the kernel, for a child of vfork or for a device, and cannot be stopped; try again$' held.err ||
		fail "$(cat held.err)"
	code_is_its_own || fail "its code is not as it was"
	# It runs in the same memory.
	kill "$(cat "/proc/$pid/task/$pid/children")"
	ends_well
}
test_that "a child of vfork that lives long: refused" held

stopped()
{
	begin works
	kill -STOP "$pid"
	! attach stopped || fail "a process that is stopped calls something"
	grep -q 'nothing was recorded' stopped.err || fail "$(cat stopped.err)"
	[ "$(sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$pid/status")" = T ] || fail "it is not stopped any more: $(grep State "/proc/$pid/status")"
	code_is_its_own || fail "its code is not as it was"
	kill -CONT "$pid"
	attach stopped || fail "$(cat stopped.err)"
	ends_well
}
test_that "a process that is stopped stays so" stopped

ends_meanwhile()
{
	local round status
	for round in $(seq 12); do
		begin works
		(sleep "0.0$round"; kill "$pid") &
		status=0
		attach ends || status=$?
		wait "$pid" || fail "round $round: status $?"
		[ "$(cat states.out)" = good ] || fail "round $round: $(cat states.out)"
		[ "$status" = 0 ] || [ "$(grep -c '^dwell: ' ends.err)" = 1 ] || fail "round $round: status $status" "$(cat ends.err)"
	done
}
test_that "it ends while it is attached to" ends_meanwhile

# signals_are_open: no thread of the process has blocked signals; pthread_create and the end of a thread block them for a moment, so one look of 20 at which none has is enough
signals_are_open()
{
	local look
	for look in $(seq 20); do
		grep -h '^SigBlk' /proc/"$pid"/task/*/status 2> /dev/null | grep -qv '0000000000000000$' || return 0
		sleep 0.005
	done
	return 1
}

# Whatever it was at, the process goes on, and can be attached to: at moments as they come, and at one call of ptrace(2) in three.
killed()
{
	local round dwell
	begin churns
	for round in $(seq 20); do
		rm -rf cache
		"$DWELL" attach --trace -o killed.dwell "$pid" 2> /dev/null &
		dwell=$!
		sleep "0.0$(printf %02d $((round * 7 % 60)))"
		kill -KILL $dwell
		wait $dwell 2> /dev/null || true
		sleep 0.02
		[ -d "/proc/$pid" ] || fail "round $round: it is gone"
	done
	for round in $(command -v strace > /dev/null && seq 1 3 46); do
		strace -f -qq -o /dev/null -e trace=ptrace -e inject=ptrace:signal=SIGKILL:when="$round" \
			"$DWELL" attach --trace --for 20ms -o killed.dwell "$pid" 2> /dev/null || true
		[ -d "/proc/$pid" ] || fail "ptrace call $round: it is gone"
	done
	sleep 2.5
	signals_are_open || fail "signals stay blocked"
	attach killed || fail "$(cat killed.err)"
	code_is_its_own || fail "its code is not as it was"
	ends_well
}
test_that "dwell is killed in the middle" killed
done_testing
