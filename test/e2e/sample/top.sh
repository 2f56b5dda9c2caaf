#!/bin/bash
# Measures time: tables come once a second.
# dwell top: a live table.
# Takes long, tables that come once a second.
. "$(dirname "$0")/../lib.sh"

compile waits waits.c
compile told told.c -ldl
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

# Less than a second is not nothing, and what is left of it is a table, too.
part_of_a_second()
{
	timeout 30 "$DWELL" top --for 400ms ./waits 60000 > part.out 2> part.err || fail "status $?" "$(cat part.err)"
	[ "$(grep -c 'calls/s  *self' part.out)" = 1 ] || fail "tables in 400 ms:" "$(cat part.out)"
	# Where it had to wait for a processor until then, the table of the first second is the last one.
	for _ in 1 2 3 4; do
		timeout 30 "$DWELL" top --for 1.4s ./waits 60000 > part.out 2> part.err || fail "status $?" "$(cat part.err)"
		[ "$(grep -c 'calls/s  *self' part.out)" != 2 ] || return 0
	done
	fail "tables in 1.4 s:" "$(cat part.out)"
}
test_that "a table at the end of --for, whole second or not" part_of_a_second

terminal()
{
	local table='^ *~?[0-9,]+ .* leaf$'
	on_terminal 100 14
	types "stty -a > stty.before; echo before; $DWELL top ./waits 600000" Enter
	shows "$table"
	! grep -qE 'before|waiting|prompt' screen.out || fail "something else is shown:" "$(cat screen.out)"
	: > waits.folder/now # one who waits for that wakes: a third function
	# By the next column, self; then the other way round, which the table that comes keeps.
	types s s
	shows 'by self'
	types r
	shows 'by self wall, reversed|by self, reversed'
	shows ' woke$'
	awk '/ (leaf|work|woke)$/ && !first { first = $NF } END { exit first != "woke" }' screen.out || fail "the least is not first" "$(cat screen.out)"
	# The row that was searched for is the chosen one, wherever it is.
	types / leaf
	shows '^/leaf'
	types Enter
	shows ' [23] of 3| [34] of 4'
	# Where a second lost events, which it said, a call of it may be of nobody.
	! grep -q ' of 4' screen.out || grep -q '(unknown)$' screen.out || fail "a fourth function:" "$(cat screen.out)"
	types / nobody Enter
	shows "no name has 'nobody' in it"
	types '?'
	shows 'freeze the table'
	types x f
	shows '^FROZEN'
	head -1 screen.out > frozen.head
	sleep 2.5
	$tmux capture-pane -p | head -1 | diff frozen.head - || fail "it is not frozen"
	types f
	shows '^q quit'
	for _ in $(seq 300); do
		$tmux capture-pane -p | head -1 | cmp -s frozen.head - || break
		sleep 0.2
	done
	! $tmux capture-pane -p | head -1 | diff -q frozen.head - || fail "it is frozen"
	$tmux resize-window -x 60 -y 9
	shows '^q quit .{45,52}$'
	types C-z
	shows 'Stopped'
	types fg Enter
	shows "$table"
	types q
	shows '^prompt> *$'
	types "stty -a > stty.after; echo aft''er" Enter
	shows '^after'
	$tmux capture-pane -p -S - > terminal.out
	grep -q '^before' terminal.out || fail "the terminal is not as it was:" "$(cat terminal.out)"
	diff <(sed 's/rows [0-9]*; columns [0-9]*//' stty.before) <(sed 's/rows [0-9]*; columns [0-9]*//' stty.after) || fail "stty"
	! pgrep -x waits -s "$($tmux display -p '#{pane_pid}')" || fail "the program is still there"
	types "$DWELL top ./waits 600000" Enter
	shows '^q quit'
	types C-c
	shows '^prompt> *$'
}
if command -v tmux > /dev/null; then
	test_that "on a terminal: in its place, and Ctrl-C leaves it as it was" terminal
else
	skip "on a terminal" "no tmux"
