#!/bin/bash
# Time on and off the CPU, against what the kernel says of it to the program itself.
. "$(dirname "$0")/../lib.sh"

# said NAME WHAT FUNCTION: by the program, all its lines together
said()
{
	awk -v what="$2" -v function_name="$3" '$1 == what && $2 == function_name { sum += $3 } END { printf "%.0f\n", sum }' "$1.out"
}

# What the host of a virtual machine took from it since it started, in ns: the kernel leaves that out of a thread's time, and no switch tells.
stolen()
{
	awk '/^cpu / { printf "%.0f", $9 * 1e7 }' /proc/stat
}
stolen_before=$(stolen)

# A call takes what the program counted within it or more, and what it counted around it or less, but for a microsecond a switch (0.4 were
# seen), and for what was stolen. Where somebody else has to leave the kernel first, the kernel counts the wait between a wake-up and the
# switch, a tick (1 ms) at the most, as CPU time of whom it woke (seen without dwell, too): that is allowed for ten switches.
cpu_agrees()
{
	local name=$1 function=$2 cpu off cpu_around off_around switches allowed late
	cpu=$(said "$name" cpu "$function") off=$(($(said "$name" wall "$function") - cpu)) switches=$(said "$name" switches "$function")
	cpu_around=$(said "$name" cpu_around "$function") off_around=$(($(said "$name" wall_around "$function") - cpu_around))
	late=$((switches < 10 ? switches : 10))
	allowed=$((cpu / 33 + 200000 + switches * 3000 + late * 1000000 + $(stolen) - stolen_before))
	between $((cpu - allowed)) "$(value "$name" "$function" total_cpu_ns)" $((cpu_around + allowed)) "CPU time of $function ($switches switches)"
	between $((off - allowed)) "$(value "$name" "$function" total_off_ns)" $((off_around + allowed)) "time off the CPU of $function"
}

