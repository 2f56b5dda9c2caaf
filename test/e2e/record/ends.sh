#!/bin/bash
# Programs and threads that end, in every way: what was called until then is all there.
. "$(dirname "$0")/../lib.sh"

compile ends ends.c
# ends_by HOW STATUS
ends_by()
{
	record "$1" ./ends "$1"
	exits "$1" "$2"
	counts_agree "$1"
	whole "$1"
}
still_open()
{
	calls_csv "$1"
	columns "$1.calls" function | sort -u | tr '\n' ' ' | grep -qx 'end_now leaf main outer ' || fail "$(sort -u "$1.calls" | head)"
}

test_that "return from main" ends_by return 6
test_that "exit" ends_by exit 7
test_that "_exit" ends_by _exit 8
test_that "quick_exit" ends_by quick_exit 9
test_that "abort" ends_by abort 134
test_that "a bad address" ends_by segv 139
test_that "an arithmetic fault" ends_by fpe 136
test_that "SIGKILL" ends_by kill 137
test_that "SIGTERM" ends_by term 143
test_that "pthread_exit of the first thread" ends_by pthread_exit 0
test_that "calls that were open at SIGKILL are listed" still_open kill

# The same without a shell's way of telling 137: the wait status itself passes through.
killed_truly()
{
	cat > waits.c <<-'END'
		#include <stdio.h>
		#include <sys/wait.h>
		#include <unistd.h>
		int main(int argc, char **argv)
		{
			int status;
			if (argc > 1 && !fork()) {
				execv(argv[1], argv + 1);
				_exit(127);
			}
			wait(&status);
			printf("%s %d\n", WIFSIGNALED(status) ? "signal" : "status",
				WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
			return 0;
		}
	END
	gcc waits.c -o waits
	for how in "kill signal 9" "term signal 15" "abort signal 6" "segv signal 11" "exit status 7"; do
		# shellcheck disable=SC2086
		set -- $how
		[ "$(./waits ./ends "$1" | tail -1)" = "$2 $3" ] || fail "without dwell, $1 is not $2 $3"
		[ "$(./waits "$DWELL" record -o truly.dwell ./ends "$1" | tail -1)" = "$2 $3" ] || fail "$1: expected $2 $3"
	done
}
test_that "who waits for dwell sees the program's signal as its own" killed_truly

threads()
{
	local compiler
	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		CC=$compiler compile $compiler-thread_ends thread_ends.c
		record $compiler ./$compiler-thread_ends
		exits $compiler 0
		counts_agree $compiler
		whole $compiler
	done
}
test_that "threads that return, exit, are cancelled, or run on" threads

startup()
{
	local compiler
	for compiler in g++ clang++; do
		command -v $compiler > /dev/null || continue
		CXX=$compiler compile $compiler-startup startup.cc
		record $compiler ./$compiler-startup
		exits $compiler 0
		# the functions that the compiler makes for constructors have hooks, too
		counts_agree $compiler '^(_GLOBAL__|__static_init|__cxx_global_var|_sub_I_|global constructors)'
		whole $compiler
	done
}
test_that "what runs before and after main" startup

done_testing
