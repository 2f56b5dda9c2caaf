#!/bin/bash
# Takes long, so test/run begins with it.
# Programs with patched sites: the same programs that are compiled with -finstrument-functions elsewhere, and what is particular to these.
. "$(dirname "$0")/../lib.sh"

# Each function is a call, as it was written.
as_written="-fno-inline -fno-optimize-sibling-calls"
gcc_sites=$("$DWELL" cflags gcc)
gcc_calls="-pg -mfentry -minstrument-return=nop5" # where the assembler does not make nops of the calls
as_named="-fno-ipa-cp -fno-ipa-sra" # no copies of functions under other names
# One part of it is for the linker.
clang_sites="$("$DWELL" cflags clang 2> /dev/null) -Wno-unused-command-line-argument"

# What has several tests, with options of record, is compiled once of each $kind.
try()
{
	local name=$1
	shift
	compile "$name" basic.c $as_written "$@"
	record "$name" "./$name" 3
	exits "$name" 0
	counts_agree "$name"
	whole "$name"
}

stripped()
{
	compile "$1-apart" basic.c $as_written -Wl,-z,now -Wl,-z,separate-code -ffunction-sections -Wl,--gc-sections -s
	record "$1-apart" "./$1-apart" 3
	exits "$1-apart" 0
	report_csv "$1-apart"
	sed -n 's/^count .* //p' "$1-apart.out" | sort > "$1.want"
	columns "$1-apart.csv" calls | sort > "$1.got"
	diff "$1.want" "$1.got"
	whole "$1-apart"
}

tails()
{
	compile "$1-tail" tail.c -fno-inline
	record "$1-tail" "./$1-tail" 1000
	exits "$1-tail" 0
	counts_agree "$1-tail"
	whole "$1-tail"
	deepest "$1-tail" 2
}

jumps()
{
	compile_once "$kind-jump" jump.c $as_written
	unwinds "$1-few" "catcher main" 4 "./$kind-jump" longjmp 3
	only_called_by "$1-few" middle catcher
	unwinds "$1-signal" "catcher main" 5 "./$kind-jump" signal 2000
	only_called_by "$1-signal" catcher main
	unwinds "$1-same" "catch_many main" 4 "./$kind-jump" same 5000
	only_called_by "$1-same" middle catch_many
}

throws()
{
	compile "$1-throw" throw.cc $as_written
	# A cleanup on the way of an exception is a landing: the destructor is called by the function that it runs in, not by who threw.
	unwinds "$1-caught" "catcher main" 4 "./$1-throw" 1000
	only_called_by "$1-caught" middle catcher
	only_called_by "$1-caught" "shape::Circle::~Circle()" middle
	unwinds "$1-again" "catch_many main" 4 "./$1-throw" 5000 same
	only_called_by "$1-again" "shape::Circle::~Circle()" middle
	unwinds "$1-rethrow" "passer catcher main" 5 "./$1-throw" 1000 rethrow
	only_called_by "$1-rethrow" "shape::Circle::~Circle()" middle
}

startup()
{
	compile "$1-startup" startup.cc $as_written
	record "$1-startup" "./$1-startup"
	exits "$1-startup" 0
	counts_agree "$1-startup" '^(_GLOBAL__|__static_init|__cxx_global)'
	whole "$1-startup"
}

# Functions whose addresses are in the data, as those in a table of patchable entries are, have exits all the same.
pointers()
{
	cat > pointers.c <<-'END'
	static volatile int sink;
	static int one(int x) { sink += x; return x + 1; }
	static int two(int x) { sink += x; return x + 2; }
	int (*volatile table[2])(int) = {one, two};
	__attribute__((noinline)) int jumps(int x) { sink++; return table[x & 1](x); }
	__attribute__((noinline)) int calls(int x) { sink++; return table[x & 1](x) + 1; }
	int main(void) { int s = 0; for (int i = 0; i < 500; i++) s += calls(i) + jumps(i); return !s; }
	END
	# shellcheck disable=SC2086
	${CC:-gcc} -O2 $HOOKS ${2-} ${3-} pointers.c -o "$1-pointers"
	record "$1-pointers" "./$1-pointers"
	exits "$1-pointers" 0
	report_csv "$1-pointers"
	columns "$1-pointers.csv" function calls total_ns | awk -F '\t' '{ print $1, $2, $3 != "" }' | sort > "$1.got"
	printf '%s\n' "calls 500 1" "jumps 500 1" "main 1 1" "one 500 1" "two 500 1" | diff - "$1.got"
	only_called_by "$1-pointers" calls main
	deepest "$1-pointers" 3
	whole "$1-pointers"
}

