#!/bin/bash
# Takes long, so test/run begins with it.
# The Nintendo 64's osProfile… without an operating system: instructions of a sampling interrupt, and of a call of osProfilePoll, counted one by one
# in emulators and compared with what is promised (doc/ultra.md).
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/ultra/lib.sh"

counted()
{
	"$ROOT/bench/ultra/measure" "$BUILD" mips3_4 cortex-m3_4 > counts
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
# paced MACHINE MICROSECONDS INTERRUPTS [FLAGS]: into the file paces, and sets $mean, instructions of the machine
paced()
{
	local emulator name=$1 us=$2 wanted=$3
	shift 3
	build_machine "$name" machine.c -DPERIOD="($us | OSPROF_FIXED)" "$@"
	"${cc%gcc}nm" program | awk '$3 == "osProfileInterrupt" { print $1 }' > symbols
	rm -f log
	mkfifo log
	# shellcheck disable=SC2046
	QEMU_AUDIO_DRV=none timeout -k 5 100 $qemu $(machine_options "$name") -display none -monitor none -serial none -icount shift=5,sleep=off \
		-singlestep -d exec,nochain -D log -kernel program < /dev/null > /dev/null 2>&1 &
	emulator=$!
	awk -v wanted="$wanted" -v lines=3000000 -f "$ultra/paced.awk" symbols log > paces
	kill $emulator 2> /dev/null || true
	wait $emulator 2> /dev/null || true
	cat paces
	mean=$(awk -v wanted="$wanted" '$1 == wanted { print $2 }' paces)
	[ -n "$mean" ] || fail "not so many interrupts came"
}

# What the interrupt takes is no part of the period: ten of the shortest are one that is ten times as long.
keeps_its_period()
{
	paced "$1" 50 100
	local short=$mean
	paced "$1" 500 11
	awk -v short="$short" -v long="$mean" 'BEGIN { late = (10 * short - long) / 9; print late " instructions late"; exit !(late < 2 && late > -2) }'
}

# A program that lets no interrupt through for longer than a period is sampled less often, and goes on to be.
comes_again()
{
	paced "$1" 50 100 -DROUND=60 -DDEAF=60
	awk -v mean="$mean" '{ exit !($3 > 1.2 * mean && $3 < 20 * mean) }' paces
}
for machine in mips3 cortex-m3 rv32imac; do
	have_machine $machine || { skip "$machine: its period" "no compiler or no emulator for it ($cc, $qemu)"; continue; }
	make_machines $machine > make.log 2>&1 || { test_that "$machine: its library" fail "$(cat make.log)"; continue; }
	test_that "$machine: the shortest period is as long as was asked for" keeps_its_period $machine
	test_that "$machine: a program that is deaf for more than a period" comes_again $machine
done
done_testing
