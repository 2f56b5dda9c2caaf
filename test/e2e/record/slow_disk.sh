#!/bin/bash
# A disk that cannot follow: here a pipe that nobody reads before the program has ended, or before it waits. With --on-full=lose the program
# is not held up, and what is dropped is counted, to the last event. Else its threads wait, and nothing is lost.
# Takes long, a disk that is slow.
. "$(dirname "$0")/../lib.sh"

# Waits for the program's last words, and only then reads what record writes.
read_late()
{
	exec 3< "$1.fifo"
	until grep -q '^events ' "$1.out" 2> /dev/null; do
		sleep 0.1
	done
	cat <&3 > "$1.dwell"
}

# sum NAME KEY: of all threads
sum()
{
	sed -n "s/^ *\"$2\": \([0-9]*\),*$/\1/p" "$1.json" | awk '{ n += $1 } END { print n + 0 }'
}

# slow NAME OPTIONS ...: records into the pipe; with what follows, the numbers that must be the same.
slow()
{
	local name=$1 made said
	shift
	rm -f "$name.fifo" "$name.out"
	mkfifo "$name.fifo"
	read_late "$name" &
	timeout -k 5 100 "$DWELL" record "$@" -o "$name.fifo" ./tree 22 > "$name.out" 2> "$name.err" || fail "status $?" "$(cat "$name.err")"
	wait
	made=$(sed -n 's/^events //p' "$name.out")
	"$DWELL" info --json "$name.dwell" > "$name.json" || [ $? = 1 ] || fail "dwell info failed"
	sed '/"threads"/,/^  \]/!d' "$name.json" > threads.json
	mv threads.json "$name.json"
	# The equation holds for each thread.
	grep -q '"balanced": true' "$name.json" && ! grep -q '"balanced": false' "$name.json" || fail "the times do not add up:" "$(cat "$name.json")"
	[ "$(($(sum "$name" events) + $(sum "$name" lost_events)))" = "$made" ] ||
		fail "$(sum "$name" events) events and $(sum "$name" lost_events) lost ones in the file, $made were made" "$(cat "$name.err")"
	# What record said last is what the file says.
	said=$(sed -n 's/^dwell: .*: \([0-9]*\) of [0-9]* events were .*/\1/p' "$name.err" | awk '{ n += $1 } END { print n + 0 }')
	[ "$said" = "$(sum "$name" lost_events)" ] || fail "record says that $said events are missing, the file $(sum "$name" lost_events)"
}

dropped()
{
	slow dropped --no-pack --on-full=lose
	grep -q "^dwell: dropped.fifo: [0-9]* of $(sed -n 's/^events //p' dropped.out) events were dropped: the disk was slower" dropped.err ||
		fail "record does not say it:" "$(cat dropped.err)"
	# More than half of it had no place to wait.
	between 1000000 "$(sum dropped lost_events)" 16000000 "what was dropped"
	"$DWELL" report dropped.dwell > report 2> report.err && got=0 || got=$?
	[ $got = 1 ] && grep -q 'events were lost' report || fail "report says nothing (status $got):" "$(cat report report.err)"
}

# Packed, all of it finds a place to wait.
packed()
{
	slow packed --on-full=lose
	[ "$(sum packed lost_events)" = 0 ] || grep -q 'faster than dwell could write' packed.err || fail "events are missing:" "$(cat packed.err)"
	! grep -q dropped packed.err || fail "$(cat packed.err)"
}

# Reads what record writes when the program has waited for a while, in twenty looks at it one after the other.
read_when_held()
{
	local pid waited=0 name value
	exec 3< "$1.fifo"
	until pid=$(pgrep -x "$2"); do
		sleep 0.02
	done
	while [ $waited -lt 20 ] && [ -d "/proc/$pid" ]; do
		sleep 0.02
		while read -r name value; do
			[ "$name" != State: ] || break
		done < "/proc/$pid/status"
		[[ $value = S* ]] && waited=$((waited + 1)) || waited=0
	done
	cat <&3 > "$1.dwell"
}

held()
{
	local program=held.$$
	ln -f tree $program
	mkfifo held.fifo
	read_when_held held $program &
	timeout -k 5 100 "$DWELL" record --no-pack -o held.fifo ./$program 22 > held.out 2> held.err || fail "status $?" "$(cat held.err)"
	wait
	grep -q 'recording held threads up for .* so that no event was lost$' held.err || fail "record does not say it:" "$(cat held.err)"
	! grep -q 'lost:\|dropped' held.err || fail "$(cat held.err)"
	whole held
	sed -i '/"threads"/,/^  \]/!d' held.json
	[ "$(sum held events)" = "$(sed -n 's/^events //p' held.out)" ] || fail "$(sum held events) events, $(cat held.out)"
	between 100000000 "$(sum held held_ns)" 100000000000 "what the thread was held up"
}

compile tree tree.c
test_that "what does not fit is dropped and counted" dropped
test_that "threads wait for a slow disk, and nothing is lost" held
test_that "packed, it fits" packed
done_testing
