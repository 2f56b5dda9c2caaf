#!/bin/bash
# Measures time: its samples are compared with shares that are known.
# A program that only works, beside two that take its processor for some microseconds, twenty thousand times a second: what the kernel and its
# timer need for that is none of its functions.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS="--sample --engine=perf"

if ! compile shares shares.c -g -DROUND_NS_MIN=40000 || ! compile switches switches.c; then
	echo "Bail out! no compiler"
	exit 1
fi
record probe dd if=/dev/zero of=/dev/null bs=1M count=500
if ! dwell info probe.dwell | grep -q '^kernel-names  *known' || [ "$(nproc)" = 1 ]; then
	skip "beside many switches" "the kernel is not seen, or there is one processor: $(head -1 probe.err)"
	done_testing
	exit 0
fi
first=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')

begin_switches()
{
	./switches > begun &
	comes begins begun
}

# Those of the kernel that a program which makes no system calls has reason to be in are few: its pages, its start and end.
shares_hold()
{
	begin_switches
	record beside taskset -c "$first" ./shares 15000
	[ "$(cat beside.status)" = 0 ] || fail "status" "$(cat beside.err)"
	dwell report beside.dwell | head -20
	dwell info beside.dwell | grep -Eq '^interrupted  *[0-9]+ samples, [0-9]+ ns$' || fail "nothing was left out"
	dwell report --csv beside.dwell > report.csv || true
	columns report.csv function self_percent | awk -F '\t' '$1 ~ /\[kernel\]$/ { sum += $2 } END { print "kernel", sum; exit !(sum < 3) }' ||
		fail "the kernel" "$(cat report.csv)"
	near 74 "$(share beside.dwell share_74 | cut -d " " -f 2)" "$(samples beside.dwell)" "share_74"
}

test_that "beside many switches" shares_hold
done_testing
