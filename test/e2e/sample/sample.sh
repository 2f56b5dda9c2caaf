#!/bin/bash
# Takes long, so test/run begins with it.
# Measures time: its samples are compared with shares that are known.
# Programs without hooks, sampled: shares that are known, callers, threads, and what is said of them.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS=--sample

if ! compile shares shares.c -g -DROUND_NS_MIN=40000 || ! compile workload workload.c; then
	echo "Bail out! no compiler"
	exit 1
fi
record one ./shares 40000
if grep -q "perf" one.err; then
	skip "samples" "$(head -1 one.err)"
	done_testing
	exit 0
fi

# Shares are true, and the intervals around them neither wider nor narrower than so many samples make them.
known_shares()
{
	all=$(samples one.dwell)
	for pair in share_74:74 share_20:20 share_5:5 share_1:1; do
		read -r count found from to _ <<< "$(share one.dwell ${pair%:*})"
		echo "${pair%:*}: $found % ($from to $to) of $count samples"
		near "${pair#*:}" "$found" "$all" "${pair%:*}"
		fits "$found" "$from" "$to" "$all" "${pair%:*}"
	done
	fit_together
	dwell report --csv one.dwell | head -1 | grep -q ',samples,self_percent,self_low,self_high,total_percent,' || fail "header"
}

threads()
{
	record many ./shares 5000 4
	[ "$(dwell info many.dwell | sed -n '/^threads/,/^$/p' | grep -c shares)" = 5 ] || fail "threads" "$(dwell info many.dwell)"
	near 74 "$(share many.dwell share_74 | cut -d " " -f 2)" "$(samples many.dwell)" "share_74"
}

# The rate that was asked for, and the status of the program.
rates()
{
	for hz in 100 4000; do
		RECORD_OPTIONS="--sample -F $hz" record rate ./shares 10000
		rate=$(dwell report rate.dwell | sed -n 's/.*got \([0-9]*\).*/\1/p')
		echo "asked for $hz, got $rate"
		[ "$rate" -gt $((hz * 80 / 100)) ] && [ "$rate" -lt $((hz * 120 / 100)) ] || fail "rate"
	done
	for bad in 0 20001 x ''; do
		dwell record -F "$bad" ./shares 2> err && fail "-F $bad"
		grep -q "expected a number from 1 to 20000" err || fail "$(cat err)"
	done
	RECORD_OPTIONS=--sample record status sh -c 'exit 7'
	[ "$(cat status.status)" = 7 ] || fail "status $(cat status.status)"
}

# A process that runs: its threads, what it starts, and until when.
attached()
{
	./shares 400000 3 &
	pid=$!
	has_begun $pid shares 4
	dwell attach --for 700ms -o at.dwell $pid 2> at.err || fail "status $?" "$(cat at.err)"
	grep -qx "dwell: process $pid: no agent in it: sampled at 997 Hz; with --trace, each of its calls is recorded" at.err || fail "$(cat at.err)"
	dwell info at.dwell > at.info
	[ "$(sed -n '/^threads/,/^$/p' at.info | grep -c shares)" = 4 ] || fail "threads" "$(cat at.info)"
	grep -q "$pid .*shares 400000 3" at.info || fail "command line" "$(cat at.info)"
	near 74 "$(share at.dwell share_74 | cut -d " " -f 2)" "$(samples at.dwell)" "share_74" || fail "$(dwell report at.dwell)"
	dwell report at.dwell | grep -q "callers: 100.0 % complete" || fail "callers" "$(dwell report at.dwell)"
	dwell attach --sample $$ --for 10ms -o idle.dwell 2> idle.err && fail "nothing was sampled, and status 0"
	grep -q "no sample was taken" idle.err || fail "$(cat idle.err)"
}

# 200 threads that live 5 ms each: each of them has samples. The chunk of one is its own.
storm()
{
	record storm ./workload storm
	[ "$(cat storm.status)" = 0 ] || fail "$(cat storm.err)"
	cat > become.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <time.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		struct timespec now, begin;
		char left[16];
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
		do
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 3000000);
		snprintf(left, sizeof left, "%d", argc > 1 ? atoi(argv[1]) - 1 : 0);
		return atoi(left) > 0 ? execl(argv[0], argv[0], left, (char *)0) : 0;
	}
	END
	gcc -O2 become.c -o become
	threads=$(dwell dump --layout storm.dwell | awk '$3 == "SAMPLES" { print $4 }' | sort -u | wc -l)
	[ "$threads" -ge 200 ] || fail "$threads threads with samples" "$(cat storm.err)" "$(dwell report storm.dwell | head -12)" "$(dwell info storm.dwell | grep -i lost)"
	# What the system counts is what the samples stand for: of one thread, of many whose last sample is long before their end (a fifth of a
	# life of five samples), and of one that becomes another program again and again, while its timers run on.
	record whole ./shares 10000
	record become ./become 50
	for one in whole storm become; do
		found=$(dwell report $one.dwell | sed -n 's/.*the samples cover \([0-9.]*\) %.*/\1/p')
		echo "$one: $found %"
		between 88 "$found" 112 "what the samples of $one stand for"
	done
}

