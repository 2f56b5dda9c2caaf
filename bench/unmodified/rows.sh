# Sourced by bench/run: what it costs to trace programs as they are (--trace), beside the same programs compiled for it (x86-64).

# leaves NAME FLAGS: the program of bench/hook with a longer leaf, as it is and with sites.
long_leaves() {
	local kind leaf h=bench/hook
	for leaf in leaf_bare leaf_empty; do
		$cc -O2 -g $([ $leaf = leaf_bare ] || echo "-finstrument-functions -fno-tree-ter") -DLEAF_IS_LONG -DLEAF=$leaf -c $h/leaf.c -o "$work/long_$leaf.o"
	done
	objcopy --redefine-sym __cyg_profile_func_enter=empty_enter --redefine-sym __cyg_profile_func_exit=empty_exit "$work/long_leaf_empty.o"
	for kind in plain sites; do
		# shellcheck disable=SC2046
		$cc -O2 -g $([ $kind = plain ] || sites_of "$cc") -DLEAF_IS_LONG -DLEAF=leaf_hooked -c $h/leaf.c -o "$work/long_$kind.o"
		$cc -O2 -g -Iinclude $h/main.c $h/slices.c $h/count.c "$work/long_$kind.o" "$work/long_leaf_bare.o" "$work/long_leaf_empty.o" \
			"$work/libempty.so" -Wl,-rpath,"$work" -o "$work/long-$kind"
	done
}

# One call, in turns. What slices tells of a call is over two clock reads.
measure_planned_call() {
	local i state sites planned seen=
	long_leaves
	for ((i = 0; i < rounds; i++)); do
		"$build/dwell" record --ring=1M -o "$work/long.dwell" -- "$work/long-sites" slices 2 >> "$work/long-sites.out" 2> "$work/said" &&
			"$build/dwell" record --trace --only leaf_hooked --ring=1M -o "$work/long.dwell" -- "$work/long-plain" slices 2 \
				>> "$work/long-plain.out" 2> "$work/said" || give_up "recording one call failed: $(cat "$work/said")"
	done
	for state in A B; do
		sites=$(awk -v s=$state '$1 == s && $2 == "on" { print $3 }' "$work/long-sites.out" | median)
		planned=$(awk -v s=$state '$1 == s && $2 == "on" { print $3 }' "$work/long-plain.out" | median)
		[ "$sites" ] && [ "$planned" ] || continue
		seen=1
		row "one call of a program as it is, over one through a compiled site, state $state" "<= 1.15" "$(calculate "$planned / $sites" %.3f)" \
			"$planned <= 1.15 * $sites"
	done
	[ "$seen" ] || row_absent "one call of a program as it is, over one through a compiled site" "<= 1.15" "no state of the processor held long enough"
}

