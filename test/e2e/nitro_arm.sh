#!/bin/bash
# The NITRO-SDK's profiler on the machine it was for: an ARM946E-S, emulated, in ARM state, in Thumb state, and mixed; three threads on a preemptive
# kernel whose timer's handler has hooks itself; and instructions, counted.
. "$(dirname "$0")/lib.sh"
. "$ROOT/test/e2e/nitro/lib.sh"

cc=arm-none-eabi-gcc
if ! command -v $cc > /dev/null || ! command -v qemu-system-arm > /dev/null; then
	echo "1..0 # SKIP no compiler or no emulator for ARM (gcc-arm-none-eabi, qemu-system-arm)"
	exit
fi
make -s -C "$ROOT" nitro-arm BUILD="$BUILD" > make.log 2>&1 || { echo "not ok 1 - make nitro-arm"; sed 's/^/# /' make.log; echo 1..1; exit 1; }
lib=$BUILD/lib/arm946e-s
arm9="-mcpu=arm946e-s -ffreestanding -fno-common -g -Wall -Wextra -I$ROOT/include -DTwlMain=NitroMain"

# What the document allows itself, and what is promised here.
counted()
{
	"$ROOT/bench/nitro/measure" "$BUILD" > counts
	cat counts
	awk '
	function at_most(what, most) {
		checked++
		if (!(what in count) || count[what] > most) {
			printf "%s: %s, at most %d\n", what, count[what], most
			bad = 1
		}
	}
	{ count[$1] = $2 }
	END {
		split("arm thumb", state, " ")
		for (i = 1; i <= 2; i++) {
			at_most("trace_stack_" state[i] "_entry", 30)
			at_most("trace_stack_" state[i] "_exit", 14)
			at_most("trace_log_" state[i] "_entry", 30)
			at_most("trace_log_" state[i] "_exit", 14)
			at_most("cost_" state[i] "_entry", 18)
			at_most("cost_" state[i] "_exit", 18)
			at_most("trace_off_" state[i] "_entry", 30)
			at_most("trace_no_registers_" state[i] "_entry", 45)
			at_most("cost_off_" state[i] "_entry", 30)
		}
		at_most("switch", 22)
		exit bad || checked != 19
	}' counts
}
test_that "instructions, counted one by one" counted

if ! on=$(plugin_of $cc); then
	skip "the manual's programs" "the compiler's plugin cannot be had here (make plugin)"
	done_testing
	exit
fi

# build LIBRARY FLAGS ... SOURCE: kernel, board and start are in ARM state
build()
{
	local library=$1
	shift
	# shellcheck disable=SC2086
	{
		$cc $arm9 -Werror $on "$@" -c -o program.o
		$cc $arm9 -marm -O2 ${handler_hooks:+$on} -c "$manual/kernel.c" -o kernel.o
		$cc $arm9 -marm -O2 -c "$manual/print_out.c" -o print_out.o
		$cc $arm9 -nostdlib -T "$manual/link.ld" "$manual/start.S" program.o kernel.o print_out.o "$lib/libos$library" ${board-"$lib/versatilepb.o"} \
			-lgcc -o program
	}
}

runs()
{
	QEMU_AUDIO_DRV=none timeout -k 5 120 qemu-system-arm -M versatilepb -cpu arm946 -display none -monitor none -serial stdio \
		-icount shift=5,sleep=off -semihosting-config enable=on,target=native -kernel program < /dev/null > out 2> err || fail "$(cat out err)"
}

manual_program() # SOURCE LIBRARY CHECK FLAGS ...
{
	local source=$1 library=$2 check=$3
	shift 3
	build ".CALLTRACE$library" "$@" "$manual/$source"
	runs
	$check arm-none-eabi-nm NitroMain
}

manual_cost()
{
	build ".FUNCTIONCOST$1" "$2" -O1 "$manual/manual_cost.c"
	runs
	shows_cost 0.02
}

threads()
{
	build ".FUNCTIONCOST$1" "$2" -O1 "$manual/threads.c"
	runs
	shows_threads 0.02
	awk '/switches/ { n = $1 } END { exit !(n > 200) }' out
}

own_chain() # LIBRARY FLAGS ...
{
	local library=$1
	shift
	build ".CALLTRACE$library" "$@" "$manual/chain.c"
	runs
	cat out
	grep -qx '0 wrong of [0-9]\{5\}' out
}

own_chain_interrupted()
{
	handler_hooks=1
	own_chain "$@"
}

# To the tick: what the program says of itself, and what was measured.
own_account() # LIBRARY FLAGS ...
{
	local library=$1 board=
	shift
	handler_hooks=1
	build ".FUNCTIONCOST$library" "$@" "$manual/account.c"
	runs
	cat out
	sed -n 's/^account //p' out | sort > want
	grep -E '^(anna|berta|cesar|dora|emil): ' out | sort > got
	[ "$(wc -l < want)" = 5 ]
	diff want got || fail "(< the program, > measured)"
	grep -q '^kernel_interrupt: count [1-9]' out
	! grep -E '^\(' out || fail "something was dropped"
}

# The same kernel without the profiler: libos.a has functions that do nothing.
plain_library()
{
	on=
	build "$1" "$2" -O1 -Wno-unknown-pragmas "$manual/plain.c"
	runs
	prints out <<-END
	3 threads, 300 turns
	END
}

for state in "arm .a -marm" "thumb .thumb.a -mthumb" "Thumb_with_ARM's .a -mthumb" "ARM_with_Thumb's .thumb.a -marm"; do
	read -r name library flag <<< "$state"
	name=${name//_/ }
	test_that "$name: 3.4, stack mode" manual_program manual_stack.c $library shows_function $flag -O0
	test_that "$name: 3.5.1, the dump of a chain" manual_program manual_stack_dump.c $library shows_chain $flag -O0
	test_that "$name: 3.5.1, optimised" manual_program manual_stack_dump.c $library shows_chain $flag -O1 -fno-inline
	test_that "$name: 3.5.2, the dump of a log" manual_program manual_log_dump.c $library shows_log $flag -O0
	test_that "$name: 4.4, function cost" manual_cost $library $flag
	test_that "$name: three threads" threads $library $flag
	test_that "$name: a program that knows its chain" own_chain $library $flag -O1
	test_that "$name: the same, interrupted by handlers with hooks" own_chain_interrupted $library $flag -O1
	test_that "$name: a program that keeps accounts, interrupted" own_account $library $flag -O1
	test_that "$name: the same without a counter of 32 bits" own_account $library $flag -O1 -DNO_COUNTER
	test_that "$name: libos alone" plain_library $library $flag
done
test_that "functions of both states: a program that knows its chain" own_chain_interrupted .a -marm -O1 -DMIXED
done_testing
