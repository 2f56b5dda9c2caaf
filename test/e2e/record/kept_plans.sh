#!/bin/bash
# Plans that are kept for the next time: each file has its own, even if another file has the same build-id.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache

for name in first second; do
	cat > $name.c <<-END
	#include <signal.h>
	#include <unistd.h>
	static volatile sig_atomic_t over;
	static volatile unsigned sum;
	static void end(int number) { (void)number; over = 1; }
	$([ $name = first ] || echo '__attribute__((noinline)) int more(int x) { for (int i = 0; i < 5; i++) sum ^= x; return sum; }')
	__attribute__((noinline)) int $name(int x)
	{
		for (int i = 0; i < 3; i++)
			sum += x;
		return sum;
	}
	int main(int argc, char **argv)
	{
		int x = 0;
		(void)argv;
		signal(SIGTERM, end);
		for (int i = 0; argc < 2 ? !over : i < 100; i++) {
			x += $name(i);
			$([ $name = first ] || echo 'x += more(i);')
			if (argc < 2)
				usleep(100);
		}
		return x == 1;
	}
	END
	for id in 0x1122334455667788 none; do
		gcc -O2 -fno-optimize-sibling-calls -Wl,--build-id=$id $name.c -o $name.$id
	done
done

# The file's plan, by a time that a new one does not have.
plans()
{
	find cache -type f ! -name 'content-of-*' -printf '%f %T@\n' | LC_ALL=C sort
}
recorded()
{
	local round name
	rm -rf cache
	for round in 1 2; do
		for name in first second; do
			RECORD_OPTIONS=--trace record trace "./$name.$1" some
			exits trace 0
			report_csv trace
			[ "$(value trace $name calls)" = 100 ] || fail "round $round: $name" "$(cat trace.csv)"
			whole trace
		done
		plans > plans.$round
	done
	[ "$(wc -l < plans.1)" = 2 ] || fail "the kept plans:" "$(cat plans.1)"
	cmp plans.1 plans.2 || fail "plans were made again"
}
attached()
{
	local name pid
	rm -rf cache
	for name in first second first; do
		"./$name.$1" &
		pid=$!
		has_begun $pid "$name.$1"
		"$DWELL" attach --trace --for=200ms -o trace.dwell $pid 2> trace.err || fail "status $?" "$(cat trace.err)"
		kill $pid
		wait $pid || fail "the process ended with status $?"
		report_csv trace
		[ "$(value trace $name calls)" -gt 10 ] || fail "$name" "$(cat trace.csv trace.err)"
	done
	[ "$(plans | wc -l)" = 2 ] || fail "the kept plans:" "$(plans)"
}
test_that "record --trace: two programs with one build-id" recorded 0x1122334455667788
test_that "record --trace: two programs without a build-id" recorded none
test_that "attach --trace: two programs with one build-id" attached 0x1122334455667788

# A program that was changed behind the linker, which keeps its build-id.
changed()
{
	rm -rf cache
	cp second.0x1122334455667788 changed
	RECORD_OPTIONS=--trace record trace ./changed some
	exits trace 0
	cp first.0x1122334455667788 changed.new
	mv changed.new changed
	RECORD_OPTIONS=--trace record trace ./changed some
	exits trace 0
	report_csv trace
	[ "$(value trace first calls)" = 100 ] || fail "$(cat trace.csv)"
}
test_that "record --trace: a program is replaced by another one of its build-id" changed
done_testing
