# Sourced by bench/run: what is taken out of a report, against the same calls without hooks.

# truth_error FUNCTION net|recorded|error: by how many percent its time on the CPU in $work/truth.csv is off, and how far it may be.
truth_error()
{
	awk -F, -v name="$1" -v what="$2" -v truth="$truth" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == name {
			cpu = $at["total_ns"] - $at["total_off_ns"] + (what == "recorded" ? $at["total_recording_ns"] : 0)
			printf "%.1f", 100 * (what == "error" ? $at["total_error_ns"] / truth : cpu / truth - 1)
		}' "$work/truth.csv"
}

measure_truth()
{
	local pair turns calls truth ns net error condition
	say "what recording cost, taken out: known durations"
	$cc -O2 -g -fno-optimize-sibling-calls -finstrument-functions bench/truth/truth.c -o "$work/truth"
	# Of some 50 ns to 1 ms.
	for pair in "95 2000000" "190 1000000" "950 200000" "1900 100000" "19000 10000" "190000 1000" "1900000 100"; do
		set -- $pair
		"$build/dwell" record -o "$work/truth.dwell" "$work/truth" "$1" "$2" > "$work/truth-out" 2> "$work/said" || give_up "recording failed: $(cat "$work/said")"
		read -r _ calls truth < "$work/truth-out"
		"$build/dwell" report --csv "$work/truth.dwell" > "$work/truth.csv"
		ns=$(calculate "$truth / $calls" %.0f) net=$(truth_error loop net) error=$(truth_error loop error)
		[ "$ns" -ge 500 ] && condition="$net <= 5 && $net >= -5" || condition="$net <= $error && $net >= -$error"
		row "a call of $ns ns in a loop: error of the loop's time, recorded and net" "$([ "$ns" -ge 500 ] && echo "<= 5 %" || echo "<= $error %")" \
			"$(truth_error loop recorded) %, $net %" "$condition"
	done
}
