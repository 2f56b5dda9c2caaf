#!/bin/bash
# Generated traces, whose generator counts for itself: every way of reading one must give the same numbers.
# Takes long, hundreds of generated programs.
. "$(dirname "$0")/../lib.sh"
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
# Callers, callees and distributions, against what the list of single calls says.
questions()
{
	dwell calls --csv "$1.dwell" > calls
	columns calls thread depth function total_ns self_ns | awk -F '\t' '
		# where: callers of $3; or its caller as the one whose callee it is
		function put(kind, of, row, total, self,    key, i, nested) {
			key = kind "\t" of "\t" row
			n[key]++; s[key] += self
			for (i = 0; i < $2; i++)
				nested += stack[$1, i] == $3 && (i ? stack[$1, i - 1] : "(outermost)") == ($2 ? stack[$1, $2 - 1] : "(outermost)")
			if (!nested) t[key] += total
		}
		{
			stack[$1, $2] = $3
			caller = $2 ? stack[$1, $2 - 1] : "(outermost)"
			put("callers", $3, caller, $4, $5)
			if ($2) put("callees", caller, $3, $4, $5)
		}
		END { for (key in n) printf "%s\t%d\t%.0f\t%.0f\n", key, n[key], t[key], s[key] }' | LC_ALL=C sort > wanted
	dwell report --csv "$1.dwell" > report
	columns report function | while read -r name; do
		for side in callers callees; do
			dwell $side --csv "$name" "$1.dwell" > rows
			columns rows function calls total_ns self_ns | awk -F '\t' -v side=$side -v name="$name" '$1 != "(itself)" {
				printf "%s\t%s\t%s\t%d\t%.0f\t%.0f\n", side, name, $1, $2, $3, $4 }'
		done
		dwell histogram --csv "$name" "$1.dwell" > rows
		columns rows from_ns to_ns calls > ranges
		columns calls function total_ns | awk -F '\t' -v name="$name" '
			NR == FNR { from[NR] = $1; to[NR] = $2; want[NR] = $3; rows = NR; next }
			$1 == name { all++; for (i = 1; i <= rows; i++) if ($2 >= from[i] && $2 < to[i]) got[i]++ }
			END { for (i = 1; i <= rows; i++) { sum += got[i]; if (got[i] + 0 != want[i]) bad = 1 } exit bad || sum != all || !all }' ranges - ||
			echo "histogram of $name"
	done | LC_ALL=C sort > got
	diff wanted got || fail "callers and callees (< from single calls, > reported)"
}

# Parts of a trace, of which few chunks are read, and what else chooses calls: as if chosen from the list of all.
parts()
{
	dwell calls --csv "$1.dwell" > calls
	columns calls enter_ns total_ns depth function | paste - <(tail -n +2 calls) > rows
	last=$(columns calls enter_ns | tail -1)
	for from in 0 $((last / 97)) $((last / 3)) $((last / 3 + 1)) $((last * 2 / 3)) $((last * 999 / 1000)) $last; do
		for width in 0 1 $((last / 1000)) $((last / 5)) $last; do
			dwell calls --csv --from ${from}ns --to $((from + width))ns "$1.dwell" > part 2> part.err || [ $? = 1 ]
			{ head -1 calls; awk -F '\t' -v from=$from -v to=$((from + width)) '$1 > to { exit } $1 + $2 >= from { print $5 }' rows; } |
				cmp - part || fail "from $from, $width long"
		done
	done
	name=$(columns calls function | sort | uniq -c | sort -n | awk 'NR == 2 { $1 = ""; print substr($0, 2) }')
	dwell calls --csv --function "$name" --longer 200ns --depth 4 "$1.dwell" > part
	{ head -1 calls; awk -F '\t' -v name="$name" '$3 < 4 && $4 == name && $2 >= 200 { print $5 }' rows; } | cmp - part || fail "chosen by function, duration and depth"
	[ "$(wc -l < part)" -gt 1 ] || fail "nothing was chosen"
}

