#!/bin/bash
# The plugin in arm-none-eabi-gcc: the sequences as documented, and the programs of plugin.sh on an emulated ARM946E-S, in ARM state, in
# Thumb state and alternating.
# Takes long, an emulated machine.
. "$(dirname "$0")/../lib.sh"

cc=arm-none-eabi-gcc
if ! command -v $cc > /dev/null || ! command -v qemu-system-arm > /dev/null; then
	echo "1..0 # SKIP no compiler or no emulator for ARM (gcc-arm-none-eabi, qemu-system-arm)"
	exit
fi
if ! makes plugin PLUGIN_CC=$cc > make.log 2>&1; then
	echo "not ok 1 - the plugin builds"
	sed 's/^/# /' make.log
	echo 1..1
	exit 1
fi
from=$ROOT/test/e2e/machines/plugin
plugin=$BUILD/plugin/$($cc -dumpmachine)-$($cc -dumpfullversion)/profile.so
on="-fplugin=$plugin -fplugin-arg-profile-on"
arm9="-mcpu=arm946e-s -ffreestanding -nostdlib -Wall -Wextra"
# shellcheck disable=SC2086
{
	$cc $arm9 -marm -O2 -c "$from/saw.c" -o saw.o
	$cc $arm9 -marm -O2 -DPLAIN -c "$from/saw.c" -o plain.o
	$cc $arm9 -c "$from/entry_arm.S" -o entry.o
	$cc $arm9 -c "$from/board_arm.S" -o start.o
	$cc $arm9 -marm -O2 -fno-tree-loop-distribute-patterns -c "$from/board_arm.c" -o board.o
}

# knows SOURCE FLAGS: the program is compiled, runs, and finds nothing that is not as it must be
knows()
{
	local source=$from/$1 status=0 objects="saw.o entry.o" options=$on
	shift
	if [ "$1" = plain ]; then
		objects=plain.o options="$on -fplugin-arg-profile-plain"
		shift
	fi
	# shellcheck disable=SC2086
	$cc $arm9 -Werror -g -DCONSTRUCTORS=1 "$@" $options -c "$source" -o program.o
	# shellcheck disable=SC2086
	$cc $arm9 -T "$from/board_arm.ld" start.o program.o $objects board.o -lgcc -o program.elf
	timeout -k 5 60 qemu-system-arm -M versatilepb -cpu arm946 -display none -monitor none -serial none -audiodev none,id=a0 \
		-chardev stdio,id=c0 -semihosting-config enable=on,target=native,chardev=c0 -kernel program.elf < /dev/null || status=$?
	[ $status = 0 ] || fail "exit status $status: $source $*"
}

states()
{
	local level
	for level in -O0 -O1 -O2 -O3 -Os; do
		knows kinds.c "$@" $level
	done
	knows pragmas.c "$@" -O2
	for level in -O2 -O3; do
		knows effects.c "$@" $level
		knows arguments.c "$@" $level
	done
	knows kinds.c plain "$@" -O0
	knows kinds.c plain "$@" -O2
}

