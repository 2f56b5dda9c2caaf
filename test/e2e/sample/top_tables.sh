#!/bin/bash
# dwell top, a live table: what is in the tables, of calls and of samples, and how it begins and ends.
# Takes long, tables that come once a second.
. "$(dirname "$0")/../lib.sh"

compile waits waits.c
compile threads threads.c
compile naps naps.c

# all_calls FILE FUNCTION: of the last table in it.
all_calls()
{
	awk -v name="$2" '
		/calls\/s +self/ { for (i in at) delete at[i]; found = ""; has_cpu = /self cpu/ }
		$NF == name { found = $0 }
		END { split(found, part, " "); print has_cpu ? part[8] : part[6] }' "$1" | tr -d ,
}
ended()
{
	local name calls
	timeout 60 "$DWELL" top ./threads > ended.out 2> ended.err || fail "status $?" "$(cat ended.err)"
	[ ! -s ended.err ] || fail "it says" "$(cat ended.err)"
	grep -q ' 0 events lost; ' ended.out || return 0 # the machine had no time: then the counts are not exact
	sed -n 's/^count \([^ ]*\) \([0-9]*\)$/\1 \2/p' ended.out > ended.want
	[ -s ended.want ] || fail "the program counted nothing" "$(cat ended.out)"
	while read -r name calls; do
		[ "$(all_calls ended.out "$name")" = "$calls" ] || fail "$name: $(all_calls ended.out "$name") calls, expected $calls" "$(cat ended.out)"
	done < ended.want
}
test_that "the last table has every call of a program that ended" ended
each_second()
{
	local began=$SECONDS
	timeout 60 "$DWELL" top --tables 3 ./waits 60000 > each.out 2> each.err || fail "status $?" "$(cat each.err)"
	[ "$(grep -c 'calls/s  *self' each.out)" = 3 ] || fail "tables:" "$(cat each.out)"
	between 2 $((SECONDS - began)) 60 "seconds for 3 tables"
	! pgrep -x waits -P $$ || fail "the program is still there"
	awk '/^ *~?[0-9,]+ +.* %/ { for (i = 1; i < NF && $(i + 1) != "%"; i++); sub("<", "", $i); sum += $i; rows++ }
		END { exit !(rows >= 6 && sum > 290 && sum < 310) }' each.out || fail "percentages of three tables are not 300 together" "$(cat each.out)"
}
test_that "a table a second, so many of them, and the program is ended" each_second
# What naps is most of the time by the clock, and next to nothing on the CPU, which decides what leads.
on_cpu()
{
	timeout 60 "$DWELL" top --tables 3 ./naps > cpu.out 2> cpu.err || fail "status $?" "$(cat cpu.err)"
	grep -q 'self cpu' cpu.out || return 0 # the system does not tell it
	timeout 60 "$DWELL" top --tables 3 --wall ./naps > wall.out 2> wall.err || fail "status $?" "$(cat wall.err)"
	awk '/self cpu/ { row = 0 } / (nap|work)$/ && !row++ { first = $NF } END { exit first != "work" }' cpu.out ||
		fail "work does not lead by CPU time" "$(cat cpu.out)"
	grep -q 'wall %' wall.out && grep -q 'cpu %' cpu.out || fail "percentages are of" "$(cat cpu.out wall.out)"
	awk '/ nap$/ { for (i = 1; i < NF && $(i + 1) != "%"; i++); last = $i + 0 } END { exit !(last > 0 && last < 25) }' cpu.out ||
		fail "nap is not off the CPU" "$(cat cpu.out)"
}
test_that "time on the CPU, where it is known" on_cpu

