#!/bin/bash
# Programs that are sampled by timers from within, and have small stacks: the handler takes nothing of them, and programs see nothing of its own.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS=--engine=timer

if ! compile small_stacks small_stacks.c; then
	echo "Bail out! no compiler"
	exit 1
fi
if [ ! -e "$BUILD/libdwell-timer.so" ]; then
	skip "small stacks" "no libdwell-timer.so was built"
	done_testing
	exit 0
fi

# untouched PLACES [CASE]: in all places nothing was written, while samples were taken of what runs there
untouched()
{
	record small ./small_stacks 600 "${@:2}"
	cat small.out
	[ "$(cat small.status)" = 0 ] || fail "status $(cat small.status)" "$(cat small.out)"
	[ "$(grep -c ': 0 bytes$' small.out)" = "$1" ] || fail "a handler ran on a small stack" "$(cat small.out)"
	dwell report --csv small.dwell | grep -q '^compute,' || fail "no samples of coroutines" "$(dwell report small.dwell)"
}

test_that "a coroutine" untouched 1
test_that "threads, which end" untouched 1 thread
test_that "children of fork and vfork" untouched 2 fork
test_that "a signal stack of the program's own" untouched 3 own
done_testing
