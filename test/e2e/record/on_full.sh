#!/bin/bash
# A thread whose ring is full waits for record, and loses nothing: however busy the machine is, and while record is stopped. It goes on by itself
# when record has died, and when it has waited for as long as it may.
# Takes long, a disk and a record that are too slow.
. "$(dirname "$0")/../lib.sh"

# Rings of $small are so small that they are full of the events of COUNT calls several times over.
COUNT=1500000
small=(--memory=4M)

# number NAME KEY: of all threads together
number()
{
	"$DWELL" info --json "$1.dwell" 2> /dev/null | sed -n '/"threads"/,/^  \]/p' | sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" |
		awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# nothing_lost NAME: and the times add up.
nothing_lost()
{
	! grep -qE '(lost|dropped)[:,]' "$1.err" || fail "record says:" "$(cat "$1.err")"
	[ "$(number "$1" lost_events)" = 0 ] || fail "$(number "$1" lost_events) events were lost"
	! "$DWELL" info --json "$1.dwell" | grep -q '"balanced": false' || fail "the times do not add up:" "$("$DWELL" info "$1.dwell")"
}

# Eight others want the processors all the time.
busy=()
be_busy()
{
	for _ in 1 2 3 4 5 6 7 8; do
		while :; do :; done &
		busy+=($!)
	done
}

# busy_machine NAME OPTIONS ...: small rings, so that they are full soon.
busy_machine()
{
	local name=$1 made
	shift
	compile_once tree tree.c
	be_busy
	RECORD_OPTIONS="--memory=1M $*" record "$name" ./tree 17
	kill "${busy[@]}"
	[ "$(cat "$name.status")" = 0 ] || fail "$(cat "$name.err")"
	nothing_lost "$name"
	made=$(sed -n 's/^events //p' "$name.out")
	report_csv "$name"
	[ "$(value "$name" branch calls)" = "$(((made - 2) / 2))" ] || fail "$(value "$name" branch calls) calls of branch, events: $made"
}

# busy_calls NAME OPTIONS ...: likewise, of calls that are looked at, and mostly not kept.
busy_calls()
{
	local name=$1
	shift
	compile_once held held.c
	be_busy
	echo | "$DWELL" record "$@" -o "$name.dwell" ./held $COUNT > "$name.out" 2> "$name.err" || fail "status $?" "$(cat "$name.err")"
	kill "${busy[@]}"
}

slowest()
{
	busy_calls slowest --memory=2M --keep-slowest 3:leaf
	nothing_lost slowest
	"$DWELL" info slowest.dwell | grep -q "^kept-slowest .*3 of $COUNT calls, 0 cut" || fail "not kept:" "$("$DWELL" info slowest.dwell)"
}

# find_program: the one that $record runs. $program
find_program()
{
	until program=$(cat "/proc/$record/task/$record/children") && [ "$(cat "/proc/${program% }/comm" 2> /dev/null)" = held ]; do
		[ -d "/proc/$record" ] || { fail "record has ended already"; return; }
		sleep 0.01
	done
	program=${program% }
}

# begin NAME OPTIONS ... -- ARGUMENTS: records ./held, and stops record before that makes its calls; returns when it waits, or has made them all.
# $record, $program
begin()
{
	local name=$1 options=() before asleep stat
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	compile_once held held.c
	mkfifo "$name.go"
	"$DWELL" record "${options[@]}" -o "$name.dwell" ./held "$@" < "$name.go" > "$name.out" 2> "$name.err" &
	record=$!
	exec 4> "$name.go"
	find_program
	is_asleep "$program"
	kill -STOP "$record"
	before=$(ticks "$program")
	echo >&4
	exec 4>&-
	# Not where it still waits for the line, or for a page of memory: who is interrupted among calls may have recorded one that it has not counted.
	asleep=0
	until [ "$asleep" = 5 ]; do
		sleep 0.02
		read -r stat < "/proc/$program/stat"
		if [[ ${stat##*) } != R* ]] && [ "$(ticks "$program")" -gt "$before" ]; then
			asleep=$((asleep + 1))
		else
			asleep=0
		fi
	done
}

finish()
{
	kill -CONT "$record"
	wait "$record" || fail "status $?" "$(cat "$1.err")"
}

stopped()
{
	begin stopped "${small[@]}" -- $COUNT
	sleep 1
	[ ! -s stopped.out ] || fail "the program went on"
	finish stopped
	nothing_lost stopped
	report_csv stopped
	[ "$(value stopped leaf calls)" = $COUNT ] || fail "$(value stopped leaf calls) calls"
	# It is in no function's time, and said.
	between 1000000000 "$(number stopped held_ns)" 100000000000 "what the thread was held up"
	between 0 "$(value stopped main total_ns)" "$(($(number stopped elapsed_ns) - $(number stopped held_ns)))" "main's time"
	grep -q 'recording held threads up for .* so that no event was lost$' stopped.err || fail "record does not say it:" "$(cat stopped.err)"
	"$DWELL" info stopped.dwell | grep -q '^waited ' || fail "info does not say it"
}

# With --snapshot-when a thread waits until what it would overwrite was looked at, so that each call is judged. all_judged NAME
all_judged()
{
	grep -q ": no call was that slow; the slowest of 1,500,000 calls took" "$1.err" && ! grep -q "not searched" "$1.err" || fail "$(cat "$1.err")"
}

busy_trigger()
{
	busy_calls judged --ring=256K --snapshot-when 'leaf>1000s'
	all_judged judged
}

stopped_trigger()
{
	begin looks --snapshot-when 'leaf>3s' -- $COUNT
	sleep 3
	[ ! -s looks.out ] || fail "the program went on"
	finish looks
	all_judged looks # and what the thread was held up is in no call's time
	grep -q 'recording held threads up for .* so that no event was lost$' looks.err || fail "record does not say it:" "$(cat looks.err)"
}

# What is overwritten then is lost to nobody but the judge.
too_long_trigger()
{
	begin overwrites --on-full=wait:300ms --snapshot-when 'leaf>1000s' -- $COUNT
	comes '^leaf ' overwrites.out
	finish overwrites
	grep -q ' a whole ring ahead of the search for slow calls: [0-9]* events were not searched' overwrites.err || fail "$(cat overwrites.err)"
	nothing_lost overwrites
}

dead_trigger()
{
	begin alone --snapshot-when 'leaf>1000s' -- $COUNT
	kill -KILL "$record"
	comes '^leaf ' alone.out
	wait "$record" 2> /dev/null || true
	comes . alone.dwell # written when the program has ended
	"$DWELL" report --csv alone.dwell > alone.csv 2> /dev/null || [ $? = 1 ] || fail "the file cannot be read"
	[ "$(value alone leaf calls)" -gt 10000 ] || fail "$(value alone leaf calls) calls are in the ring"
}

# said NAME: how many events were lost, of how many, as record says it.
said()
{
	sed -n 's/^dwell: .*: \([0-9]*\) of \([0-9]*\) events were lost:.*/\1 \2/p' "$1.err"
}

# For longer than it may last: what comes then is lost, and counted.
too_long()
{
	local lost made
	begin too_long "${small[@]}" --on-full=wait:300ms -- $COUNT
	comes '^leaf ' too_long.out
	finish too_long
	read -r lost made < <(said too_long) || fail "nothing was lost:" "$(cat too_long.err)"
	[ "$made" = $((2 * COUNT + 2)) ] || fail "$made events, expected $((2 * COUNT + 2))" "$(cat too_long.err)"
	between 1000000 "$lost" $((2 * COUNT)) "what was lost"
	[ "$(number too_long events)" = $((made - lost)) ] || fail "$(number too_long events) events of $made, $lost lost"
	"$DWELL" info --json too_long.dwell | grep -q '"unbalanced_threads": 0' || fail "the times do not add up"
	grep -q 'recording held threads up for [3-9][0-9][0-9] ms.* until the longest wait was over$' too_long.err ||
		grep -q 'recording held threads up for [0-9.]* s.* until the longest wait was over$' too_long.err ||
		fail "record does not say it:" "$(cat too_long.err)"
}

lose()
{
	local lost made
	begin lose "${small[@]}" --on-full=lose -- $COUNT
	comes '^leaf ' lose.out
	finish lose
	read -r lost made < <(said lose) || fail "nothing was lost:" "$(cat lose.err)"
	between 1000000 "$lost" $((2 * COUNT)) "what was lost"
	[ "$made" = $((2 * COUNT + 2)) ] || fail "$made events"
	# The first touch of its ring is the recorder's work, too; a wait would take until record goes on.
	between 0 "$(number lose held_ns)" 2000000000 "ns held up"
}

# Also as a zombie, which nobody has waited for yet.
dead()
{
	begin dead "${small[@]}" -- $COUNT
	kill -KILL "$record"
	[ "$(sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$record/status")" = Z ] || echo "# it was waited for already"
	comes '^leaf ' dead.out
	wait "$record" 2> /dev/null || true
}

zombie()
{
	compile_once held held.c
	# sleep waits for nobody.
	mkfifo zombie.go
	sh -c '"$DWELL" record --memory=4M -o zombie.dwell ./held "$0" < zombie.go > zombie.out 2> zombie.err & echo $! > zombie.pid; exec sleep 100' $COUNT &
	local parent=$!
	exec 4> zombie.go
	comes . zombie.pid
	record=$(cat zombie.pid)
	find_program
	is_asleep "$program"
	kill -STOP "$record"
	echo >&4
	sleep 0.2
	kill -KILL "$record"
	comes '^leaf ' zombie.out
	grep -q '^State:.Z' "/proc/$record/status" || fail "it is no zombie"
	kill $parent
}

# The child is none of those that wait.
forks()
{
	begin forks "${small[@]}" -- $COUNT
	kill -USR1 "$program"
	comes '^child done' forks.out
	finish forks
	nothing_lost forks
	report_csv forks
	[ "$(value forks leaf calls)" = "$(sed -n 's/^leaf //p' forks.out)" ] || fail "$(value forks leaf calls) calls" "$(cat forks.out)"
}

cancelled()
{
	begin cancelled "${small[@]}" -- $COUNT cancel
	sleep 0.3 # its ring is full by then; if not, it is cancelled elsewhere
	kill -USR1 "$program"
	comes '^cancelled' cancelled.out
	finish cancelled
	nothing_lost cancelled
}

# What comes last is lost, while record is stopped, which goes on when the program is gone: who makes it go on is a child, or the test. The time
# behind the last event is lost time, up to the end of the thread.
lost_at_the_end()
{
	local how=$1 program recorder lost ms
	cat > ends.c <<-'END'
	#include <signal.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <time.h>
	#include <unistd.h>
	#define UNHOOKED __attribute__((no_instrument_function))
	static volatile unsigned sink;
	__attribute__((noinline)) void leaf(void) { sink++; }
	UNHOOKED static long now_ms(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000 + t.tv_nsec / 1000000; }
	UNHOOKED static int is_stopped(pid_t pid)
	{
		char path[64], text[512] = "";
		FILE *file;
		snprintf(path, sizeof path, "/proc/%d/stat", pid);
		file = fopen(path, "r");
		if (file && fgets(text, sizeof text, file) && fclose(file)) abort();
		return strstr(text, ") T ") != 0;
	}
	int main(int argc, char **argv)
	{
		pid_t recorder = getppid();
		long began;
		for (int i = 0; i < 1000; i++) leaf();
		kill(recorder, SIGSTOP);
		while (!is_stopped(recorder)) usleep(1000);
		began = now_ms();
		for (int i = 0; i < 1000000 || now_ms() < began + 300; i++) leaf();
		printf("%d %d %ld\n", getpid(), recorder, now_ms() - began);
		fflush(stdout);
		if (argc > 1 && !strcmp(argv[1], "child") && !fork()) {
			usleep(100000);
			kill(recorder, SIGCONT);
			_exit(0);
		}
		return 0;
	}
	END
	gcc -O1 -finstrument-functions -fno-tree-ter ends.c -o ends
	timeout -s KILL 60 "$DWELL" record --on-full=lose --memory=1M -o "$how.dwell" ./ends "$how" > "$how.out" 2> "$how.err" &
	comes '^[0-9]+ [0-9]+ [0-9]+$' "$how.out"
	read -r program recorder ms < "$how.out"
	if [ "$how" != child ]; then
		comes ') Z ' "/proc/$program/stat"
		kill -CONT "$recorder"
	fi
	wait || fail "status $?" "$(cat "$how.err")"
	"$DWELL" report "$how.dwell" > "$how.txt" 2> /dev/null || [ $? = 1 ]
	grep -q 'events were lost; the time around them counts as lost' "$how.txt" && ! grep 'unknown places' "$how.txt" || fail "$(cat "$how.txt")"
	lost=$(($(number "$how" lost_ns) / 1000000))
	[ $lost -gt $((ms / 2)) ] || fail "$lost ms are lost, of $ms" "$(cat "$how.txt")"
	! "$DWELL" info --json "$how.dwell" 2> /dev/null | grep -q '"balanced": false' || fail "the times do not add up:" "$("$DWELL" info "$how.dwell")"
}

test_that "nothing is lost on a busy machine" busy_machine all
test_that "nor with --longer" busy_machine longer --longer 100us
test_that "nor with --keep-slowest" slowest
test_that "nor with filters" busy_machine filter --not main
test_that "nor with --depth" busy_machine depth --depth 100
test_that "nor with --count" busy_machine count --count
test_that "--snapshot-when judges each call on a busy machine" busy_trigger
test_that "and while record is stopped" stopped_trigger
test_that "but for as long as a wait may last" too_long_trigger
test_that "when record is killed that looks at rings, the program goes on" dead_trigger
test_that "nor while record is stopped" stopped
test_that "for as long as a wait may last" too_long
test_that "with --on-full=lose nobody waits" lose
test_that "what is lost at the end is lost time: a thread that has ended" lost_at_the_end child
test_that "likewise, a program that has ended" lost_at_the_end program
test_that "when record is killed, the program goes on" dead
test_that "also when nobody has waited for record yet" zombie
test_that "a handler forks while its thread waits" forks
test_that "a thread is cancelled while it waits" cancelled
done_testing