# The kernel itself holds samples back when there are more than it allows: that is a setting of the whole machine.
held_back()
{
	local before
	before=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
	trap "echo $before > /proc/sys/kernel/perf_event_max_sample_rate" EXIT
	echo 2500 > /proc/sys/kernel/perf_event_max_sample_rate
	RECORD_OPTIONS="--sample -F 20000" record held ./shares 5000
	echo "$before" > /proc/sys/kernel/perf_event_max_sample_rate
	grep -qE 'held.dwell: the kernel held samples back, [0-9]+ times: they took too much time; a lower rate \(-F\) helps' held.err || fail "$(cat held.err)"
	dwell report held.dwell > held.txt && fail "report: status 0"
	grep -qE '^  [0-9,]+ times the operating system stopped sampling for a while$' held.txt || fail "$(cat held.txt)"
	awk '/the samples cover/ { exit !($(NF - 3) < 95) }' held.txt || fail "the samples stand for all of it" "$(cat held.txt)"
}

# One function by parts of its code, without debug information: the first part and the last one do all of it.
split()
{
	compile halves halves.c
	record halves ./halves 100000000
	awk '$1 == "took" { took[$2] = $3; all += $3 } END { for (name in took) print name, 100 * took[name] / all }' halves.out > truth
	of_samples report --split halves --intervals 3 --csv halves.dwell > split.csv
	cat truth split.csv
	[ "$(head -1 split.csv)" = interval,address,bytes,samples,percent,low,high ] || fail "header"
	awk -F , -v size="$((16#$(nm -S halves | awk '$4 == "halves" { print $2 }')))" -v begin="$(nm halves | awk '$3 == "halves" { print $1 }')" '
		NR == 2 { first = substr("0000000000000000" substr($2, 3), length($2) - 1) }
		NR > 1 { bytes += $3; sum += $5; if ($5 < $6 || $5 > $7) bad = 1 }
		END { exit bad || bytes != size || sum < 99.9 || sum > 100.1 || first != begin }' split.csv || fail "not the function's bytes, or not all of its samples"
	[ "$(awk -F , 'NR > 1 { n += $4 } END { print n }' split.csv)" = "$(share halves.dwell halves | cut -d " " -f 1)" ] || fail "samples"
	for pair in first:2 last:4; do
		true=$(awk -v name=${pair%:*} '$1 == name { print $2 }' truth)
		awk -F , -v line=${pair#*:} -v t="$true" 'NR == line { w = $7 - $6; exit !(t > $6 - w && t < $7 + w) }' split.csv || fail "${pair%:*} part"
	done
	# How far from the truth they may be follows from how many there are.
	"$DWELL" profile o=halves.profile x=halves i=3 f=1000 ./halves 100000000 > halves.profiled
	sed -n '/^Detail/,/^End/p' halves.profile
	sed -n '/^Detail/,/^End/p' halves.profile | awk -F '|' '$2 + 0 { print $2 + 0, $5, $6; all += $5 } END { print "all", all }' > parts
	all=$(awk '$1 == "all" { print $2 }' parts)
	for pair in first:1 last:3; do
		near "$(awk -v name=${pair%:*} '$1 == "took" { took[$2] = $3; all += $3 } END { print 100 * took[name] / all }' halves.profiled)" \
			"$(awk -v part=${pair#*:} '$1 == part { print $3 }' parts)" "$all" "dwell profile x=halves: ${pair%:*} part"
	done
	awk '$1 == 2 { exit !($3 < 2) }' parts || fail "dwell profile x=halves: the part between"
	of_samples report --split halves halves.dwell > text || fail "text"
	grep -q "halves, in .*/halves: .* bytes in 25 intervals" text || fail "$(cat text)"
	dwell report --split main halves.dwell 2> err && fail "main has no samples"
	grep -q "no sample is in it, only in what it calls" err || fail "$(cat err)"
}

# Samples reach the file soon: what a recorder that is killed takes with it is a tenth of a second, where nobody else wants the processors:
# so it is once in three times, at the least.
killed()
{
	local round
	for round in 1 2 3; do
		lose_five > killed.txt
		echo "milliseconds from the last sample to the kill:" $(cat killed.txt)
		! between -20 "$(sed -n 3p killed.txt)" 200 "milliseconds that are lost" || return 0
	done
	fail "a recorder that is killed takes more with it"
}

lose_five()
{
	local recorder program at try
	for try in 1 2 3 4 5; do
		"$DWELL" record --sample --no-stacks -o killed.dwell ./shares 100000000 2> killed.err &
		recorder=$!
		sleep "0.4$try"
		program=$(pgrep -P $recorder)
		kill -KILL $recorder
		at=$(cut -d " " -f 1 /proc/uptime)
		kill -KILL "$program"
		dwell dump --csv killed.dwell 2> /dev/null | columns /dev/stdin record ticks |
			awk -v at="$at" '$1 == "sample" { last = $2 } END { printf "%.0f\n", last ? 1000 * (at - last / 1e9) : 99999 }'
	done | sort -n
}

test_that "known shares are in their intervals" known_shares
test_that "one function by parts" split
test_that "threads" threads
test_that "rates, and bad ones" rates
test_that "attach to a process without hooks" attached
test_that "200 threads of 5 ms, none missing" storm
test_that "a recorder that is killed" killed
if [ -n "${DWELL_TEST_SETTINGS-}" ] && [ -w /proc/sys/kernel/perf_event_max_sample_rate ]; then
	test_that "held back by the kernel" held_back
else
	skip "held back by the kernel" "changes a setting of the machine for a second: DWELL_TEST_SETTINGS=1 does it, as root"
fi
done_testing
