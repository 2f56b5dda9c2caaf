#!/bin/bash
# The NITRO-SDK's profiler on an emulated Nintendo DS: the manual's programs as cartridges, with the console's own timers, read through the emulator's
# GDB stub; they must print what they print everywhere.
# Takes long, an emulated machine.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/nitro/lib.sh"
. "$ROOT/test/e2e/machines/nitro/nds.sh"

cc=arm-none-eabi-gcc
desmume=$(PATH=$PATH:/usr/games command -v desmume-cli)
if ! command -v $cc > /dev/null || [ -z "$desmume" ]; then
	echo "1..0 # SKIP no compiler for ARM or no Nintendo DS (gcc-arm-none-eabi, desmume)"
	exit
fi
makes nitro-arm > make.log 2>&1 || { echo "not ok 1 - make nitro-arm"; sed 's/^/# /' make.log; echo 1..1; exit 1; }
if ! on=$(plugin_of $cc); then
	echo "1..0 # SKIP the compiler's plugin cannot be had here (make plugin)"
	exit
fi
lib=$BUILD/lib/arm946e-s

# build LIBRARY FLAGS ... SOURCE
build()
{
	local library=$1
	shift
	# shellcheck disable=SC2086
	$cc -mcpu=arm946e-s -ffreestanding -fno-common -g -Wall -Wextra -Werror -I"$ROOT/include" $on "$@" -c -o program.o
	$cc -mcpu=arm946e-s -nostdlib -T "$manual/link_nds.ld" "$manual/start_nds.S" program.o "$lib/nds.o" ${halves-} "$lib/libos$library" -lgcc \
		-Wl,--use-blx -o program
	make_nds program program.nds
}

manual_program() # SOURCE LIBRARY CHECK FLAGS ...
{
	local source=$1 library=$2 check=$3
	shift 3
	build ".CALLTRACE$library" "$@" "$manual/$source"
	run_nds program.nds out
	$check arm-none-eabi-nm NitroMain
}

# Its timers: 33.5 MHz by 64, in two halves, which a function of the board's reads, or the hooks do.
manual_cost()
{
	build ".FUNCTIONCOST$1" "$2" -O1 "$manual/manual_cost.c"
	run_nds program.nds out
	shows_cost 0.05
}

manual_cost_by_halves()
{
	halves=$lib/nds.FUNCTIONCOST.o
	manual_cost "$@"
}

# Before its second nobody listens; and who has just gone may still be there for it.
fetch_from_stub()
{
	for try in 1 2 3; do
		sleep 1
		! "$DWELL" fetch --gdb 127.0.0.1:"$port" --wait 20s "$@" > said 2>&1 || break
	done
	cat said
}

# Its stub holds the console at the first instruction, and refuses what it need not.
fetched()
{
	build .CALLTRACE.a -marm -O0 "$manual/manual_log_dump.c"
	start_nds program.nds
	fetch_from_stub --run 1s --program program -o first.core
	# It goes on, and is stopped again.
	fetch_from_stub --program program -o second.core
	for core in first second; do
		"$DWELL" calls --csv --args $core.core > calls.csv
		columns calls.csv depth function arg1 | tr '\t\n' '  ' > calls
		[ "$(cat calls)" = "0 test1 0x100 1 test2 0x101 2 test3 0x103 0 test1 0x200 1 test2 0x201 2 test3 0x203 " ] || fail "$(cat calls)"
	done
}

for state in "arm .a -marm" "thumb .thumb.a -mthumb"; do
	read -r name library flag <<< "$state"
	test_that "$name: 3.4, stack mode" manual_program manual_stack.c $library shows_function $flag -O0
	test_that "$name: 3.5.1, the dump of a chain" manual_program manual_stack_dump.c $library shows_chain $flag -O0
	test_that "$name: 3.5.2, the dump of a log" manual_program manual_log_dump.c $library shows_log $flag -O0
	test_that "$name: 4.4, function cost, with the console's timers" manual_cost $library $flag
	test_that "$name: the same, read by the hooks themselves" manual_cost_by_halves $library $flag
done
test_that "fetched through the emulator's stub, and once more" fetched
done_testing
