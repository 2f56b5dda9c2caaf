#!/bin/bash
# One recording through every view of sums: the same times, without what recording cost, or with it in all of them.
. "$(dirname "$0")/../lib.sh"

cat > views.c << 'C'
#include <pthread.h>

static volatile unsigned sum;
#define NO_INLINE __attribute__((noinline))

NO_INLINE void leaf(unsigned n) { sum += n; }
NO_INLINE void middle(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		leaf(i);
}
NO_INLINE void deep(unsigned n)
{
	if (n) {
		deep(n - 1);
		middle(3);
	}
}
NO_INLINE static void *thread(void *n)
{
	for (int i = 0; i < 2000; i++)
		deep(*(unsigned *)n);
	return 0;
}
int main(void)
{
	unsigned few = 5, many = 9;
	pthread_t other;

	pthread_create(&other, 0, thread, &many);
	thread(&few);
	pthread_join(other, 0);
	return 0;
}
C
gcc -O2 -g -fno-optimize-sibling-calls -finstrument-functions -fno-tree-ter views.c -o views -pthread || exit 2
record views ./views
whole views

# near TOLERANCE FILE FILE: lines of a name and a number each, the same but for so much.
near()
{
	join -t "$(printf '\t')" -a 1 -a 2 -e missing -o 0,1.2,2.2 "$2" "$3" | awk -F '\t' -v far="$1" '
		$2 == "missing" || $3 == "missing" || $2 - $3 > far || $3 - $2 > far { print; bad = 1 } END { exit bad || !NR }' ||
		fail "($2, $3: no more than $1 ns apart)"
}
sorted() { LC_ALL=C sort -t "$(printf '\t')" -k1,1; }

# Functions, paths, callees and exports of sums; [--raw].
agrees()
{
	dwell report --csv "$@" views.dwell > report.csv
	columns report.csv function self_ns | sorted > report.self
	columns report.csv function total_ns | sorted > report.total
	[ "$(wc -l < report.self)" -ge 5 ] || fail "$(cat report.csv)"
	dwell report --json "$@" views.dwell | tr '{' '\n' | sed -n 's/.*"function": "\([^"]*\)".*"self_ns": \([0-9]*\).*/\1\t\2/p' | grep -v "^(outside)" | sorted > json.self
	near 0 report.self json.self
	# Each path is rounded for itself.
	dwell tree --csv "$@" views.dwell > tree.csv
	columns tree.csv function self_ns | awk -F '\t' '{ n[$1] += $2 } END { for (f in n) print f "\t" n[f] }' | sorted > tree.self
	near 100 report.self tree.self
	dwell report --folded "$@" views.dwell | awk '{ n = $NF; sub(/ [0-9]*$/, ""); sub(/.*;/, ""); s[$0] += n } END { for (f in s) print f "\t" s[f] }' |
		sorted > folded.self
	near 0 report.self folded.self
	# What is below main is its total, but for what it waited for nobody.
	columns tree.csv depth function total_ns | awk -F '\t' '$1 == 0 && $2 == "main" { print "main\t" $3 }' > tree.main
	grep '^main' report.total > report.main
	# A report knows how many calls were below main, and takes for each what one costs on average; the tree knows whose they were. So these
	# two may differ by how far the total may be off.
	near "$(columns report.csv function total_error_ns | awk -F '\t' '$1 == "main" { print 1 + $2 }')" report.main tree.main
	# Who calls leaf: all of it together is leaf's own.
	dwell callers --csv "$@" leaf views.dwell > callers.csv
	columns callers.csv self_ns | awk '{ n += $1 } END { print "leaf\t" n }' > callers.leaf
	grep '^leaf' report.self > report.leaf
	near 10 report.leaf callers.leaf
	dwell callees --csv "$@" middle views.dwell > callees.csv
	columns callees.csv function self_ns | awk -F '\t' '$1 == "(itself)" { print "middle\t" $2 }' > callees.middle
	grep '^middle' report.self > report.middle
	near 1 report.middle callees.middle
	dwell export --to callgrind "$@" -o "$PWD/callgrind.out" views.dwell
	callgrind_annotate --threshold=100 --show-percs=no --auto=no --include=/nowhere callgrind.out |
		sed -nE 's/^ *([0-9,]+)[0-9, ]* \?\?\?:([^ ]+) .*$/\2\t\1/p' | tr -d , | sorted > back.self
	near 0 report.self back.self
	# A profile of pprof is read by its last value: time on the CPU, where that is known.
	dwell export --to pprof "$@" -o "$PWD/views.pprof" views.dwell
	dwell report --csv views.pprof > back.csv
	columns back.csv function self | sorted > back.self
	columns report.csv function self_cpu_ns self_ns | awk -F '\t' '{ print $1 "\t" ($2 == "" ? $3 : $2) }' | sorted > report.cpu
	near 100 report.cpu back.self
}
net()
{
	agrees
	dwell report views.dwell > text
	grep -q '^self .* + recording .* + lost .* + outside .* = elapsed' text || fail "$(cat text)"
}
raw()
{
	agrees --raw
	# What recording is said to be is what held the threads up, which is known, and nothing else.
	dwell report --raw views.dwell > text
	[ "$(sed -n 's/^self .* + recording \(.*\) + lost .*/\1/p' text)" = "$(sed -n 's/^on CPU .* + held up by recording \(.*\) = elapsed.*/\1/p' text)" ] ||
		fail "$(cat text)"
}

# For each thread, and threads and functions together: nanoseconds, each rounded for itself.
adds_up()
{
	dwell info --json views.dwell > info.json
	dwell report --csv views.dwell > report.csv
	tr -d ' \n' < info.json | sed 's/.*"threads":\[//; s/\].*//' | tr '{' '\n' | sed -n 's/"//g; /self_ns/p' | awk -F '[,:]' '
		{
			for (i = 1; i < NF; i++)
				v[$i] = $(i + 1)
			far = v["self_ns"] + v["recording_ns"] + v["lost_ns"] + v["outside_ns"] - v["elapsed_ns"]
			if (far > 4 || far < -4 || v["recording_ns"] <= 0)
				bad = 1
			self += v["self_ns"]
			print
		}
		END { print self > "threads.self"; exit bad || NR < 2 }' || fail "$(cat info.json)"
	columns report.csv self_ns | awk '{ n += $1 } END { print n }' > functions.self
	awk 'NR == FNR { n = $1; next } { exit n - $1 > 20 || $1 - n > 20 }' threads.self functions.self || fail "$(cat threads.self functions.self)"
	# No row contradicts another one: a caller has what it calls, as long as that calls itself no other way.
	dwell tree --csv views.dwell > tree.csv
	columns tree.csv depth total_ns self_ns | awk -F '\t' '{
			for (; depth > $1; depth--)
				if (below[depth] > total[depth - 1] - self[depth - 1] + 20)
					bad = 1
			if ($1 > depth)
				below[$1] = 0
			depth = $1; total[$1] = $2; self[$1] = $3; below[$1] += $2
		} END { exit bad }' || fail "$(cat tree.csv)"
	# Of one thread it is the same as in all.
	dwell report --csv --thread views views.dwell > one.csv
	[ "$(columns one.csv function calls | wc -l)" -gt 3 ] || fail "$(cat one.csv)"
}

test_that "functions, paths, callers, callees and exports: net" net
test_that "the same as recorded" raw
test_that "self + recording + lost + outside = elapsed, and no row contradicts another" adds_up
done_testing
