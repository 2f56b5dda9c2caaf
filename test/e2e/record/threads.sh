#!/bin/bash
# Threads, signals, recursion, clocks.
. "$(dirname "$0")/../lib.sh"

several()
{
	CC=$1 compile "$1-threads" threads.c
	record "$1" "./$1-threads"
	exits "$1" 0
	counts_agree "$1"
	thread_counts_agree "$1"
	whole "$1"
}
short()
{
	compile short short_threads.c
	record short ./short
	exits short 0
	counts_agree short
	whole short
	# 200 that had calls and the first one
	calls_csv short
	[ "$(columns short.calls thread | sort -u | wc -l)" = 201 ] || fail "$(columns short.calls thread | sort -u | wc -l) threads, expected 201"
}
# The last name counts, also of a thread that is gone before anybody can look.
named()
{
	compile named named.c
	record "$1" ./named
	exits "$1" 0
	"$DWELL" info "$1.dwell" > named.info
	[ "$(grep -oE ' worker[0-9]+ ' named.info | sort -u | wc -l)" = 50 ] || fail "$(cat named.info)"
	grep -q ' the_last_name ' named.info || fail "$(cat named.info)"
}
recursion()
{
	compile recursion recursion.c
	ulimit -s unlimited || ulimit -s hard
	record recursion ./recursion
	exits recursion 0
	counts_agree recursion
	deepest recursion "$(sed -n 's/^deepest main //p' recursion.out)"
	# its total is that of its outermost calls: never more than main's
	between 1 "$(value recursion deep total_ns)" "$(value recursion main total_ns)" "total of deep"
	between 1 "$(value recursion fib total_ns)" "$(value recursion main total_ns)" "total of fib"
	whole recursion
}
storm()
{
	CC=$1 compile "$1-storm" storm.c
	record "$1-storm" "./$1-storm" 1500
	exits "$1-storm" 0
	counts_agree "$1-storm"
	whole "$1-storm"
	only_called_by "$1-storm" from_handler on_timer
	only_called_by "$1-storm" on_timer "leaf burst main"
	cat "$1-storm.out"
	[ "$(value "$1-storm" on_timer calls)" -ge 1500 ] || fail "hardly a storm"
}
# A program that makes calls faster than one processor can write them down: what is lost is counted, to the last event.
overload()
{
	compile overload storm.c
	taskset -c 0 "$DWELL" record -o overload.dwell ./overload 1000 0 > overload.out 2> overload.err || fail "status $?" "$(cat overload.err)"
	report_csv overload && got=0 || got=$?
	recorded=$(columns overload.csv calls | awk '{ n += $1 } END { print n }')
	called=$(awk '/^count / { n += $3 } END { print n }' overload.out)
	lost=$(sed -n 's/^dwell: overload.dwell: \([0-9]*\) of [0-9]* events were lost.*/\1/p' overload.err)
	of=$(sed -n 's/^dwell: overload.dwell: [0-9]* of \([0-9]*\) events were lost.*/\1/p' overload.err)
	echo "called $called, reported $recorded, lost ${lost:=0} of ${of:=0} events"
	cat overload.err overload.report.err
	[ "$lost" = 0 ] && return
	[ "$of" = $((2 * called)) ] || fail "events recorded and lost: $of, expected $((2 * called))"
}
sleeps()
{
	compile sleeps sleeps.c
	record sleeps ./sleeps
	exits sleeps 0
	counts_agree sleeps
	within=$(sed -n 's/^ns within //p' sleeps.out) without=$(sed -n 's/^ns without //p' sleeps.out)
	# what the program's own clock says, within 2 % (the clock is calibrated at the start and at the end)
	between $((within - within / 50)) "$(value sleeps outer total_ns)" $((without + without / 50)) "total of outer"
	between 20000000 "$(value sleeps nap min_ns)" 1e12 "shortest nap"
	between 200000000 "$(value sleeps nap self_ns)" "$(value sleeps outer total_ns)" "self of nap"
	# What is not in one of the ten naps, of 20 ms at the least.
	between 0 "$(value sleeps outer self_ns)" $(($(value sleeps outer total_ns) - 200000000)) "self of outer"
	between "$(value sleeps nap min_ns)" "$(value sleeps nap p50_ns)" "$(($(value sleeps nap max_ns) * 103 / 100))" "median nap"
	whole sleeps
}

for compiler in gcc clang; do
	command -v $compiler > /dev/null || { skip "$compiler" "not installed"; continue; }
	test_that "$compiler: eight threads, exact counts for each" several $compiler
	test_that "$compiler: a timer every 100 µs whose handler is instrumented" storm $compiler
done
test_that "more calls than can be written: the rest is counted" overload
test_that "200 short threads" short
test_that "threads that rename themselves" named names
test_that "recursion, 100,000 deep too" recursion
test_that "known durations" sleeps
done_testing
