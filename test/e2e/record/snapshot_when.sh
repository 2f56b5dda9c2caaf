#!/bin/bash
# record --snapshot-when: a snapshot of what led to each slow call, with the call in it, whole; bounded; and what is said where there is none.
# Takes long, a snapshot is made for each kind of slow call.
. "$(dirname "$0")/../lib.sh"

# slow NAME OPTIONS COMMAND ...: with what dwell says kept in NAME.err.
slow()
{
	local name=$1 options=$2
	shift 2
	RECORD_OPTIONS=$options record "$name" "$@"
}
# A request is slow for 400 ms; what is not waits for no more than the machine lets it.
limit=200ms

# has_whole FILE: a slow request, with each of its calls, and who reads the report is told why the file is there.
has_whole()
{
	"$DWELL" calls --csv "$1" > whole.calls 2> /dev/null || [ $? = 1 ]
	columns whole.calls depth function total_ns | awk -F '\t' '
		{ while (n && depth[n] >= $1) n--; depth[++n] = $1; in_slow = 0 }
		$2 == "handle" { slow = 0 }
		$2 == "slow" { slow++; steps = 0; took = $3 }
		$2 == "step" && ++steps == 50 && took >= 400000000 { found++ }
		END { exit !found }' || fail "$1: no slow request is whole in it" "$(cat whole.calls | grep -c .) lines"
	"$DWELL" report "$1" > whole.report 2> /dev/null || [ $? = 1 ]
	grep -q '^too slow: handle took .*, more than 200 ms, on thread ' whole.report || fail "$1: not told:" "$(head -4 whole.report)"
	"$DWELL" info "$1" 2> /dev/null | grep -q '^snapshot-when ' || fail "$1: no fact tells"
	"$DWELL" slowest handle "$1" > whole.slowest 2> /dev/null || [ $? = 1 ]
	grep -q '   50  .*step$' whole.slowest || fail "$1: slowest:" "$(cat whole.slowest)"
	"$DWELL" tree "$1" > whole.tree 2> /dev/null || [ $? = 1 ]
	"$DWELL" html -o whole.html "$1" 2> /dev/null || [ $? = 1 ]
	[ -s whole.html ] || fail "$1: no page"
}

