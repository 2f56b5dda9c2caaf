#!/bin/bash
# record --count: no call is in the file, and all are counted: what programs count themselves is what the report has, the accounting
# holds, whoever is killed. The file and record's memory do not grow with the calls.
# Takes long, each way to leave a call is recorded.
. "$(dirname "$0")/../lib.sh"

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf -fno-ipa-cp -fno-ipa-sra"
sites=$("$DWELL" cflags)

# agrees SOURCE [ARGUMENTS]
agrees()
{
	local name=$kind-${1%.*}
	compile "$name" "$1" -ldl
	RECORD_OPTIONS=--count record "$name" "./$name" "${@:2}"
	exits "$name" 0
	counts_agree "$name"
	whole "$name"
	! "$DWELL" dump "$name.dwell" | grep -qw SLOTS || fail "there are events in the file"
	! "$DWELL" calls "$name.dwell" > calls.out 2> calls.err || fail "calls finds some:" "$(head -3 calls.out)"
	grep -q 'no single calls: it was recorded with --count' calls.err || fail "$(cat calls.err)"
}

# The same answers in every form.
answers()
{
	local form
	compile "$kind-forms" threads.c
	RECORD_OPTIONS=--count record forms "./$kind-forms"
	"$DWELL" tree --csv forms.dwell > tree.csv
	[ "$(columns tree.csv function calls | awk '$1 == "leaf" { n += $2 } END { print n }')" = 360000 ] || fail "$(cat tree.csv)"
	"$DWELL" callers --csv leaf forms.dwell > callers.csv
	columns callers.csv function calls | grep -qx "work	360000" || fail "$(cat callers.csv)"
	"$DWELL" callees --csv work forms.dwell > callees.csv
	columns callees.csv function calls | grep -qx "leaf	360000" || fail "$(cat callees.csv)"
	"$DWELL" histogram --csv leaf forms.dwell > histogram.csv
	[ "$(columns histogram.csv calls | awk '{ n += $1 } END { print n }')" = 360000 ] || fail "$(head histogram.csv)"
	"$DWELL" diff forms.dwell forms.dwell > diff.out 2>&1 || fail "$(cat diff.out)"
	for form in folded callgrind pprof json speedscope gmon; do
		"$DWELL" export --to $form -o "forms.$form" forms.dwell 2> export.err || fail "$form: $(cat export.err)"
		[ -s "forms.$form" ] || fail "$form is empty"
	done
	grep -q '^main;\|run;work;leaf ' forms.folded || fail "$(head forms.folded)"
	"$DWELL" html -o forms.html forms.dwell || fail "html"
}

# kB of memory at the most, and bytes of the file, that many calls need.
needs()
{
	local pid most=0 now name value
	"$DWELL" record --count -o many.dwell ./many "$1" &
	pid=$!
	while now=0 && while read -r name value _; do [ "$name" != RssAnon: ] || now=$value; done 2> /dev/null < "/proc/$pid/status" && [ "$now" -gt 0 ]; do
		[ "$now" -le $most ] || most=$now
		sleep 0.02
	done 2> /dev/null
	wait $pid || fail "status $?"
	echo "$most $(stat -c %s many.dwell)"
}
stays_small()
{
	local few many
	cat > many.c <<-'END'
		#include <stdlib.h>
		static volatile unsigned sink;
		__attribute__((noinline)) static void leaf(void) { sink++; }
		__attribute__((noinline)) static void work(unsigned n) { while (n--) leaf(); }
		int main(int argc, char **argv) { for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i -= 1000) work(1000); return 0; }
	END
	${CC:-gcc} -O2 $HOOKS many.c -o many
	few=$(needs 1000000)
	many=$(needs 20000000)
	report_csv many
	echo "# kB and bytes: of a million calls $few, of twenty $many"
	[ "${many% *}" -lt $((${few% *} + 8192)) ] || fail "memory grows with the calls"
	[ "${many#* }" -lt $((${few#* } + 65536)) ] || fail "the file grows with the calls"
	[ "$(value many leaf calls)" = 20000000 ] || fail "$(value many leaf calls) calls of leaf"
}

# record is killed: what was counted by then is there, with the calls that are open; the program goes on.
killed()
{
	cat > endless.c <<-'END'
		static volatile unsigned sink;
		__attribute__((noinline)) static void leaf(void) { sink++; }
		int main(void) { for (;;) leaf(); }
	END
	${CC:-gcc} -O2 $HOOKS endless.c -o endless
	"$DWELL" record --count -o endless.dwell ./endless > endless.out 2>&1 &
	local record=$! program
	for _ in $(seq 1500); do
		! "$DWELL" dump endless.dwell 2> /dev/null | grep -qw SUMS || break
		sleep 0.05
	done
	program=$(cat "/proc/$record/task/$record/children")
	kill -KILL $record
	wait $record 2> /dev/null || true
	kill -KILL $program
	"$DWELL" report --csv endless.dwell > endless.csv 2> endless.err || true
	[ "$(value endless main calls)" = 1 ] || fail "main:" "$(cat endless.csv endless.err)"
	[ "$(value endless leaf calls)" -gt 1000 ] || fail "leaf:" "$(cat endless.csv endless.err)"
	"$DWELL" info --json endless.dwell | grep -q '"unbalanced_threads": 0' || fail "it does not add up"
}

# held_up SOURCE [ARGUMENTS]: record is stopped again and again, for longer than it runs, and rings are small.
held_up()
{
	local name=turn-${1%.*} program=$kind-${1%.*} record
	[ -x "$program" ] || compile "$program" "$1" -ldl
	RECORD_OPTIONS="--count --memory=1M" record "$name" "./$program" "${@:2}" &
	record=$!
	while kill -0 $record 2> /dev/null; do
		for process in $(pgrep -P $record -x dwell); do
			kill -STOP "$process"
			sleep 0.04
			kill -CONT "$process"
		done
		sleep 0.01
	done
	wait $record || fail "status $?"
	counts_agree "$name"
	whole "$name"
}

for kind in hooks sites; do
	[ $kind = hooks ] && HOOKS="-g $as_written -finstrument-functions -fno-tree-ter" || HOOKS="-g $as_written $sites"
	test_that "$kind: threads" agrees threads.c
	test_that "$kind: recursion" agrees recursion.c
	test_that "$kind: longjmp" agrees jump.c longjmp 300
	test_that "$kind: exceptions" agrees throw.cc 100
	test_that "$kind: coroutines" agrees coroutines.c contexts 3
	test_that "$kind: a storm of signals" agrees storm.c 200
	test_that "$kind: fork" agrees forks.c fork
	test_that "$kind: libraries at the same address" opens_agree "$kind-opens" --count
done
test_that "report, tree, callers, histogram, diff, exports and the page" answers
test_that "record is killed" killed
test_that "twenty million calls need as much as one" stays_small
for how in threads.c "jump.c longjmp 300" "throw.cc 100" "coroutines.c contexts 3" "storm.c 200" "forks.c fork" "ends.c kill"; do
	test_that "held up again and again: $how" held_up $how
done
done_testing
