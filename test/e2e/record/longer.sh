#!/bin/bash
# record --longer: calls that are too short are in no event, and counted all the same: what programs count themselves is what the report
# has, the accounting holds, and the file is smaller. Through jumps, exceptions, coroutines, storms of signals, forks and threads.
# Takes long, each way to leave a call is recorded.
. "$(dirname "$0")/../lib.sh"

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf -fno-ipa-cp -fno-ipa-sra"
sites=$("$DWELL" cflags)

# agrees LIMIT SOURCE [ARGUMENTS]
agrees()
{
	local name=$kind-${2%.*}
	RECORD_OPTIONS="--longer $1"
	compile "$name" "$2" -ldl
	record "$name" "./$name" "${@:3}"
	RECORD_OPTIONS=
	exits "$name" 0
	counts_agree "$name" "${also:-^$}"
	whole "$name"
	"$DWELL" report "$name.dwell" | grep -q 'are counted, not listed: ' || fail "it is not said that calls are not listed"
}

# A program of short calls: next to none of them is in the file, all are in the report, with their histogram; who lists calls is told.
mostly_short()
{
	compile "$kind-short" threads.c
	record "$kind-all" "./$kind-short"
	RECORD_OPTIONS="--longer 10ms" record "$kind-some" "./$kind-short"
	exits "$kind-some" 0
	counts_agree "$kind-some"
	whole "$kind-some"
	local all some name
	all=$("$DWELL" info --json "$kind-all.dwell" | sed -n 's/^ *"events": \([0-9]*\).*/\1/p' | head -1)
	some=$("$DWELL" info --json "$kind-some.dwell" | sed -n 's/^ *"events": \([0-9]*\).*/\1/p' | head -1)
	[ "$all" -gt $((20 * some)) ] || fail "$some events of $all are listed"
	"$DWELL" calls "$kind-some.dwell" > some.calls 2> some.err || fail "$(cat some.err)"
	grep -q 'counted, not listed' some.err || fail "calls does not say so:" "$(cat some.err)"
	# The format with single calls, too.
	"$DWELL" export --to perfetto -o some.perfetto "$kind-some.dwell" 2> some.err || fail "perfetto: $(cat some.err)"
	grep -q 'counted, not listed' some.err || fail "perfetto does not say so:" "$(cat some.err)"
	for name in some all; do
		"$DWELL" histogram --csv leaf "$kind-$name.dwell" > "$name.histogram"
		columns "$name.histogram" calls | awk '{ n += $1 } END { print n }' > "$name.sum"
	done
	cmp some.sum all.sum || fail "calls in the histogram: $(cat some.sum), without --longer $(cat all.sum)"
}

for kind in hooks sites; do
	[ $kind = hooks ] && HOOKS="-g $as_written -finstrument-functions -fno-tree-ter" || HOOKS="-g $as_written $sites"
	test_that "$kind: threads" agrees 50us threads.c
	test_that "$kind: recursion" agrees 20us recursion.c
	test_that "$kind: longjmp" agrees 20us jump.c longjmp 300
	test_that "$kind: exceptions" agrees 20us throw.cc 100
	test_that "$kind: coroutines" agrees 20us coroutines.c contexts 3
	test_that "$kind: a storm of signals" agrees 20us storm.c 200
	test_that "$kind: libraries at the same address" opens_agree "$kind-opens" "--longer 10ms"
	test_that "$kind: fork" agrees 20us forks.c fork
	test_that "$kind: calls that are nearly all short" mostly_short
done
done_testing
