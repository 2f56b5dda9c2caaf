#!/bin/bash
# Programs that define functions that the agent stands in front of, and call the next ones: by hand, and as sanitizers do.
. "$(dirname "$0")/../lib.sh"
export RECORD_SECONDS=60

compile own own_next.c
HOOKS=-fno-instrument-functions compile plain own_next.c
HOOKS=-fno-instrument-functions compile exported own_next.c -rdynamic
./own > truth

# as_alone NAME COMMAND ...: what it prints and its status are what they are without dwell
as_alone()
{
	record "$@"
	exits "$1" 4
	cmp truth "$1.out"
}
compiled()
{
	as_alone compiled ./own
	report_csv compiled
	[ "$(value compiled turn calls)" = 10 ] || fail "$(cat compiled.csv)"
	[ "$(value compiled jump calls)" = 10 ] || fail "$(cat compiled.csv)"
}
unmodified()
{
	RECORD_OPTIONS=--trace as_alone unmodified "./$1"
	report_csv unmodified
	[ "$(value unmodified turn calls)" = 10 ] || fail "$(cat unmodified.csv)"
}
# It takes less than a millisecond, so it may have no sample; then that is said.
by_timers()
{
	RECORD_OPTIONS="--sample --engine=timer" record timers "./$1"
	[ "$(cat timers.status)" = 4 ] || fail "status $(cat timers.status)" "$(cat timers.err)"
	cmp truth timers.out
}
attached()
{
	local status=0
	mkfifo input
	./exported on < input > attached.out 2>&1 &
	exec 3> input
	has_begun $! exported
	timeout 60 "$DWELL" attach --trace --for 300ms -o attached.dwell $! > attached.err 2>&1 || fail "$(cat attached.err)"
	exec 3>&-
	wait $! || status=$?
	[ $status = 4 ] || fail "status $status" "$(cat attached.out)"
	# An agent that comes later is no next one: jumps by what the program found before are not seen.
	"$DWELL" report --csv attached.dwell > attached.csv 2> attached.report.err || [ $? = 1 ] || fail "$(cat attached.report.err)"
	[ "$(value attached turn calls)" -gt 10 ] || fail "$(cat attached.csv)"
}
# sanitized COMPILER KIND: its run time defines siglongjmp, dl_iterate_phdr and others in the program
sanitized()
{
	local text="a program of $1 -fsanitize=$2 runs as it does alone"
	local flags="-O1 -w -D_GNU_SOURCE -fsanitize=$2 -pthread"
	# shellcheck disable=SC2086
	if ! $1 $flags ${3-} "$prog/unwinds/jump.c" -o "$1-$2" 2> compile.log || ! "./$1-$2" longjmp 1000 > "$1-$2.truth"; then
		skip "$text" "$1 has no such sanitizer, or this system"
		return
	fi
	test_that "$text" traced_sanitized "$1-$2"
}
traced_sanitized()
{
	RECORD_OPTIONS=--trace record "$1" "./$1" longjmp 1000
	[ "$(cat "$1.status")" = 0 ] || fail "status $(cat "$1.status")" "$(head -c 2000 "$1.err")"
	cmp "$1.truth" "$1.out"
}

test_that "compiled hooks, and functions of its own" compiled
test_that "--trace, and functions of its own" unmodified plain
test_that "and where libraries call these" unmodified exported
if [ -e "$BUILD/libdwell-timer.so" ]; then
	test_that "sampled by timers" by_timers exported
fi
test_that "attached" attached
sanitized clang address
sanitized clang thread
sanitized clang memory
sanitized clang undefined
sanitized gcc address -static-libasan
sanitized gcc thread -static-libtsan
done_testing