attached()
{
	LD_PRELOAD=$BUILD/libdwell.so ./waits 8000 > attached.program &
	local pid=$!
	comes '^waiting' attached.program
	timeout 30 "$DWELL" top --for 2.5s "$pid" > attached.out 2> attached.err || fail "status $?" "$(cat attached.err)"
	grep -qE 'leaf$' attached.out && grep -qE 'work$' attached.out || fail "$(cat attached.out)"
	kill -0 $pid || fail "the process is gone"
	timeout 30 "$DWELL" top --tables 1 -n 1 "$pid" > attached.out 2> attached.err || fail "again: status $?" "$(cat attached.err)"
	[ "$(grep -cE ' (leaf|work)$' attached.out)" = 1 ] || fail "--limit 1:" "$(cat attached.out)"
	wait $pid || fail "the process ended with $?"
	! grep bad attached.program || fail "a call of it was interrupted"
}
test_that "a process that runs already goes on afterwards" attached

wrong()
{
	local expected=$1 status=0
	shift
	timeout 20 "$DWELL" top "$@" > wrong.out 2>&1 || status=$?
	[ $status = 2 ] && grep -qE -- "$expected" wrong.out && [ "$(wc -l < wrong.out)" = 1 ] ||
		fail "status $status:" "$(cat wrong.out)" "expected $expected"
}
test_that "no such process" wrong 'there is no such process' 2147483647
test_that "no such program" wrong 'no such program' nobody-has-this
# Calls of a program without hooks are recorded by an agent, and a static one cannot be given any.
no_agent()
{
	echo 'int main(void) { return 0; }' | gcc -x c -static -o static - || return 1
	wrong 'static: nothing was recorded: it is linked statically' --trace --for 1s ./static
}
test_that "no hooks, and no way to record its calls" no_agent
# Whoever asks, nobody is told to do what he does already.
not_permitted()
{
	local status=0
	[ "$(id -u)" = 0 ] || return 0
	cp "$DWELL" "$BUILD/libdwell.so.1" . && chmod 755 . dwell
	setpriv --reuid 65534 --regid 65534 --clear-groups ./dwell top $$ > denied.out 2>&1 || status=$?
	[ $status = 2 ] && grep -q "process $$: belongs to another user, or has dropped rights: attach as root" denied.out || fail "$(cat denied.out)"
	readlink /proc/1/exe > /dev/null && return 0
	"$DWELL" top 1 > denied.out 2>&1 && fail "process 1: status 0"
	grep -q 'process 1: the system does not let dwell read its memory' denied.out && ! grep -q 'as root;' denied.out || fail "$(cat denied.out)"
}
test_that "a process that may not be looked into" not_permitted

# Programs as they are: the same calls as record counts, of a program and of a process that runs.
traced()
{
	local pid
	gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/states.c" -o states
	./states works > states.out &
	pid=$!
	has_begun $pid states
	timeout 60 "$DWELL" top --trace --for 2s $pid > traced.out 2> traced.err || fail "status $?" "$(cat traced.err)"
	kill $pid
	wait $pid || fail "the process: status $?"
	[ "$(cat states.out)" = good ] || fail "$(cat states.out)"
	# But those of the call that it was in at the beginning, and at the end.
	between -100 $(($(all_calls traced.out step) - 100 * $(all_calls traced.out steps))) 200 "calls of step that are not in calls of steps"
	HOOKS="-fno-inline -fno-ipa-cp -fno-ipa-sra" compile plain basic.c
	timeout 60 "$DWELL" top --trace ./plain 3 > traced.out 2> traced.err || fail "status $?" "$(cat traced.err)"
	[ ! -s traced.err ] || fail "it says" "$(cat traced.err)"
	sed -n 's/^count \([^ ]*\) \([0-9]*\)$/\1 \2/p' traced.out > traced.want
	[ -s traced.want ] || fail "the program counted nothing" "$(cat traced.out)"
	while read -r name calls; do
		[ "$(all_calls traced.out "$name")" = "$calls" ] || fail "$name: $(all_calls traced.out "$name") calls, expected $calls" "$(cat traced.out)"
	done < traced.want
}
if [ "$(uname -m)" = x86_64 ]; then
	XDG_CACHE_HOME=$work/cache test_that "--trace: programs that nobody compiled with hooks" traced
