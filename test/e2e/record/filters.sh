#!/bin/bash
# record --only and --not: what is left is exactly what was counted, what is left out is in no event, and the accounting holds; with hooks
# that are called and with sites that are patched.
# Takes long, each of them with each kind of hooks.
. "$(dirname "$0")/../lib.sh"

# counted NAME FUNCTIONS: of what the program counted, the report has just these functions, each with all of its calls.
counted()
{
	report_csv "$1"
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' "$1.out" | grep -wE "^($2)" | LC_ALL=C sort > "$1.want"
	columns "$1.csv" function calls | LC_ALL=C sort > "$1.got"
	[ -s "$1.want" ] || fail "the program counted nothing:" "$(head "$1.out" "$1.err")"
	diff "$1.want" "$1.got" || fail "(< counted by the program, > reported)"
	whole "$1"
}

# An unwind lands in a function that is not recorded: who goes on is the one around it.
unwinds_past()
{
	compile "$kind-jump" jump.c
	RECORD_OPTIONS="--not catcher" record "$kind-past" "./$kind-jump" longjmp 2000
	exits "$kind-past" 0
	counted "$kind-past" 'main|middle|thrower|after'
	only_called_by "$kind-past" after main
	only_called_by "$kind-past" middle main
	deepest "$kind-past" 3
	RECORD_OPTIONS="--not middle --not main" record "$kind-over" "./$kind-jump" signal 2000
	exits "$kind-over" 0
	counted "$kind-over" 'catcher|thrower|after|on_signal'
	only_called_by "$kind-over" after "catcher (nobody)"
	deepest "$kind-over" 3
}

# --depth: what a recording of everything has that far out, each call at its place, whatever jumps do and on whichever stack.
levels()
{
	"$DWELL" calls --csv "$1.dwell" > "$1.calls"
	columns "$1.calls" depth function | awk '{ n[$0]++ } END { for (level in n) print level "\t" n[level] }' | LC_ALL=C sort > "$1.levels"
}
depths()
{
	local name=$kind-$1 source=$2 limit
	shift 2
	compile "$name" "$source"
	record "$name-all" "./$name" "$@"
	exits "$name-all" 0
	levels "$name-all"
	for limit in $limits; do
		RECORD_OPTIONS="--depth $limit"
		[ $limit -lt 3 ] || RECORD_OPTIONS+=" --linear=16M"
		record "$name" "./$name" "$@"
		exits "$name" 0
		whole "$name"
		levels "$name"
		awk -F '\t' -v limit="$limit" '$1 < limit' "$name-all.levels" | diff - "$name.levels" ||
			fail "--depth $limit (< that deep in all, > recorded)"
	done
	RECORD_OPTIONS=
}

# What is not known before it is opened, twice at the same place: what record is told of it later, it drops.
opened_later()
{
	local name mode
	for name in alpha beta; do
		compile "$name.so" plugin.c -shared -fPIC -DNAME=$name
	done
	chmod a-x alpha.so beta.so # programs that arguments name are looked through
	compile "$kind-opens" opens.c -ldl
	depths opens-once opens_once.c ./alpha.so alpha
	RECORD_OPTIONS=--count record "$kind-count" "./$kind-opens-once" ./alpha.so alpha
	"$DWELL" callees --csv main "$kind-count.dwell" > opens.csv
	[ "$(columns opens.csv function calls | grep alpha)" = "alpha	3" ] || fail "--count: called by main:" "$(cat opens.csv)"
	for mode in stream ring=1M; do
		RECORD_OPTIONS="--not step --not module:beta* --$mode" record "$kind-opens" "./$kind-opens" ./alpha.so ./beta.so 1000
		[ "$(cat "$kind-opens.status")" = 0 ] || fail "$(cat "$kind-opens.err")"
		[ "$(grep -c 'matches none of' "$kind-opens.err")" = 2 ] || fail "$(cat "$kind-opens.err")"
		report_csv "$kind-opens"
		columns "$kind-opens.csv" function calls | LC_ALL=C sort > opens.got
		printf 'alpha\t3\nmain\t1\nuse\t6\n' | diff - opens.got
		whole "$kind-opens"
	done
}

