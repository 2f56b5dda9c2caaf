#!/bin/bash
# Generated traces, whose generator counts for itself: every way of reading one must give the same numbers.
. "$(dirname "$0")/lib.sh"
export PATH=$BUILD:$PATH

# told_the_truth NAME OPTIONS OF TRACEGEN
told_the_truth()
{
	local name=$1
	shift
	tracegen --program "$DWELL" "$@" --truth truth -o "$name.dwell"
	LC_ALL=C sort truth > truth.sorted
	[ "$(wc -l < truth)" -gt 3 ] || fail "tracegen counted nothing"
	dwell report --csv "$name.dwell" | cut -d, -f1-4 | LC_ALL=C sort | diff truth.sorted - || fail "report (< generated, > reported)"
	# once through, without going back
	cat "$name.dwell" | dwell report --csv - | cut -d, -f1-4 | LC_ALL=C sort | diff truth.sorted - || fail "report from a pipe"
	# from single calls, in both orders
	for order in entry exit; do
		dwell calls --csv --order=$order "$name.dwell" > calls
		columns calls function self_ns | awk -F '\t' '{ calls[$1]++; self[$1] += $2 } END { for (f in calls) printf "%s,%d,%.0f\n", f, calls[f], self[f] }' |
			LC_ALL=C sort > got
		grep -v '^function,' truth | cut -d, -f1,2,4 | LC_ALL=C sort | diff - got || fail "calls --order=$order (< generated, > listed)"
	done
	# along the paths
	dwell tree --csv "$name.dwell" > tree
	columns tree function calls self_ns | awk -F '\t' '{ calls[$1] += $2; self[$1] += $3 } END { for (f in calls) printf "%s,%d,%.0f\n", f, calls[f], self[f] }' |
		LC_ALL=C sort | diff <(grep -v '^function,' truth | cut -d, -f1,2,4 | LC_ALL=C sort) - || fail "tree (< generated, > reported)"
	dwell report --folded "$name.dwell" | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); self[$0] += n } END { for (f in self) printf "%s,%.0f\n", f, self[f] }' |
		LC_ALL=C sort | diff <(grep -v '^function,' truth | cut -d, -f1,4 | LC_ALL=C sort) - || fail "folded (< generated, > reported)"
	whole "$name"
}

# What README promises, by sorting the durations of all calls of each function.
percentiles()
{
	dwell calls --csv "$1.dwell" > calls
	dwell report --csv "$1.dwell" > report
	columns calls function total_ns | LC_ALL=C sort -t "$(printf '\t')" -k1,1 -k2,2n | awk -F '\t' '
		function rank(percent,    least) { least = percent * n / 100; return v[least == int(least) ? least : int(least) + 1] }
		function put() { if (n) printf "%s\t%d\t%d\n", name, rank(50), rank(99) }
		$1 != name { put(); name = $1; n = 0 }
		{ v[++n] = $2 }
		END { put() }' > exact
	columns report function p50_ns p99_ns | LC_ALL=C sort -t "$(printf '\t')" -k1,1 | paste exact - | awk -F '\t' '
		function far(exact, said) { return said < exact * .97 - 1 || said > exact * 1.03 + 1 }
		$1 != $4 || far($2, $5) || far($3, $6) { print; bad = 1 }
		END { exit bad || NR < 3 }' || fail "more than 3 % off (function, exact p50 and p99, reported ones)"
}
entry_order()
{
	dwell calls --csv one.dwell > calls
	columns calls enter_ns | sort -c -n || fail "not in order of entry"
}

test_that "one thread" told_the_truth one --threads 1 --events 50000 --seed 1
test_that "in order of entry" entry_order
test_that "two threads, few functions" told_the_truth two --threads 2 --functions 7 --events 50000 --seed 2
test_that "many threads" told_the_truth many --threads 40 --functions 60 --events 100000 --seed 3
test_that "deep" told_the_truth deep --threads 2 --functions 9 --depth 60 --events 60000 --seed 4
test_that "percentiles" percentiles deep
test_that "percentiles of few and of many calls" percentiles many
test_that "a million events" told_the_truth million --threads 3 --functions 20 --depth 5 --events 1000000 --seed 5
done_testing
