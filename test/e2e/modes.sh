#!/bin/bash
# Ring and linear recordings: what they keep, and what is left of them whoever is killed.
. "$(dirname "$0")/lib.sh"

compile kept kept.c
compile many many_threads.c

# record_mode NAME OPTION COMMAND ...
record_mode()
{
	local name=$1 option=$2 status=0
	shift 2
	timeout -k 5 120 "$DWELL" record "$option" -o "$name.dwell" -- "$@" > "$name.out" 2> "$name.err" || status=$?
	# a recorder that was killed does not wait for the program
	for _ in $(seq 300); do
		grep -q '^count' "$name.out" && break
		sleep 0.1
	done
	sleep 0.1
	echo $status > "$name.status"
}
magic()
{
	head -c 7 "$1.dwell" | tail -c 6
}
# What the report says about a session that nobody ended is a warning.
report_any()
{
	local status=0
	"$DWELL" report --csv "$1.dwell" > "$1.csv" 2> "$1.report.err" || status=$?
	[ $status -le 1 ] || fail "dwell report: status $status" "$(cat "$1.report.err")"
}
all_counts()
{
	report_any "$1"
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' "$1.out" | LC_ALL=C sort > "$1.want"
	columns "$1.csv" function calls | LC_ALL=C sort > "$1.got"
	[ -s "$1.want" ] || fail "the program counted nothing" "$(cat "$1.err")"
	diff "$1.want" "$1.got" || fail "(< counted by the program, > reported)"
}
nothing_left_behind()
{
	local left
	left=$(ls -d "$1".dwell?* 2> /dev/null) || true
	[ -z "$left" ] || fail "left behind: $left"
}

# Room for everything: nothing may be missing, whoever was killed. A trace file where record ended, a session where it was killed.
keeps_all()
{
	local mode=$1 how=$2 name=$1-$2
	record_mode "$name" "--$mode=1M" ./kept "$how"
	all_counts "$name"
	case $how in
	return) exits "$name" 0; [ "$(magic "$name")" = dwell$'\r' ] ;;
	kill) exits "$name" 137; [ "$(magic "$name")" = dwell$'\r' ] ;;
	*) exits "$name" 137; [ "$(magic "$name")" = dwses$'\r' ] || fail "no session: $(head -c 8 "$name.dwell" | xxd)" ;;
	esac
	nothing_left_behind "$name"
}
for mode in ring linear; do
	test_that "$mode: a program that returns" keeps_all $mode return
	test_that "$mode: SIGKILL of the program" keeps_all $mode kill
	test_that "$mode: SIGKILL of dwell record, the program goes on" keeps_all $mode record
	test_that "$mode: SIGKILL of both" keeps_all $mode both
done
test_that "stream: SIGKILL of the program" eval 'record_mode stream-kill --stream ./kept kill; exits stream-kill 137; all_counts stream-kill; whole stream-kill'

# Too much for it: the last, or the first.
keeps_last()
{
	local name=last-$1
	record_mode "$name" --ring=64K ./kept "$1" 200000
	report_any "$name"
	[ "$(value "$name" late calls)" = 100 ] || fail "late: $(value "$name" late calls) calls"
	between 3000 "$(value "$name" middle calls)" 4096 "calls of middle"
	[ -z "$(value "$name" early calls)" ] || fail "early is there"
	grep -q 'threads whose beginning was overwritten: 1' "$name.report.err" || fail "not said:" "$(cat "$name.report.err")"
}
keeps_first()
{
	local name=first-$1
	record_mode "$name" --linear=64K ./kept "$1" 200000
	report_any "$name"
	[ "$(value "$name" early calls)" = 100 ] || fail "early: $(value "$name" early calls) calls"
	between 3900 "$(value "$name" middle calls)" 4096 "calls of middle"
	[ -z "$(value "$name" late calls)" ] || fail "late is there"
	grep -q 'threads that stopped recording when their memory was full: 1' "$name.report.err" || fail "not said:" "$(cat "$name.report.err")"
	# what was not recorded is known to the event: two of each call, and main's exit where there was one
	lost=$(sed -n 's/.*of which no record tells the place: \([0-9]*\)$/\1/p' "$name.report.err")
	recorded=$("$DWELL" info --json "$name.dwell" 2> /dev/null | sed -n 's/^ *"events": \([0-9]*\).*/\1/p' | head -1)
	called=$(awk '/^count / { n += $3 } END { print n }' "$name.out")
	between $((2 * called - 1)) $((lost + recorded)) $((2 * called)) "lost $lost + recorded $recorded, of $called calls"
}
for how in return kill record both; do
	test_that "ring: the last is kept ($how)" keeps_last $how
	test_that "linear: the first is kept ($how)" keeps_first $how
