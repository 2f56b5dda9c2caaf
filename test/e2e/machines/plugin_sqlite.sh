#!/bin/bash
# A program of some size that is not ours, compiled with the plugin: SQLite gives the same results, each entry has its exit, and each
# function's calls are those that -finstrument-functions finds.
# Takes long, SQLite is compiled four times.
. "$(dirname "$0")/../lib.sh"

rows=20000
from=$BUILD/sqlite
kinds=$ROOT/test/e2e/machines/plugin
plugin=$BUILD/plugin/$(gcc -dumpmachine)-$(gcc -dumpfullversion)/profile.so
on="-fplugin=$plugin -fplugin-arg-profile-on"
if [ "$(gcc -dumpmachine | cut -d- -f1)" != x86_64 ] || ! makes plugin PLUGIN_CC=gcc > make.log 2>&1; then
	echo "1..0 # SKIP no plugin for this compiler (tools/deps.sh plugin), or a processor for which the test has no PROFILE functions"
	exit
fi
need_sqlite "$from"

# build NAME FLAGS ...
build()
{
	local name=$1
	shift
	gcc "$@" -I"$from" -I"$ROOT/bench/peers" -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION "$ROOT/bench/peers/sqlite.c" \
		"$from/sqlite3.c" -o "$name" -lm
}

# balanced COUNTS: as many exits as entries
balanced()
{
	awk '$1 == "EXITS" { exits = $2; next } { entries += $2 } END { print entries, "entries,", exits, "exits"; exit entries != exits || entries < 1000000 }' "$1"
}

# What -finstrument-functions finds, by name, and what the program prints. The names of those that are always inlined are left out: it
# counts them, too.
otherwise()
{
	build other -O0 -finstrument-functions
	gcc -O2 -shared -fPIC "$prog/calls/count_calls.c" -o count_calls.so
	COUNTS=$PWD/counts.other LD_PRELOAD=$PWD/count_calls.so ./other $rows > other.out
	nm --defined-only other | awk '$2 ~ /^[tTwW]$/ { print $1, $3 }' > names
	sed -n 's/^static SQLITE_INLINE [^(]*[ *]\([A-Za-z0-9_]*\)(.*/\1/p' "$from/sqlite3.c" > inlined
	awk 'FILENAME == "inlined" { inlined[$1]; next } FILENAME == "names" { name[$1] = $2; next }
		!(name[$1] in inlined) { calls[name[$1]] += $2 } END { for (n in calls) print n, calls[n] }' inlined names counts.other |
		LC_ALL=C sort > other.calls
	[ "$(wc -l < other.calls)" -gt 400 ] || fail "only $(wc -l < other.calls) functions were counted"
}

same_result()
{
	[ "$(cut -d' ' -f1 other.out)" = "$(cut -d' ' -f1 with.out)" ] || fail "another result: $(cat other.out with.out)"
}

# As it is used: optimised, with the entries that keep registers.
optimised()
{
	gcc -O2 -c "$kinds/count.c" -o count.o
	# shellcheck disable=SC2086
	build with -O2 $on count.o "$kinds/entry_x86_64.S"
	COUNTS=counts ./with $rows > with.out
	same_result
	balanced counts
}

# The same calls, where nothing is inlined, made of parts, or left out because it only computes.
counted_otherwise()
{
	gcc -O2 -DPLAIN -c "$kinds/count.c" -o plain.o
	# shellcheck disable=SC2086
	build with -O1 -fno-inline -fno-early-inlining -fno-partial-inlining -fno-ipa-pure-const -fno-ipa-modref -fno-ipa-icf \
		$on -fplugin-arg-profile-plain plain.o
	COUNTS=counts ./with $rows > with.out
	same_result
	balanced counts
	grep -v '^EXITS' counts | LC_ALL=C sort | diff other.calls - || fail "(< -finstrument-functions, > the plugin)"
}

test_that "SQLite without the plugin, counted" otherwise
test_that "SQLite at -O2: the same results, and each entry has its exit" optimised
test_that "SQLite: each function's calls as -finstrument-functions finds them" counted_otherwise
done_testing
