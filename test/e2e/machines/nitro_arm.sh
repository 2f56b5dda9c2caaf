#!/bin/bash
# Takes long, so test/run begins with it.
# The NITRO-SDK's profiler on the machine it was for: an ARM946E-S, emulated, in ARM state, in Thumb state, and mixed; three threads on a preemptive
# kernel whose timer's handler has hooks itself; and instructions, counted.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/nitro/lib.sh"

on_arm9

# What the document allows itself, and what is promised here.
counted()
{
	"$ROOT/bench/nitro/measure" "$BUILD" trace cost halves > counts
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
		# Without a buffer and disabled, too: what is done there is right either way, but in C it takes much longer.
		limits = "trace_stack 30 14 trace_log 30 14 trace_log_few 30 14 trace_no_registers 45 14 trace_none 20 12 trace_off 32 22 " \
			"cost 18 18 cost_none 16 16 cost_off 20 21 halves 25 25 halves_none 16 16 halves_off 20 21"
		for (n = split(limits, limit, " "); n > 0; n -= 3) {
			at_most(limit[n - 2] "_arm_entry", limit[n - 1])
			at_most(limit[n - 2] "_thumb_entry", limit[n - 1])
			at_most(limit[n - 2] "_arm_exit", limit[n])
			at_most(limit[n - 2] "_thumb_exit", limit[n])
		}
		at_most("switch", 22)
		at_most("switch_trace", 22)
		at_most("switch_halves", 30)
		at_most("switch_thumb", 22)
		at_most("switch_trace_thumb", 22)
		at_most("switch_halves_thumb", 30)
		at_most("trace_line_bytes", 24)
		at_most("trace_line_bytes_no_registers", 8)
		at_most("trace_room_bytes", 28)
		at_most("trace_room_bytes_no_registers", 12)
		at_most("cost_line_bytes", 12)
		at_most("cost_call_bytes", 24)
		exit bad || checked != 60
	}' counts
}
test_that "instructions, counted one by one" counted

if ! on=$(plugin_of $cc); then
	skip "the manual's programs" "the compiler's plugin cannot be had here (make plugin)"
	done_testing
	exit
fi

