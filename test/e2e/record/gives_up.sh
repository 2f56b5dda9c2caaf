#!/bin/bash
# Programs that forbid themselves the clock, or all system calls: recording stops before, which is said, and the program goes on.
. "$(dirname "$0")/../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip "programs without a clock" "only x86-64 can forbid it"
	done_testing
	exit
fi
compile gives_up gives_up.c
gives_up()
{
	record "$1" ./gives_up "$1"
	[ "$(cat "$1.status")" = 3 ] || fail "status $(cat "$1.status")" "$(cat "$1.err")"
	grep -q "forbade themselves the clock or system calls.*: $2;" "$1.err" || fail "not said" "$(cat "$1.err")"
	report_csv "$1" || true
	[ "$(value "$1" leaf calls)" = 10 ] || fail "leaf: $(value "$1" leaf calls)" "$(cat "$1.csv")"
	"$DWELL" info --json "$1.dwell" | grep -q "\"confined_processes\": $2" || fail "$("$DWELL" info "$1.dwell")"
	! "$DWELL" report "$1.dwell" 2>&1 | grep ^complete || fail "complete"
}
test_that "PR_SET_TSC" gives_up clock 1
test_that "strict mode of seccomp" gives_up strict 1
test_that "likewise, by number" gives_up seccomp 1
# glibc's loader reads the clock: where Linux keeps PR_SET_TSC beyond exec, such a program dies by itself.
if (./gives_up exec) > /dev/null 2>&1 || [ $? = 3 ]; then
	test_that "PR_SET_TSC, and exec" gives_up exec 2
else
	skip "PR_SET_TSC, and exec" "the program dies without dwell, too"
fi
done_testing
