# Sourced by bench/run: a program that makes calls faster than record writes them, on a machine with eight others that want its processors.

# After measure_program, which has made it.
measure_on_full()
{
	local what i took plain busy=()
	say "a busy machine, --on-full=wait and lose: $rounds rounds"
	for ((i = 0; i < 8; i++)); do
		while :; do :; done &
		busy+=($!)
	done
	for ((i = 0; i < rounds; i++)); do
		"$work/mixed-hooked" 100 >> "$work/full-plain"
		for what in wait lose; do
			"$build/dwell" record --on-full=$what -o "$work/full.dwell" "$work/mixed-hooked" 100 >> "$work/full-$what" 2> "$work/said" ||
				give_up "recording on a busy machine failed: $(cat "$work/said")"
			lost_percent < "$work/said" >> "$work/full-$what-lost"
			echo >> "$work/full-$what-lost"
		done
	done
	kill "${busy[@]}"
	wait "${busy[@]}" 2> /dev/null || true
	plain=$(awk '{ print $3 }' "$work/full-plain" | median)
	for what in wait lose; do
		took=$(awk '{ print $3 }' "$work/full-$what" | median)
		row "a program of small functions beside eight busy loops, --on-full=$what, over unrecorded" - "$(calculate "$took / $plain")" ""
		row "    lost events, worst" "$([ $what = wait ] && echo 0 || echo -)" "$(sort -g "$work/full-$what-lost" | tail -1) %" \
			"$([ $what != wait ] || echo "$(sort -g "$work/full-$what-lost" | tail -1) == 0")"
	done
}
