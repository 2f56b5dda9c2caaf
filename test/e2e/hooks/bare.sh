#!/bin/bash
# Where a longjmp or an exception lands in a function without hooks: the nearest one outwards that has some goes on, in loops without
# end, and of several calls of it the right one.
. "$(dirname "$0")/../lib.sh"

# depths NAME FUNCTION: how many calls of it there are at each depth, "DEPTH CALLS" lines
depths()
{
	calls_csv "$1"
	columns "$1.calls" depth function | awk -F '\t' -v f="$2" '$2 == f { n[$1]++ } END { for (d in n) print d, n[d] }' | sort -n | tr '\n' ','
}

jumps()
{
	local name=$1
	compile "$name" bare.c
	unwinds "$name-main" "(nobody)" 5 "./$name" main 1000
	only_called_by "$name-main" middle "(nobody)"
	unwinds "$name-between" outer 9 "./$name" between 1000
	only_called_by "$name-between" middle outer
	unwinds "$name-recursion" recurses 13 "./$name" recursion 100
	[ "$(depths "$name-recursion" after)" = "1 100,2 100,3 100,4 100," ] || fail "depths: $(depths "$name-recursion" after)"
	unwinds "$name-handler" lands 4 "./$name" handler 1000
	only_called_by "$name-handler" middle lands
}

# A destructor runs below each thrower, before or behind its exit.
throws()
{
	local name=$1
	HOOKS=' ' compile "lib$name.so" bare_library.cc -shared -fPIC
	compile "$name" bare_throw.cc -L. "-l$name" -Wl,-rpath,"$PWD"
	unwinds "$name-main" "(nobody)" 5 "./$name" main 1000
	only_called_by "$name-main" thrower "(nobody) thrower"
	unwinds "$name-between" outer 9 "./$name" between 1000
	unwinds "$name-recursion" recurses 10 "./$name" recursion 100
	[ "$(depths "$name-recursion" after)" = "1 100,2 100,3 100,4 100,5 100,6 100,7 100," ] ||
		fail "depths: $(depths "$name-recursion" after)"
	unwinds "$name-library" asks 6 "./$name" library 1000
}

kinds()
{
	test_that "$1: longjmp to functions without hooks" jumps "$1-jump"
	test_that "$1: functions without hooks catch" throws "$1-throw"
}

for CC in gcc clang; do
	[ $CC = gcc ] && CXX=g++ || CXX=clang++
	command -v $CC > /dev/null || { skip "$CC" "not installed"; continue; }
	kinds "$CC"
	[ "$(uname -m)" = x86_64 ] || continue
	if [ $CC = gcc ]; then
		HOOKS='-pg -mfentry -minstrument-return=nop5' kinds "$CC-sites"
	else
		HOOKS='-fxray-instrument -fxray-instruction-threshold=1' kinds "$CC-sites"
	fi
done
done_testing