threads()
{
	compile_once "$kind-threads" threads.c $as_written
	record "$1-threads" "./$kind-threads" 8 20000
	exits "$1-threads" 0
	counts_agree "$1-threads"
	whole "$1-threads"
}

forks()
{
	local way
	compile "$1-forks" forks.c $as_written
	for way in fork vfork threads; do
		record "$1-$way" "./$1-forks" $way
		exits "$1-$way" 0
		counts_agree "$1-$way"
		whole "$1-$way"
	done
}

# What the test's own assembler code calls was not counted.
keeps()
{
	local name=$1 program
	shift
	program=$kind-keeps$*
	keeps_registers "$name" $as_written "$@"
	exits "$name-keeps" 0
	counts_agree "$name-keeps" '^bare_'
	[ "$(value "$name-keeps" bare_filler calls) $(value "$name-keeps" bare_return calls)" = "5000 10000" ] || fail "$(cat "$name-keeps.csv")"
	whole "$name-keeps"
}
# arguments NAME N: what dwell shows of the first N arguments of each call, and of what it returned, is what the program says.
arguments()
{
	local name=$1-arguments-$2 wanted=$2
	compile_once "$kind-arguments" args.c -fno-inline
	RECORD_OPTIONS=--args=$wanted record "$name" "./$kind-arguments" 2000
	exits "$name" 0
	"$DWELL" calls --args --csv "$name.dwell" > "$name.csv"
	columns "$name.csv" function arg1 arg2 arg3 arg4 arg5 arg6 ret | awk -F '\t' -v wanted="$wanted" '
	BEGIN { takes["six"] = takes["eight"] = 6; takes["negate"] = takes["tail"] = 1; takes["deep"] = takes["pointer"] = takes["pair"] = 2 }
	{
		line = $1
		for (i = 1; i <= 6; i++) {
			if (($(i + 1) != "") != (i <= wanted))
				print "argument", i, "of", $1, "is", $(i + 1)
			if (i <= takes[$1] && i <= wanted)
				line = line " " $(i + 1)
		}
	}
	$1 == "structure" { line = line ($2 == $8 ? " same" : " differs") }
	$1 != "structure" { line = line " =" ($8 != "" ? " " $8 : "") }
	{ print line }' | sort > "$name.got"
	awk -v wanted="$wanted" '
	$1 == "structure" { print $1 " same"; next }
	{
		line = $1
		for (i = 2; $i != "="; i++)
			if (i - 1 <= wanted)
				line = line " " $i
		print line " =" ($(i + 1) != "" ? " " $(i + 1) : "")
	}' "$name.out" | sort > "$name.want"
	diff "$name.want" "$name.got" | head -20 > "$name.diff"
	[ ! -s "$name.diff" ] || fail "$(cat "$name.diff")"
	whole "$name"
}

# Where nothing is known of them it is said, and all else is recorded.
no_arguments()
{
	HOOKS=-finstrument-functions compile none args.c
	RECORD_OPTIONS=--args record none ./none 10
	[ "$(cat none.status)" = 0 ] || fail "$(cat none.err)"
	grep -q '^dwell: .*-finstrument-functions have no arguments in it: compile them with what .dwell cflags. prints' none.err || fail "$(cat none.err)"
	"$DWELL" calls --args --csv none.dwell > none.csv
	columns none.csv function arg1 ret | grep -qx 'six		' || fail "$(head -5 none.csv)"
	whole none
}

