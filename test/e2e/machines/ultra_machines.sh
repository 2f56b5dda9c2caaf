#!/bin/bash
# Takes long, so test/run begins with it.
# The Nintendo 64's osProfile… without an operating system, emulated: a big-endian MIPS III, a Cortex-M3, a RISC-V. A host fetches over the
# UART while the program runs. An emulator's clock goes by its instructions, so it does not matter how busy the machine is.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/ultra/lib.sh"

build_fetch || { echo "not ok 1 - the host"; echo 1..1; exit 1; }

for machine in mips3 cortex-m3 rv32imac; do
	have_machine $machine || { skip "$machine" "no compiler or no emulator for it ($cc, $qemu)"; continue; }
	make_machines $machine > make.log 2>&1 || { test_that "$machine: its library" fail "$(cat make.log)"; continue; }

	while_it_runs()
	{
		build_machine $machine machine.c -DPERIOD=250 -DROUND=100
		start_machine $machine
		./fetch "$@" bye "$port" > fetched
		stop_machine
		function_counts fetched program "${cc%gcc}nm" 0 8 > counts
		three_to_one counts 400
		grep -q '^beyond 0$' fetched
		grep -q "^order $order$" fetched
		grep -q '^period 250$' fetched
		# What the link itself took is in no segment.
		grep -q '^overflow [1-9]' fetched
	}
	test_that "$machine: 3 to 1, fetched while it runs" while_it_runs hold until=2000 for=30
	test_that "$machine: 3 to 1, taken away again and again" while_it_runs hold take until=2000 for=30

	# Each window goes on with the period in which the last one was stopped: none is as long as a period, so no other has any sample.
	windows()
	{
		build_machine $machine machine.c -DPERIOD=250 -DWINDOW=50
		start_machine $machine
		./fetch until=600 for=30 bye "$port" > fetched
		stop_machine
		function_counts fetched program "${cc%gcc}nm" 0 8 > counts
		three_to_one counts 400
	}
	test_that "$machine: parts of a frame, each shorter than a period" windows

	stopped_from_afar()
	{
		build_machine $machine machine.c -DPERIOD=300 -DSEGMENTS=8
		start_machine $machine
		./fetch hold until=2000 for=30 bye "$port" > before
		./fetch stop "$port" > stopped
		stop_machine
		grep -q '^state 0$' stopped
		[ "$(grep -c '^segment' stopped)" = 8 ]
		function_counts stopped program "${cc%gcc}nm" 0 8 > counts
		three_to_one counts 400
	}
	test_that "$machine: eight segments; stopped from afar" stopped_from_afar

	# As a user does it: the report's interval is that of so many samples, and 3 to 1 is in five standard deviations.
	gperf_asks()
	{
		build_machine $machine machine.c -DPERIOD=250 -DROUND=100
		start_machine $machine
		./fetch hold until=2000 for=30 bye "$port" > fetched
		dwell gperf --link "tcp:localhost:$port" --csv -o kept.dwell program > once.csv
		shares_hold once.csv 100
		dwell gperf --link "tcp:localhost:$port" --csv --take --every 200ms --times 3 program > taken.csv
		stop_machine
		tac taken.csv | sed '/^function,/q' | tac > last.csv
		shares_hold last.csv 200
		dwell report --csv kept.dwell > kept.csv
		cmp once.csv kept.csv
	}
	test_that "$machine: dwell gperf over the UART, 3 to 1" gperf_asks

	# A UART and a line of 115200 baud between them: what is slow is the line.
	over_a_slow_line()
	{
		build_machine $machine machine.c -DPERIOD=250 -DROUND=100
		start_machine $machine
		./fetch hold until=500 for=30 bye "$port" > fetched
		serial_line baud=115200
		dwell gperf --link "serial:$device:115200" --csv --take --every 200ms --times 3 program > taken.csv
		stop_machine
		tac taken.csv | sed '/^function,/q' | tac > last.csv
		shares_hold last.csv 200
	}
	test_that "$machine: dwell gperf over a serial line of 115200 baud" over_a_slow_line

	# What other recorders wrote goes over the same link.
	others_records()
	{
		local hooks=("$ROOT/classic/target/face/c6000/hook.c" -I"$ROOT" -I"$ROOT/target" -DMAX_PROFILE_RECORD_NUM=64)
		[ $machine = rv32imac ] || hooks+=("$ROOT/classic/target/port/cpu/armv7m/hooks.S" -DHOOK_COUNTER_AT=0x40028018)
		build_machine $machine records.c "${hooks[@]}"
		start_machine $machine
		dwell fetch "tcp:localhost:$port" --wait 30s --program program -o shared.core > said
		stop_machine
		grep -q '^shared at 0x[0-9a-f]*: 768 bytes$' said || fail "$(cat said)"
		dwell calls --program program --csv shared.core > calls.csv
		columns calls.csv function | tr '\n' ' ' > calls
		[ "$(cat calls)" = "outer inner inner inner " ] || fail "$(cat calls.csv)"
	}
	[ $machine = mips3 ] || test_that "$machine: dwell fetch: records of function hooks" others_records

	# Where the interrupt is assembly, that is another way through it, which must leave the program as it was just so.
	[ $machine = mips3 ] || continue
	full_counters()
	{
		build_machine $machine machine.c -DPERIOD=50 -DFULL=500
		start_machine $machine
		for _ in {1..250}; do
			./fetch bye "$port" > fetched
			[ "$(awk '$1 == "beyond" { print $2 }' fetched)" -lt 1000 ] || break
			sleep 0.1
		done
		./fetch stop bye "$port" > stopped
		stop_machine
		awk '$1 == "count" && $3 > most { most = $3 } $1 == "count" && $3 == 65535 { full++ } $1 == "beyond" { beyond = $2 }
			END { print most, full, beyond; exit !(most == 65535 && full >= 1 && full <= 12 && beyond >= 1000) }' stopped
	}
	test_that "$machine: full counters stay full, and what is beyond is counted" full_counters
done

done_testing
