#!/bin/bash
# Reports against the generator's own count: calls, total and self of each function, from report, calls (in both orders) and tree.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
dwell=$BUILD/dwell tracegen=$BUILD/tracegen
[ -x "$dwell" ] && [ -x "$tracegen" ] || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-truth.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cp "$dwell" program # its functions are the trace's: the same name twice would be two rows of one name
failed=0

# agrees WHAT: standard input is function,calls,total,self
agrees()
{
	LC_ALL=C sort > got
	if ! cmp -s got want; then
		echo "$1 of tracegen $options differs from the truth:"
		diff got want | head -5
		failed=1
	fi
}

# Sums of single calls; of nested calls of one function on a thread the outermost counts in total.
add_calls()
{
	awk -F, 'NR > 1 { calls[$3]++; self[$3] += $6 } END { for (f in calls) printf "%s,%d,%d\n", f, calls[f], self[f] }'
}

for options in "--seed 1 --events 3000 --threads 1" "--seed 2 --events 200000 --threads 3" "--seed 3 --events 50000 --depth 300 --functions 7"; do
	# shellcheck disable=SC2086
	"$tracegen" -o t.dwell --program program --truth truth $options || exit 2
	sed 1d truth | LC_ALL=C sort > want
	"$dwell" report --csv t.dwell | sed 1d | cut -d, -f1-4 | agrees report
	"$dwell" report --csv - < t.dwell | sed 1d | cut -d, -f1-4 | agrees "report of a pipe"
	cut -d, -f1,2,4 want > calls-want && mv want all-want && mv calls-want want
	"$dwell" calls --csv t.dwell > entry
	"$dwell" calls --csv --order=exit - < t.dwell > exit-order
	add_calls < entry | agrees calls
	add_calls < exit-order | agrees "calls by exit"
	"$dwell" tree --csv t.dwell | awk -F, 'NR > 1 { calls[$2] += $3; self[$2] += $5 }
		END { for (f in calls) printf "%s,%d,%d\n", f, calls[f], self[f] }' | agrees tree
	sed 1d entry | LC_ALL=C sort -s -c -t, -k4,4n || { echo "calls of tracegen $options are not in order"; failed=1; }
	[ "$(LC_ALL=C sort entry | cksum)" = "$(LC_ALL=C sort exit-order | cksum)" ] || { echo "the two orders of $options differ"; failed=1; }
	[ "$("$dwell" report --folded t.dwell | awk '{ sum += $NF } END { printf "%d", sum }')" = \
		"$(awk -F, 'NR > 1 { sum += $4 } END { printf "%d", sum }' truth)" ] || { echo "folded stacks of $options do not add up"; failed=1; }
done
exit $failed
