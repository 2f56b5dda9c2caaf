#!/bin/bash
# Kinds of programs: what they do with processes, stacks, signals, threads and libraries. The counts are their own.
. "$(dirname "$0")/../lib.sh"

compile kinds kinds.c -ldl
compile fortified kinds.c -ldl -D_FORTIFY_SOURCE=2
CC=gcc compile alpha.so plugin.c -DNAME=alpha -shared -fPIC

# Several processes count for themselves.
add_up()
{
	awk '$1 == "count" { calls[$2] += $3 } END { for (name in calls) print "count", name, calls[name] }' "$1.out" > "$1.sum"
	mv "$1.sum" "$1.out"
}
# agrees NAME STATUS PROGRAM ARGUMENTS
agrees()
{
	local name=$1 status=$2
	shift 2
	record "$name" "$@"
	exits "$name" "$status"
	add_up "$name"
	counts_agree "$name"
	whole "$name"
}
vforks()
{
	agrees vfork 0 ./kinds vfork
	# what the child left open is nobody's caller afterwards
	only_called_by vfork after one_vfork
	only_called_by vfork leaf "after one_vfork child_leaves_open child_ends"
	deepest vfork 3
}
# Whose ring would it be? The child's calls are counted as lost, and its parent's are all there.
early()
{
	record early ./kinds early
	[ "$(cat early.status)" = 0 ] || fail "status $(cat early.status)"
	report_csv early || true
	[ "$(value early after calls)" = 10 ] && [ "$(value early leaf calls)" = 10 ] || fail "$(cat early.csv)"
	grep -q '^dwell: early.dwell: 3 events were lost while their thread was being set up' early.report.err || fail "not a word:" "$(cat early.report.err)"
}
plain_forks()
{
	record plain ./kinds plain
	[ "$(cat plain.status)" = 77 ] && return
	exits plain 0
	report_csv plain
	[ "$(value plain one_plain calls)" = 10 ] && [ "$(value plain after calls)" = 20000 ] || fail "$(cat plain.csv)"
	whole plain
	[ "$("$DWELL" info --json plain.dwell | grep -c '"process": [0-9]*,')" -ge 11 ] || fail "$("$DWELL" info plain.dwell)"
}
jumps()
{
	agrees "$1-jumps" 0 "./$1" jumps
	only_called_by "$1-jumps" after land
	deepest "$1-jumps" 4
	[ "$1" = kinds ] || nm -D "$1" | grep -q __longjmp_chk || fail "not fortified"
}
nested()
{
	agrees nested 0 ./kinds nested
	only_called_by nested after land_from_handlers
	only_called_by nested outer_handler interrupted
	only_called_by nested inner_handler outer_handler
	deepest nested 5
}
many()
{
	agrees many 0 ./kinds many
	[ "$("$DWELL" info --json many.dwell | grep -c '"stream": ')" = 2501 ] || fail "$("$DWELL" info --json many.dwell | grep -c '"stream": ') threads"
}
# A thread may be cancelled between its own counting and the hook, once each.
cancelled()
{
	record cancel ./kinds cancel
	exits cancel 0
	report_csv cancel
	local counted reported
	counted=$(sed -n 's/^count leaf //p' cancel.out)
	reported=$(value cancel leaf calls)
	between $((counted - 300)) "$reported" $((counted + 300)) "calls of leaf"
	whole cancel
}
named()
{
	agrees named 0 ./kinds named
	"$DWELL" report --csv --thread "late name" named.dwell > named.csv
	[ "$(value named leaf calls)" = 2 ] || fail "$(cat named.csv)"
}
reopened()
{
	record reopen ./kinds reopen ./alpha.so
	exits reopen 0
	grep -qx 'places same 0' reopen.out || { cat reopen.out; grep -qx 'places different 0' reopen.out; }
	report_csv reopen
	[ "$(value reopen alpha calls)" = 3 ] && [ "$(value reopen step calls)" = 700 ] || fail "$(cat reopen.csv)"
	# told when it happened
	[ "$("$DWELL" dump reopen.dwell | grep -c 'module .* unmapped, .*alpha')" = 3 ] || fail "$("$DWELL" dump reopen.dwell | grep -i alpha)"
	whole reopen
}

test_that "children of vfork that make calls" vforks
test_that "the first call of all in a child of vfork" early
test_that "posix_spawn of hooked programs" agrees spawn 0 ./kinds spawn
test_that "a program that becomes itself five times" agrees execs 0 ./kinds execs 5
test_that "_Fork" plain_forks
test_that "setjmp and longjmp of all kinds" jumps kinds
test_that "the same, fortified" jumps fortified
test_that "handlers on top of handlers on an alternate stack, left by a jump" nested
test_that "exit from a handler" agrees handler 10 ./kinds handler
test_that "exit from a thread" agrees thread 7 ./kinds thread
test_that "quick_exit" agrees quick 9 ./kinds quick
test_that "threads by the thousand" many
test_that "threads that are cancelled at any instruction" cancelled
test_that "a name that comes later" named
test_that "a library that is loaded again at another address" reopened
done_testing