done
accounts()
{
	"$DWELL" info --json "$1.dwell" > "$1.json" 2> "$1.info.err" || [ $? = 1 ]
	grep -q '"unbalanced_threads": 0' "$1.json" || fail "the times do not add up"
	"$DWELL" calls --csv "$1.dwell" 2> /dev/null | wc -l > "$1.calls"
	"$DWELL" calls --order exit --csv "$1.dwell" 2> /dev/null | wc -l > "$1.exits"
	cmp "$1.calls" "$1.exits"
	[ "$(cat "$1.calls")" -gt 100 ]
}
test_that "the sum holds in a ring that wrapped" accounts last-return
test_that "the sum holds in a session that was left" accounts last-both

# Twelve threads at a time, three hundred in all, and room for sixteen: each of the last ones is there, the others are told.
reuses()
{
	record_mode "reuse-$1" "--$1=64K" true > /dev/null 2>&1 || true
	timeout 100 "$DWELL" record "--$1=64K" --memory=1100K -o "reuse-$1.dwell" ./many 300 12 5 > "reuse-$1.out" 2> "reuse-$1.err" || fail "status $?"
	grep -q 'the data of 28[0-9] threads that had ended was given up' "reuse-$1.err" || fail "not said:" "$(cat "reuse-$1.err")"
	"$DWELL" info "reuse-$1.dwell" > "reuse-$1.info" 2>&1 || true
	given=$(grep -c 'given up for a later one' "reuse-$1.info")
	between 285 "$given" 289 "threads that are told to be given up"
	report_any "reuse-$1"
	between 12 "$(value "reuse-$1" run calls)" 16 "calls of run"
	[ "$(value "reuse-$1" leaf calls)" = $((5 * $(value "reuse-$1" run calls))) ] || fail "$(cat "reuse-$1.csv")"
}
test_that "ring: rings of ended threads are used again" reuses ring
test_that "linear: rings of ended threads are used again" reuses linear
no_room()
{
	timeout 100 "$DWELL" record --ring=64K --memory=700K -o few.dwell ./many 30 30 5 > few.out 2> few.err || fail "status $?"
	grep -q '21 threads were not recorded: more than 10 recorded at the same time; --memory=SIZE makes room for more' few.err || fail "$(cat few.err)"
	report_any few
	grep -q 'threads that had no memory to record into: 21' few.report.err || fail "$(cat few.report.err)"
}
test_that "more living threads than rings: said" no_room

# Into a stream everything goes, however many threads.
thousands()
{
	record "$1" ./many "$2" "$3" 10
	exits "$1" 0
	counts_agree "$1"
	whole "$1"
}
test_that "20,000 short threads" thousands short 20000 500
test_that "2,000 threads at a time" thousands wide 4000 2000
little_memory()
{
	timeout 100 "$DWELL" record --memory=48M -o little.dwell ./many 24 8 100000 > little.out 2> little.err || fail "status $?" "$(cat little.err)"
	report_any little
	recorded=$(columns little.csv calls | awk '{ n += $1 } END { print n }')
	called=$(awk '/^count / { n += $3 } END { print n }' little.out)
	lost=$(sed -n 's/.*: \([0-9]*\) of [0-9]* events were lost.*/\1/p' little.err)
	echo "called $called, reported $recorded, lost ${lost:=0} events"
	[ "$lost" = 0 ] || return 0
	[ "$recorded" = "$called" ]
}
test_that "little memory: what was drained is given back, and nothing is read wrong" little_memory
done_testing
