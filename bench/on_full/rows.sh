# Sourced by bench/run: a program that makes calls faster than record writes them, on a machine with eight others that want its processors; beside
# a record that is stopped; and on a slow disk. What is lost, and how long its threads were held up.

# sum_of KEY: of all threads in what dwell info --json prints
sum_of() { sed -n '/"threads"/,/^  \]/p' | sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" | awk '{ n += $1 } END { printf "%.0f\n", n }'; }

# Milliseconds, as record says it; 0: not a word.
held_ms() { sed -n 's/.*recording held threads up for \([0-9.]*\) \([mu]*s\) in all.*/\1 \2/p' "$work/said" |
	awk '{ n = $2 == "s" ? $1 * 1000 : $2 == "ms" ? $1 : $1 / 1000 } END { print n + 0 }'; }

# Events, and calls that --snapshot-when could not judge.
lost_events()
{
	{ "$build/dwell" info --json "$work/full.dwell" 2> /dev/null || true; } | sum_of lost_events
	sed -n 's/.* a whole ring ahead of .*: \([0-9]*\) events were not looked at.*/\1/p' "$work/said"
}

# full_row FIGURE FILE: lines of events and milliseconds
full_row()
{
	local lost
	lost=$(awk '{ n += $1 } END { print n + 0 }' "$2")
	row "$1, lost events" 0 "$lost" "$lost == 0"
	row "    held up, of $rounds runs" - "$(awk '{ print $2 }' "$2" | median) ms (worst $(awk '{ print $2 }' "$2" | sort -g | tail -1) ms)" ""
}

# full_runs NAME OPTIONS ...
full_runs()
{
	local name=$1 i
	shift
	for ((i = 0; i < rounds; i++)); do
		"$build/dwell" record "$@" -o "$work/full.dwell" "$work/mixed-hooked" 100 >> "$work/full-$name-took" 2> "$work/said" ||
			give_up "recording on a busy machine failed: $(cat "$work/said")"
		echo "$(lost_events | awk '{ n += $1 } END { print n + 0 }') $(held_ms)" >> "$work/full-$name"
	done
}

# One that is stopped for ten seconds, as soon as its program runs; and one that writes to a pipe of some 20 MB/s.
full_stopped()
{
	local record
	"$build/dwell" record -o "$work/full.dwell" "$work/mixed-hooked" 100 > /dev/null 2> "$work/said" &
	record=$!
	until [ -n "$(cat "/proc/$record/task/$record/children" 2> /dev/null)" ] || [ ! -d "/proc/$record" ]; do
		sleep 0.01
	done
	kill -STOP $record
	sleep 10
	kill -CONT $record
	wait $record || give_up "recording failed: $(cat "$work/said")"
	echo "$(lost_events) $(held_ms)" > "$work/full-stopped"
}

full_slow()
{
	local reader
	rm -f "$work/full.fifo" "$work/full.dwell"
	mkfifo "$work/full.fifo"
	while dd bs=64k count=20 iflag=fullblock status=none 2> /dev/null > "$work/part" && [ -s "$work/part" ]; do
		cat "$work/part"
		sleep 0.06
	done < "$work/full.fifo" > "$work/full.dwell" &
	reader=$!
	"$build/dwell" record --no-pack -o "$work/full.fifo" "$work/mixed-hooked" 100 > /dev/null 2> "$work/said" ||
		give_up "recording to a pipe failed: $(cat "$work/said")"
	wait $reader
	echo "$(lost_events) $(held_ms)" > "$work/full-slow"
}

# After measure_program, which has made it.
measure_on_full()
{
	local i plain busy=()
	say "a busy machine, each way of recording: $rounds rounds"
	for ((i = 0; i < 8; i++)); do
		while :; do :; done &
		busy+=($!)
	done
	for ((i = 0; i < rounds; i++)); do
		"$work/mixed-hooked" 100 >> "$work/full-plain"
	done
	full_runs stream
	full_runs lose --on-full=lose
	full_runs longer --longer 10us
	full_runs slowest --keep-slowest 3:partition
	full_runs snapshot --snapshot-when 'main > 1000s'
	full_runs filters --not main --depth 100
	full_runs count --count
	kill "${busy[@]}"
	wait "${busy[@]}" 2> /dev/null || true
	plain=$(awk '{ print $3 }' "$work/full-plain" | median)
	for i in stream lose; do
		row "a program of small functions beside eight busy loops, $i, over unrecorded" - \
			"$(calculate "$(awk '{ print $3 }' "$work/full-$i-took" | median) / $plain")" ""
	done
	full_row "the same as a stream" "$work/full-stream"
	full_row "with --longer 10us" "$work/full-longer"
	full_row "with --keep-slowest" "$work/full-slowest"
	full_row "with --snapshot-when" "$work/full-snapshot"
	full_row "with --not and --depth" "$work/full-filters"
	full_row "with --count" "$work/full-count"
	rounds=1 full_stopped
	rounds=1 full_row "while record is stopped for ten seconds" "$work/full-stopped"
	full_slow
	rounds=1 full_row "not packed, to a disk of 20 MB/s" "$work/full-slow"
}
