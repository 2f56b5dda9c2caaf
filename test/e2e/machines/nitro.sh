#!/bin/bash
# The NITRO-SDK's profiler on Linux: the manual's programs as they are printed, threads, and a program that knows its own chain.
# Takes long, three libraries, by two compilers.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/nitro/lib.sh"

cc=${CC:-gcc}
if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP registers at a call are known on x86-64 only"
	exit
fi
makes nitro > make.log 2>&1 || { echo "not ok 1 - make nitro"; sed 's/^/# /' make.log; echo 1..1; exit 1; }
if ! on=$(plugin_of "$cc"); then
	echo "1..0 # SKIP the compiler's plugin cannot be had here (make plugin)"
	exit
fi

# build LIBRARY FLAGS ... SOURCE ...
build()
{
	local library=$1
	shift
	# shellcheck disable=SC2086
	$cc -Wall -Wextra -Werror -g -no-pie $on -I"$ROOT/include" "$@" "$BUILD/lib/libos${library%.a}.a" -pthread -o program
}

runs()
{
	timeout -k 5 60 ./program > out
}

manual_program() # SOURCE CHECK FLAGS ...
{
	local source=$1 check=$2
	shift 2
	build .CALLTRACE "$@" "$manual/$source"
	runs
	$check nm NitroMain
}

called_TwlMain()
{
	sed 's/nitro.h/twl.h/' "$manual/manual_stack_dump.c" > twl.c
	build .CALLTRACE -O0 -DNitroMain=TwlMain twl.c
	runs
	shows_chain nm TwlMain
	build .CALLTRACE -O0 -DNitroMain=TwlMain "$manual/manual_stack_dump.c"
	runs
	shows_chain nm TwlMain
}

manual_cost()
{
	build .FUNCTIONCOST "$1" "$manual/manual_cost.c"
	runs
	shows_cost 0
}

threads()
{
	build .FUNCTIONCOST -O2 "$manual/threads.c"
	runs
	shows_threads 2
}

own_chain()
{
	build .CALLTRACE "$1" "$manual/chain.c" "$manual/print_out.c"
	runs
	cat out
	grep -qx '0 wrong of [0-9]\{5\}' out
}

# Asleep, it costs next to nothing; and 20 ms of work are that, at least: a clock that stands still does not pass. (They are not shorter than
# they are by another clock, but for what the two are apart.)
waiting_is_nobodys()
{
	build .FUNCTIONCOST -O1 "$manual/naps.c"
	runs
	cat out
	awk -F '[ ,]+' '
	/^nap:/ { naps = $3; nap = $5 }
	/^work:/ { work = $5 }
	END { exit !(naps == 2 && nap > 0 && nap < 31250000 * 0.05 && work > 31250000 * 0.019) }' out
}

# PROFILE functions of the user's own: libos.a has none.
own_functions()
{
	build "" -O1 "$manual/own.c"
	runs
	prints out <<-END
	2 entries, 2 exits
	END
}

# At -O2 the manual's programs are one function: their dumps say why they are empty.
inlined()
{
	build .CALLTRACE -O2 "$manual/manual_stack_dump.c"
	runs
	grep -q '^OS_DumpCallTrace: no call was recorded: functions that the compiler inlined have no PROFILE calls (-fno-inline)' out
	build .FUNCTIONCOST -O2 "$manual/manual_cost.c"
	runs
	grep -q '^OS_DumpStatistics: no call was counted\..*functions that the compiler inlined have no PROFILE calls (-fno-inline)' out
	build .FUNCTIONCOST -O2 -fno-inline "$manual/manual_cost.c"
	runs
	! grep 'no call' out
}

