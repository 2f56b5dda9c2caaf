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

# What the report says of each share is an interval. Where others use the machine's caches a recorded call costs more than was measured, and
# the interval is wider; so wide that it says nothing it never is. Four points are of the truth, which is measured on the same machine.
near()
{
	local name
	for name in brief middle longer rare; do
		holds "$(share $name self_low) - 4 <= $(truth $name) && $(truth $name) <= $(share $name self_high) + 4" "interval of $name" || return
		holds "$(share $name self_high) - $(share $name self_low) < 20" "width of the interval of $name" || return
	done
	# A third of what was recorded is of these two.
	holds "$(share tight self_low) + $(share run_tight self_low) <= $(truth tight) + 4" "least of tight and run_tight" || return
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