fi

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
# share FILE FUNCTION COLUMN: of the last table in it.
share()
{
	tables "$1" | awk -v name="$2" -v column="$3" '$NF == name { found = $column } END { print found }'
}
# Whether each table is of a second, with no sample lost, at the rate that was asked for. Where the machine has no time for dwell, samples are
# late, too many or lost, and nobody changes their distance, so that they may be in step with the program.
is_steady()
{
	[ "$(grep -cE '^asked for 997 samples a second of CPU time, got (9[5-9]|10[0-4])[0-9.]*$' sampled.out)" = 4 ] &&
		[ "$(grep -cE '^[0-9,]+ samples of the last (9[0-9.]* ms|1\.[0-2][0-9]* s), 0 lost; ' sampled.out)" = 4 ]
}
sampled()
{
	local status try
	for try in 1 2 3; do
		status=0
		timeout 60 "$DWELL" top --tables 4 ./shares 100000000 > sampled.out 2> sampled.err || status=$?
		! is_steady || break
	done
	cat sampled.out
	[ $status = 0 ] && [ "$(cat sampled.err)" = "dwell: ./shares: no hooks: sampled at 997 Hz; with --trace, each of its calls is recorded" ] ||
		fail "status $status" "$(cat sampled.err)"
	[ "$(grep -c '^  *self %' sampled.out)" = 4 ] || fail "tables"
	! pgrep -x shares -P $$ || fail "the program is still there"
	grep -qE '^[0-9,]+ samples of the last [^,]*, [0-9,]+ lost; CPU time .* a second; 1 thread; [0-9,]+ samples in .* since the start$' sampled.out ||
		fail "head"
	# Each share is in its interval, and all functions together are all.
	tables sampled.out | awk '$1 < $2 || $1 > $3 || $5 < $6 || $5 > $7 { print; exit 1 }' || fail "intervals"
	tables sampled.out | awk '{ sum += $1 } END { exit !(sum > 399 && sum < 401) }' || fail "sums"
	between 99 "$(share sampled.out main 4)" 100 "main with what it calls"
	is_steady || return 0
	# The truth is in the interval, or not farther beside it than that is wide.
	tables sampled.out | awk '$NF == "share_74" { from = $2; to = $3; all_from = $6; all_to = $7 }
		END { exit !(2 * from - to < 74 && 74 < 2 * to - from && 2 * all_from - all_to < 74 && 74 < 2 * all_to - all_from) }' || fail "share_74"
	# More samples know more: the interval of all is narrower than those of a second are in the mean.
	tables sampled.out | awk -v all_samples="$(sed -n 's/.*; \([0-9,]*\) samples in .*/\1/p' sampled.out | tail -1 | tr -d ,)" '
		$NF == "share_74" { recent += ($3 - $2) / 4; all = $7 - $6; samples = $9 }
		END { exit !(samples > all_samples / 2 && samples < all_samples && all < 0.9 * recent) }' || fail "widths"
}
test_that "samples: a table a second, with intervals" sampled
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
sampled_terminal()
{
	local pid
	./shares 100000000 &
	pid=$!
	on_terminal 100 12
	types "echo before; $DWELL top $pid" Enter
	shows '^ *[0-9.]+ % .* share_74$'
	[ "$(head -1 screen.out | grep -c 'samples of the last')" = 1 ] || fail "its first line is not the first:" "$(cat screen.out)"
	types S S # by the last column: names rise
	shows 'by samples|by function'
	types C-c
	shows '^prompt> *$'
	types "echo aft''er" Enter
	shows '^after'
	$tmux capture-pane -p -S - > terminal.out
	kill -0 $pid || fail "the process is gone"
	grep -q '^before' terminal.out || fail "the terminal is not as it was:" "$(cat terminal.out)"
}
if command -v tmux > /dev/null; then
	test_that "samples on a terminal" sampled_terminal
else
	skip "samples on a terminal" "no tmux"
fi
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
done_testing