# With arguments recorded, all else is as it is without.
with_arguments()
{
	RECORD_OPTIONS=--args "$@"
}

# With the agent in the program, which calls nothing of it by itself.
linked()
{
	local how
	compile "$1-linked.o" basic.c $as_written -c
	for how in "" -static -static-pie; do
		$CC -O2 $HOOKS -pthread "$1-linked.o" -o "$1-linked$how" "$BUILD/libdwell.a" -Wl,-u,dwell_start $how
		"./$1-linked$how" 1 > alone.out
		grep -q '^count main 1$' alone.out || fail "not recorded, it does not run: $(cat alone.out)"
		record "$1-linked$how" "./$1-linked$how" 3
		exits "$1-linked$how" 0
		counts_agree "$1-linked$how"
		whole "$1-linked$how"
	done
}

# Both ways in one program: each function by its own.
both()
{
	local old=$HOOKS
	cat > both.c <<-'END'
	#include "count.h"
	int other(int x);
	__attribute__((noinline)) int mine(int x) { CALLED(); return other(x) + 1; }
	int main(void) { CALLED(); for (int i = 0; i < 1000; i++) mine(i); count_print(); return 0; }
	END
	cat > other.c <<-'END'
	int other(int x) { return x * 3; }
	END
	${CC:-gcc} -O2 -D_GNU_SOURCE -I"$prog" $HOOKS -c both.c
	gcc -O2 -finstrument-functions -c other.c
	gcc both.o other.o -o both
	record "$1-both" ./both
	exits "$1-both" 0
	echo count other 1000 >> "$1-both.out"
	counts_agree "$1-both"
	only_called_by "$1-both" other mine
	only_called_by "$1-both" mine main
	whole "$1-both"
	"$DWELL" info "$1-both.dwell" | grep -q 'finstrument-functions, ' || fail "$("$DWELL" info "$1-both.dwell")"
}

# As the compiler left it, without an agent.
alone()
{
	compile_once "$1" basic.c $as_written
	"./$1" 3 > alone.out
	grep -q '^count main 1$' alone.out || fail "$(cat alone.out)"
}

claiming()
{
	GLIBC_TUNABLES=glibc.pthread.rseq=0 "$@"
}

libraries()
{
	mkdir -p "$kind-libraries"
	compile_once "$kind-libraries/alpha.so" plugin.c -shared -fPIC -DNAME=alpha $as_written
	compile_once "$kind-libraries/beta.so" plugin.c -shared -fPIC -DNAME=beta $as_written
	compile_once "$kind-libraries/opens" opens.c -ldl $as_written
	record "$1-opens" "$kind"-libraries/{opens,alpha.so,beta.so} 1000
	exits "$1-opens" 0
	report_csv "$1-opens"
	cat "$1-opens.out"
	[ "$(value "$1-opens" alpha calls)" = 3 ] || fail "alpha" "$(cat "$1-opens.csv")"
	[ "$(value "$1-opens" beta calls)" = 3 ] || fail "beta" "$(cat "$1-opens.csv")"
	[ "$(value "$1-opens" use calls)" = 6 ] || fail "use" "$(cat "$1-opens.csv")"
	for step in alpha:3000 beta:6000; do
		columns "$1-opens.csv" function calls | grep -q "^step (${step%:*}\.so+0x[0-9a-f]*)	${step#*:}$" || fail "step of $step" "$(cat "$1-opens.csv")"
	done
	whole "$1-opens"
}

