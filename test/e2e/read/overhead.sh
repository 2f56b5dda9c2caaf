#!/bin/bash
# Measures time: what recording costs, twice, by different ways.
# What recording cost is measured and taken out of a report: a function of known duration, called in a loop, beside the same without hooks.
. "$(dirname "$0")/../lib.sh"

# truth KIND TURNS CALLS: records it. Sets $truth, nanoseconds of all calls.
truth()
{
	record "$1" "./truth-$1" "$2" "$3"
	exits "$1" 0
	whole "$1"
	report_csv "$1"
	truth=$(sed -n 's/^truth [0-9]* //p' "$1.out")
	[ "$truth" ] || fail "$(cat "$1.out")"
}
# cpu KIND [recorded]: of the loop, on the CPU; as it was recorded.
cpu()
{
	echo $(($(value "$1" loop total_ns) - $(value "$1" loop total_off_ns) + ${2:+$(value "$1" loop total_recording_ns)}+0))
}
# How far that may be off covers the truth where most is the recorder's, which what was recorded is far from.
tiny()
{
	local error unsure try
	# The truth is of another loop of the same run, and a machine that others use need not be as fast in both.
	for try in 1 2 3; do
		truth "$1" 30 400000
		error=$(($(value "$1" loop total_error_ns) * 2))
		(between $((truth * 9 / 10 - error)) "$(cpu "$1")" $((truth * 11 / 10 + error)) "what is left of it, +- $error,") && break
		[ $try != 3 ] || fail "three times"
	done
	between $((truth * 14 / 10)) "$(cpu "$1" recorded)" $((truth * 20)) "what was recorded"
	"$DWELL" report "$1.dwell" > "$1.text"
	grep -q '^Recording cost [0-9]* ns to [0-9]* ns in each call and [0-9]* ns to [0-9]* ns in its caller' "$1.text" || fail "$(cat "$1.text")"
	# Where the recorder costs little, no time may be off by more than half.
	unsure=$(columns "$1.csv" total_error_ns total_cpu_ns self_error_ns self_cpu_ns | awk -F '\t' '2 * $1 > $2 || 2 * $3 > $4 { print "some"; exit }')
	[ -z "$unsure" ] || grep -q '~.* \(work\|loop\)$' "$1.text" || fail "nothing is marked:" "$(cat "$1.text" "$1.csv")"
}
# Nine tenths are the program's: 5 % on a quiet machine, which bench has to itself.
larger()
{
	for try in 1 2 3 4 5; do
		truth "$1" 1500 40000
		(between $((truth * 9 / 10)) "$(cpu "$1")" $((truth * 11 / 10)) "what is left") && break
		[ $try != 5 ] || fail "five times"
	done
	[ "$(cpu "$1")" -lt "$(cpu "$1" recorded)" ] || fail "nothing was taken out:" "$(cat "$1.csv")"
}
raw()
{
	local loop
	"$DWELL" report --raw hooks.dwell > raw.text
	! grep -q 'Recording cost' raw.text || fail "$(cat raw.text)"
	"$DWELL" report --raw --csv hooks.dwell > raw.csv
	columns raw.csv function total_ns self_ns | sort > raw.times
	columns hooks.csv function total_ns total_recording_ns self_ns self_recording_ns | awk -F '\t' '{ print $1 "\t" $2 + $3 "\t" $4 + $5 }' | sort > hooks.times
	# Each is rounded for itself.
	join -t "$(printf '\t')" raw.times hooks.times |
		awk -F '\t' 'function far(a, b) { return a > b + 1 || b > a + 1 } far($2, $4) || far($3, $5) { bad = 1 } END { exit bad || NR != 2 }' ||
		fail "(raw, else)" "$(cat raw.csv hooks.csv)"
	RECORD_OPTIONS=--ring=1M record ring ./truth-hooks 30 20000
	for loop in "" -beside-work -evicted; do
		"$DWELL" info ring.dwell | grep -q "^overhead-hooks$loop  *inner .* measured [1-9]" || fail "$("$DWELL" info ring.dwell)"
	done
}

# Calls that are dropped behind the ring cost what others cost, of which the report says how many they were.
left_out()
{
	RECORD_OPTIONS=--depth=1 record deep ./truth-hooks 30 20000
	"$DWELL" info deep.dwell | grep -q '^overhead-left-out  *20000 calls, ' || fail "$("$DWELL" info deep.dwell)"
	"$DWELL" report deep.dwell > deep.text
	grep -q '^Calls that were recorded and then left out: 20,000. Their cost, about [0-9].* is still in' deep.text || fail "$(cat deep.text)"
	# Those that the agent leaves out cost nothing of the kind.
	RECORD_OPTIONS=--not=work record not ./truth-hooks 30 20000
	! "$DWELL" info not.dwell | grep -q '^overhead-left-out' || fail "$("$DWELL" info not.dwell)"
}

# What was not measured is not taken out, and that is said. A snapshot knows what was measured.
known()
{
	RECORD_OPTIONS=--args record args ./truth-sites 30 20000
	"$DWELL" report args.dwell > args.text
	grep -q '^Times include the cost of recording, which dwell cannot subtract: of calls with arguments' args.text || fail "$(cat args.text)"
	! "$DWELL" report --raw args.dwell | grep '^Times include' || fail "(--raw)"
	RECORD_OPTIONS="--snapshot-when loop>1ns --snapshots 1" record shot ./truth-sites 30 20000
	"$DWELL" report shot.dwell.1 > shot.text || [ $? = 1 ] || fail "$(cat shot.text)"
	grep -q '^Recording cost [0-9]* ns to [0-9]* ns in each call' shot.text || fail "$(cat shot.text)"
}

# Of a file of some size, too, whoever reads it.
large()
{
	local jobs
	RECORD_OPTIONS=--no-pack record large ./truth-hooks 30 1300000
	[ "$(stat -c %s large.dwell)" -gt 16777216 ] || fail "$(ls -l large.dwell)"
	for jobs in 1 2 5; do
		"$DWELL" report --jobs $jobs large.dwell > large.text$jobs
		cmp large.text1 large.text$jobs || fail "--jobs $jobs reads something else"
	done
	grep -q '^Recording cost' large.text1 || fail "$(cat large.text1)"
	"$DWELL" report --raw large.dwell > large.text
	! grep -q '^Recording cost' large.text || fail "$(cat large.text)"
}

for kind in hooks sites; do
	[ $kind = hooks ] && flags="-finstrument-functions -fno-tree-ter" || flags=$("$DWELL" cflags)
	gcc -O2 -g -fno-optimize-sibling-calls $flags "$ROOT/bench/truth/truth.c" -o truth-$kind || exit 2
	test_that "$kind: 10 ns a call" tiny $kind
	test_that "$kind: 800 ns a call" larger $kind
done
test_that "--raw is what was recorded; a ring knows it, too" raw
test_that "calls that were recorded and left out" left_out
test_that "whether it is known: arguments, a snapshot" known
test_that "a large file" large
done_testing
