#!/bin/bash
# What others do to the file of a ring or linear recording while it goes on: it is nothing to the program, and to what is written in the end.
. "$(dirname "$0")/../lib.sh"

# It works until it is told to end, and says who it is.
cat > slow.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t over;
static void end(int number) { (void)number; over = 1; }
__attribute__((noinline)) int leaf(int i) { __asm__ volatile(""); return i * 3; }
int main(void)
{
	signal(SIGTERM, end);
	printf("begun %ld\n", (long)getpid());
	fflush(stdout);
	for (int i = 0; !over; i++)
		leaf(i);
	puts("ended well");
	return 0;
}
END
gcc -O2 -finstrument-functions -fno-tree-ter slow.c -o slow

# told FILE: the program that has begun, by its output, is told to end.
told()
{
	kill "$(sed -n 's/^begun //p' "$1")"
}
# What logrotate's copytruncate does, what a shell does, and what removes it.
spoil()
{
	: > "$1"
	head -c 100000 /dev/urandom > "$1"
	cp "$1" "$1.1~" && truncate -s 0 "$1" && rm "$1.1~"
	truncate -s 1M "$1"
	rm -f "$1"
	echo text > "$1"
}
# And the memory itself, by whoever may open it: as the program's user may.
shorten_memory()
{
	local file found=
	for file in /proc/"$1"/fd/*; do
		[[ $(readlink "$file") != /memfd:dwell* ]] || { found=1; ! truncate -s 0 "$file" 2> /dev/null || fail "$file was shortened"; }
	done
	[ "$found" ] || fail "record has no such memory"
}
changed()
{
	local option=$1 recorder status=0
	rm -f c.dwell
	"$DWELL" record "$option" -o c.dwell ./slow > c.out 2> c.err &
	recorder=$!
	comes '^begun' c.out
	for _ in 1 2 3; do
		spoil c.dwell
		shorten_memory $recorder
		sleep 0.3
	done
	told c.out
	wait $recorder || status=$?
	[ $status = 0 ] || fail "status $status" "$(cat c.err)"
	grep -q '^ended well' c.out
	"$DWELL" report --csv c.dwell > c.csv 2> report.err || [ $? = 1 ]
	[ "$(value c leaf calls)" -gt 3000 ] || fail "$(cat c.csv)"
}
for option in --ring --ring=64K --linear=1M; do
	test_that "$option: the file is truncated, overwritten and removed" changed $option
done

# Who is killed that would have written it: its heir does, when the program has ended.
killed()
{
	local recorder
	rm -f k.dwell
	echo "what was there" > k.dwell
	"$DWELL" record "$1" -o k.dwell ./slow > k.out 2> k.err &
	recorder=$!
	comes '^begun' k.out
	kill -9 $recorder
	sleep 0.5
	[ "$(cat k.dwell)" = "what was there" ]
	told k.out
	comes '^ended well' k.out
	for _ in $(seq 3000); do
		[ "$(head -c 14 k.dwell | tr -d '\0')" = "what was there" ] || break
		sleep 0.02
	done
	"$DWELL" report --csv k.dwell > k.csv 2> report.err || [ $? = 1 ]
	[ "$(value k leaf calls)" -gt 10000 ] || fail "$(cat k.csv report.err)"
	[ -z "$(ls -d k.dwell?* 2> /dev/null)" ]
}
test_that "--ring: record is killed" killed --ring
test_that "--linear: record is killed" killed --linear=1M
# Of the tests that run beside this one there are others.
is_an_heir_here()
{
	local heir
	for heir in $(pgrep -x dwell-heir || true); do
		tr '\0' '\n' < "/proc/$heir/environ" 2> /dev/null | grep -qx "OF_THIS_TEST=$PWD" && return
	done
	false
}
no_heir_stays()
{
	OF_THIS_TEST=$PWD "$DWELL" record --ring -o gone.dwell ./slow > gone.out &
	comes '^begun' gone.out
	is_an_heir_here || fail "there never was one"
	told gone.out
	wait $!
	for _ in $(seq 3000); do
		is_an_heir_here || return 0
		sleep 0.02
	done
	fail "an heir stays"
}
test_that "a recording that ends leaves no process" no_heir_stays
done_testing
