# Sourced by bench/run: what is left out of a recording by a list, or found while it goes on, with -finstrument-functions.

# counted_exactly FILE: "all" when what was recorded and counted of SQLite is what another program counted, function by function.
counted_exactly()
{
	"$build/dwell" info --csv "$1" | awk -F , '
		$1 == "throttled" { value[$3] = $4 }
		$1 == "throttled" && $3 == "saved_ns" { print value["function"] "\t" value["counted_calls"] }' > "$work/throttled"
	"$build/dwell" report --csv "$1" | sed '1d; s/ ([^)]*+0x[0-9a-f]*)//' | cut -d, -f1,2 | tr , '\t' | cat - "$work/throttled" |
		awk -F '\t' '{ calls[$1] += $2 } END { for (name in calls) print name "\t" calls[name] }' | sort > "$work/calls"
	awk '{ calls[$1] += $2 } END { for (name in calls) print name "\t" calls[name] }' "$work/truth-calls" | sort | cmp -s - "$work/calls" && echo all || echo "not all"
}

# The clock is not asked, so what differs is instructions: the median of rounds in turn, of processor time as the program says it.
measure_throttled_sqlite()
{
	local from=$build/sqlite i empty all throttled
	say "SQLite, all of it recorded and throttled: $rounds rounds"
	if ! tools/get-sqlite.sh "$from" > /dev/null 2>&1; then
		row_absent "SQLite, throttled, over empty hooks" "<= 2.5" "there is no SQLite"
		return
	fi
	$cc -g -O1 -finstrument-functions -fno-tree-ter -I"$from" -Ibench/peers -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION bench/peers/sqlite.c \
		"$from/sqlite3.c" -o "$work/sqlite" -lm
	$cc -O2 -shared -fPIC test/e2e/prog/calls/count_calls.c -o "$work/count_calls.so"
	COUNTS=$work/counts LD_PRELOAD=$work/count_calls.so "$work/sqlite" 400000 > /dev/null
	nm --defined-only "$work/sqlite" | awk '$2 ~ /^[tTwW]$/ { print $1 "\t" $3 }' | sort > "$work/names"
	sort "$work/counts" | tr ' ' '\t' | join -t "$(printf '\t')" "$work/names" - | cut -f2,3 > "$work/truth-calls"
	for ((i = 0; i < rounds; i++)); do
		LD_PRELOAD=$work/libempty-hooks.so "$work/sqlite" 400000 >> "$work/sqlite-empty"
		"$build/dwell" record -o "$work/sqlite-all.dwell" "$work/sqlite" 400000 >> "$work/sqlite-all" 2> "$work/said" ||
			give_up "recording failed: $(cat "$work/said")"
		"$build/dwell" record --throttle -o "$work/sqlite.dwell" "$work/sqlite" 400000 >> "$work/sqlite-throttled" 2> "$work/said" ||
			give_up "recording failed: $(cat "$work/said")"
		counted_exactly "$work/sqlite.dwell" >> "$work/exactly"
	done
	empty=$(awk '{ print $2 }' "$work/sqlite-empty" | median) all=$(awk '{ print $2 }' "$work/sqlite-all" | median)
	throttled=$(awk '{ print $2 }' "$work/sqlite-throttled" | median)
	row "SQLite through -finstrument-functions, recorded, over empty hooks (processor time)" - "$(calculate "$all / $empty")" ""
	row "the same with --throttle" "<= 2.5" "$(calculate "$throttled / $empty")" "$throttled / $empty <= 2.5"
	row "of its functions, calls recorded and counted as another program counts them" "all, each time" "$(sort "$work/exactly" | uniq -c | awk '{ $1 = $1 } 1' | paste -sd ' ')" \
		"$(grep -cvx all "$work/exactly") == 0"
	row "bytes of its file, throttled, over all of it recorded" - "$(calculate "$(stat -c %s "$work/sqlite.dwell") / $(stat -c %s "$work/sqlite-all.dwell")")" ""
}

measure_left_out()
{
	say "one call that a list leaves out, and one that is counted"
	printf 'dwell exclude 1\nnot leaf_hooked\n' > "$work/list"
	# Nothing is recorded then, which record calls an error.
	"$build/dwell" record --exclude "$work/list" -o "$work/left.dwell" -- "$work/hook" off 5 > "$work/listed" 2> "$work/left-said" || [ $? = 2 ] ||
		give_up "recording without the function failed: $(cat "$work/left-said")"
	state_rows "$work/listed" off "one call that --exclude leaves out, over empty hooks" 1.1 seen
	"$build/dwell" record --throttle=0.001 -o "$work/left.dwell" -- "$work/hook" off 5 > "$work/counted" 2> "$work/left-said" ||
		give_up "recording with a throttle failed: $(cat "$work/left-said")"
	state_rows "$work/counted" off "one call that --throttle counts, over empty hooks" 1.1 seen
	printf 'void __cyg_profile_func_enter(void *f, void *s) { (void)f; (void)s; }\nvoid __cyg_profile_func_exit(void *f, void *s) { (void)f; (void)s; }\n' |
		$cc -O2 -shared -fPIC -x c - -o "$work/libempty-hooks.so"
	measure_throttled_sqlite
}
