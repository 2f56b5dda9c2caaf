#!/bin/bash
# A program of some size that is not ours: SQLite, 20,000 inserts and as many selects, in each mode of recording.
# Takes long, SQLite is compiled and recorded in each way.
. "$(dirname "$0")/../lib.sh"

rows=20000
from=$BUILD/sqlite
need_sqlite "$from"

# Another program's count of the same calls, by name. A name with an address behind it is one of several functions of that name.
count_otherwise()
{
	gcc -O2 -shared -fPIC "$prog/calls/count_calls.c" -o count_calls.so
	COUNTS=$PWD/counts LD_PRELOAD=$PWD/count_calls.so ./sqlite $rows > "$1.out"
	nm --defined-only sqlite | awk '$2 ~ /^[tTwW]$/ { print $1 "\t" $3 }' | LC_ALL=C sort > names
	LC_ALL=C sort counts | tr ' ' '\t' | LC_ALL=C join -t "$(printf '\t')" names - | cut -f2,3 | LC_ALL=C sort > "$1.want"
	[ "$(wc -l < "$1.want")" -gt 400 ] || fail "only $(wc -l < "$1.want") functions were counted"
}

# records NAME COMMAND ...: again where the machine was so busy that events were lost, which is said, and not what this is about.
records()
{
	local try
	for try in 1 2 3 4 5; do
		record "$@"
		grep -qE 'were (lost|dropped)' "$1.err" || return 0
	done
}

stream()
{
	build_sqlite "$from"
	records stream ./sqlite $rows
	exits stream 0
	whole stream
	count_otherwise stream
	[ "$(cut -d' ' -f1 < stream.out)" = "$(./sqlite $rows | cut -d' ' -f1)" ] || fail "the program said something else when it was recorded"
	report_csv stream
	columns stream.csv function calls | sed 's/ ([^)]*+0x[0-9a-f]*)//' | LC_ALL=C sort > stream.got
	diff stream.want stream.got || fail "(< counted otherwise, > reported)"
}

# A list of what is short and called often, made from one recording, for the next: what is left is as exact as before, and cheaper.
excluded()
{
	[ -f stream.dwell ] || fail "there is no recording to make it from"
	"$DWELL" report --write-exclude list stream.dwell > list.text 2> list.err || fail "$(cat list.err)"
	sed -n 's/^not //p' list > names-out
	[ "$(wc -l < names-out)" -ge 5 ] || fail "too few:" "$(cat list)"
	RECORD_OPTIONS="--exclude list" records some ./sqlite $rows
	exits some 0
	whole some
	report_csv some
	columns some.csv function calls | sed 's/ ([^)]*+0x[0-9a-f]*)//' | LC_ALL=C sort > some.got
	sed 's/ ([^)]*+0x[0-9a-f]*)//' names-out | awk 'NR == FNR { out[$0] = 1; next } { split($0, field, "\t") } !(field[1] in out)' - stream.want > some.want
	diff some.want some.got || fail "(< counted otherwise, > reported)"
	[ "$(stat -c %s some.dwell)" -lt "$(stat -c %s stream.dwell)" ] || fail "it is no smaller"
	# Of another program.
	RECORD_OPTIONS="--exclude list" record other true
	grep -q "functions of the list of --exclude are not in the loaded files.*: the list is for another program" other.err || fail "$(cat other.err)"
}

test_that "SQLite, streamed: nothing lost, the accounting holds, each function's calls as counted otherwise" stream
test_that "SQLite, without what is short and called often" excluded
done_testing
