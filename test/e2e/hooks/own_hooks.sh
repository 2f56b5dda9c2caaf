#!/bin/bash
# Hook functions that are the program's own stay so, and a program that is not recorded is not disturbed by the agent.
. "$(dirname "$0")/../lib.sh"

compile own own_hooks.c
compile basic basic.c

keeps_them()
{
	local status=0
	./own > plain
	"$DWELL" record -o own.dwell ./own > recorded 2> errors || status=$?
	cmp plain recorded
	[ $status = 2 ] || fail "status $status, expected 2"
	grep -q 'hook functions of its own' errors || fail "$(cat errors)"
	[ ! -e own.dwell ] || fail "own.dwell was left, with nothing in it"
}
preloaded()
{
	./basic > plain
	LD_PRELOAD=$BUILD/libdwell.so ./basic > preloaded
	cmp plain preloaded
	./own > plain
	LD_PRELOAD=$BUILD/libdwell.so ./own > preloaded
	cmp plain preloaded
}

test_that "a program keeps its own hooks, and record says so" keeps_them
test_that "preloaded without record, the agent does nothing" preloaded
done_testing