# What only a library that is opened later has.
only_there()
{
	local mode
	set -f
	RECORD_OPTIONS="--only alp*" record "$kind-later" "./$kind-opens" ./alpha.so ./beta.so 1000
	[ "$(cat "$kind-later.status")" = 0 ] || fail "$(cat "$kind-later.err")"
	grep -qF -- "--only: no function of it and its libraries is left to record; dwell looks at what it loads or runs later" "$kind-later.err" ||
		fail "$(cat "$kind-later.err")"
	[ "$(grep -c 'alp\*' "$kind-later.err")" = 1 ] || fail "$(cat "$kind-later.err")"
	report_csv "$kind-later"
	[ "$(columns "$kind-later.csv" function calls)" = "alpha	3" ] || fail "$(cat "$kind-later.csv")"
	whole "$kind-later"
	for mode in stream ring=1M; do
		RECORD_OPTIONS="--only alpah --$mode" record "$kind-nowhere" "./$kind-opens" ./alpha.so ./beta.so 10
		[ "$(cat "$kind-nowhere.status")" = 2 ] && [ ! -e "$kind-nowhere.dwell" ] || fail "$(cat "$kind-nowhere.err")"
		grep -q "'alpah': it matches none of the [0-9]* functions of the loaded files (did you mean alpha?)" "$kind-nowhere.err" || fail "$(cat "$kind-nowhere.err")"
	done
	# Of these nothing can come.
	for mode in "--not *" "--only alpha --not a*" "--only module:alpha.so --not module:*"; do
		RECORD_OPTIONS=$mode record "$kind-none" "./$kind-opens" ./alpha.so ./beta.so 10
		[ "$(cat "$kind-none.status")" = 2 ] && [ ! -e "$kind-none.dwell" ] || fail "$mode:" "$(cat "$kind-none.err")"
	done
}

# Signals that come at any instruction, handlers with hooks.
in_a_storm()
{
	compile "$kind-storm" storm.c
	RECORD_OPTIONS="--not $1" record "$kind-storm" "./$kind-storm" 200
	exits "$kind-storm" 0
	report_csv "$kind-storm"
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' "$kind-storm.out" | grep -vw "^$1" | LC_ALL=C sort > storm.want
	columns "$kind-storm.csv" function calls | LC_ALL=C sort > storm.got
	diff storm.want storm.got || fail "(< counted by the program, > reported)"
	whole "$kind-storm"
}

# By name without C++ arguments, by source file, by module; several threads; both options together.
by_all_names()
{
	compile "$kind-threads" threads.c
	RECORD_OPTIONS="--only work --only le?f" record "$kind-names" "./$kind-threads"
	exits "$kind-names" 0
	counted "$kind-names" 'work|leaf'
	RECORD_OPTIONS="--only file:*/threads.c --not leaf" record "$kind-file" "./$kind-threads"
	exits "$kind-file" 0
	counted "$kind-file" 'work|run|main'
	RECORD_OPTIONS="--only module:$kind-threads --not w*k" record "$kind-module" "./$kind-threads"
	[ "$(cat "$kind-module.status")" = 0 ] || fail "$(cat "$kind-module.err")"
	grep -q "matches every function" "$kind-module.err" || fail "$(cat "$kind-module.err")"
	counted "$kind-module" 'run|main|leaf'
	# What is left out when the rings are written: the same.
	RECORD_OPTIONS="--only work --only le?f --ring=16M" record "$kind-ring" "./$kind-threads"
	exits "$kind-ring" 0
	counted "$kind-ring" 'work|leaf'
	RECORD_OPTIONS="--only file:*/threads.c --not leaf --linear=16M" record "$kind-linear" "./$kind-threads"
	exits "$kind-linear" 0
	counted "$kind-linear" 'work|run|main'
	# A program that the arguments name, and one that nobody can know of.
	RECORD_OPTIONS="--only work --only le?f" record "$kind-env" env "./$kind-threads"
	exits "$kind-env" 0
	counted "$kind-env" 'work|leaf'
	printf '#!/bin/sh\nexec "./%s"\n' "$kind-threads" > runs
	chmod +x runs
	RECORD_OPTIONS="--trace --only work --only le?f" record "$kind-runs" sh runs
	exits "$kind-runs" 0
	counted "$kind-runs" 'work|leaf'
	compile "$kind-throw" throw.cc
	RECORD_OPTIONS="--not thrower --ring=1M" record "$kind-throw" "./$kind-throw" 100
	exits "$kind-throw" 0
	report_csv "$kind-throw"
	[ "$(value "$kind-throw" middle calls) $(value "$kind-throw" thrower calls)" = "100 " ] || fail "$(cat "$kind-throw.csv")"
}

