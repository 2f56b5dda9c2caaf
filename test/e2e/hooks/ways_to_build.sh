#!/bin/bash
# The same program compiled and linked in every way that changes how a call reaches the hook.
. "$(dirname "$0")/../lib.sh"

try()
{
	local name=$1
	shift
	compile "$name" basic.c "$@"
	record "$name" "./$name" 3
	exits "$name" 0
	counts_agree "$name"
	whole "$name"
}

for CC in gcc clang; do
	command -v $CC > /dev/null || { skip "$CC" "not installed"; continue; }
	test_that "$CC" try $CC
	test_that "$CC -O0" try $CC-O0 -O0
	test_that "$CC -O3 -g" try $CC-O3 -O3 -g
	test_that "$CC, not position-independent" try $CC-no-pie -fno-pie -no-pie
	test_that "$CC -fno-plt" try $CC-no-plt -fno-plt
	test_that "$CC -fno-plt -no-pie" try $CC-no-plt-no-pie -fno-pie -no-pie -fno-plt
	test_that "$CC -z now" try $CC-now -Wl,-z,now
	test_that "$CC -z lazy" try $CC-lazy -Wl,-z,lazy
	test_that "$CC -z now -z relro, sections apart" try $CC-relro -Wl,-z,now -Wl,-z,relro -Wl,-z,separate-code -ffunction-sections -Wl,--gc-sections
	test_that "$CC -flto" try $CC-lto -flto
done
CC=clang
command -v clang > /dev/null && after_inlining()
{
	# inlined functions are no calls: only main, qsort's callback and what is not inlined
	clang -O2 -finstrument-functions-after-inlining -pthread "$prog/calls/basic.c" -o after
	record after ./after 3
	exits after 0
	report_csv after
	[ "$(value after by_value calls)" = "$(sed -n 's/^count by_value //p' after.out)" ] || fail "by_value" "$(cat after.csv)"
	[ "$(value after main calls)" = 1 ] || fail "main" "$(cat after.csv)"
}
command -v clang > /dev/null && test_that "clang, instrumented after inlining" after_inlining

same_name()
{
	cat > one.c <<-'END'
	#include <stdio.h>
	int other(int x);
	static __attribute__((noinline)) int helper(int x) { __asm__("" : "+r"(x)); return x + 1; }
	int main(void) { int s = 0; for (int i = 0; i < 30; i++) s += helper(i) + (i % 3 ? 0 : other(i)); printf("%d\n", s); }
	END
	cat > two.c <<-'END'
	static __attribute__((noinline)) int helper(int x) { __asm__("" : "+r"(x)); return x - 1; }
	int other(int x) { return helper(x) * 2; }
	END
	gcc -O1 -finstrument-functions one.c two.c -o same
	record same ./same
	exits same 0
	report_csv same
	columns same.csv function calls | grep '^helper' | sort > got
	# in the order of the files, with the addresses that nm gives
	nm same | awk '$3 == "helper" { print $1 }' | sort | while read -r address; do printf 'helper (same+0x%x)\t\n' "0x$address"; done |
		paste -d '\0' - <(printf '30\n10\n') | sort > want
	diff want got
	# along the paths the callers tell
	"$DWELL" tree --csv same.dwell | columns /dev/stdin depth function calls | tr '\t' , | grep -A1 '^1,other,10$' | grep -qx '2,helper,10' || fail "$("$DWELL" tree same.dwell)"
}
test_that "functions of one name in two files are two, told apart by their addresses" same_name

stripped()
{
	compile stripped basic.c
	record full ./stripped 3
	strip -s stripped
	record stripped ./stripped 3
	exits stripped 0
	report_csv full
	report_csv stripped
	columns stripped.csv function calls | grep -vE '^stripped\+0x[0-9a-f]+	[0-9]+$' && fail "a name that is not stripped+0x…"
	columns full.csv calls | sort > full.calls
	columns stripped.csv calls | sort > stripped.calls
	diff full.calls stripped.calls
}
test_that "a stripped program shows module+0xoffset, with the same calls" stripped

dynsym_only()
{
	# Exported names survive strip in .dynsym. mix and the other static functions do not.
	compile exported basic.c -rdynamic
	strip -s exported
	record exported ./exported 3
	exits exported 0
	report_csv exported
	[ "$(value exported main calls)" = 1 ] || fail "main is in .dynsym" "$(cat exported.csv)"
	columns exported.csv function | grep -qE '^exported\+0x' || fail "static functions have no name"
}
test_that "a stripped program keeps the names that it exports" dynsym_only

is_static()
{
	compile static basic.c -static
	record static ./static 3
	[ "$(cat static.status)" != 0 ] || fail "status 0" "$(cat static.err)"
	grep -q '^dwell: .*static' static.err || fail "no word about static linking:" "$(cat static.err)"
}
test_that "a static program: a message that says so" is_static

# linked NAME FLAGS: with the agent in the program, also for record, which preloads its own otherwise
linked()
{
	local name=$1
	shift
	compile "$name" basic.c "$BUILD/libdwell.a" "$@"
	"./$name" 1 > alone.out
	grep -q '^count main 1$' alone.out || fail "not recorded, it does not run: $(cat alone.out)"
	record "$name" "./$name" 3
	exits "$name" 0
	counts_agree "$name"
	whole "$name"
	compile "$name-forks" forks.c "$BUILD/libdwell.a" "$@"
	record "$name-forks" "./$name-forks" fork
	exits "$name-forks" 0
	counts_agree "$name-forks"
	whole "$name-forks"
}
test_that "linked with libdwell.a" linked linked
test_that "linked with libdwell.a, statically" linked linked-static -static
test_that "linked with libdwell.a, statically, position-independent" linked linked-static-pie -static-pie

many_functions()
{
	{
		echo '#include "count.h"'
		for ((i = 0; i < 1000; i++)); do
			echo "static void f$i(void) { CALLED(); }"
		done
		echo 'int main(void) { CALLED();'
		for ((i = 0; i < 1000; i++)); do
			echo "for (int i = 0; i <= $i; i++) f$i();"
		done
		echo 'count_print(); return 0; }'
	} > many.c
	gcc -O0 -I"$prog" -finstrument-functions many.c -o many
	record many ./many
	exits many 0
	counts_agree many
	[ "$(columns many.csv function | wc -l)" = 1001 ] || fail "not 1001 functions"
	whole many
}
test_that "a thousand functions" many_functions

libraries()
{
	compile alpha.so plugin.c -shared -fPIC -DNAME=alpha
	compile beta.so plugin.c -shared -fPIC -DNAME=beta
	compile opens opens.c -ldl
	record opens ./opens ./alpha.so ./beta.so 1000
	exits opens 0
	report_csv opens
	cat opens.out
	# alpha 3 times 1000 steps, beta 3 times 2000; the two functions `step` are two, even at the same address
	[ "$(value opens alpha calls)" = 3 ] || fail "alpha" "$(cat opens.csv)"
	[ "$(value opens beta calls)" = 3 ] || fail "beta" "$(cat opens.csv)"
	[ "$(value opens use calls)" = 6 ] || fail "use" "$(cat opens.csv)"
	for step in alpha:3000 beta:6000; do
		columns opens.csv function calls | grep -q "^step (${step%:*}\.so+0x[0-9a-f]*)	${step#*:}$" || fail "step of $step" "$(cat opens.csv)"
	done
	whole opens
}
test_that "libraries that are opened and closed again" libraries

done_testing
