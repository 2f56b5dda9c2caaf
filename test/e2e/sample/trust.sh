#!/bin/bash
# Measures time: run once more, alone, if it fails beside others (test/run).
# Sampling against the truth: shares that the program itself knows, a program in step with the sampling, a deep stack, many short threads.
# Takes long, samples for half a minute.
. "$(dirname "$0")/../lib.sh"
export RECORD_OPTIONS=--sample

record try "$DWELL" selftest --workload shares --seconds 0.1
if [ ! -s try.dwell ]; then
	skip "sampling and the truth" "$(head -1 try.err)"
	done_testing
	exit 0
fi

# Twice: on a machine whose other programs take the CPU now and then, five of eighty intervals may miss together.
trusted()
{
	"$DWELL" selftest --seconds 1 --runs 15 > said || "$DWELL" selftest --seconds 1 --runs 15 > said || fail "$(cat said)"
	cat said
	grep -q "^Sampling can be trusted here" said || fail "no verdict"
	[ "$(grep -c 'share_' said)" = 5 ] && [ "$(grep -c 'at random distances$' said)" = 5 ] || fail "rows"
}

# What the workload says is what it does: counted by its instructions' proportions, which are fixed, not by a clock.
truth_is_true()
{
	"$DWELL" selftest --workload shares --seconds 1 --truth truth
	cat truth
	[ "$(wc -l < truth)" = 6 ] || fail "lines"
	for pair in share_0_1:0.1 share_1:1 share_5:5 share_20:20 share_74:74; do
		awk -v name="${pair%:*}" -v share="${pair#*:}" '
			{ ns[$1] = $2; if ($1 != "total") all += $2 }
			END { part = 100.1 * ns[name] / all; exit !(part > 0.9 * share - 0.05 && part < 1.1 * share + 0.05) }' truth || fail "$pair"
	done
	"$DWELL" selftest --workload periodic --period 250us --seconds 0.5 --truth truth
	cat truth
	awk '{ ns[$1] = $2 } END { part = 100 * ns["phase_tenth"] / ns["total"]; exit !(part > 9 && part < 11) }' truth || fail "a tenth"
}

# (That a verdict can be bad is tested in test/unit/cmd/selftest.c.)
as_csv()
{
	"$DWELL" selftest --only shares --seconds 0.1 --runs 1 --csv > rows || true
	cat rows
	[ "$(head -1 rows)" = workload,period_us,jittered,run,function,true_percent,self_percent,self_low,self_high ] || fail "header"
	[ "$(wc -l < rows)" = 11 ] || fail "rows"
	for wrong in "--runs x" "--runs 0" "--runs 1001" "--seconds 0" "--seconds 61" "--only deep" "--workload none" "--period 1us" "--period 1ms" "-F 0" extra; do
		status=0
		# shellcheck disable=SC2086
		"$DWELL" selftest $wrong > out 2> err || status=$?
		[ $status = 2 ] && grep -q "expected" err || fail "$wrong: $status, $(cat err)"
	done
}

deep()
{
	record deep "$DWELL" selftest --workload deep --seconds 1
	"$DWELL" report deep.dwell > report
	head -5 report
	awk '/^callers:/ { found = 1; bad = !($2 >= 95) } END { exit bad || !found }' report || fail "stacks of 2000 frames are not complete"
	"$DWELL" report --csv deep.dwell > csv
	awk -F , '$1 == "workload_deep" { found = $25 } END { exit !(found >= 93) }' csv || fail "nothing above 2000 frames: $(grep workload csv)"
	depth=$("$DWELL" tree --csv deep.dwell | columns /dev/stdin depth | awk '$1 > most { most = $1 } END { print most }')
	[ "$depth" -ge 2000 ] || fail "the deepest is $depth"
}

storm()
{
	record storm "$DWELL" selftest --workload storm
	"$DWELL" info --json storm.dwell > info
	count=$(grep -c '"tid"' info)
	echo "$count threads"
	[ "$count" = 201 ] || fail "of 200 threads and the main one $count were seen"
	"$DWELL" report storm.dwell > report
	head -5 report
	grep -q " 20[01] threads" report || fail "not all were sampled"
}

# Beside others threads take turns on the processors, and exchange their timers with each other then: a timer that samples a second thread
# does not begin anew there. Each that did would add half a period, 7 % and more in all.
storm_beside()
{
	local i
	for i in $(seq $(($(nproc) + 1))); do
		(while :; do :; done) &
	done
	storm
	samples=$(sed -n 's/.*the samples stand for \([0-9.]*\) % of it/\1/p' report)
	between 90 "$samples" 103 "percent of the CPU time that the samples stand for"
}

# At even distances of 2 ms, in_tenth of a program whose period is 2 ms is seen always or never, and a warning says so; not where the period
# is another one. Another program's turn may move it out of step, so it is kept from that where this user may, and there are some tries.
even()
{
	local alone='' cpu
	compile in_step in_step.c
	cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
	if [ "$(nproc)" -gt 1 ] && chrt -f 1 taskset -c "$cpu" true 2> /dev/null; then alone="chrt -f 1 taskset -c $cpu"; fi
	export RECORD_OPTIONS="--sample --fixed -F 500"
	for try in 1 2 3 4 5 6; do
		# shellcheck disable=SC2086
		record in_step $alone ./in_step 2000000 4
		echo "in step, $try: $("$DWELL" report --csv in_step.dwell | grep '^in_tenth,' || echo 'in_tenth is never seen')"
		cat in_step.err
		grep -q "at even distances are in step with the program: in_[a-z]* has .* of those taken at random moments" in_step.err && break
		[ $try != 6 ] || fail "no warning"
	done
	# And whoever reads the file later is told.
	for what in report tree "callers in_rest" "diff in_step.dwell"; do
		# shellcheck disable=SC2086
		"$DWELL" $what in_step.dwell > told.txt 2> told.err && fail "$what: status 0"
		grep -q "^dwell: in_step.dwell: samples are in step with a rhythm of the program: shares may be far off (in_[a-z]* has .*)" told.err || fail "$what" "$(cat told.err)"
	done
	"$DWELL" report in_step.dwell 2> /dev/null | grep "^in step with the program: in_" || fail "not above the report"
	"$DWELL" info --csv in_step.dwell | grep -qx "health,,in_step,1" || fail "info"
	for try in 1 2; do
		# shellcheck disable=SC2086
		record out_of_step $alone ./in_step 1554000 3
		"$DWELL" report --csv out_of_step.dwell | grep '^in_tenth,' || fail "in_tenth is not seen"
		grep -v 'are in step with the program is not known: [0-9]* samples' out_of_step.err || return 0
	done
	fail "a warning without need:" "$(cat out_of_step.err)"
}

test_that "what the workloads say of themselves" truth_is_true
test_that "selftest trusts sampling here" trusted
test_that "selftest as CSV, and bad options" as_csv
test_that "2000 frames" deep
test_that "200 threads that live 5 ms each" storm
test_that "200 threads that live 5 ms each, beside busy programs" storm_beside
test_that "samples at even distances that are in step with the program" even
done_testing