by_depth()
{
	depths recursion recursion.c
	depths jump jump.c longjmp 300
	depths same jump.c same 300
	depths throw throw.cc 100
	depths rethrow throw.cc 100 rethrow
	depths coroutines coroutines.c contexts 3
	depths bare coroutines.c bare 3
}

# In a child of fork it is counted from the fork on: what was open there is in its parent's data.
by_depth_from_the_fork()
{
	local name=$kind-forked
	compile "$name" forks.c
	RECORD_OPTIONS="--depth 2" record "$name" "./$name" fork
	exits "$name" 0
	whole "$name"
	report_csv "$name"
	columns "$name.csv" function calls | LC_ALL=C sort | tr '\t\n' '  ' > some.calls
	[ "$(cat some.calls)" = "child_leaf 180000 child_work 9 main 1 one_child 9 work 1 " ] || fail "$(cat some.calls)"
}

# says STATUS TEXT OPTIONS, of ./said or $said: before the program runs, and nothing is left behind.
says()
{
	local status=0
	"$DWELL" record -o said.dwell $3 ${said:-./said} > said.out 2> said.err || status=$?
	[ "$status" = "$1" ] || fail "$3: status $status, expected $1:" "$(cat said.err)"
	grep -qF -- "$2" said.err || fail "$3:" "$(cat said.err)"
	[ "$1" = 0 ] || [ ! -e said.dwell ] || fail "$3 left a file"
	rm -f said.dwell
}
messages()
{
	HOOKS="$as_written -finstrument-functions -fno-tree-ter" compile said threads.c -g
	set -f
	says 0 "--not 'wrok' matches none of" "--not wrok"
	says 0 "(did you mean work?)" "--not wrok"
	says 2 "--only and --not together: no function of it and its libraries is left to record" "--only work --not w*"
	says 2 "--only 'work': all that it matches (1 function) is left out by --not or --exclude" "--only work --not w*"
	says 0 "--only 'work': all that it matches (1 function) is left out by --not or --exclude" "--only work --only leaf --not w*"
	printf 'dwell exclude 1\nnot leaf\nnot nobody\n' > list
	says 0 "'nobody' of the list of --exclude is no function of the loaded files" "--exclude list"
	printf '\xef\xbb\xbfdwell exclude 1\r\nnot leaf\r\nnot nobody\r\n' > list
	says 0 "'nobody' of the list of --exclude is no function of the loaded files" "--exclude list"
	printf 'dwell exclude 1\nnot nobody\nnot nothing\n' > list
	says 0 "all 2 functions of the list of --exclude are not in the loaded files, such as 'nobody': the list is for another program" \
		"--exclude list"
	printf 'dwell exclude 1\nnot leaf\nwork\n' > list
	says 0 "list: line 3: 'work' leaves nothing out; expected 'not FUNCTION'" "--exclude list"
	says 2 "--not: no function of it and its libraries is left to record" "--not *"
	says 2 "--only: no function of it and its libraries is left to record" "--only nobody"
	says 2 "the program called none of the functions that --only and --not leave" "--only count_print"
	said="env ./said" says 2 "functions of it, its libraries and the programs that its arguments name" "--only nobody"
	says 2 "--only: no function of it and its libraries is left to record" "--only nobody --only noone"
	says 0 "(files are known of code that was compiled with -g; a pattern must match the whole path: file:*/NAME)" "--not file:threads.c"
	says 2 "--not: no function of it and its libraries is left to record" "--not *"
	# Programs that nobody knows of before they run: what is true is known at the end.
	printf '#!/bin/sh\n./said\n' > runs
	said="sh runs" says 0 "functions of the loaded files (did you mean work?)" "--trace --not wrok"
	[ "$(grep -c "^dwell: said.dwell: --not 'wrok': it matches none of the [1-9][0-9]* functions" said.err) $(grep -c '^dwell' said.err)" = "1 1" ] || fail "$(cat said.err)"
	said="sh runs" says 2 "--only 'wrok': it matches none of" "--trace --only wrok"
	! grep -q noinline said.err || fail "a near name, and a hint at inlining:" "$(cat said.err)"
	said="sh runs" says 2 'functions of the loaded files. If the compiler inlined it: `__attribute__((noinline))` keeps' "--trace --only nobody"
	said="sh runs" says 2 "the program called none of the functions that --only and --not leave" "--trace --only work --not w*"
	says 0 "--only '*' matches every function" "--only *"
	strip -o said-stripped said && mv said-stripped said
	says 2 "--only: no function of it and its libraries is left to record" "--only work"
}

