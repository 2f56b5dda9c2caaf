#!/bin/bash
# A program that forbids itself system calls (seccomp) may be killed for those that recording makes: that is said beforehand, and afterwards.
. "$(dirname "$0")/../lib.sh"

compile confined confined.c
printf 'extern const char *const speaks;\nconst char *const speaks = "seccomp_load";\n' > speaks.c
compile basic basic.c "$PWD/speaks.c"

is_told()
{
	record few ./confined
	grep -q '^dwell: .*/confined: restricts its own system calls (seccomp); .*madvise' few.err || fail "$(cat few.err)"
	record many ./confined anyway
	[ "$(cat many.status)" = 159 ] || fail "status $(cat many.status): it was to be killed for a system call of the agent"
	grep -q 'was killed for a system call that its filter forbids (seccomp); .* use --sample --engine=perf, which needs none' many.err || fail "$(cat many.err)"
	RECORD_OPTIONS="--sample --engine=timer" record timed ./confined anyway
	[ "$(cat timed.status)" = 159 ] || fail "status $(cat timed.status): it was to be killed for a timer's system call"
	grep -q 'was killed for a system call that its filter forbids (seccomp)' timed.err || fail "$(cat timed.err)"
	record others ./basic 3
	exits others 0
	! grep seccomp others.err || fail "a program that has the name as a text was warned of"
}

if ./confined; then
	test_that "a program that forbids itself system calls is warned of" is_told
else
	skip "a program that forbids itself system calls" "this system has no seccomp"
fi
done_testing
