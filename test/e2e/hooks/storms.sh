#!/bin/bash
# Signals, thousands a second, whose handler is instrumented: with restartable sequences and without.
. "$(dirname "$0")/../lib.sh"

compile storm storm.c
compile storm_jumps storm_jumps.c
calls()
{
	record "$1" ./storm 1000
	exits "$1" 0
	counts_agree "$1"
	whole "$1"
	only_called_by "$1" from_handler on_timer
	[ "$(value "$1" on_timer calls)" -ge 1000 ] || fail "hardly a storm: $(value "$1" on_timer calls)"
}
# A handler between a jump and the next call of where it landed must not be taken for that.
jumps()
{
	record "$1" ./storm_jumps 2000
	exits "$1" 0
	counts_agree "$1"
	whole "$1"
	only_called_by "$1" after catcher
	only_called_by "$1" between catcher
	only_called_by "$1" catcher main
	only_called_by "$1" from_handler on_timer
	deepest "$1" 6
	[ "$(value "$1" on_timer calls)" -ge 2000 ] || fail "hardly a storm: $(value "$1" on_timer calls)"
}
test_that "calls" calls restartable
test_that "jumps" jumps restartable_jumps
export GLIBC_TUNABLES=glibc.pthread.rseq=0
test_that "calls, claiming" calls claiming
test_that "jumps, claiming" jumps claiming_jumps
done_testing