# diffs STATUS TEXT OLD NEW: what diff of calls says of two recordings.
diffs()
{
	local status=0
	"$DWELL" diff --by calls --fail-over 5% "$3.dwell" "$4.dwell" > diff.out 2> diff.err || status=$?
	[ $status = "$1" ] || fail "status $status for $1" "$(cat diff.out diff.err)"
	if [ "$2" ]; then
		grep -qF -- "$2" diff.err || fail "it does not say $2:" "$(cat diff.err)"
	else
		[ ! -s diff.err ] || fail "$(cat diff.err)"
	fi
}
uneven()
{
	compile uneven basic.c
	record all ./uneven 50
	for options in "--depth 2" "--not by_value" "--not by_value --depth 2"; do
		RECORD_OPTIONS=$options record some ./uneven 50
		diffs 0 "all.dwell: was recorded with all, some.dwell with --" some all
		diffs 0 "cannot tell: " some all
		RECORD_OPTIONS=$options record again ./uneven 50
		diffs 0 "" some again
	done
	RECORD_OPTIONS="--not by_value --depth 3" record other ./uneven 50
	diffs 0 "other.dwell: was recorded with --depth 3, --not by_value, some.dwell with --depth 2, --not by_value: what" some other
	record again ./uneven 60
	diffs 1 "counts of calls are exact" all again
}

# std::string's functions are inlined, with hooks that give the address of libstdc++'s, which has no hooks.
library_names()
{
	compile library_names library_names.cc
	for options in "--only distance" "--not std::*"; do
		RECORD_OPTIONS=$options record library_names ./library_names
		report_csv library_names
		[ "$(value library_names distance calls)" = 100 ] || fail "$options: distance" "$(cat library_names.csv)"
		! columns library_names.csv function | grep 'basic_string\|^std::' || fail "$options: what was left out is there"
	done
}

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf"
sites=$("$DWELL" cflags)
for kind in hooks sites; do
	[ $kind = hooks ] && limits="1 3" || limits="2 4" # what is left out follows from the events, which both have
	[ $kind = hooks ] && HOOKS="-g $as_written -finstrument-functions -fno-tree-ter" || HOOKS="-g $as_written -fno-ipa-cp -fno-ipa-sra $sites"
	test_that "$kind: an unwind lands in what is not recorded" unwinds_past
	test_that "$kind: a library that is opened later" opened_later
	test_that "$kind: what only a library has that is opened later" only_there
	test_that "$kind: a storm of signals, without what is interrupted" in_a_storm burst
	test_that "$kind: by depth" by_depth
	test_that "$kind: by depth, in children of fork" by_depth_from_the_fork
	test_that "$kind: by name, file and module; threads, rings" by_all_names
done
HOOKS="-finstrument-functions -fno-tree-ter" test_that "functions that a library exports, inlined" library_names
test_that "diff: what was left out in one of two is no change" uneven
test_that "patterns that mean nothing, everything, or contradict each other are said" messages
done_testing