# The ring is renewed between two slow requests: each has a snapshot of its own.
each_has_one()
{
	compile "$kind-serves" serves.c
	slow "$kind-each" "--ring=64K --snapshot-when handle>$limit" "./$kind-serves" 6000 2000 400
	[ "$(cat "$kind-each.status")" = 0 ] || fail "$(cat "$kind-each.err")"
	has_whole "$kind-each.dwell.1"
	has_whole "$kind-each.dwell.2"
	grep -q "each.dwell.1: is a snapshot: handle took .*, more than 200 ms" "$kind-each.err" || fail "$(cat "$kind-each.err")"
	! grep -q "held only" "$kind-each.err" || fail "$(cat "$kind-each.err")"
}
# It is not: the first is kept at once, what came later is in the file itself. Or in a second snapshot, where record looks between the end of the
# thread and that of the program.
once()
{
	slow "$kind-once" "--snapshot-when handle>$limit" "./$kind-serves" 3000 1000 400
	[ "$(cat "$kind-once.status")" = 0 ] || fail "$(cat "$kind-once.err")"
	has_whole "$kind-once.dwell.1"
	[ ! -e "$kind-once.dwell.3" ] || fail "$(ls ./*.dwell*)"
	if [ -e "$kind-once.dwell.2" ]; then
		has_whole "$kind-once.dwell.2"
		return
	fi
	has_whole "$kind-once.dwell"
	grep -q "once.dwell: holds a slow call that no snapshot has: handle" "$kind-once.err" || fail "$(cat "$kind-once.err")"
}
# Each call is judged, none is too slow.
never()
{
	slow "$kind-never" "--snapshot-when handle>1000s --ring=16M" "./$kind-serves" 500 100 50 3
	[ "$(cat "$kind-never.status")" = 0 ] && [ ! -e "$kind-never.dwell.1" ] || fail "$(cat "$kind-never.err")"
	grep -q "'handle>1000s': no call was that slow; the slowest of 1,500 calls took [0-9.]* [m]*s" "$kind-never.err" || fail "$(cat "$kind-never.err")"
	slow "$kind-forked" "--snapshot-when h?ndle>1000s --snapshot-when step>1000s" "./$kind-serves" 400 100 50 2 fork
	grep -q "'h?ndle>1000s': no call was that slow; the slowest of 1,200 calls took" "$kind-forked.err" || fail "$(cat "$kind-forked.err")"
	grep -q "'step>1000s': no call was that slow; the slowest of 600 calls took" "$kind-forked.err" || fail "$(cat "$kind-forked.err")"
	counts_agree_of_all "$kind-never"
}
counts_agree_of_all()
{
	report_csv "$1"
	[ "$(value "$1" handle calls)" = 1500 ] || fail "$(cat "$1.csv")"
}
# No more than was asked for, and how many calls have none is said.
bounded()
{
	slow "$kind-bounded" "--ring=64K --snapshots 1 --snapshot-when handle>$limit" "./$kind-serves" 6000 2000 400
	[ -e "$kind-bounded.dwell.1" ] && [ ! -e "$kind-bounded.dwell.2" ] || fail "$(ls ./*.dwell*)" "$(cat "$kind-bounded.err")"
	# Where record came late there may be nothing of one; no size is known then (too_late).
	! grep -q "held only the last 0 ns" "$kind-bounded.err" || fail "$(cat "$kind-bounded.err")"
	grep -qE "[0-9]+ of [0-9]+ calls that took too long have no snapshot: dwell wrote 1; --snapshots=N allows more" "$kind-bounded.err" ||
		fail "$(cat "$kind-bounded.err")"
}
# A call that is larger than the ring: it is said how much of it is there, and which ring would have had it.
too_large()
{
	local try
	# On a busy machine the program may be a whole ring ahead of who looks for its end, which is said.
	for try in 1 2 3 4 5; do
		slow "$kind-large" "--ring=16K --snapshot-when serve>1ms" "./$kind-serves" 2000 1000 10
		grep -q "no call of it was seen to its end" "$kind-large.err" && grep -q "was a whole ring ahead" "$kind-large.err" || break
	done
	grep -qE "serve took .*; the ring held only the last .* of it: --ring=[0-9]+K would have held it" "$kind-large.err" || fail "$(cat "$kind-large.err")"
}
# Nobody waits. Who records was stopped after he had seen a slow call, and until its ring had gone round: the snapshot has nothing of it, and
# says so.
too_late()
{
	compile "$kind-late" stops_recorder.c
	slow "$kind-late" "--on-full=lose --ring=64K --snapshot-when slow>20ms" "./$kind-late" "$PWD/$kind-late.dwell" 100 100000
	[ "$(cat "$kind-late.status")" = 0 ] || fail "$(cat "$kind-late.err")"
	[ "$(grep -cE "^dwell: $kind-late.dwell.1: is a snapshot: slow took [0-9.]* m?s, more than 20 ms, on thread [0-9]+ \($kind-late\) of process [0-9]+$" \
		"$kind-late.err")" = 1 ] || fail "the first:" "$(cat "$kind-late.err")"
	[ "$(grep -cE "^dwell: $kind-late.dwell.2: is a snapshot: slow took [0-9.]* m?s, more than 20 ms, on thread [0-9]+ \($kind-late\) of process [0-9]+; the ring held nothing of it any more: a larger --ring helps$" \
		"$kind-late.err")" = 1 ] || fail "the second:" "$(cat "$kind-late.err")"
	grep -qE "1 time the program was a whole ring ahead of the search for slow calls: [0-9]+ events were not searched" "$kind-late.err" ||
		fail "$(cat "$kind-late.err")"
	"$DWELL" info "$kind-late.dwell.2" 2> /dev/null | grep -q '^snapshot-when .*; the ring held nothing of it any more: a larger --ring helps$' ||
		fail "no fact tells:" "$("$DWELL" info "$kind-late.dwell.2" 2>&1 | grep snapshot-when)"
	"$DWELL" calls --csv --function slow "$kind-late.dwell.2" > late.calls 2> late.calls.err || true
	! columns late.calls function | grep -q slow || fail "the second has one:" "$(cat late.calls)"
}
# In the middle of a request; what came before it is there.
killed()
{
	slow "$kind-killed" "--snapshot-when handle>$limit" "./$kind-serves" 300 299 400 1 kill
	[ "$(cat "$kind-killed.status")" = 137 ] || fail "$(cat "$kind-killed.err")"
	has_whole "$kind-killed.dwell.1" 2> /dev/null || has_whole "$kind-killed.dwell"
	report_csv "$kind-killed"
	[ "$(value "$kind-killed" handle calls)" = 300 ] || fail "$(cat "$kind-killed.csv")"
}
# A program that another one starts, which the arguments name or not: what its functions are is not known before, and nothing untrue is said.
started()
{
	local by
	printf '#!/bin/sh\n"./$@"\n' > runs
	for by in "env ./$kind-serves" "sh runs $kind-serves"; do
		slow by "--trace --snapshot-when handle>1000s" $by 50 10 1
		[ "$(grep -c '^dwell' by.err)" = 1 ] && grep -q "'handle>1000s': no call was that slow; the slowest of 50 calls took" by.err || fail "$by:" "$(cat by.err)"
		slow by "--trace --snapshot-when handel>1000s" $by 50 10 1
		grep -q "'handel>1000s': it matches none of the [0-9]* functions of the loaded files (did you mean handle?)" by.err || fail "$by:" "$(cat by.err)"
		[ "${by%% *}" = env ] || ! grep -q libraries by.err || fail "$(cat by.err)"
	done
}
# A library that is opened later.
opened()
{
	compile alpha.so plugin.c -shared -fPIC -DNAME=alpha
	compile beta.so plugin.c -shared -fPIC -DNAME=beta
	chmod a-x alpha.so beta.so # programs that arguments name are looked through
	compile "$kind-opens" opens.c -ldl
	slow "$kind-opens" "--snapshot-when step>1000s --ring=1M" "./$kind-opens" ./alpha.so ./beta.so 1000
	grep -q "dwell looks at what it loads or runs later" "$kind-opens.err" || fail "$(cat "$kind-opens.err")"
	grep -q "'step>1000s': no call was that slow; the slowest of 9,000 calls took" "$kind-opens.err" || fail "$(cat "$kind-opens.err")"
}
messages()
{
	compile said serves.c
	slow nobody "--snapshot-when handel>5ms" ./said 1 1 1
	grep -q "'handel' matches none of .* (did you mean handle?)" nobody.err || fail "$(cat nobody.err)"
	grep -q "'handel>5ms': it matches none of the [0-9]* functions of the loaded files (did you mean handle?)" nobody.err || fail "$(cat nobody.err)"
	slow twice "--snapshot-when handle>5s --snapshot-when h*e>4s" ./said 1 1 1
	grep -q "'h\*e>4s': an earlier one matches all of its functions, and that one counts" twice.err || fail "$(cat twice.err)"
	slow uncalled "--snapshot-when slow>5ms" ./said 1 100 1
	grep -q "'slow>5ms': no call of it was seen to its end" uncalled.err || fail "$(cat uncalled.err)"
	slow out "--snapshot-when handle>5ms --not handle" ./said 1 1 1
	[ "$(cat out.status)" = 2 ] && [ ! -e out.dwell ] || fail "$(cat out.err)"
	grep -q -- "--only and --not leave that function out; change one of them" out.err || fail "$(cat out.err)"
}

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf"
for kind in hooks sites; do
	[ $kind = hooks ] && HOOKS="$as_written -finstrument-functions" || HOOKS="$as_written -fno-ipa-cp -fno-ipa-sra $("$DWELL" cflags)"
	test_that "$kind: each slow call has a snapshot, whole" each_has_one
	test_that "$kind: what the ring still holds waits" once
	test_that "$kind: each call of each thread and process is judged" never
	test_that "$kind: a program that another one starts" started
	test_that "$kind: a library that is opened later" opened
done
test_that "no more snapshots than were asked for" bounded
test_that "a call that the ring has no room for" too_large
test_that "a call of which the ring holds nothing any more" too_late
test_that "SIGKILL of the program" killed
test_that "functions that are nowhere, not called, or left out are said" messages
done_testing
