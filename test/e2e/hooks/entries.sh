#!/bin/bash
# Functions with a hook at their entry alone: how often they were called and from where, and nothing about how long they took.
# Takes long, each kind of hook, with each compiler.
. "$(dirname "$0")/../lib.sh"

as_written="-fno-inline -fno-optimize-sibling-calls"

# Nothing is made up: no time is given for any function, and none is charged to one.
untimed()
{
	local name=$1 times
	times=$(columns "$name.csv" total_ns self_ns min_ns max_ns p50_ns)
	[[ $times && -z ${times//[$'\t\n']/} ]] || fail "times: $times"
	"$DWELL" report "$name.dwell" > "$name.report"
	grep -q 'functions were recorded only at their entries: counted, not timed$' "$name.report" || fail "$(cat "$name.report")"
	grep -q '"untimed_functions": [1-9]' "$name.json" || fail "$(cat "$name.json")" # of whole
	"$DWELL" info "$name.dwell" | grep -q '^hooks *entries only$' || fail "$("$DWELL" info "$name.dwell")"
}

try()
{
	local name=$1
	shift
	compile "$name" basic.c $as_written "$@"
	record "$name" "./$name" 3
	exits "$name" 0
	counts_agree "$name"
	whole "$name"
	untimed "$name"
}

threads()
{
	compile "$1-threads" threads.c $as_written
	record "$1-threads" "./$1-threads" 8 20000
	exits "$1-threads" 0
	counts_agree "$1-threads"
	whole "$1-threads"
	untimed "$1-threads"
}

throws()
{
	compile "$1-throw" throw.cc $as_written
	record "$1-throw" "./$1-throw" 1000
	exits "$1-throw" 0
	counts_agree "$1-throw"
	whole "$1-throw"
	untimed "$1-throw"
}

jumps()
{
	compile "$1-jump" jump.c $as_written
	record "$1-jump" "./$1-jump" signal 2000
	exits "$1-jump" 0
	counts_agree "$1-jump"
	whole "$1-jump"
	untimed "$1-jump"
}

forks()
{
	compile "$1-forks" forks.c $as_written
	record "$1-forks" "./$1-forks" fork
	exits "$1-forks" 0
	counts_agree "$1-forks"
	whole "$1-forks"
}

keeps()
{
	keeps_registers "$1" $as_written
	# Longjmps land in functions that have entries alone, and the test's own assembler code has exits: the report says that it is unsure.
	"$DWELL" report --csv "$1-keeps.dwell" > "$1-keeps.csv" 2> /dev/null || true
	counted_are_reported "$1-keeps" '^bare_'
}

linked()
{
	local how
	compile "$1-linked.o" basic.c $as_written -c
	for how in "" -static -static-pie; do
		$CC -O2 $HOOKS -pthread "$1-linked.o" -o "$1-linked$how" "$BUILD/libdwell.a" -Wl,-u,dwell_start $how
		record "$1-linked$how" "./$1-linked$how" 3
		exits "$1-linked$how" 0
		counts_agree "$1-linked$how"
		whole "$1-linked$how"
	done
}

libraries()
{
	compile alpha.so plugin.c -shared -fPIC -DNAME=alpha $as_written
	compile beta.so plugin.c -shared -fPIC -DNAME=beta $as_written
	compile opens opens.c -ldl $as_written
	record "$1-opens" ./opens ./alpha.so ./beta.so 1000
	exits "$1-opens" 0
	report_csv "$1-opens"
	[ "$(value "$1-opens" alpha calls) $(value "$1-opens" beta calls) $(value "$1-opens" use calls)" = "3 3 6" ] ||
		fail "$(cat "$1-opens.csv")"
	whole "$1-opens"
}

each()
{
	test_that "$1" try "$1"
	test_that "$1, not position-independent" try "$1-no-pie" -fno-pie -no-pie
	test_that "$1 -fcf-protection" try "$1-cet" -fcf-protection
	test_that "$1 -O0" try "$1-0" -O0
	test_that "$1: threads" threads "$1"
	test_that "$1: exceptions" throws "$1"
	test_that "$1: longjmp" jumps "$1"
}

# callers NAME FUNCTION: a line for each: caller, calls, total.
callers()
{
	"$DWELL" callers --csv "$2" "$1.dwell" > "$1.callers"
	columns "$1.callers" function calls total_ns | sort
}

# Functions of both kinds in one program: each by its own.
mixed()
{
	local name=$1 got
	compile "$name" entries.c $as_written
	record "$name" "./$name" 100
	exits "$name" 0
	report_csv "$name"
	whole "$name"
	[ "$(value "$name" leaf calls)" = 900 ] || fail "leaf: $(cat "$name.csv")" # once for unhooked, too
	sed -i 's/^count leaf .*/count leaf 900/' "$name.out"
	counts_agree "$name"
	got=$(callers "$name" leaf)
	[ "$got" = "$(printf 'between\t300\t\nmany\t100\t\nouter\t100\t\ninner\t300\t\nunhooked\t100\t\n' | sort)" ] || fail "callers of leaf: $got"
	got=$(callers "$name" deep)
	[ "$got" = "$(printf 'deep\t50\t\nmain\t1\t\n')" ] || fail "callers of deep: $got"
	got=$(callers "$name" between)
	[ "$got" = "$(printf 'outer\t300\t')" ] || fail "callers of between: $got"
	[ -n "$(value "$name" outer self_ns)" ] && [ -n "$(value "$name" inner min_ns)" ] && [ -z "$(value "$name" between self_ns)" ] ||
		fail "$(cat "$name.csv")"
	"$DWELL" calls --csv "$name.dwell" > "$name.calls"
	got=$(columns "$name.calls" function total_ns self_ns note | grep -c '^between			no exit$')
	[ "$got" = 300 ] || fail "calls of between: $got"
	got=$(columns "$name.calls" depth function | awk -F '\t' '$2 == "leaf" || $2 == "between" { print $2, $1 }' | sort | uniq -c | tr -s ' ')
	[ "$got" = "$(printf ' 300 between 1\n 200 leaf 0\n 400 leaf 1\n 300 leaf 2')" ] || fail "depths: $got"
	"$DWELL" slowest between "$name.dwell" 2> slowest.err && fail "slowest of what is not timed"
	grep -q 'does not say how long calls of .between. took' slowest.err || fail "$(cat slowest.err)"
}

# As the compiler left it, a nop that no table tells of stays what it is.
unlisted()
{
	cat > nops.S <<-'END'
		.globl one
		.type one, @function
	one:
		.cfi_startproc
		.byte 0x0f, 0x1f, 0x44, 0x00, 0x00
		mov $7, %eax
		ret
		.cfi_endproc
		.size one, . - one
		.section .note.GNU-stack, "", @progbits
	END
	cat > nops.c <<-'END'
	int one(void);
	int main(void) { return one() - 7; }
	END
	gcc -O2 nops.S nops.c -o nops
	RECORD_OPTIONS=--stream record nops ./nops
	grep -q '^dwell: nops: nothing was recorded' nops.err || grep -q 'nothing was recorded' nops.err || fail "$(cat nops.err)"
}

if [ "$(uname -m)" != x86_64 ]; then
	skip "entries alone" "not on this processor"
	done_testing
	exit
fi
as_named="-fno-ipa-cp -fno-ipa-sra"
compilers=gcc
command -v clang > /dev/null && compilers="gcc clang" || skip "clang" "not installed"
for CC in $compilers; do
	CXX=g++
	[ $CC = gcc ] || { CXX=clang++ as_named=; }
	HOOKS="-fpatchable-function-entry=5 $as_named"
	each "$CC-5"
	test_that "$CC: every register" keeps "$CC-5"
	test_that "$CC: a storm of signals" storms "$CC-5" $as_written
	test_that "$CC: children" forks "$CC-5"
	test_that "$CC: with the agent linked, dynamic and static" linked "$CC-5"
	test_that "$CC: libraries that are opened and closed again" libraries "$CC-5"
	for nops in 6 7 8 9 10 11 16 32 7,2 19,4; do
		HOOKS="-fpatchable-function-entry=$nops $as_named"
		test_that "$CC -fpatchable-function-entry=$nops" try "$CC-$nops"
	done
	HOOKS="-finstrument-functions -fpatchable-function-entry=5 $as_named"
	test_that "$CC: beside functions with exits" mixed "$CC-mixed"
done
CC=gcc CXX=g++ HOOKS="-pg -mfentry -fno-ipa-cp -fno-ipa-sra"
each gcc-fentry
test_that "gcc -pg -mfentry: libraries that are opened and closed again" libraries gcc-fentry
test_that "a nop that may be only that" unlisted
done_testing