fi
# Without hooks: sampled.
HOOKS=-fno-instrument-functions compile shares shares.c
timeout 20 "$DWELL" top --for 300ms sh -c : > sampled.out 2>&1
if grep -q "cannot be sampled" sampled.out; then
	skip "samples" "$(grep "cannot be sampled" sampled.out)"
	done_testing
	exit 0
fi

# tables FILE: as lines of self, from, to, total, all, from, to, all total, samples, function. What is below 0.01 % is 0.
tables()
{
	grep -E '^ *[0-9.]+ %' "$1" | sed 's/ %//g; s/ = / /; s/,//g; s/<0.01/0/g'
}
attached_samples()
{
	local pid
	./shares 100000000 3 &
	pid=$!
	has_begun $pid shares 4
	timeout 30 "$DWELL" top --for 2.5s -n 2 $pid > at.out 2> at.err || fail "status $?" "$(cat at.err)"
	cat at.out at.err
	grep -qx "dwell: process $pid: no agent in it: sampled at 997 Hz; with --trace, each of its calls is recorded" at.err || fail "why"
	between 2 "$(grep -c '^  *self %' at.out)" 3 "tables in 2.5 s"
	grep -q '; 4 threads; ' at.out || fail "threads"
	[ "$(tables at.out | wc -l)" = $((2 * $(grep -c '^  *self %' at.out))) ] || fail "--limit 2"
	timeout 30 "$DWELL" top $pid > int.out 2> int.err &
	comes '^  *self %' int.out
	kill -INT $!
	wait $! || fail "SIGINT: status $?" "$(cat int.err)"
	[ "$(grep -c '^  *self %' int.out)" -ge 2 ] || fail "no table at the end" "$(cat int.out)"
	kill -0 $pid || fail "the process is gone"
	timeout 30 "$DWELL" top $pid 2> pipe.err | head -1 > pipe.out
	[ "${PIPESTATUS[0]}" != 124 ] && grep -q 'samples of the last' pipe.out || fail "nobody reads on, and it does" "$(cat pipe.err)"
	timeout 30 "$DWELL" top $pid > end.out 2> end.err &
	comes '^  *self %' end.out
	kill $pid
	wait $! || fail "the process ended: status $?" "$(cat end.err)"
	grep -q '; 0 threads; ' end.out || fail "the last table" "$(cat end.out)"
}
test_that "samples of a process that runs: it goes on, and its end is the end" attached_samples
idle()
{
	local pid status=0
	sleep 100 &
	pid=$!
	is_asleep $pid
	timeout 30 "$DWELL" top --tables 2 $pid > idle.out 2> idle.err || status=$?
	kill $pid
	[ $status = 1 ] && [ "$(grep -c '^0 samples of the last' idle.out)" = 2 ] && grep -q "process $pid: no sample was taken: it used no CPU time" idle.err ||
		fail "status $status" "$(cat idle.out idle.err)"
}
test_that "samples of a process that waits" idle
sampled_wrong()
{
	wrong 'top: --wall is for calls; samples are of time on the CPU, and it would be sampled: ./shares: no hooks' --wall ./shares 1
	wrong '--sample and --trace: one or the other; the first samples, the second traces' --sample --trace ./shares
	wrong "-F '0': expected a number from 1 to 20000" -F 0 ./shares
	timeout 20 "$DWELL" top --sample --for 500ms ./waits 60000 > hooked.out 2> hooked.err || fail "status $?" "$(cat hooked.err)"
	[ ! -s hooked.err ] && grep -q '^asked for 997' hooked.out || fail "--sample of one with hooks:" "$(cat hooked.out hooked.err)"
}
test_that "samples: what cannot be had, and of a program with hooks" sampled_wrong
done_testing
