#!/bin/bash
# Gates, which stand in the code of a plan (host/plan/), interrupted before each of their instructions: test/adversary/gates/.
#
#     gates.sh gates|gates-claiming
. "$(dirname "$0")/../e2e/lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
here=$ROOT/test/adversary/gates
export XDG_CACHE_HOME=$work/cache
case $1 in
gates-claiming) export GLIBC_TUNABLES=glibc.pthread.rseq=0 ;;
esac
RECORD_OPTIONS=--trace
# What the program does not count.
others='^(on_trap|throws|check_result|call_shape|call_stepping|run_others|throw_it|catch_it|remember_outer|check_stack|main|leave_shape|try_shape|take_frame|fail.*|act|move_elsewhere)	'
shapes="plain getter loop inner calls_first tails switch shared_return behind into_middle factorial apply"

built()
{
	gcc -c -x assembler "$ROOT/test/sites.s" -o sites.o
	objcopy --redefine-sym _start=unused_start sites.o
	g++ -O2 -Wall -Wextra -c "$here/catch.cc" -o catch.o
	gcc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -fexceptions -fno-ipa-icf -pthread -z noexecstack "$@" "$here/main.c" \
		-x assembler "$here/step.s" -x none catch.o sites.o -lstdc++ -o gates
}
test_that "the program is built" built

# Exact counts, and each thread adds up.
agrees()
{
	[ "$(cat gates.status)" = 0 ] || fail "exit status $(cat gates.status)" "$(cat gates.out gates.err)"
	grep '^places' gates.out
	[ "$(sed -n 's/^places //p' gates.out)" -ge "$1" ] || fail "too few places were interrupted"
	counts_agree gates "$others"
	whole gates
}
interrupted()
{
	record gates ./gates
	agrees 16000
	only_called_by gates after try_shape
	only_called_by gates noted on_trap
	only_called_by gates on_trap "call_shape catch_it $shapes"
	only_called_by gates getter "call_shape catch_it run_others"
	only_called_by gates call_shape leave_shape
	deepest gates 11
}
test_that "a signal, a preemption, a jump and an exception" interrupted
forked()
{
	record gates ./gates fork
	agrees 800
}
test_that "a fork" forked
done_testing
