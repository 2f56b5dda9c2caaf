#!/bin/bash
# Measures time: what is left when that cost is taken out, compared with the program alone.
# Whether the report of a trace names the functions that are hot without recording: functions of known shares, from a few instructions a call,
# of which nearly all is the recorder's, to some that it does nothing to. What is compared are shares and their order, in one run.
. "$(dirname "$0")/../lib.sh"

# truth FUNCTION: its share without hooks, by the program; share FUNCTION COLUMN: by the report, of what is in functions: half of the run, in
# which the program finds out the truth, is outside of them.
truth() { awk -v name="$1" '$1 == name { print $3 }' shares.out; }
share()
{
	columns shares.csv function self_percent "$2" | awk -F '\t' -v name="$1" '{ all += $2 } $1 == name { found = $3 } END { print 100 * found / all }'
}
# holds CONDITION TEXT: of awk.
holds() { awk "BEGIN { exit !($1) }" || fail "$2: $1" "$(cat shares.out)" "$(columns shares.csv function calls self_percent self_low self_high)"; }

take()
{
	record shares "./shares-$1" 20
	exits shares 0
	whole shares
	report_csv shares
}

# By its share, and by the interval of it, which is that of a machine that others use: four points. Where others use the machine's caches, a
# recorded call costs more than was measured: then a share may be farther from the truth than six points, if the interval says so.
is_near()
{
	holds "($2 < 6 && $2 > -6) || $3" "$1"
}
near()
{
	local name low high
	for name in brief middle longer rare; do
		low=$(share $name self_low) high=$(share $name self_high)
		is_near "share of $name" "($(share $name self_percent) - $(truth $name))" "($low <= $(truth $name) && $(truth $name) <= $high)" || return
		holds "$low - 4 <= $(truth $name) && $(truth $name) <= $high + 4" "interval of $name" || return
		holds "$high - $low < 20" "width of the interval of $name" || return
	done
	# A third of what was recorded is of these two.
	holds "$(share tight self_percent) + $(share run_tight self_percent) <= $(truth tight) + 6 ||
		$(share tight self_low) + $(share run_tight self_low) - 4 <= $(truth tight)" "share of tight and run_tight" || return
	holds "$(share tight self_low) <= $(truth tight) && $(truth tight) <= $(share tight self_high)" "interval of tight"
}

ranked()
{
	local order
	order=$(columns shares.csv function self_percent | head -3 | cut -f1 | tr '\n' ' ')
	[ "$order" = "longer rare middle " ] || fail "the first rows are $order:" "$(cat shares.csv)"
}

for kind in hooks sites; do
	[ $kind = hooks ] && flags="-finstrument-functions -fno-tree-ter" || flags=$("$DWELL" cflags)
	gcc -O2 -g -fno-optimize-sibling-calls $flags "$ROOT/bench/truth/shares.c" -o shares-$kind || exit 2
	shares()
	{
		local try
		# The truth is of other calls of the same run, and a machine that others use need not be as fast in both.
		for try in 1 2 3; do
			take $kind
			(near && ranked) && return
		done
		fail "three times"
	}
	test_that "$kind: shares are those without recording, and so is their order" shares
done
done_testing
