#!/bin/bash
# Coroutines, told of or not: each stack has its own calls, whoever runs in between.
. "$(dirname "$0")/../lib.sh"

compile coroutines coroutines.c
compile marked coroutines.c -DMARKED -I"$ROOT/include" -L"$BUILD" -ldwell -Wl,-rpath,"$BUILD"
compile marked_static coroutines.c -DMARKED -I"$ROOT/include" -static $("$DWELL" cflags --link)

# What calls what, whatever the switch is called: FUNCTION CALLER, and for the outermost a -.
callers()
{
	"$DWELL" tree --csv "$1.dwell" > "$1.tree" || fail "dwell tree: status $?"
	callers_in "$1.tree"
}
callers_in()
{
	columns "$1" depth function | awk -F '\t' '{ open[$1] = $2; print $2, $1 ? open[$1 - 1] : "-" }' |
		sed 's/run_contexts\|run_ended\|run_moved\|go_on/main/g; s/_context\|_bare\|_jump//g' |
		grep -v '^on_timer\|on_timer$\|^main' | LC_ALL=C sort -u
}
cat > expected <<-'END'
	begin main
	entry -
	inner work
	leaf resumed
	leaf run_all
	leaf suspended
	resume run_all
	resumed inner
	run_all main
	suspended inner
	work entry
	yield inner
END
# each_on_its_own NAME DEEPEST COMMAND...
each_on_its_own()
{
	local name=$1 frames=$2
	shift 2
	record "$name" "$@"
	exits "$name" 0
	counts_agree "$name"
	callers "$name" | diff <(grep -v "${NOT:-^$}" "${EXPECTED:-expected}") - || fail "(< who calls whom, > reported)"
	deepest "$name" "$frames"
	whole "$name"
}
contexts()
{
	each_on_its_own contexts 5 ./coroutines contexts
	# and over many chunks of the file
	each_on_its_own long 5 ./coroutines contexts 10000
	rm long.*
}
ended()
{
	local EXPECTED=left
	sed 's/^yield inner/&\nyield work/' expected > left
	each_on_its_own ended 5 ./coroutines ended 20
	each_on_its_own bareended 5 ./coroutines bareended 20
	each_on_its_own markedended 5 ./marked bareended 20
	# all but the last were over when the next began, and with dwell_stack_end all of them were
	[ "$(columns ended.calls function | grep -c work)" = 300 ] || fail "$(head ended.calls)"
	"$DWELL" info --json markedended.dwell | grep -q '"calls_open"\|"open_calls": [1-9]' && fail "calls are open:" "$("$DWELL" info markedended.dwell)"
	return 0
}
marked()
{
	each_on_its_own marked 5 ./marked marked
	each_on_its_own marked_static 5 ./marked_static marked
	each_on_its_own unmarked_static 5 ./marked_static contexts
	./marked marked > alone 2> alone.err
	[ ! -s alone.err ] || fail "printed without dwell record:" "$(cat alone.err)"
	diff marked.out alone
}
signals()
{
	each_on_its_own signals 7 ./coroutines signals 2000
	only_from_timer
	[ "$(value signals on_timer calls)" -gt 20 ] || fail "hardly a storm: $(value signals on_timer calls)"
}
# A handler on its alternate stack is a call of what it interrupted, so that it is never outermost but in the switch itself.
only_from_timer()
{
	columns signals.tree depth function | awk -F '\t' '{ open[$1] = $2 } $2 == "on_timer" { print $1 ? open[$1 - 1] : "-" }' | sort -u > interrupted
	[ "$(wc -l < interrupted)" -gt 1 ] || fail "$(cat interrupted)"
	! grep -qx on_timer interrupted || fail "on_timer in itself"
}
# A coroutine that goes on on another thread: its open calls end there without an entry, and are open for ever here. It is said.
moved()
{
	record moved ./coroutines moved
	exits moved 0
	"$DWELL" report --csv moved.dwell > moved.csv 2> moved.report.err && fail "report finds nothing wrong"
	grep -q '8 times a coroutine moved to another thread: its open calls count on both$' moved.report.err || fail "$(cat moved.report.err)"
	[ "$(value moved resumed calls)" = 1600 ] && [ "$(value moved suspended calls)" = 1600 ] || fail "$(cat moved.csv)"
	"$DWELL" info --json moved.dwell 2> /dev/null | grep -q '"moved_coroutines": 8' || fail "$("$DWELL" info --json moved.dwell)"
	"$DWELL" info moved.dwell > moved.info 2> /dev/null || true
	grep -q '  32  calls have no entry' moved.info && grep -q '  32  calls were still running at the end' moved.info || fail "$(cat moved.info)"
}
# The same, where what the ring holds is read without what was before.
last_of_it()
{
	local name=$1
	shift
	"$DWELL" record --ring=64K -o "$name.dwell" -- "$@" > "$name.out"
	"$DWELL" report "$name.dwell" > "$name.report" 2> "$name.err" || true
	grep -q ' = elapsed ' "$name.report" || fail "$(cat "$name.report")"
	"$DWELL" tree --csv "$name.dwell" > "$name.tree" 2> /dev/null || true
	callers_in "$name.tree" > "$name.callers"
	# what is open when the ring begins has no caller, for all that is known
	! grep -v ' -$' "$name.callers" | grep -vxFf expected || fail "no caller of that:" "$(cat "$name.tree")"
	grep -qx 'yield inner' "$name.callers" && grep -qx 'resume run_all' "$name.callers" || fail "$(cat "$name.tree")"
}
claiming()
{
	export GLIBC_TUNABLES=glibc.pthread.rseq=0
	each_on_its_own claiming 5 ./coroutines contexts
	each_on_its_own claiming_bare 5 ./coroutines bare
}

test_that "makecontext and swapcontext" contexts
NOT='begin main' test_that "siglongjmp from stack to stack" each_on_its_own jumps 5 ./coroutines jumps
test_that "stacks in an array of main" each_on_its_own own 5 ./coroutines own
test_that "on four threads" each_on_its_own threads 5 ./coroutines threads
test_that "handlers on an alternate stack in between" signals
test_that "a coroutine on another thread: said" moved
test_that "coroutines that never come back" ended
if [ "$(uname -m)" = x86_64 ]; then
	test_that "a switch that nobody knows of, stacks from malloc" each_on_its_own bare 5 ./coroutines bare
	test_that "dwell_stack_switch" marked
fi
test_that "the last of it, in a ring" last_of_it ring ./coroutines contexts 20000
test_that "without restartable sequences" claiming
done_testing
