#!/bin/bash
# Takes long, so test/run begins with it.
# The Nintendo 64's osProfile… without an operating system: instructions of a sampling interrupt, and of a call of osProfilePoll, counted one by one
# in emulators and compared with what is promised (doc/ultra.md).
. "$(dirname "$0")/lib.sh"
. "$ROOT/test/e2e/ultra/lib.sh"

counted()
{
	"$ROOT/bench/ultra/measure" "$BUILD" > counts
	cat counts
	awk '
	{ count[$1] = $2 }
	END {
		split("mips3 cortex-m3", machine, " ")
		for (i = 1; i <= 2; i++) {
			if (!((machine[i] "_4_most") in count))
				continue
			checked++
			if (count[machine[i] "_4_most"] > 60) {
				print machine[i] ": more than 60"
				bad = 1
			}
		}
		exit bad || !checked
	}' counts
}
if have_machine mips3 || have_machine cortex-m3; then
	test_that "instructions of an interrupt, counted one by one" counted
else
	skip "instructions of an interrupt" "no compilers or no emulators for the machines"
fi

# What the link does between two turns of the main loop: less than a byte takes on a line of 115200 baud, which is 2170 cycles of this machine.
served_in_time()
{
	"$ROOT/bench/ultra/poll" "$BUILD" cortex-m3 > polls
	cat polls
	awk '$1 == "cortex-m3_poll_most" { found = $2 } END { exit !(found > 100 && found <= 2170) }' polls
}
if have_machine cortex-m3; then
	test_that "instructions of osProfilePoll, counted one by one" served_in_time
else
	skip "instructions of osProfilePoll" "no compiler or no emulator for it ($cc, $qemu)"
fi
done_testing
