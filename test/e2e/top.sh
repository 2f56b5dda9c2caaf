#!/bin/bash
# dwell top: a live table.
. "$(dirname "$0")/lib.sh"

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
	between 2 $((SECONDS - began)) 20 "seconds for 3 tables"
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
	sleep 0.3
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
	timeout 30 "$DWELL" top --for 1.4s ./waits 60000 > part.out 2> part.err || fail "status $?" "$(cat part.err)"
	[ "$(grep -c 'calls/s  *self' part.out)" = 2 ] || fail "tables in 1.4 s:" "$(cat part.out)"
}
test_that "a table at the end of --for, whole second or not" part_of_a_second

terminal()
{
	local tmux="tmux -L dwell-test-$$" screen
	$tmux new-session -d -x 100 -y 14 "env PS1='prompt> ' bash --norc"
	$tmux send-keys "cd $PWD; echo before; $DWELL top ./waits 60000" Enter
	sleep 3.5
	screen=$($tmux capture-pane -p)
	$tmux send-keys C-c
	sleep 2
	$tmux send-keys "echo aft''er" Enter
	sleep 1
	$tmux capture-pane -p -S - > terminal.out
	$tmux kill-server
	grep -qE '^ *~?[0-9,]+ .* leaf$' <<< "$screen" || fail "no table:" "$screen"
	! grep -qE 'before|waiting' <<< "$screen" || fail "something else is shown:" "$screen"
	grep -q '^before' terminal.out && grep -q '^after' terminal.out || fail "the terminal is not as it was:" "$(cat terminal.out)"
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
test_that "no hooks" wrong 'no hooks' --for 1s true
done_testing
