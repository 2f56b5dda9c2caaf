# Sourced by bench/run: calls that are counted, beside calls that are listed, of the same programs.

# counted NAME FIGURE FIELD EMPTY LISTED PROGRAM ...: rows of the program's own time, which is that field of what it prints; EMPTY and LISTED are
# files of what it printed with empty hooks and when it was recorded.
counted()
{
	local name=$1 figure=$2 field=$3 empty=$4 listed=$5 option i took
	shift 5
	for option in --count "--longer 10us"; do
		rm -f "$work/$name-counted" "$work/$name-waited"
		for ((i = 0; i < rounds; i++)); do
			# shellcheck disable=SC2086
			"$build/dwell" record $option -o "$work/counted.dwell" "$@" >> "$work/$name-counted" 2> "$work/said" ||
				give_up "recording with $option failed: $(cat "$work/said")"
			lost_percent < "$work/said" >> "$work/$name-waited"
			echo >> "$work/$name-waited"
		done
		took=$(awk -v field="$field" '{ print $field }' "$work/$name-counted" | median)
		row "$figure, with $option, over with empty hooks" - "$(calculate "$took / $(awk -v field="$field" '{ print $field }' "$empty" | median)")" ""
		row "    over recorded with all of its calls" - "$(calculate "$took / $(awk -v field="$field" '{ print $field }' "$listed" | median)")" ""
		row "    lost events, worst" "$([ "$option" = --count ] && echo 0 || echo -)" "$(sort -g "$work/$name-waited" | tail -1) %" \
			"$([ "$option" != --count ] || echo "$(sort -g "$work/$name-waited" | tail -1) == 0")"
		row "    bytes of its file" - "$(stat -c %s "$work/counted.dwell")" ""
	done
}

# After measure_program and measure_left_out, which made these programs and ran them.
measure_counted()
{
	say "calls that are counted: $rounds rounds"
	counted mixed "a program of small functions" 3 "$work/empty" "$work/recorded" "$work/mixed-hooked" 100
	[ ! -e "$work/sqlite-all" ] || counted sqlite "SQLite (processor time)" 2 "$work/sqlite-empty" "$work/sqlite-all" "$work/sqlite" 400000
}
