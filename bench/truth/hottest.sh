# Sourced by bench/run: the hottest functions of real programs, by the report of a trace and by samples of the same program without hooks.

# hottest_build NAME FLAGS FILES ...: NAME-plain and NAME-hooked, in $work.
hottest_build()
{
	local name=$1 flags=$2 kind hooks file
	shift 2
	for kind in plain hooked; do
		hooks=
		[ $kind = plain ] || hooks=$("$build/dwell" cflags "$cc")
		rm -rf "$work/objects"
		mkdir "$work/objects"
		for file; do
			# shellcheck disable=SC2086
			$cc -O2 -g $hooks $flags -c "$file" -o "$work/objects/$(basename "$file").o" || return
		done
		$cc "$work"/objects/*.o -o "$work/$name-$kind" -lm || return
	done
}

# Of folded stacks (standard input), shares by the innermost function that the report (a CSV file) has, in whose time a trace has what is not
# recorded; and the report's. What a compiler took apart is put together: f.part.0 is f.
#     TEN DIFFERENCE FUNCTION: of the ten hottest so many are the report's first ten, and the share that differs most
compare_hottest()
{
	awk -v report="$1" '
	function base(name) { sub(/[.@ (].*/, "", name); return name }
	BEGIN {
		FS = ","
		getline line < report
		n = split(line, heading, ",")
		for (i = 1; i <= n; i++)
			at[heading[i]] = i
		while ((getline < report) > 0)
			net[base($at["function"])] += $at["self_percent"]
		FS = " "
	}
	{
		weight = $NF
		sub(/ [^ ]*$/, "")
		for (i = split($0, stack, ";"); i > 0 && !(base(stack[i]) in net); i--)
			;
		if (i) {
			truth[base(stack[i])] += weight
			all += weight
		}
	}
	function first_ten(shares, ten,    i, name, best) {
		for (i = 0; i < 10; i++) {
			best = ""
			for (name in shares)
				if (!(name in ten) && (best == "" || shares[name] > shares[best]))
					best = name
			ten[best] = 1
		}
	}
	END {
		for (name in net)
			truth[name] = all ? 100 * truth[name] / all : 0
		first_ten(truth, hot)
		first_ten(net, found)
		for (name in hot) {
			both += name in found
			difference = net[name] - truth[name]
			if (worst == "" || difference * difference > most * most) {
				worst = name
				most = difference
			}
		}
		printf "%d %.1f %s\n", both, most, worst
	}'
}

# hottest_rows NAME TIMES ARGUMENTS ...: the program, sampled while it runs so many times, and recorded once.
hottest_rows()
{
	local name=$1 times=$2 both most worst
	shift 2
	"$build/dwell" record --sample -F 8000 -o "$work/truth.dwell" \
		sh -c 'program=$1 times=$2; shift 2; for i in $(seq $times); do "$program" "$@"; done' sh "$work/$name-plain" "$times" "$@" > /dev/null 2> "$work/said" ||
		give_up "sampling failed: $(cat "$work/said")"
	"$build/dwell" record -o "$work/hot.dwell" "$work/$name-hooked" "$@" > /dev/null 2> "$work/said" || give_up "recording failed: $(cat "$work/said")"
	"$build/dwell" report --csv "$work/hot.dwell" > "$work/hot.csv" || [ $? = 1 ]
	read -r both most worst < <("$build/dwell" export --to folded "$work/truth.dwell" | compare_hottest "$work/hot.csv")
	row "$name: of its ten hottest functions, sampled without hooks, so many are the report's" 10 "$both" "$both == 10"
	row "    the share of these that differs most, in points ($worst)" "<= 2" "$most" "$most <= 2 && $most >= -2"
	rm -f "$work/truth.dwell" "$work/hot.dwell"
}

# Sources that are not here are not fetched, but for SQLite: BENCH_LUA and BENCH_ZSTD are folders with lvm.c and with lib/zstd.h.
measure_hottest()
{
	local figure="of its ten hottest functions, so many are the report's"
	say "the hottest functions of real programs"
	if tools/get-sqlite.sh "$work/sqlite-source" 2> "$work/said"; then
		hottest_build sqlite "-I$work/sqlite-source -Ibench/peers -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION" bench/peers/sqlite.c "$work/sqlite-source/sqlite3.c" ||
			give_up "SQLite does not compile"
		hottest_rows sqlite 120 60000
	else
		row_absent "sqlite: $figure" 10 "$(cat "$work/said")"
	fi
	if [ -f "${BENCH_LUA-}/lvm.c" ]; then
		hottest_build lua "-DLUA_USE_POSIX -I$BENCH_LUA" $(ls "$BENCH_LUA"/*.c | grep -vE '/(onelua|ltests|luac)\.c$') || give_up "Lua does not compile"
		off_row "Lua with sites, no agent, over without" "bench/truth/hottest.lua 10" "$work/lua-plain" "$work/lua-hooked"
		hottest_rows lua 80 bench/truth/hottest.lua 4
	else
		row_absent "lua: $figure" 10 "BENCH_LUA is no folder with lvm.c"
	fi
	if [ -f "${BENCH_ZSTD-}/lib/zstd.h" ]; then
		hottest_build zstd "-I$BENCH_ZSTD/lib -DZSTD_DISABLE_ASM" bench/truth/zstd.c "$BENCH_ZSTD"/lib/{common,compress,decompress}/*.c || give_up "zstd does not compile"
		hottest_rows zstd 10 20
	else
		row_absent "zstd: $figure" 10 "BENCH_ZSTD is no folder with lib/zstd.h"
	fi
}
