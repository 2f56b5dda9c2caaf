#!/bin/bash
# record --keep-slowest: the trees of the slowest calls of a function, whole, and how many there were of all; nothing else.
# Takes long, trees of calls are looked at one by one.
. "$(dirname "$0")/../lib.sh"

# kept NAME WHAT COUNT: exactly so many calls of WHAT are in the file, it is told of how many, and the times of the file add up.
kept()
{
	local name=$1 what=$2 count=$3 all
	all=$(sed -n "s/^count $what \([0-9]*\)$/\1/p" "$name.out" | awk '{ n += $1 } END { print n }' | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta')
	"$DWELL" report "$name.dwell" > "$name.report" || fail "report: $?" "$(cat "$name.report")"
	grep -qE "^kept: $count of $all calls? of $what, which took .* in all, p50 .*, p99 " "$name.report" || fail "$count of $all $what:" "$(head -9 "$name.report")"
	whole "$name"
}
# The slow ones, each with all of it.
the_slowest()
{
	compile "$kind-serves" serves.c
	RECORD_OPTIONS="--keep-slowest 3:handle" record "$kind-serves" "./$kind-serves" 400 100 400 2
	exits "$kind-serves" 0
	kept "$kind-serves" handle 3
	report_csv "$kind-serves"
	[ "$(columns "$kind-serves.csv" function calls | LC_ALL=C sort | tr '\t\n' ' ,')" = "handle 3,parse 6,slow 3,step 150," ] || fail "$(cat "$kind-serves.csv")"
	between 400000000 "$(value "$kind-serves" handle min_ns)" 1e12 "the shortest of the slowest"
	only_called_by "$kind-serves" step slow
	only_called_by "$kind-serves" slow handle
	"$DWELL" slowest handle "$kind-serves.dwell" > slowest.out
	grep -q '   50  .*step$' slowest.out || fail "$(cat slowest.out)"
	"$DWELL" tree "$kind-serves.dwell" > tree.out
	"$DWELL" html -o page.html "$kind-serves.dwell"
	[ -s page.html ] || fail "no page"
}
# Of functions in one another; another process; what is left out is in no tree.
several()
{
	RECORD_OPTIONS="--keep-slowest 2:handle --keep-slowest 7:s??w --not step" record "$kind-several" "./$kind-serves" 300 100 100 2 fork
	exits "$kind-several" 0
	kept "$kind-several" handle 2
	kept "$kind-several" slow 7
	report_csv "$kind-several"
	[ "$(value "$kind-several" slow calls) $(value "$kind-several" step calls)" = "7 " ] || fail "$(cat "$kind-several.csv")"
}
# A call that did not end is kept beside the others.
killed()
{
	RECORD_OPTIONS="--keep-slowest 1:handle" record "$kind-killed" "./$kind-serves" 100 99 400 1 kill
	[ "$(cat "$kind-killed.status")" = 137 ] || fail "$(cat "$kind-killed.err")"
	"$DWELL" report "$kind-killed.dwell" > killed.report || fail "$(cat killed.report)"
	grep -q "^kept: 2 of 100 calls of handle, .*; 1 had not ended" killed.report || fail "$(head killed.report)"
	calls_csv "$kind-killed" --function handle
	[ "$(columns "$kind-killed.calls" function | wc -l)" = 2 ] || fail "$(cat "$kind-killed.calls")"
	whole "$kind-killed"
}
# Jumps out of them and in them, exceptions, coroutines, handlers at any instruction.
whatever_happens()
{
	local each
	compile "$kind-jump" jump.c
	for each in catcher middle thrower; do
		RECORD_OPTIONS="--keep-slowest 5:$each" record "$kind-jump" "./$kind-jump" longjmp 500
		exits "$kind-jump" 0
		kept "$kind-jump" $each 5
	done
	compile "$kind-throw" throw.cc
	RECORD_OPTIONS="--keep-slowest 9:middle" record "$kind-throw" "./$kind-throw" 100
	exits "$kind-throw" 0
	"$DWELL" report "$kind-throw.dwell" | grep -q "^kept: 9 of 100 calls of middle" || fail "$("$DWELL" report "$kind-throw.dwell")"
	whole "$kind-throw"
	compile "$kind-coroutines" coroutines.c
	RECORD_OPTIONS="--keep-slowest 1000:*" record "$kind-coroutines" "./$kind-coroutines" contexts 3
	exits "$kind-coroutines" 0
	whole "$kind-coroutines"
	compile "$kind-storm" storm.c
	RECORD_OPTIONS="--keep-slowest 4:burst" record "$kind-storm" "./$kind-storm" 200
	exits "$kind-storm" 0
	kept "$kind-storm" burst 4
}
# One that is too large to be kept has its beginning, and takes the time that it took. What is in it is a lower bound, in every view.
too_large()
{
	compile "$kind-recursion" recursion.c
	RECORD_OPTIONS="--keep-slowest 2:main --memory=1M" record "$kind-large" "./$kind-recursion"
	exits "$kind-large" 0
	"$DWELL" report "$kind-large.dwell" > large.report 2> large.err && fail "status 0" "$(cat large.report)"
	grep -q "^kept: 1 of 1 call of main, .*; 1 is too large to be kept whole: the rest of it is lost" large.report || fail "$(head large.report)"
	grep -q "events were lost" large.report && ! grep -q "longjmp\|^complete" large.report || fail "$(head large.report)"
	"$DWELL" info --json "$kind-large.dwell" > large.json || true
	"$DWELL" dump --layout "$kind-large.dwell" > large.layout || fail "dwell dump --layout: status $?"
	# A call that is cut, and its callee: main takes what it took, of which what is not there is lost, and the callee is a lower bound.
	cat > cuts.c <<-'END'
		volatile int sum;
		__attribute__((noinline)) void leaf(int i) { sum += i; }
		__attribute__((noinline)) void work(int n) { for (int i = 0; i < n; i++) leaf(i); }
		__attribute__((noinline)) void handle(int n) { work(n); }
		int main(void) { for (int i = 0; i < 9; i++) handle(i == 4 ? 400000 : i); return 0; }
	END
	prog=$PWD compile "$kind-cuts" cuts.c
	RECORD_OPTIONS="--keep-slowest 1:handle --memory=1M" record "$kind-cuts" "./$kind-cuts"
	exits "$kind-cuts" 0
	"$DWELL" calls --csv --function handle "$kind-cuts.dwell" > handle.csv 2> /dev/null || true
	"$DWELL" calls --csv --function work "$kind-cuts.dwell" > work.csv 2> /dev/null || true
	"$DWELL" info --json "$kind-cuts.dwell" > cuts.json || true
	"$DWELL" report --csv --raw "$kind-cuts.dwell" > cuts.csv 2> cuts.err || true
	handle=$(columns handle.csv total_ns | tail -1) work=$(columns work.csv total_ns | tail -1)
	self=$(columns cuts.csv self_ns | awk '{ n += $1 } END { print n }')
	lost=$(sed -n 's/.*"lost_ns": \([0-9]*\).*/\1/p' cuts.json | awk '{ n += $1 } END { print n }')
	awk -v handle="$handle" -v self="$self" -v lost="$lost" 'BEGIN { rest = handle - self - lost; exit !(lost > 0 && rest * rest < handle * handle / 1e4) }' ||
		fail "handle took $handle, of which $self are told of and $lost are lost"
	[ "$work" -lt "$handle" ] || fail "work has $work of $handle"
	for each in "calls --function work" "slowest handle" "slowest work"; do
		"$DWELL" $each "$kind-cuts.dwell" > cuts.out 2> cuts.err || true
		grep -q '~.*work$' cuts.out || fail "$each does not say that it is cut:" "$(cat cuts.out)"
	done
	for each in report tree "callers leaf" "callees handle" "calls" "slowest handle" "export --to folded -o x.folded" "export --to perfetto -o x.perfetto" "html -o x.html"; do
		"$DWELL" $each "$kind-cuts.dwell" > cuts.out 2> cuts.err || true
		grep -q 'events were lost' cuts.err || fail "$each does not say that events are missing:" "$(cat cuts.err)"
	done
}
# says STATUS TEXT OPTIONS ...
says()
{
	local status=$1 text=$2
	shift 2
	RECORD_OPTIONS="$*" record said ${said:-./said} 1 100 1
	[ "$(cat said.status)" = "$status" ] || fail "$*: status $(cat said.status)" "$(cat said.err)"
	grep -qF -- "$text" said.err || fail "$*:" "$(cat said.err)"
	[ "$status" = 0 ] || [ ! -e said.dwell ] || fail "$* left a file"
	rm -f said.dwell
}
messages()
{
	cp sites-serves said
	says 2 "'handel' matches none of" --keep-slowest 3:handel
	says 2 "the program called no function that --keep-slowest matches" --keep-slowest 3:slow
	says 0 "--keep-slowest 3:slow: no call of it was recorded" --keep-slowest 3:slow --keep-slowest 3:handle
	says 0 "--keep-slowest 3:nobody: it matches none of the " --keep-slowest 3:nobody --keep-slowest 3:handle
	says 0 "--keep-slowest 2:h*e: an earlier one matches all of its functions, and that one counts" --keep-slowest 3:handle --keep-slowest 2:h*e
	# Started by another program: nothing is wrong.
	printf '#!/bin/sh\n./said "$@"\n' > runs
	for by in "env ./said" "sh runs"; do
		RECORD_OPTIONS="--trace --keep-slowest 3:handle" record by $by 1 100 1
		exits by 0
		said=$by says 2 "--keep-slowest 3:handel: it matches none of the " --trace --keep-slowest 3:handel
	done
	! grep -q "libraries" said.err || fail "$(cat said.err)"
	says 2 "--keep-slowest 3:handle: --only and --not leave that function out; change one of them" --keep-slowest 3:handle --not handle
}

# A library without hooks in front of the one with the function: --only means that one all the same.
behind_a_library()
{
	echo 'int plain(int i) { return i; }' | gcc -shared -fPIC -x c - -o libplain.so
	echo 'int worked(int i) { return i * 3; }' | gcc -shared -fPIC -finstrument-functions -x c - -o libworked.so
	echo 'int plain(int), worked(int); int main(void) { return worked(plain(0)); }' |
		gcc -finstrument-functions -x c - -o behind -L. -lplain -lworked -Wl,-rpath,"$PWD"
	RECORD_OPTIONS="--only worked --keep-slowest 3:worked" record behind ./behind
	exits behind 0
	report_csv behind
	[ "$(value behind worked calls)" = 1 ] || fail "$(cat behind.csv)"
	RECORD_OPTIONS="--not worked --keep-slowest 3:worked" record behind ./behind
	grep -q 'leave that function out' behind.err || fail "not refused:" "$(cat behind.err)"
}

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf"
for kind in hooks sites; do
	[ $kind = hooks ] && HOOKS="$as_written -finstrument-functions" || HOOKS="$as_written -fno-ipa-cp -fno-ipa-sra $("$DWELL" cflags)"
	test_that "$kind: the slowest calls, with all that is in them" the_slowest
	test_that "$kind: several functions, in one another, in several processes" several
	test_that "$kind: SIGKILL of the program" killed
	test_that "$kind: jumps, exceptions, coroutines, storms of signals" whatever_happens
	test_that "$kind: a call that is too large" too_large
done
test_that "functions that are nowhere, not called, or left out are said" messages
test_that "a function of a library behind one without hooks" behind_a_library
done_testing
