#!/bin/bash
# Programs that were compiled with what `dwell cflags` prints, and with something that spoils it: it works, or the true cause is said.
. "$(dirname "$0")/../lib.sh"

as_written="-fno-inline -fno-optimize-sibling-calls"
gcc_sites="-pg -mfentry -minstrument-return=nop5 -fno-ipa-cp -fno-ipa-sra"
clang_sites="$("$DWELL" cflags clang 2> /dev/null) -Wno-unused-command-line-argument"

# says NAME PATTERN FLAGS ...: nothing is recorded, for that reason; the program runs
says()
{
	local name=$1 pattern=$2
	shift 2
	compile "$name" basic.c $as_written "$@"
	record "$name" "./$name" 3
	grep -q "^dwell: .*nothing was recorded: $pattern" "$name.err" || fail "$(cat "$name.err")"
	grep -q '^count main 1$' "$name.out" || fail "it did not run: $(cat "$name.out")"
}
works()
{
	local name=$1
	shift
	compile "$name" basic.c $as_written "$@"
	record "$name" "./$name" 3
	exits "$name" 0
	counts_agree "$name"
	[ -n "$(value "$name" main total_ns)" ] || fail "not timed: $(cat "$name.csv")"
	whole "$name"
}
# What is compiled with them, and linked without.
links()
{
	local flags=$1 pattern=$2 link=$3
	# shellcheck disable=SC2086
	gcc -D_GNU_SOURCE -O2 $as_written $gcc_sites $flags -flto -pthread -c "$prog/calls/basic.c" -o lto.o
	# shellcheck disable=SC2086
	gcc -O2 -flto $link -pthread lto.o -o lto
	record lto ./lto 3
	if [ -n "$pattern" ]; then
		grep -q "^dwell: .*: $pattern.*: sampled at" lto.err || fail "$(cat lto.err)"
	else
		exits lto 0
		report_csv lto
		[ "$(value lto main calls)" = 1 ] || fail "$(cat lto.csv)"
	fi
}
# Some files with tables and some without.
some()
{
	cat > one.c <<-'END'
	int other(int x);
	int main(void) { int s = 0; for (int i = 0; i < 30; i++) s += other(i); return !s; }
	END
	echo 'int other(int x); int other(int x) { return x + 1; }' > two.c
	# shellcheck disable=SC2086
	gcc -O2 $gcc_sites -c one.c -o one.o
	# shellcheck disable=SC2086
	gcc -O2 $gcc_sites -fno-asynchronous-unwind-tables -c two.c -o two.o
	gcc one.o two.o -o some
	record some ./some
	grep -q '^dwell: .*some functions with hooks were not recorded: they are not in the unwind tables' some.err || fail "$(cat some.err)"
	"$DWELL" report some.dwell | grep -q ' main$' || fail "$("$DWELL" report some.dwell)"
}

if [ "$(uname -m)" != x86_64 ]; then
	skip "messages about patched sites" "not on this processor"
	done_testing
	exit
fi
HOOKS=$gcc_sites
test_that "gcc -fno-asynchronous-unwind-tables" says gcc-tables 'it has hooks, but its functions are not in the unwind tables' -fno-asynchronous-unwind-tables
test_that "gcc -mcmodel=large" says gcc-large 'its hooks are calls through a register, which -mcmodel=large' -mcmodel=large
test_that "gcc -mcmodel=large, not position-independent" says gcc-large-no-pie 'its hooks are calls through a register, which -mcmodel=large' \
	-mcmodel=large -fno-pie -no-pie
test_that "gcc -mcmodel=medium" works gcc-medium -mcmodel=medium
# No flags at all. Who asks for calls reads what is missing, and nothing about inlining.
unhooked()
{
	echo 'int main(void) { return 0; }' | gcc -x c - -o unhooked || fail "gcc"
	"$DWELL" record --snapshot-when 'main > 5s' ./unhooked 2> unhooked.err && fail "status 0"
	grep -q "'main > 5s': no loaded file has a function to match" unhooked.err || fail "$(cat unhooked.err)"
	grep -q 'the program has no hooks; compile it .*; or use --trace, which needs none$' unhooked.err || fail "$(cat unhooked.err)"
}
test_that "no hooks, and calls wanted" unhooked
test_that "gcc -flto, and linked without" links "" 'no hooks' ""
test_that "gcc -flto -g, and linked without" links -g 'the program has no hooks, and was linked with -flto, which makes the code when it links; give' ""
test_that "gcc -flto, and linked with it" links "" "" "$gcc_sites"
test_that "some files without unwind tables" some
if command -v clang > /dev/null; then
	CC=clang HOOKS=$clang_sites
	test_that "clang -fno-asynchronous-unwind-tables" says clang-tables 'it has hooks, but its functions are not in the unwind tables' \
		-fno-asynchronous-unwind-tables
	test_that "clang -mcmodel=large" works clang-large -mcmodel=large
else
	skip "clang" "not installed"
fi
HOOKS=-finstrument-functions
CC=gcc
test_that "-finstrument-functions -mcmodel=large" works cyg-large -mcmodel=large
test_that "-finstrument-functions, no unwind tables" works cyg-tables -fno-asynchronous-unwind-tables
done_testing