# The document's own function, and its entry, to the instruction; addresses and encodings left out.
cat > test.c <<'END'
unsigned test(unsigned a)
{
	return a + 3;
}
END
instructions()
{
	# shellcheck disable=SC2086
	$cc $arm9 -O2 "$@" $on -c test.c -o test.o
	arm-none-eabi-objdump -dr --no-show-raw-insn test.o | sed -n '/<test>:/,/bx\tlr\|pop.*pc/p' |
		sed 's/^[ 0-9a-f]*:[ \t]*//; s/[ \t]*[@;].*//; s/^.*R_ARM_[A-Z_0-9]*[ \t]*/-> /; /^$/d; /<test>:/d' | tr '\t' ' '
}
as_documented()
{
	instructions -marm > arm.got
	cat > arm.want <<-END
	push {r0, lr}
	ldr r0, [pc, #24]
	bl 0 <__PROFILE_ENTRY>
	-> __PROFILE_ENTRY
	pop {r0, lr}
	push {r4, lr}
	add r4, r0, #3
	bl 0 <__PROFILE_EXIT>
	-> __PROFILE_EXIT
	mov r0, r4
	pop {r4, pc}
	END
	diff arm.want arm.got
	instructions -mthumb > thumb.got
	cat > thumb.want <<-END
	push {r0, lr}
	ldr r0, [pc, #24]
	bl 0 <__PROFILE_ENTRY>
	-> __PROFILE_ENTRY
	ldr r0, [sp, #4]
	mov lr, r0
	pop {r0}
	add sp, #4
	push {r4, lr}
	adds r4, r0, #3
	bl 0 <__PROFILE_EXIT>
	-> __PROFILE_EXIT
	movs r0, r4
	pop {r4, pc}
	END
	diff thumb.want thumb.got
}

# doc/nitro.md's row: how many instructions a function that calls another one has more.
calls_themselves()
{
	local state form
	cat > calls.c <<-END
	unsigned other(unsigned);
	unsigned one(unsigned a) { return other(a) + 1; }
	unsigned five(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e) { return other(a) * b + c + d + e; }
	END
	for state in -marm -mthumb; do
		for form in "" "$on"; do
			# shellcheck disable=SC2086
			$cc $arm9 -O2 $state $form -c calls.c -o calls.o
			arm-none-eabi-objdump -d --no-show-raw-insn calls.o | awk -v state=$state '
				/>:$/ { name = $2 }
				/^ +[0-9a-f]+:/ && !/\.word|nop/ { count[name]++ }
				END { for (name in count) print state, name, count[name] }'
		done
	done > counts
	cat counts
	awk '
	{
		key = $1 " " $2
		more[key] = (key in seen) ? $3 - seen[key] : 0
		seen[key] = $3
	}
	END {
		for (key in more) {
			bad += key ~ /arm/ ? more[key] < 6 || more[key] > 7 : more[key] < 9 || more[key] > 10
			checked++
		}
		exit bad || checked != 4
	}' counts
	grep -qF '| besides, in each function, the calls themselves (ARM, Thumb) | | 6–7, 9–10 |' "$ROOT/doc/nitro.md"
}

# What the unwinder is told at each of these instructions: where the frame is and where the return address lies.
unwinds()
{
	local state
	for state in -marm -mthumb; do
		# shellcheck disable=SC2086
		$cc $arm9 -O2 -g $state $on -c test.c -o test.o
		arm-none-eabi-objdump --dwarf=frames-interp test.o | sed -n '/FDE/,$p' | awk '/^[0-9a-f]+ r13/ { print $2, $NF }' | head -5 > got
		if [ $state = -marm ]; then
			printf '%s\n' "r13+0 u" "r13+8 c-4" "r13+0 u" "r13+8 c-4" > want
			head -4 got > first && mv first got
		else
			# From mov lr, r0 on it is in its register again.
			printf '%s\n' "r13+0 u" "r13+8 c-4" "r13+8 u" "r13+4 u" "r13+0 u" > want
		fi
		diff want got
	done
}

# For other cores, for a shared library, with ARM's own unwind tables: the compiler and the assembler take it.
compiles()
{
	local cpu level state
	for cpu in "cortex-m0 -mthumb" "cortex-m3 -mthumb" "cortex-m4 -mthumb" arm7tdmi; do
		for level in -O0 -O2; do
			# shellcheck disable=SC2086
			$cc -mcpu=$cpu $level -g -DCONSTRUCTORS=1 $on -c "$from/kinds.c" -o other.o
		done
	done
	for state in -marm -mthumb; do
		# shellcheck disable=SC2086
		$cc $arm9 $state -O2 -g -fexceptions -funwind-tables -DCONSTRUCTORS=1 $on -c "$from/kinds.c" -o other.o
		# shellcheck disable=SC2086
		$cc $arm9 $state -O2 -g -fpic -DCONSTRUCTORS=1 $on -c "$from/kinds.c" -o other.o
	done
}

test_that "entries and exits, instruction by instruction, in ARM and Thumb state" as_documented
test_that "how many instructions the calls are" calls_themselves
test_that "ARM state: each call and exit, arguments and results undisturbed, on an ARM946E-S" states -marm
test_that "Thumb state" states -mthumb
test_that "ARM and Thumb state, function by function" states -mflip-thumb -DALTERNATING -Wno-attribute-alias
test_that "the unwind tables at each instruction of an entry" unwinds
test_that "Cortex-M, ARM7, position-independent code, ARM's own unwind tables: it compiles" compiles
done_testing