# Where the CPU time is known, a part knows it of those calls alone that it has all of; and then it is the same.
parts_on_cpu()
{
	dwell calls --csv "$1.dwell" > calls
	columns calls thread depth function enter_ns total_ns self_ns total_cpu_ns self_cpu_ns > all
	last=$(columns calls enter_ns | tail -1)
	for from in 0 $((last / 3)) $((last * 2 / 3)); do
		dwell calls --csv --from ${from}ns --to $((from + last / 9))ns "$1.dwell" > part
		columns part thread depth function enter_ns total_ns self_ns total_cpu_ns self_cpu_ns | awk -F '\t' -v OFS='\t' '
			NR == FNR { key = $1 OFS $2 OFS $3 OFS $4; cpu[key] = $5 OFS $6 OFS $7 OFS $8; times[key] = $5 OFS $6; next }
			{ key = $1 OFS $2 OFS $3 OFS $4 }
			$7 != "" && cpu[key] != $5 OFS $6 OFS $7 OFS $8 { print "of a part:", $0, "of all:", cpu[key]; bad = 1 }
			$7 != "" { known++ }
			$7 == "" && times[key] != $5 OFS $6 { print "of a part:", $0; bad = 1 }
			END { exit bad || known < FNR / 2 }' all - || fail "from $from"
	done
	name=$(columns calls function | head -1)
	dwell slowest --csv -n 4 "$name" "$1.dwell" > rows
	columns rows thread depth enter_ns total_ns total_cpu_ns | awk -F '\t' '$2 == 0 { print $1, $3, $4, $5 }' | LC_ALL=C sort > got
	columns calls thread function enter_ns total_ns total_cpu_ns | awk -F '\t' -v name="$name" '$2 == name { print $1, $3, $4, $5 }' |
		LC_ALL=C sort > want
	[ "$(LC_ALL=C comm -12 got want | wc -l)" = "$(wc -l < got)" ] || fail "the slowest calls' CPU times:" "$(cat got)"
}

# The slowest calls are those of the list of all, and their trees add up: to what the list has below them, path by path.
slowest()
{
	dwell calls --csv "$1.dwell" > calls
	dwell report --csv "$1.dwell" > report
	columns report function | while read -r name; do
		dwell slowest --csv -n 7 --min 0 "$name" "$1.dwell" > rows
		columns rows rank depth total_ns | awk -F '\t' '$2 == 0 { print $3 }' > got
		columns calls function total_ns | awk -F '\t' -v name="$name" '$1 == name { print $2 }' | LC_ALL=C sort -rn | head -7 |
			diff - got || fail "the slowest of $name (< from single calls, > reported)"
		columns rows rank total_ns self_ns | awk -F '\t' '$1 != rank { rank = $1; total[rank] = $2 } { self[rank] += $3 }
			END { for (rank in total) if (self[rank] != total[rank]) exit 1; exit !rank }' || fail "self times of $name do not add up"
		columns rows rank thread enter_ns depth function calls total_ns > rows.tab
		columns calls thread enter_ns depth function total_ns | awk -F '\t' -v name="$name" '
			NR == FNR { if ($4 == 0 && $1 == 1) { thread = $2; enter = $3; total = $7 } next }
			$1 != thread { next }
			inside && $3 <= base { inside = 0; over = 1 }
			!inside && !over && $2 == enter && $4 == name && $5 == total { inside = 1; base = $3 }
			inside { path[$3] = $3 > base ? path[$3 - 1] ";" $4 : $4; n[path[$3]]++; t[path[$3]] += $5 }
			END { for (p in n) printf "%s %d %.0f\n", p, n[p], t[p] }' rows.tab - | LC_ALL=C sort > want
		awk -F '\t' '$1 == 1 { path[$4] = $4 ? path[$4 - 1] ";" $5 : $5; printf "%s %d %.0f\n", path[$4], $6, $7 }' rows.tab |
			LC_ALL=C sort | diff want - || fail "the tree of the slowest $name (< from single calls, > reported)"
	done
}