# object_of FLAGS ... SOURCE: $object, compiled once with these flags and $on
object_of()
{
	local key="${on##*/} ${*//$manual/}"
	object=by_${key//[^A-Za-z0-9.=-]/_}.o
	# shellcheck disable=SC2086
	[ -e "$object" ] || $cc $arm9 -Werror $on "$@" -c -o "$object"
}

# build LIBRARY FLAGS ... SOURCE: kernel, board and start are in ARM state. One that has run already is $ran.program, and what it printed $ran.out.
build()
{
	local library=$1 named_kernel=kernel${handler_hooks-}.o
	shift
	object_of "$@"
	ran=ran_$library${handler_hooks-}_$object
	if [ -e "$ran.out" ]; then
		cp "$ran.program" program
		return
	fi
	# shellcheck disable=SC2086
	$cc $arm9 -nostdlib -T "$manual/link.ld" start.o "$object" ${kernel-$named_kernel} print_out.o ${board-"$lib/versatilepb.o"} "$lib/libos$library" \
		-lgcc -o program
}
# shellcheck disable=SC2086
{
	$cc $arm9 -c "$manual/start.S" -o start.o
	$cc $arm9 -marm -O2 -c "$manual/print_out.c" -o print_out.o
	$cc $arm9 -marm -O2 -c "$manual/kernel.c" -o kernel.o
	$cc $arm9 -marm -O2 $on -c "$manual/kernel.c" -o kernel_with_hooks.o
	$cc $arm9 -c "$manual/keeps.S" -o keeps.o
}

runs()
{
	if [ -e "$ran.out" ]; then
		cp "$ran.out" out
		return
	fi
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
	local library=$1
	shift
	build ".FUNCTIONCOST$library" "$@" -O1 "$manual/manual_cost.c"
	runs
	shows_cost 0.02
}

# What nitro.h says of the stack
stack_of_summary()
{
	build ".FUNCTIONCOST$1" "$2" -O1 "$manual/deep.c"
	runs
	cat out
	grep -q '^goes_down: count 41,' out
	awk '/ bytes of stack/ { bytes = $1 } END { exit !(bytes > 32 && bytes <= 256) }' out
	grep -q '256 bytes of stack' "$ROOT/include/nitro.h"
}

hooked_clock()
{
	build ".FUNCTIONCOST$1" "$2" -O1 "$manual/hooked_clock.c"
	runs
	grep -q '^OS_InitFunctionCost: the clock has PROFILE calls itself, in OS_GetTickLo: compile it without them; nothing is measured' out &&
		grep -q '^and it goes on' out || fail "$(cat out)"
}

threads()
{
	build ".FUNCTIONCOST$1" "$2" -O1 "$manual/threads.c"
	runs
	shows_threads 0.02
	awk '/switches/ { n = $1 } END { exit !(n > 200) }' out
}

# The clock of the machine, read by the program, too. Between its readings and those of the hooks lie the hooks' other instructions, some 40 ticks a
# call, and at a switch of threads three instructions.
own_ticks()
{
	build ".FUNCTIONCOST$1" "$2" -O1 "$manual/own_ticks.c"
	runs
	cat out
	awk -F '[ ,:\r]+' '
	function near(what, got, want, most) {
		printf "%s %d of %d, %d apart, at most %d\n", what, got, want, got - want, most
		if (got - want > most || want - got > most || want < 50 * most)
			bad = 1
	}
	/^own/ { calls[$2] = $4; self[$2] = $6; total[$2] = $8 }
	/^(light|heavy|both)/ { counted[$1] = $3; cost[$1] = $5; inclusive[$1] = $7 }
	/switches/ { switches = $1 }
	END {
		calls_of_both = 3 * calls["both"]
		for (name in calls) {
			bad += calls[name] != counted[name] || calls[name] != (name == "both" ? 60 : 120)
			most = 80 * (name == "both" ? calls_of_both : calls[name]) + 4 * switches
			near(name, cost[name], self[name], most)
			near(name ", inclusive", inclusive[name], total[name], most)
		}
		exit bad || length(calls) != 3 || switches < 100
	}' out
}

# Without interrupts, then while handlers with hooks come
own_chain() # LIBRARY FLAGS ...
{
	local library=$1
	shift
	handler_hooks=_with_hooks
	build ".CALLTRACE$library" "$@" -DCALLS=600 "$manual/chain.c"
	runs
	cat out
	grep -qx '0 wrong of [0-9]\{4\}' out
}

# To the tick: what the program says of itself, and what was measured.
own_account() # LIBRARY FLAGS ...
{
	local library=$1 board=
	shift
	handler_hooks=_with_hooks
	[[ $* != *HALVES* ]] || board=$lib/nds.FUNCTIONCOST.o
	build ".FUNCTIONCOST$library" "$@" -DCALLS=8000 "$manual/account.c"
	runs
	cat out
	sed -n 's/^account //p' out | sort > want
	grep -E '^(anna|berta|cesar|dora|emil): ' out | sort > got
	[ "$(wc -l < want)" = 5 ]
	diff want got || fail "(< the program, > measured)"
	grep -q '^kernel_interrupt: count [1-9]' out
	! grep -E '^\(' out || fail "something was dropped"
}

# One summary at the end: the calls that longjmp left are told.
jumps() # LIBRARY FLAGS ...
{
	local library=$1
	shift
	build ".FUNCTIONCOST$library" "$@" -O1 -fno-inline -DSILENT -DONCE "$manual/jumps.c"
	runs
	cat out
	grep -q '^(15 calls abandoned, and nobody said so' out
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

# Functions of both states, one after the other
mixed() # TEST ARGUMENTS ...
{
	"$@" -marm -mflip-thumb
	arm-none-eabi-readelf -sW "$object" | awk '$8 == "$t" { thumb++ } $8 == "$a" { arm++ } END { exit !(thumb && arm) }' || fail "one state only"
}

for state in "arm .a -marm" "thumb .thumb.a -mthumb" "Thumb_with_ARM's .a -mthumb" "ARM_with_Thumb's .thumb.a -marm"; do
	read -r name library flag <<< "$state"
	name=${name//_/ }
	test_that "$name: 3.4, stack mode" manual_program manual_stack.c $library shows_function $flag -O0
	test_that "$name: 3.5.1, the dump of a chain" manual_program manual_stack_dump.c $library shows_chain $flag -O0
	test_that "$name: 3.5.1, optimised" manual_program manual_stack_dump.c $library shows_chain $flag -O1 -fno-inline
	test_that "$name: 3.5.2, the dump of a log" manual_program manual_log_dump.c $library shows_log $flag -O0
	test_that "$name: 3.5.2, optimised" manual_program manual_log_dump.c $library shows_log $flag -O2 -fno-inline
	test_that "$name: 4.4, function cost" manual_cost $library $flag
	test_that "$name: the stack that OS_CalcStatistics takes" stack_of_summary $library $flag
	test_that "$name: longjmp" jumps $library $flag
	test_that "$name: a board with PROFILE calls" hooked_clock $library $flag
	test_that "$name: three threads" threads $library $flag
	test_that "$name: three threads, against the program's own ticks" own_ticks $library $flag
	test_that "$name: a program that knows its chain, interrupted by handlers with hooks" own_chain $library $flag -O1
	test_that "$name: a program that keeps accounts, interrupted" own_account $library $flag -O1
	test_that "$name: the same without a counter of 32 bits" own_account $library $flag -O1 -DNO_COUNTER
	test_that "$name: the same with a counter in two halves" own_account $library $flag -O1 -DHALVES
	test_that "$name: libos alone" plain_library $library $flag
	test_that "$name: without the plugin, addresses that dwell names turns into the same text" without_plugin $library $flag -O0
done
test_that "a mix: 3.4, stack mode" mixed manual_program manual_stack.c .a shows_function -O0
test_that "a mix: 3.5.1, the dump of a chain" mixed manual_program manual_stack_dump.c .a shows_chain -O0
test_that "a mix: 3.5.1, optimised" mixed manual_program manual_stack_dump.c .thumb.a shows_chain -O1 -fno-inline
test_that "a mix: 3.5.2, the dump of a log" mixed manual_program manual_log_dump.c .thumb.a shows_log -O0
test_that "a mix: 4.4, function cost" mixed manual_cost .a
test_that "a mix: a program that knows its chain" own_chain .a -marm -O1 -DMIXED

# Everything at random, with all registers known: on Linux, where the library is C, the same is printed.
without_addresses()
{
	sed 's/lr=[0-9a-f]*/lr=./; s/=0*\([0-9a-f]\)/=\1/g; s/: [0-9a-f]\{8,16\} is/: . is/'
}

same_as_linux() # LIBRARY STATE -DTRACE|-DCOST FLAGS ...
{
	local library=$1 way=$3 board= calls=$on part=CALLTRACE
	shift
	on=$(plugin_of gcc)
	[ "$way" != -DCOST ] || part=FUNCTIONCOST
	if [ ! -e "want$way" ]; then
		makes nitro
		# shellcheck disable=SC2086
		gcc -Wall -Wextra -no-pie -O1 $on "$way" -DCALLS=2000 -I"$ROOT/include" "$manual/ways.c" "$BUILD/lib/libos.$part.a" -pthread -o linux
		./linux > linux.out
		without_addresses < linux.out > "want$way"
	fi
	cp "want$way" want
	grep -qx '0 wrong' want
	on=$calls
	[[ $* != *HALVES* ]] || board=$lib/nds.FUNCTIONCOST.o
	board="$board keeps.o"
	build ".$part$library" "$@" -O1 -DCALLS=2000 "$manual/ways.c"
	runs
	without_addresses < out > got
	diff want got || fail "(< on Linux, > here)"
}
# swept LIBRARY FLAGS ... PLACES ...: how many different places of the hooks were interrupted, at least
swept()
{
	local library=$1 way=$2 kernel=$work/sweep.o board=
	shift 2
	$cc $arm9 -c "$manual/sweep.S" -o sweep.o
	build "$library" -marm -O1 "$way" "$manual/sweep.c"
	runs
	cat out
	sed -n 's/ places$//p' out > places
	printf '%s\n' "$@" | paste - places | awk '{ n++; bad += !($2 >= $1) } END { exit !n || bad }'
	grep -qx '0 wrong' out
}
test_that "an interrupt before each instruction of the hooks: call traces, both modes" swept .CALLTRACE.a -DTRACE 25 20
test_that "an interrupt before each instruction of the hooks: function cost" swept .FUNCTIONCOST.a -DCOST 12

# Some are refused, and nothing outside of a buffer is written.
stays_within() # LIBRARY FLAGS ...
{
	local library=$1
	shift
	build "$library" "$@" -O1 "$manual/stays.c"
	runs
	cat out
	grep -qx '0 wrong, [0-9]\{3,\} refused' out
}
test_that "call traces stay within buffers of any size" stays_within .CALLTRACE.a -marm -DTRACE
test_that "function cost and statistics do" stays_within .FUNCTIONCOST.thumb.a -mthumb -DCOST

if [ "$(uname -m)" = x86_64 ] && (plugin_of gcc) > /dev/null; then
	for state in ".a -marm" ".thumb.a -mthumb"; do
		for way in TRACE COST "COST -DNO_COUNTER" "COST -DHALVES"; do
			# shellcheck disable=SC2086
			test_that "${state#* }, ${way/ -D/, }: all that can be asked, at random, is as on Linux" same_as_linux ${state} -D$way
		done
	done
else
	skip "all that can be asked, at random, is as on Linux" "x86-64 and its plugin are needed"
fi
done_testing
