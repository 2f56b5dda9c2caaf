#!/bin/bash
# What report --write-exclude says of a recording, as record takes it: what is listed has no calls, and all else is recorded as before.
#
# Depends on time: what is listed is what was short and called often. Which functions that are does not matter, but leaf and inner must be.
. "$(dirname "$0")/../lib.sh"

# listed NAME: makes list of a recording of it, and list.err.
listed()
{
	"$DWELL" report --write-exclude list "$1.dwell" > report 2> list.err || fail "$(cat list.err)"
}

# without OPTIONS: what was recorded with them is listed; recorded with the list, the others are called as often.
without()
{
	RECORD_OPTIONS=$1 record hooks ./hooks 300
	exits hooks 0
	listed hooks
	sed -n 's/^not //p' list | LC_ALL=C sort > names
	grep -qx leaf names && grep -qx inner names || fail "leaf and inner are not listed:" "$(cat list)"
	RECORD_OPTIONS="--exclude list" record some ./hooks 300
	exits some 0
	report_csv some
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' some.out | LC_ALL=C sort | LC_ALL=C join -t "$(printf '\t')" -v 1 - names > want
	columns some.csv function calls | LC_ALL=C sort > got
	diff want got || fail "(< counted by the program and not listed, > reported)"
}

# What else is called so would be left out as well, and is said.
twins()
{
	gcc -O2 -finstrument-functions -DOTHER -c "$prog/calls/twins.c" -o other.o
	compile twins twins.c other.o
	record twins ./twins
	exits twins 0
	listed twins
	grep -qx 'not twin' list || fail "$(cat list)"
	grep -q 'dwell record leaves out every function whose name is in the list: 1 more of this trace, such as twin (twins+0x.*), with twin' list.err ||
		fail "$(cat list.err)"
}

HOOKS="-g -fno-inline -fno-optimize-sibling-calls -fno-ipa-icf -finstrument-functions -fno-tree-ter"
compile hooks throttled.c
test_that "what is listed is not recorded, and all else is" without ""
test_that "what was throttled is listed, too" without "--throttle=0.01"
HOOKS=-finstrument-functions
test_that "two functions of one name" twins
done_testing
