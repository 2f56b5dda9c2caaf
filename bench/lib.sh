# Sourced by what measures: rows of a table, and the arithmetic of it. $work is a folder of the caller's.

say() { printf 'bench: %s ...\n' "$*" >&2; }
give_up() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }
calculate() { awk "BEGIN { printf \"${2:-%.2f}\", $1 }"; }
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# A row: figure, goal as people read it, what was measured, and the condition that must hold ("" where there is no goal).
row()
{
	local verdict=-
	[ -z "$4" ] || verdict=$(awk "BEGIN { print ($4) ? \"met\" : \"MISSED\" }")
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$verdict" >> "$work/rows"
}
# Likewise of what cannot be measured here: figure, goal, why.
row_absent() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "not seen" >> "$work/rows"; }

# Tab-separated lines with a heading, as columns: the first to the left, the others to the right.
print_table()
{
	awk -F '\t' '
	{
		if (NF > columns)
			columns = NF
		for (i = 1; i <= NF; i++) {
			cell[NR, i] = $i
			if (length($i) > width[i])
				width[i] = length($i)
		}
	}
	END {
		for (r = 1; r <= NR; r++) {
			line = ""
			for (i = 1; i <= columns; i++)
				line = line (i > 1 ? "  " : "") sprintf(i == 1 ? "%-" width[i] "s" : "%" width[i] "s", cell[r, i])
			sub(/ *$/, "", line)
			print line
		}
	}'
}

# What the machine is, and how busy it was: figures without it say nothing.
machine()
{
	printf '%s, %s cores, Linux %s, %s' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$(uname -r)" \
		"$(${CC:-gcc} --version | head -1)"
}

# One processor: the second, since the first has the interrupts of most machines.
one_core() { taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" "$@"; }

# told JOBS FILE COMMAND ...: runs dwell COMMAND FILE three times; of the middle one its seconds, processor seconds and peak memory.
told() {
	local i jobs=$1 file=$2 pin=
	shift 2
	[ "$jobs" != 1 ] || pin=one_core
	: > "$work/times"
	for i in 1 2 3; do
		# Status 1 says that names are missing, of programs that were made up.
		$pin "$build/bench/usage" "$work/usage" "$build/dwell" "$@" --jobs "$jobs" "$file" > /dev/null 2> "$work/said" || [ $? = 1 ] ||
			give_up "$1 failed: $(cat "$work/said")"
		cat "$work/usage" >> "$work/times"
	done
	awk '{ print $1, $2 + $3, $4 }' "$work/times" | sort -g | sed -n 2p
}