each()
{
	local kind=$1
	test_that "$kind" try "$kind"
	test_that "$kind -O0" try "$kind-O0" -O0
	test_that "$kind -O3 -g" try "$kind-O3" -O3 -g
	test_that "$kind -Os: functions at odd addresses" try "$kind-Os" -Os
	test_that "$kind, not position-independent" try "$kind-no-pie" -fno-pie -no-pie
	test_that "$kind -fno-plt" try "$kind-no-plt" -fno-plt
	test_that "$kind -fcf-protection" try "$kind-cet" -fcf-protection
	test_that "$kind, sections apart, stripped" stripped "$kind"
	test_that "$kind: with the agent linked, dynamic and static" linked "$kind"
	test_that "$kind: beside -finstrument-functions" both "$kind"
	test_that "$kind: without an agent" alone "$kind"
	test_that "$kind: every register" keeps "$kind"
	test_that "$kind: every register, claiming" claiming keeps "$kind-claiming"
	test_that "$kind: every register, tail jumps" keeps "$kind-tails" -foptimize-sibling-calls
	test_that "$kind -O0: every register" keeps "$kind-0" -O0
	test_that "$kind: tail calls" tails "$kind"
	test_that "$kind: called through pointers" pointers "$kind"
	test_that "$kind: longjmp" jumps "$kind"
	test_that "$kind: exceptions" throws "$kind"
	test_that "$kind: before main and after it" startup "$kind"
	test_that "$kind: threads" threads "$kind"
	test_that "$kind: children" forks "$kind"
	test_that "$kind: a storm of signals" storms "$kind" $as_written
	test_that "$kind: arguments" arguments "$kind" 6
	test_that "$kind: arguments, the first three" arguments "$kind" 3
	test_that "$kind: arguments, claiming" claiming arguments "$kind-claiming" 6
	test_that "$kind: every register, with arguments" with_arguments keeps "$kind-args"
	test_that "$kind: every register, with arguments, claiming" claiming with_arguments keeps "$kind-args-claiming" -foptimize-sibling-calls
	test_that "$kind: threads, with arguments" with_arguments threads "$kind-args"
	test_that "$kind: longjmp, with arguments" with_arguments jumps "$kind-args"
	program=$kind-storm test_that "$kind: a storm of signals, with arguments" with_arguments storms "$kind-args" $as_written
	test_that "$kind: libraries, with arguments" with_arguments libraries "$kind-args"
	test_that "$kind: libraries that are opened and closed again" libraries "$kind"
}

if [ "$(uname -m)" != x86_64 ]; then
	skip "patched sites" "not on this processor"
	done_testing
	exit
fi
CC=gcc CXX=g++ HOOKS="$gcc_sites $as_named"
each gcc
test_that "-finstrument-functions: says that it gives no arguments" no_arguments
HOOKS="$gcc_sites $as_named"
for thunk in thunk thunk-inline; do
	test_that "gcc -mindirect-branch=$thunk" pointers gcc-ib-$thunk -mindirect-branch=$thunk
	test_that "gcc -mfunction-return=$thunk" pointers gcc-fr-$thunk -mfunction-return=$thunk
	test_that "gcc, both $thunk" pointers gcc-both-$thunk -mindirect-branch=$thunk -mfunction-return=$thunk
done
HOOKS="$gcc_calls $as_named" kind=calls
test_that "gcc, calls" try calls
test_that "gcc, calls, not position-independent" try calls-no-pie -fno-pie -no-pie
test_that "gcc, calls, -fno-plt" try calls-no-plt -fno-plt
test_that "gcc, calls, -fcf-protection" try calls-cet -fcf-protection
test_that "gcc, calls, with the agent linked, dynamic and static" linked calls
test_that "gcc, calls, without an agent" alone calls
test_that "gcc, calls: every register" keeps calls
test_that "gcc, calls: arguments" arguments calls 6
test_that "gcc, calls: libraries that are opened and closed again" libraries calls
test_that "gcc, nops in place of calls" try gcc-nops -fno-pie -no-pie -mnop-mcount
test_that "gcc, with the tables that nobody asks for" try gcc-tables -fno-pie -no-pie -mrecord-mcount -mrecord-return
if command -v clang > /dev/null; then
	CC=clang CXX=clang++ HOOKS=$clang_sites
	each clang
	test_that "clang -mretpoline" pointers clang-retpoline -mretpoline
else
	skip "clang" "not installed"
fi
done_testing