# The program of small functions, in turns, by its own processor time: the least of many, as other machines' work only adds to it. uftrace replaces
# return addresses.
measure_planned_program() {
	local i tool plain events calls
	mixed_with gcc-plain gcc
	mixed_with gcc-sites gcc $(sites_of gcc)
	for ((i = 0; i < 4 * rounds; i++)); do
		"$work/mixed-gcc-plain" 50 >> "$work/turns-none"
		"$build/dwell" record --ring=1M -o "$work/turns.dwell" "$work/mixed-gcc-sites" 50 >> "$work/turns-sites" 2> "$work/said" &&
			"$build/dwell" record --trace --ring=1M -o "$work/turns.dwell" "$work/mixed-gcc-plain" 50 >> "$work/turns-trace" 2> "$work/said" ||
			give_up "recording in turns failed: $(cat "$work/said")"
		[ $i -ge $rounds ] || ! command -v uftrace > /dev/null || { rm -rf "$work/uftrace" &&
			uftrace record -P. --no-libcall --no-event -d "$work/uftrace" "$work/mixed-gcc-plain" 50 >> "$work/turns-uftrace" 2> /dev/null; } || true
	done
	for tool in sites trace; do
		"$build/dwell" record --count -o "$work/turns.dwell" $([ $tool = sites ] || echo --trace) \
			"$work/mixed-gcc-$([ $tool = sites ] && echo sites || echo plain)" 50 > /dev/null 2> "$work/said" || give_up "counting failed: $(cat "$work/said")"
		calls_of "$work/turns.dwell" > "$work/turns-calls-$tool"
	done
	plain=$(seconds_of none)
	for tool in sites trace; do
		calculate "($(seconds_of $tool) - $plain) / $(cat "$work/turns-calls-$tool") * 1e9" %.1f > "$work/turns-ns-$tool"
	done
	row "a call in a program of small functions as it is, over one through compiled sites" "<= 1.15" \
		"$(calculate "$(cat "$work/turns-ns-trace") / $(cat "$work/turns-ns-sites")" %.3f)" "$(cat "$work/turns-ns-trace") <= 1.15 * $(cat "$work/turns-ns-sites")"
	row "    as it is, ns" - "$(cat "$work/turns-ns-trace")" ""
	if [ -s "$work/turns-uftrace" ]; then
		calls=$(uftrace report -d "$work/uftrace" 2> /dev/null | awk '$(NF - 1) ~ /^[0-9]+$/ && $NF !~ /^linux:/ { n += $(NF - 1) } END { print n + 0 }')
		row "    of uftrace -P., ns (it had $(calculate "100 * $calls / $(cat "$work/turns-calls-trace")" %.0f) % of the calls)" - \
			"$(calculate "($(seconds_of uftrace) - $plain) / ($calls + !$calls) * 1e9" %.1f)" ""
	else
		row_absent "    of uftrace -P., ns" - "no uftrace"
	fi
}
seconds_of() { awk '{ print $2 }' "$work/turns-$1" | sort -g | head -n 1; }
calls_of() { "$build/dwell" report --csv "$1" | awk -F, 'NR > 1 { n += $2 } END { print n }'; }

measure_uprobes() {
	$cc -O2 bench/unmodified/uprobe.c -o "$work/uprobe"
	if "$work/uprobe" 10000 > "$work/uprobes"; then
		row "a call with a uprobe at its entry and one at its return, ns" - "$(cat "$work/uprobes")" ""
	else
		row_absent "a call with a uprobe at its entry and one at its return, ns" - "$(cat "$work/uprobes")"
	fi
}

# How much later a large program begins whose plan is known: in turns, the least processor time of both.
measure_planned_start() {
	local cc1 functions bytes i
	cc1=$($cc -print-prog-name=cc1)
	[ -e "$cc1" ] || { row_absent "seconds that a large program begins later, of 30,000 functions" "<= 0.3" "no cc1"; return; }
	: > "$work/empty-file.c"
	for ((i = 0; i < rounds + 1; i++)); do
		processor_time "$build/dwell" record --ring=64K --trace --only main -o "$work/one.dwell" "$work/long-plain" calls 1 >> "$work/start-small"
		processor_time "$cc1" -quiet "$work/empty-file.c" -o /dev/null >> "$work/start-plain"
		processor_time "$build/dwell" record --ring=64K --trace -o "$work/one.dwell" "$cc1" -quiet "$work/empty-file.c" -o /dev/null >> "$work/start-trace"
	done
	"$build/dwell" symbols --sites "$cc1" | tail -n 12 > "$work/cc1-sites"
	functions=$(awk '$2 == "functions:" { gsub(",", ""); print $1 }' "$work/cc1-sites")
	bytes=$(sed -n 's/.*; \([0-9]*\) bytes of memory a site.*/\1/p' "$work/cc1-sites")
	row "seconds that a large program begins later, its plan known, of 30,000 functions (cc1: $functions)" "<= 0.3" \
		"$(calculate "($(least "$work/start-trace") - $(least "$work/start-plain") - $(least "$work/start-small")) * 30000 / $functions")" \
		"($(least "$work/start-trace") - $(least "$work/start-plain") - $(least "$work/start-small")) * 30000 <= 0.3 * $functions"
	row "bytes of memory a site of it" "<= 64" "$bytes" "$bytes <= 64"
}

measure_unmodified() {
	[ "$(uname -m)" = x86_64 ] || return 0
	say "programs as they are: one call"
	measure_planned_call
	say "programs as they are, sites, uftrace: $rounds rounds"
	measure_planned_program
	say "uprobes, and the start of a large program"
	measure_uprobes
	measure_planned_start
}
