#!/bin/bash
# Measures time: tables come once a second.
# dwell top, a live table: on a terminal, and when tables come. The rest is in top_tables.sh.
# Takes long, tables that come once a second.
. "$(dirname "$0")/../lib.sh"

compile waits waits.c

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
	[ "$(grep -cE '^asked for 997 samples a second of CPU time, got (9[5-9]|10[0-4])[0-9.]*$' sampled.out)" = 3 ] &&
		[ "$(grep -cE '^[0-9,]+ samples of the last (9[0-9.]* ms|1\.[0-2][0-9]* s), 0 lost; ' sampled.out)" = 3 ]
}
sampled()
{
	local status try
	for try in 1 2 3; do
		status=0
		timeout 60 "$DWELL" top --tables 3 ./shares 100000000 > sampled.out 2> sampled.err || status=$?
		! is_steady || break
	done
	cat sampled.out
	[ $status = 0 ] && [ "$(cat sampled.err)" = "dwell: ./shares: no hooks: sampled at 997 Hz; with --trace, each of its calls is recorded" ] ||
		fail "status $status" "$(cat sampled.err)"
	[ "$(grep -c '^  *self %' sampled.out)" = 3 ] || fail "tables"
	! pgrep -x shares -P $$ || fail "the program is still there"
	grep -qE '^[0-9,]+ samples of the last [^,]*, [0-9,]+ lost; CPU time .* a second; 1 thread; [0-9,]+ samples in .* since the start$' sampled.out ||
		fail "head"
	# Each share is in its interval, and all functions together are all.
	tables sampled.out | awk '$1 < $2 || $1 > $3 || $5 < $6 || $5 > $7 { print; exit 1 }' || fail "intervals"
	tables sampled.out | awk '{ sum += $1 } END { exit !(sum > 299 && sum < 301) }' || fail "sums"
	between 99 "$(share sampled.out main 4)" 100 "main with what it calls"
	is_steady || return 0
	# The truth is in the interval, or not farther beside it than that is wide.
	tables sampled.out | awk '$NF == "share_74" { from = $2; to = $3; all_from = $6; all_to = $7 }
		END { exit !(2 * from - to < 74 && 74 < 2 * to - from && 2 * all_from - all_to < 74 && 74 < 2 * all_to - all_from) }' || fail "share_74"
	# More samples know more: the interval of all is narrower than those of a second are in the mean.
	tables sampled.out | awk -v all_samples="$(sed -n 's/.*; \([0-9,]*\) samples in .*/\1/p' sampled.out | tail -1 | tr -d ,)" '
		$NF == "share_74" { recent += ($3 - $2) / 3; all = $7 - $6; samples = $9 }
		END { exit !(samples > all_samples / 2 && samples < all_samples && all < 0.9 * recent) }' || fail "widths"
}
test_that "samples: a table a second, with intervals" sampled
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
done_testing