# Calls that longjmp leaves: where the program says so, all functions have the calls that they had; where not, the dump notices.
jumps()
{
	build .FUNCTIONCOST -O1 -fno-inline "$manual/jumps.c"
	runs
	cat out
	sed 's/, cost .*//' out > counts
	prints counts <<-END
	catches: count 5
	outer: count 5
	middle: count 5
	jumps: count 5
	after: count 5
	(15 calls abandoned: longjmp left them, and they ended where OS_SetProfileDepth was told so)
	END
	# A summary in a function with hooks ends them, once; between two of another function they are those of four rounds.
	local more
	for more in "15" "15 -DONCE" "15 -DCLEARS" "12 -DUNHOOKED" "12 -DUNHOOKED -DCLEARS"; do
		# shellcheck disable=SC2086
		build .FUNCTIONCOST -O1 -fno-inline -DSILENT ${more#??} "$manual/jumps.c"
		runs
		echo "$more"
		cat out
		grep -q "^(${more%% *} calls abandoned, and nobody said so: the costs of callers are wrong\." out || fail "$more"
	done
}

# A clock that has PROFILE calls itself is named.
hooked_clock()
{
	build .FUNCTIONCOST "$1" "$manual/hooked_clock.c"
	runs
	prints out <<-END
	OS_InitFunctionCost: the clock has PROFILE calls itself, in OS_GetTick: compile it without them; nothing is measured
	OS_CalcStatistics: this thread has no buffer: OS_InitFunctionCost gives it one
	and it goes on
	END
}

# Headers as users' compilers want them, and behind types of an SDK's own.
headers()
{
	local header
	for header in nitro.h twl.h; do
		echo "#include <$header>" > header.c
		$cc -std=c99 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -I"$ROOT/include" -fsyntax-only header.c
		cp header.c header.cc
		${CXX:-g++} -std=c++98 -pedantic -Wno-long-long -Wall -Wextra -Werror -I"$ROOT/include" -fsyntax-only header.cc
	done
	printf '#define NITRO_TYPES_H_\ntypedef unsigned char u8;\ntypedef unsigned short u16;\ntypedef unsigned u32;\ntypedef unsigned long long u64;\ntypedef signed char s8;\ntypedef short s16;\ntypedef int s32;\ntypedef long long s64;\ntypedef int BOOL;\n#include <twl.h>\n' > header.c
	$cc -std=c99 -Wall -Werror -I"$ROOT/include" -fsyntax-only header.c
}

without_main()
{
	echo 'int x;' > empty.c
	build .CALLTRACE empty.c
	! runs || fail "exit status 0"
	grep -qx 'neither NitroMain nor TwlMain is in this program' out
}

# MAKEFLAGS may have another compiler.
by_clang()
{
	local cc=clang lib=$work/clang/lib
	MAKEFLAGS='' make -C "$ROOT" -s nitro CC=clang BUILD="$work/clang"
	units
}

test_that "3.4: stack mode" manual_program manual_stack.c shows_function -O0
test_that "3.5.1: the dump of a chain" manual_program manual_stack_dump.c shows_chain -O0
test_that "3.5.1, optimised" manual_program manual_stack_dump.c shows_chain -O1 -fno-inline
test_that "3.5.2: the dump of a log" manual_program manual_log_dump.c shows_log -O0
test_that "3.5.2, at the flags of doc/nitro.md" manual_program manual_log_dump.c shows_log -O2 -fno-inline
test_that "TwlMain, by twl.h" called_TwlMain
test_that "the headers, in C99 and C++98, and beside types of an SDK" headers
test_that "4.4: function cost" manual_cost -O0
test_that "4.4, optimised" manual_cost -O1
test_that "all is inlined" inlined
test_that "longjmp" jumps
for level in -O0 -O2; do
	test_that "a clock that has PROFILE calls itself, $level" hooked_clock $level
done
test_that "three threads" threads
test_that "who waits costs nothing" waiting_is_nobodys
for level in -O0 -O2; do
	test_that "a program that knows its chain, $level" own_chain $level
done
test_that "PROFILE functions of one's own" own_functions
test_that "without the plugin: addresses, which dwell names turns into the same text" without_plugin .a -O0
test_that "no NitroMain" without_main
if command -v clang > /dev/null; then
	test_that "the libraries by Clang: the unit tests" by_clang
else
	skip "the libraries by Clang" "there is none"
fi
done_testing
