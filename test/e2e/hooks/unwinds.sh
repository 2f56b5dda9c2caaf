#!/bin/bash
# Takes long, so test/run begins with it.
# Frames that are left without an exit: longjmp, exceptions, tail jumps; each also in a loop of 100,000 turns, as what is left behind grows with each
# turn, and no 16 bits hold so many. With Clang a tenth of these: what grows there is in the agent, for whichever compiler.
. "$(dirname "$0")/../lib.sh"

jumps()
{
	compile "$CC-jump" jump.c
	# main, catcher, middle, thrower
	unwinds "$CC-few" "catcher main" 4 "./$CC-jump" longjmp 3
	only_called_by "$CC-few" middle catcher
	only_called_by "$CC-few" catcher main
	# and on_signal
	unwinds "$CC-signal" "catcher main" 5 "./$CC-jump" signal 20000
	only_called_by "$CC-signal" catcher main
	unwinds "$CC-same" "catch_many main" 4 "./$CC-jump" same 1000
	only_called_by "$CC-same" middle catch_many
}
many_jumps() # TURNS
{
	unwinds "$CC-many" "catcher main" 4 "./$CC-jump" longjmp "$1"
	rm "$CC-many".*
	unwinds "$CC-many" "catch_many main" 4 "./$CC-jump" same "$1"
	rm "$CC-many".*
}
# Clang has no exit hooks in the cleanup of an exception, so that a destructor which runs there is seen as a call of the function that
# threw: one frame more, until the catch clause begins.
cleanup_frames()
{
	[ "$CXX" = clang++ ] && echo 1 || echo 0
}
throws()
{
	local more
	more=$(cleanup_frames)
	compile "$CXX-throw" throw.cc
	unwinds "$CXX-few" "catcher main" $((4 + more)) "./$CXX-throw" 1000
	only_called_by "$CXX-few" middle catcher
	unwinds "$CXX-same" "catch_many main" $((4 + more)) "./$CXX-throw" 1000 same
	only_called_by "$CXX-same" middle catch_many
	unwinds "$CXX-rethrow" "passer catcher main" $((5 + more)) "./$CXX-throw" 1000 rethrow
	only_called_by "$CXX-rethrow" passer catcher
	record "$CXX-uncaught" "./$CXX-throw" 1 uncaught
	[ "$(cat "$CXX-uncaught.status")" = 134 ] || fail "status $(cat "$CXX-uncaught.status"), expected 134"
	report_csv "$CXX-uncaught"
	[ "$(value "$CXX-uncaught" thrower calls)" = 1 ] || fail "$(cat "$CXX-uncaught.csv")"
}
many_throws() # TURNS
{
	local more
	more=$(cleanup_frames)
	unwinds "$CXX-many" "catcher main" $((4 + more)) "./$CXX-throw" "$1"
	rm "$CXX-many".*
	unwinds "$CXX-many" "catch_many main" $((4 + more)) "./$CXX-throw" "$1" same
	rm "$CXX-many".*
}
tails()
{
	compile "$CC-tail" tail.c -O2
	record "$CC-tail" "./$CC-tail" 1000
	exits "$CC-tail" 0
	counts_agree "$CC-tail"
	whole "$CC-tail"
	[ "$CC" = gcc ] || deepest "$CC-tail" 2
}

for CC in gcc clang; do
	turns=100000
	[ $CC = gcc ] || turns=10000
	command -v $CC > /dev/null || { skip "$CC" "not installed"; continue; }
	test_that "$CC: longjmp" jumps
	test_that "$CC: $turns longjmps" many_jumps $turns
	test_that "$CC: tail calls" tails
done
for CXX in g++ clang++; do
	turns=100000
	[ $CXX = g++ ] || turns=10000
	command -v $CXX > /dev/null || { skip "$CXX" "not installed"; continue; }
	test_that "$CXX: exceptions" throws
	test_that "$CXX: $turns exceptions" many_throws $turns
done
done_testing
