#!/bin/bash
# dwell record --both: a program is traced, then sampled, and the report has exact calls with the times of the samples.
. "$(dirname "$0")/../lib.sh"

compile workload workload.c || { echo "not ok 1 - no compiler"; echo 1..1; exit 1; }
"$DWELL" record --sample -o try.dwell ./workload shares 0.1 > /dev/null 2>&1
if [ "$("$DWELL" report --csv try.dwell 2> /dev/null | wc -l)" -lt 2 ]; then
	skip "both" "nothing is sampled here"
	done_testing
	exit 0
fi

# Two programs: with hooks, and as it is.
for_both_kinds() # COMMAND ...
{
	for program in ./workload ./plain; do
		"$@" $program
	done
}

# What the program counts by its own clock lies in the interval, or near it: it is another run.
is_exact_and_undisturbed() # PROGRAM
{
	"$DWELL" record --both -o both.dwell "$1" shares 1 > out 2> err || fail "exit status $?" "$(cat out err)"
	"$DWELL" report --csv both.dwell --times-from both.samples.dwell > both.csv || [ $? = 1 ]
	columns both.csv function calls self_percent self_low self_high self_per_call_ns > rows
	"$DWELL" report --csv both.dwell > trace.csv || [ $? = 1 ]
	columns trace.csv function calls | sort > traced
	cat rows
	for name in share_74 share_20 share_5 share_1 share_0_1; do
		grep -P "^$name\t" traced > row || fail "$name is not in the trace"
		grep -qP "^$(cat row)\t" rows || fail "other calls" "$(grep "^$name" rows)" "$(cat row)"
	done
	awk -F '\t' '{ from[$1] = $4; to[$1] = $5; at[$1] = NR }
		END { exit !(from["share_74"] < 76 && to["share_74"] > 72 && from["share_20"] < 21 && to["share_20"] > 19 && at["share_74"] < at["share_20"]) }' rows ||
		fail "shares"
	grep -q '^share_74$\|share_74' out || fail "the program's own output is missing"
	grep -q '^times:$' out || fail "no report"
	LD_LIBRARY_PATH=$BUILD PYTHONPATH=$ROOT/python PYTHONDONTWRITEBYTECODE=1 python3 -c '
import dwell
rows = list(dwell.open("both.dwell").times("both.samples.dwell", limit=1))
print(rows[0]["function"], rows[0]["calls"])' > python || fail "python"
	[ "$(cat python)" = "$(sed -n '1s/\t/ /p' rows | cut -f 1)" ] || fail "python" "$(cat python)"
}

# Small functions that are called often: tracing takes longer than they do.
small_functions() # PROGRAM
{
	"$DWELL" record --both -o small.dwell ./small 2> err > out || fail "exit status $?" "$(cat out err)"
	"$DWELL" report --csv small.dwell --times-from small.samples.dwell > small.csv || [ $? = 1 ]
	columns small.csv function calls self_percent self_per_call_ns > rows
	cat rows
	grep -qP '^tiny\t10000000\t' rows || fail "calls of tiny"
	awk -F '\t' '$1 == "tiny" { exit !($4 > 0 && $4 < 100) }' rows || fail "more than 100 ns for an addition"
}

reads_its_input_twice()
{
	seq 1000 > lines
	"$DWELL" record --both -o input.dwell ./reads < lines > out 2> err || fail "exit status $?" "$(cat err)"
	[ "$(grep -c '^1000 lines$' out)" = 2 ] || fail "input" "$(cat out)"
	! grep -q pipe err || fail "a file is no pipe" "$(cat err)"
	cat lines | "$DWELL" record --both -o input.dwell ./reads > out 2> err || fail "exit status $?" "$(cat err)"
	grep -q 'standard input is a pipe' err || fail "nothing about the pipe" "$(cat err)"
}

passes_the_status()
{
	local status=0
	"$DWELL" record --both -o status.dwell ./reads 3 < /dev/null > out 2> err || status=$?
	[ $status = 3 ] || fail "exit status $status, not 3" "$(cat err)"
	status=0
	"$DWELL" record --both -o nothing.dwell ./not-there > out 2> err || status=$?
	[ $status = 2 ] || fail "exit status $status, not 2" "$(cat err)"
	[ "$(grep -c not-there err)" = 1 ] || fail "said twice" "$(cat err)"
	[ ! -e nothing.samples.dwell ] || fail "sampled all the same"
}

# Ctrl-C ends it: no second run begins.
ends_when_killed()
{
	local status=0
	timeout -s INT 2 "$DWELL" record --both -o killed.dwell sleep 60 > out 2> err || status=$?
	[ $status = 124 ] && [ ! -e killed.samples.dwell ] || fail "status $status" "$(cat err)"
}

HOOKS=-fno-instrument-functions compile plain workload.c
cat > small.c << 'END'
static volatile int sum;
__attribute__((noinline)) void tiny(int i) { sum += i; }
__attribute__((noinline)) void loop(void) { for (int i = 0; i < 10000000; i++) tiny(i); }
int main(void) { loop(); return 0; }
END
cat > reads.c << 'END'
#include <stdio.h>
#include <stdlib.h>
static int count_lines(void) { int n = 0, c; while ((c = getchar()) != EOF) n += c == '\n'; return n; }
static volatile unsigned work;
int main(int argc, char **argv)
{
	for (unsigned i = 0; i < 20000000; i++) work += i;
	printf("%d lines\n", count_lines());
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
gcc -O1 small.c -o small
gcc -O1 reads.c -o reads
test_that "calls are those of the trace, times those of the samples" for_both_kinds is_exact_and_undisturbed
if "$DWELL" record --trace -o try.dwell ./small > /dev/null 2>&1; then
	test_that "functions that are shorter than recording a call" small_functions
	test_that "both runs read the same input" reads_its_input_twice
	test_that "exit status" passes_the_status
	test_that "killed, there is no second run" ends_when_killed
else
	skip "programs as they are" "not patched on this machine"
fi
done_testing
