#!/bin/bash
# Measures time: run once more, alone, if it fails beside others (test/run).
# dwell record --gdb: emulated machines, without a line of ours in what is sampled but for the loop: where they are, by a debugger that stops them.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/ultra/lib.sh"

start_stub() # NAME: the program, behind a stub at $port
{
	port=$(free_port)
	# shellcheck disable=SC2046
	QEMU_AUDIO_DRV=none timeout -k 5 150 $qemu $(machine_options "$1") -display none -monitor none -serial null -icount shift=5,sleep=on \
		-gdb "tcp:127.0.0.1:$port" -kernel program < /dev/null > qemu.log 2>&1 &
	machine_pid=$!
	for _ in {1..1000}; do
		(exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && break
		sleep 0.05
	done
}

# QEMU stops a program most readily where it asks a device: with rounds as short as elsewhere, the UART has half of the samples, and what is around
# it too many.
three_to_one_by_stub() # NAME
{
	build_machine "$1" machine.c -DPERIOD=100000 -DROUND=10000
	start_stub "$1"
	dwell record --gdb "localhost:$port" --program program -F 500 --for 3s -o stub.dwell 2> err || fail "status $?" "$(cat err)"
	dwell report --csv stub.dwell > stub.csv
	awk -F, 'NR > 1 { print $1, $21 }' stub.csv > counts
	three_to_one counts 50
	# It says what it did.
	grep -q 'is stopped for each sample' err || fail "$(cat err)"
	grep -qE '^dwell: [0-9]+ samples in [0-9.]+ s: [0-9.]+ a second, 500 were asked for; the target ran for [0-9.]+ % of the time' err || fail "$(cat err)"
	[ "$(sed -n 's/^dwell: \([0-9]*\) samples in.*/\1/p' err)" = "$(awk '{ n += $2 } END { print n }' counts)" ] || fail "other numbers of samples:" "$(cat err)"
	dwell info stub.dwell > info
	# A sample in the vector of interrupts, which is in no program, is told, and nothing else.
	grep -q 'all is well' info || { grep -q '^0x80000180 ' counts && [ "$(sed '1,/^health/d' info | grep '^ *[0-9]' | grep -cv ' functions\? \(is\|are\) in no known module$')" = 0 ]; } ||
		fail "$(cat info)"
	# The machine goes on, and its own histogram is read out of its memory.
	dwell gperf --link "gdb:localhost:$port" --csv program > first.csv 2> err || fail "$(cat err)"
	for _ in {1..30}; do
		sleep 1
		dwell gperf --link "gdb:localhost:$port" --csv program > second.csv 2> err || fail "$(cat err)"
		[ "$(awk -F, '{ n += $21 } END { print n }' second.csv)" -le "$(awk -F, '{ n += $21 } END { print n }' first.csv)" ] || break
	done
	[ "$(awk -F, '{ n += $21 } END { print n }' second.csv)" -gt "$(awk -F, '{ n += $21 } END { print n }' first.csv)" ] || fail "it stands still:" "$(cat first.csv second.csv)"
	stop_machine
}

for machine in mips3 cortex-m3; do
	have_machine $machine || { skip "$machine" "no compiler or no emulator for it ($cc, $qemu)"; continue; }
	make_machines $machine > make.log 2>&1 || { test_that "$machine: its library" fail "$(cat make.log)"; continue; }
	test_that "$machine: 3 to 1, by stopping it" three_to_one_by_stub $machine
done

no_target()
{
	if dwell record --gdb 127.0.0.1:1 --program "$BUILD/dwell" -o none.dwell 2> err; then
		fail "there was one"
	fi
	grep -q 'cannot be connected to' err
	[ ! -e none.dwell ]
}
test_that "no target: no file" no_target

done_testing
