#!/bin/bash
# The host tool reads what others wrote: it is built as Debian's hardening asks. The agent, which is in others' programs, is not: it has no
# libc to report to.
. "$(dirname "$0")/../lib.sh"

hardened()
{
	readelf -hW "$DWELL" | grep -q 'Type: *DYN' || fail "no position-independent executable"
	readelf -lW "$DWELL" | grep -q GNU_RELRO || fail "relocations stay writable"
	readelf -dW "$DWELL" | grep -qE 'BIND_NOW|Flags:.* NOW' || fail "functions are bound late"
	readelf -lW "$DWELL" | grep -q 'GNU_STACK.* RW ' || fail "the stack is executable"
	readelf -sW "$DWELL" | grep -q '__stack_chk_fail' || fail "the stack is not protected"
	readelf -sW "$DWELL" | grep -qE '__(memcpy|snprintf|fprintf|read)_chk' || fail "no function is fortified"
}
free_of_it()
{
	local library
	for library in libdwell.so libdwell-timer.so; do
		! readelf -sW "$BUILD/$library" | grep -qE '__stack_chk_fail|_chk@' || fail "$library asks libc for help"
	done
}

if readelf -sW "$DWELL" | grep -qE '__asan_|__tsan_'; then
	skip "hardening" "a build with sanitizers has its own"
else
	test_that "the host tool is hardened" hardened
	if command -v hardening-check > /dev/null; then
		# Control flow integrity is for systems whose own start files have it.
		test_that "hardening-check finds nothing missing" hardening-check --nocfprotection "$DWELL"
	fi
fi
test_that "the agents are as they were" free_of_it
done_testing