# The same of the time off the CPU.
told_the_truth_of_cpu()
{
	local name=$1 jobs
	shift
	tracegen --program "$DWELL" "$@" --truth truth -o "$name.dwell"
	tail -n +2 truth | LC_ALL=C sort | tr , '\t' > truth.sorted
	[ "$(awk -F '\t' '$5 && $6' truth.sorted | wc -l)" -gt 3 ] || fail "tracegen was never off the CPU"
	for jobs in 1 2 3; do
		dwell report --csv --jobs $jobs "$name.dwell" > report
		columns report function calls total_ns self_ns total_off_ns self_off_ns | LC_ALL=C sort | diff truth.sorted - ||
			fail "report --jobs $jobs (< generated, > reported)"
		columns report total_ns total_cpu_ns total_off_ns self_ns self_cpu_ns self_off_ns self_preempted_ns |
			awk -F '\t' '$1 != $2 + $3 || $4 != $5 + $6 || $7 > $6 { print; bad = 1 } END { exit bad }' || fail "cpu + off"
		dwell tree --csv --jobs $jobs "$name.dwell" > tree.$jobs
		cmp tree.1 tree.$jobs || fail "tree --jobs $jobs"
	done
	cat "$name.dwell" | dwell report --csv - | cmp report - || fail "report from a pipe"
	for order in entry exit; do
		dwell calls --csv --order=$order "$name.dwell" > calls
		columns calls function self_off_ns | awk -F '\t' '{ self[$1] += $2 } END { for (f in self) printf "%s\t%.0f\n", f, self[f] }' |
			LC_ALL=C sort | diff <(cut -f1,6 truth.sorted) - || fail "calls --order=$order (< generated, > listed)"
	done
	# total off of calls: a caller's holds those of its callees
	columns calls thread depth total_off_ns self_off_ns | awk -F '\t' '{ of = $1; d = $2; if ($3 - $4 != sum[of, d + 1] + 0) { print; bad = 1 }
		sum[of, d + 1] = 0; sum[of, d] += $3 } END { exit bad }' || fail "total off of calls is not self off and that of their calls"
	columns tree.1 function self_ns self_cpu_ns | awk -F '\t' '{ self[$1] += $2 - $3 } END { for (f in self) printf "%s\t%.0f\n", f, self[f] }' |
		LC_ALL=C sort | diff <(cut -f1,6 truth.sorted) - || fail "tree (< generated, > reported)"
	dwell info --json "$name.dwell" | grep -q '"cpu_balanced": false' && fail "the second equation does not hold"
	dwell info "$name.dwell" | grep -q 'all is well' || fail "all is not well"
}

entry_order()
{
	dwell calls --csv one.dwell > calls
	columns calls enter_ns | sort -c -n || fail "not in order of entry"
}

test_that "one thread" told_the_truth one --threads 1 --events 50000 --seed 1
test_that "in order of entry" entry_order
test_that "two threads, few functions" told_the_truth two --threads 2 --functions 7 --events 50000 --seed 2
test_that "callers, callees, histograms" questions two
test_that "slowest" slowest two
test_that "many threads" told_the_truth many --threads 40 --functions 60 --events 100000 --seed 3
test_that "deep" told_the_truth deep --threads 2 --functions 9 --depth 60 --events 60000 --seed 4
test_that "two threads, few functions, packed" told_the_truth two-packed --threads 2 --functions 7 --events 50000 --seed 2 --pack
test_that "many threads, packed" told_the_truth many-packed --threads 40 --functions 60 --events 100000 --seed 3 --pack
test_that "deep, packed" told_the_truth deep-packed --threads 2 --functions 9 --depth 60 --events 60000 --seed 4 --pack
test_that "many functions, packed" told_the_truth wide-packed --threads 1 --functions 400 --depth 3 --events 100000 --seed 6 --pack
tracegen --program "$DWELL" --threads 3 --functions 30 --depth 60 --events 600000 --seed 6 --pack -o long.dwell
test_that "parts of a trace" parts long
tracegen --program "$DWELL" --threads 2 --functions 5 --depth 9 --events 400000 --seed 9 --pack -o chunks.dwell
test_that "slowest, across chunks" slowest chunks
test_that "percentiles" percentiles deep
test_that "callers, callees, histograms of deep recursion" questions deep
test_that "percentiles of few and of many calls" percentiles many
test_that "off the CPU now and then" told_the_truth_of_cpu off --threads 2 --functions 12 --depth 6 --events 200000 --seed 7 --switches 100
test_that "off the CPU all the time" told_the_truth_of_cpu often --threads 1 --functions 40 --depth 4 --events 400000 --seed 8 --switches 1 --pack
test_that "off the CPU, many threads" told_the_truth_of_cpu offs --threads 30 --functions 40 --depth 5 --events 300000 --seed 9 --switches 7
test_that "parts, on the CPU" parts_on_cpu off
test_that "a million events" told_the_truth million --threads 3 --functions 20 --depth 5 --events 1000000 --seed 5
done_testing
