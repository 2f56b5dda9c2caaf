#!/bin/bash
# Where memory is short: it is said, what is left out is said, and the file is not blamed.
# Takes long, recordings of some gigabytes.
. "$(dirname "$0")/../lib.sh"

compile shapes shapes.c
record shapes ./shapes

# How many paths a tree has follows memory. One that has no room for every path says so, as a table for scripts, too.
full_tree()
{
	(ulimit -v 60000 && dwell tree --csv shapes.dwell) > tree.csv 2> tree.err && fail "status 0"
	grep -qE "^dwell: shapes.dwell: [0-9,]+ calls are on paths that the tree has no room for: their time is in \(other\) \(together [0-9.]+ [mun]?s\)$" tree.err ||
		fail "$(cat tree.err)"
	# What has no room is not lost: self is of all calls, but for what rounding takes off each row.
	columns tree.csv self_ns | awk '{ sum += $1 } END { printf "%.0f %d\n", sum, NR }' > sum
	dwell report --csv shapes.dwell | columns /dev/stdin self_ns | awk -v of_tree="$(cut -d ' ' -f 1 sum)" -v rows="$(cut -d ' ' -f 2 sum)" '
		{ sum += $1 } END { print of_tree, sum, rows; exit !(sum > 0 && sum - of_tree <= rows && of_tree - sum <= rows) }' || fail "self does not add up"
	dwell report --csv shapes.dwell > /dev/null 2> report.err && dwell info shapes.dwell > /dev/null 2>> report.err ||
		fail "who shows no tree complains of one:" "$(cat report.err)"
}
test_that "a full tree" full_tree

# Three hundred threads that are all there at the end, and have filled a ring many times: --memory is kept, but for 64 KiB of a thread and a page or two.
many_rings()
{
	cat > many.c <<-'END'
	#include <pthread.h>
	#include <stdio.h>
	#include <string.h>
	enum { THREADS = 300 };
	static volatile unsigned sink;
	static pthread_barrier_t all;
	__attribute__((noinline)) void leaf(void) { sink++; }
	static void *run(void *none)
	{
		for (int i = 0; i < 100000; i++)
			leaf();
		pthread_barrier_wait(&all);
		pthread_barrier_wait(&all);
		return none;
	}
	int main(void)
	{
		pthread_t threads[THREADS];
		char line[256];
		FILE *file;
		pthread_barrier_init(&all, 0, THREADS + 1);
		for (int i = 0; i < THREADS; i++)
			if (pthread_create(&threads[i], 0, run, 0)) return 1;
		pthread_barrier_wait(&all);
		file = fopen("/proc/self/status", "r");
		while (file && fgets(line, sizeof line, file))
			if (!strncmp(line, "RssShmem:", 9)) fputs(line, stdout);
		pthread_barrier_wait(&all);
		return 0;
	}
	END
	gcc -O1 -finstrument-functions -fno-tree-ter -pthread many.c -o many
	RECORD_OPTIONS=--memory=4M record many ./many
	[ "$(cat many.status)" = 0 ] || fail "$(cat many.err)"
	between 1000 "$(sed 's/[^0-9]//g' many.out)" $((300 * 72 + 4096)) "KiB of rings"
	report_csv many
	[ "$(value many leaf calls)" = 30000000 ] || fail "$(value many leaf calls) calls"
}
test_that "many threads and little memory for their rings" many_rings

# cpu_ms COMMAND ...: milliseconds of CPU time that it takes, whatever its status
cpu_ms()
{
	local times
	times=$({ TIMEFORMAT='%U %S'; time "$@" > /dev/null 2>&1 || true; } 2>&1)
	awk '{ printf "%d\n", 1000 * ($1 + $2) }' <<< "$times"
}
# What there is no room for is found out once, not again for each of twelve million calls.
asked_once()
{
	local all limit
	all=$(cpu_ms "$DWELL" tree --csv shapes.dwell)
	for limit in 20000 21000 22000; do
		between 0 "$(cpu_ms bash -c "ulimit -v $limit; exec '$DWELL' tree --csv shapes.dwell")" $((2 * all)) "ms of tree in $limit KiB, with memory $all,"
	done
}
little()
{
	local command limit status said=0
	for limit in 20000 21000 22000 30000; do
		for command in "calls --csv" "slowest go" "tree --csv" "report"; do
			# shellcheck disable=SC2086
			(
				ulimit -v $limit
				exec timeout 60 "$DWELL" $command shapes.dwell
			) > little.out 2> little.err && status=0 || status=$?
			[ $status -lt 124 ] || fail "$command in $limit KiB: status $status" "$(cat little.err)"
			! grep -E 'second time|damaged|skipped|missing chunk|shapes.dwell: out of memory' little.err || fail "$command in $limit KiB blames the file"
			grep -q 'out of memory' little.err && said=$((said + 1))
		done
	done
	[ $said -gt 0 ] || fail "memory was never short"
}
if nm "$DWELL" 2> /dev/null | grep -q __asan_init; then
	skip "little memory" "the sanitizer takes all of it"
else
	test_that "little memory" little
	test_that "little memory takes little longer" asked_once
fi
done_testing