waits()
{
	compile off_cpu off_cpu.c
	record waits ./off_cpu
	exits waits 0
	counts_agree waits
	whole waits
	for function in nap wait_for_lock wait_for_byte spin; do
		cpu_agrees waits $function
	done
}
# More threads than processors: they wait for one, ready to run, and for nothing else. Whoever naps is ready to run when its six times 10 ms are over.
preempted()
{
	local off
	off=$(value waits spin self_off_ns)
	between 50000000 "$off" 100000000000 "time off the CPU of spin"
	between $((off * 8 / 10)) "$(value waits spin self_preempted_ns)" "$off" "time preempted of spin"
	between 59400000 $(($(value waits nap self_off_ns) - $(value waits nap self_preempted_ns))) 100000000000 "time off the CPU of nap, not preempted"
}
# Every call of nap has 10 ms off the CPU, and none of the calls of others is charged with them twice: with three of them, beside what it waits for a
# processor.
single_calls()
{
	calls_csv waits --function nap
	[ "$(tail -n +2 waits.calls | wc -l)" = 6 ] || fail "calls of nap"
	columns waits.calls total_ns total_cpu_ns total_off_ns | awk '$3 < 9900000 || $2 > 5000000 || $1 != $2 + $3 { print; bad = 1 } END { exit bad }' || fail "(total, cpu, off)"
	calls_csv waits --function unlock_late
	columns waits.calls total_off_ns self_off_ns | awk '$1 < 29700000 || $2 > 25000000 { print; bad = 1 } END { exit bad }' || fail "(total off, self off)"
}
# adds_up FILE: in each row, CPU time, waiting, preempted and not known are the time, of self and of total. Prints how many rows have each time
adds_up()
{
	local side
	for side in total self; do
		columns "$1" ${side}_ns ${side}_cpu_ns ${side}_waiting_ns ${side}_preempted_ns ${side}_unknown_ns | awk -v side=$side '
			$0 !~ /^\t/ && $1 != $2 + $3 + $4 + $5 { print; bad = 1 }
			{ waits += $3 > 0; preempted += $4 > 0 }
			END { if (bad || !waits || !preempted) print side, waits, "rows wait,", preempted, "are preempted"; exit bad || !waits || !preempted }' FS='\t' ||
			fail "$1: $side does not add up"
	done
}
# sums FILE: waiting and preempted self time by function
sums() { columns "$1" function self_waiting_ns self_preempted_ns | awk -F '\t' '{ w[$1] += $2; p[$1] += $3 } END { for (f in w) printf "%s\t%.0f\t%.0f\n", f, w[f], p[f] }' | LC_ALL=C sort; }
every_view_divides_alike()
{
	local function
	calls_csv waits
	"$DWELL" tree --csv waits.dwell > waits.tree
	"$DWELL" slowest --csv -n 1000 --min 0 waits.dwell > waits.slowest
	adds_up waits.csv
	adds_up waits.tree
	adds_up waits.calls
	adds_up waits.slowest
	sums waits.csv > report.sums
	sums waits.calls | awk -F '\t' 'NR == FNR { w[$1] = $2; p[$1] = $3; next }
		{ d = w[$1] - $2; e = p[$1] - $3; if (d * d > 1e10 || e * e > 1e10) { print; bad = 1 } } END { exit bad }' report.sums - ||
		fail "calls and report differ by more than 100 us" "$(cat report.sums)"
	sums waits.tree | awk -F '\t' 'NR == FNR { w[$1] = $2; p[$1] = $3; next }
		{ d = w[$1] - $2; e = p[$1] - $3; if (d * d > 1e6 || e * e > 1e6) { print; bad = 1 } } END { exit bad }' report.sums - ||
		fail "tree and report differ by more than rounding" "$(cat report.sums)"
	for function in nap wait_for_lock; do
		"$DWELL" callers --csv "$function" waits.dwell > waits.callers
		[ "$(columns waits.callers self_waiting_ns | awk '{ sum += $1 } END { printf "%.0f", sum / 1000 }')" = \
			"$(awk -v f=$function '$1 == f { printf "%.0f", $2 / 1000 }' report.sums)" ] || fail "callers of $function" "$(cat waits.callers report.sums)"
	done
	"$DWELL" tree --wall waits.dwell | grep -q '^calls .* waiting  *preempted ' || fail "tree --wall" "$("$DWELL" tree --wall waits.dwell)"
	"$DWELL" tree waits.dwell | grep -q '^calls .* waiting ' && fail "tree by CPU time"
	"$DWELL" callers --wall nap waits.dwell | grep -q '^calls .* waiting ' || fail "callers --wall"
	"$DWELL" slowest -n 1 nap waits.dwell | grep -q '^calls .* waiting ' || fail "slowest"
}
both_equations()
{
	local name
	for name in waits switches children; do
		"$DWELL" info --json "$name.dwell" > "$name.json"
		grep -q '"cpu_balanced": true' "$name.json" || fail "$name: CPU time is not told"
		grep -q '"cpu_balanced": false' "$name.json" && fail "$name: does not add up"
		grep -q '"balanced": false' "$name.json" && fail "$name: does not add up"
		[ $name = switches ] || ! grep -Eq '"(lost_switches|threads_cpu_unknown)": [^0]' "$name.json" || fail "$name: switches are lost" "$(cat "$name.json")"
	done
	return 0
}
# On one processor, which has always something to do: the kernel charges a thread with what it takes to come out of idleness (8 us a switch
# in a virtual machine), which is behind the wake-up and before the thread is there.
many_switches()
{
	local told lost
	record switches taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" ./off_cpu switches 100000
	exits switches 0
	report_csv switches
	cpu_agrees switches hand
	"$DWELL" info --json switches.dwell > switches.json
	told=$(awk '/"switches":/ { sum += $2 } END { print sum + 0 }' switches.json)
	# Where whoever records had to wait for a processor, the kernel may have had no room for some, out or in, and counts these.
	lost=$(awk '/"lost_switches":/ { sum += $2 } END { print sum + 0 }' switches.json)
	between $(($(said switches switches hand) * 99 / 100 - lost)) "$told" $(($(said switches switches hand) * 101 / 100 + 1000)) "switches told"
}
processes()
{
	record children ./off_cpu children
	exits children 0
	report_csv children
	cpu_agrees children nap
	cpu_agrees children spin
	between 100000000 "$(value children children total_off_ns)" 100000000000 "time for which children was waited"
}
# Threads that ran before: known from each one's first switch on.
attached()
{
	local pid self off
	compile naps naps.c
	LD_PRELOAD=$BUILD/libdwell.so ./naps > naps.out &
	pid=$!
	trap "kill $pid" EXIT
	has_begun $pid naps 2
	"$DWELL" attach --for 1s -o attached.dwell $pid || fail "attach: status $?"
	whole attached
	report_csv attached
	self=$(value attached nap self_ns) off=$(value attached nap self_off_ns)
	between $((self * 9 / 10)) "$off" "$self" "time off the CPU of nap"
	between 1 "$(value attached work self_cpu_ns)" 2000000000 "CPU time of work"
	grep -q '"cpu_balanced": true' attached.json || fail "CPU time is not told"
	grep -q '"cpu_balanced": false' attached.json && fail "it does not add up"
	return 0
}
# Rings and linear recordings have the switches in memory until they become traces.
kept()
{
	local mode
	for mode in ring linear; do
		RECORD_OPTIONS=--$mode=1M record $mode ./off_cpu
		exits $mode 0
		counts_agree $mode
		whole $mode
		for function in nap wait_for_lock wait_for_byte spin; do
			cpu_agrees $mode $function
		done
		grep -q '"cpu_balanced": true' $mode.json && ! grep -q '"cpu_balanced": false' $mode.json || fail "$mode: it does not add up"
		! grep -Eq '"threads_cpu_unknown": [^0]' $mode.json || fail "$mode: not all is known"
	done
}
# Some chunks of the end, or the beginning: with many chunks, each has its own.
kept_in_part()
{
	local mode
	for mode in ring linear; do
		RECORD_OPTIONS=--$mode=8M record part-$mode ./off_cpu turns
		"$DWELL" info --json part-$mode.dwell > part.json 2> /dev/null || [ $? = 1 ]
		grep -q '"cpu_balanced": true' part.json && ! grep -q '"cpu_balanced": false' part.json || fail "$mode: it does not add up" "$(cat part.json)"
		! grep -Eq '"threads_cpu_unknown": [^0]' part.json || fail "$mode: not all is known"
		"$DWELL" calls --csv --function nap part-$mode.dwell > naps.csv 2> /dev/null || [ $? = 1 ]
		between 3 "$(tail -n +2 naps.csv | grep -vc 'no ')" 6 "calls of nap"
		columns naps.csv total_ns total_off_ns note | grep -v 'no ' | awk '$2 < 9900000 || $1 - $2 > 5000000 { print; bad = 1 } END { exit bad }' ||
			fail "(total, off)"
		"$DWELL" report --csv --jobs 1 part-$mode.dwell > one.csv 2> /dev/null || [ $? = 1 ]
		"$DWELL" report --csv --jobs 4 part-$mode.dwell > many.csv 2> /dev/null || [ $? = 1 ]
		cmp one.csv many.csv
		[ "$("$DWELL" dump --layout part-$mode.dwell 2> /dev/null | grep -c SWITCHES)" -gt 5 ] || fail "all in one"
	done
}
# What a killed record leaves has none, and says so.
killed_with_it()
{
	local recorder program
	"$DWELL" record --ring=64K -o lost.dwell ./off_cpu > lost.out &
	recorder=$!
	until program=$(pgrep -P $recorder -x off_cpu); do
		kill -0 $recorder || fail "record has ended"
		sleep 0.02
	done
	has_begun "$program" off_cpu 2
	kill -KILL $recorder
	comes '^count' lost.out
	comes . lost.dwell # written when the program has ended
	"$DWELL" report lost.dwell > lost.report 2> /dev/null || [ $? = 1 ]
	grep -q '^CPU time is not known: dwell, which followed it, did not end the recording' lost.report || fail "$(cat lost.report)"
}
# refused NAME ERRNO REASON
refused()
{
	timeout -k 5 120 ./refuse "$2" "$DWELL" record ${RECORD_OPTIONS-} -o "$1.dwell" -- ./off_cpu > "$1.out" 2> "$1.err" || fail "status $?" "$(cat "$1.err")"
	[ ! -s "$1.err" ] || fail "it complains:" "$(cat "$1.err")"
	counts_agree "$1"
	whole "$1"
	columns "$1.csv" self_cpu_ns total_off_ns | grep -q '[0-9]' && fail "numbers for what is not known"
	"$DWELL" report "$1.dwell" > "$1.report"
	grep -q "^CPU time is not known: .*$3" "$1.report" || fail "it does not say why:" "$(cat "$1.report")"
	grep -q "^complete as to the recorded functions: " "$1.report" || fail "complete, although nobody knows what they stand for:" "$(cat "$1.report")"
	"$DWELL" report --sort self_cpu "$1.dwell" > "$1.report" 2>&1 && fail "sorted by what is not known"
	grep -q "its CPU time is not known: .*$3" "$1.report" || fail "it does not say why:" "$(cat "$1.report")"
}

test_that "sleeping, waiting for a lock and for a pipe, more busy threads than processors" waits
compile refuse refuse.c
if grep -q "CPU time is not known" <("$DWELL" report waits.dwell); then
	skip "time off the CPU" "$("$DWELL" report waits.dwell | grep "CPU time is not known")"
else
	test_that "ready to run and waiting are told apart" preempted
	test_that "single calls" single_calls
	test_that "every view divides it alike" every_view_divides_alike
	test_that "200,000 switches" many_switches
	test_that "processes" processes
	test_that "it adds up" both_equations
	test_that "a process that runs already" attached
	test_that "ring and linear recordings" kept
	test_that "a part of it" kept_in_part
	test_that "SIGKILL of dwell record takes it from a ring" killed_with_it
fi
test_that "refused by a filter" refused filter 1 "container"
test_that "no files left" refused files 24 "ulimit -n"
RECORD_OPTIONS=--ring=64K test_that "refused by a filter, with a ring" refused filter 1 "container"
test_that "a kernel without" refused kernel 38 "this kernel has no perf events"
done_testing
