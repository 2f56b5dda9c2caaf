#!/bin/bash
# attach to processes that it could kill or freeze: they go on as if nothing had been.
# Takes long, hundreds of processes.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
ROUNDS=${ROUNDS:-4}
gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/becomes.c" -o becomes || exit
gcc -D_GNU_SOURCE -O2 -fno-builtin -Wall -Wextra "$prog/processes/own_malloc.c" -o own_malloc || exit
gcc -D_GNU_SOURCE -O2 -fno-builtin -Wall -Wextra -DHIDDEN "$prog/processes/own_malloc.c" -o hidden_malloc || exit
printf '#!/bin/sh\nexec ./becomes "$@"\n' > wrapper
chmod +x wrapper

# Attached to without a pause, from before its first instruction on, until it has ended.
becomes()
{
	local round pid attached=0 status
	for round in $(seq "$ROUNDS"); do
		"$@" > becomes.out &
		pid=$!
		while [ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2> /dev/null; do
			timeout 30 "$DWELL" attach --trace --for 1ms -o becomes.dwell $pid 2>> becomes.err && status=0 || status=$?
			[ $status != 124 ] || fail "round $round: dwell attach does not end" "$(cat becomes.err)"
			attached=$((attached + 1))
		done
		wait $pid || fail "round $round: status $?" "$(tail becomes.err)"
		[ "$(cat becomes.out)" = "came to its end" ] || fail "round $round: $(cat becomes.out)"
	done
	echo "attached to $attached times"
	[ $attached -ge $((2 * ROUNDS)) ]
}
test_that "a process becomes another program again and again" becomes ./becomes 12
test_that "one of its threads does so" becomes ./becomes 20 threads
test_that "a shell script that becomes the program" becomes ./wrapper 8

allocates()
{
	local program=$1 pid found=0 round status
	for round in 1 2; do
		./$program 3 > $program.out &
		pid=$!
		has_begun $pid $program
		timeout 20 "$DWELL" attach --trace --for 100ms -o $program.dwell $pid 2> $program.err && status=0 || status=$?
		case $status in
		0) found=$((found + 1)) ;;
		124) fail "round $round: dwell attach does not end" ;;
		*) [ "$(grep -c '^dwell: ' $program.err)" = 1 ] || fail "round $round: status $status" "$(cat $program.err)" ;;
		esac
		wait $pid || fail "round $round: status $?"
		[ "$(cat $program.out)" = fine ] || fail "$(cat $program.out)"
	done
	echo "attached to $found times"
}
test_that "a program that allocates with locks of its own all the time" allocates own_malloc
# What its malloc leads to has no name, and malloc is not on the stack: the thread and the call take turns.
test_that "the same, and the stack does not show it" allocates hidden_malloc

# On a stack of a handler that interrupted malloc: its lock is held, and no function of the program is in it.
in_handler()
{
	gcc -D_GNU_SOURCE -O2 -fno-builtin -Wall -Wextra "$prog/processes/malloc_handler.c" -o malloc_handler
	./malloc_handler 3 > handler.out &
	local pid=$! round
	has_begun $pid malloc_handler
	for round in 1 2 3; do
		timeout 20 "$DWELL" attach --trace --for 50ms -o handler.dwell $pid 2> handler.err || [ $? != 124 ] || fail "dwell attach does not end"
	done
	wait $pid || fail "status $?"
	[ "$(cat handler.out)" = fine ] || fail "$(cat handler.out)"
}
test_that "a handler that interrupts malloc" in_handler

confined()
{
	local options=$1 pid
	compile confined processes/confines_itself.c
	shift
	env "$@" ./confined 3 > confined.out &
	pid=$!
	comes confined confined.out
	# shellcheck disable=SC2086
	"$DWELL" attach $options --for 100ms -o confined.dwell $pid 2> confined.err || true
	grep -q 'restricts its own system calls (seccomp)' confined.err || fail "$(cat confined.err)"
	wait $pid || fail "status $?"
	[ "$(tail -1 confined.out)" = alive ] || fail "$(cat confined.out)"
}
test_that "seccomp, without an agent: --trace refuses" confined --trace
test_that "seccomp, with the agent in it: --trace refuses" confined --trace LD_PRELOAD="$BUILD/libdwell.so.1"
test_that "seccomp, with the agent in it: it is sampled" confined "" LD_PRELOAD="$BUILD/libdwell.so.1"
done_testing
