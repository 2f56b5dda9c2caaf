# Sourced by hook_machines.sh and bench/hook/measure: programs with hooks for a Cortex-M3 and for a RISC-V of 32 bits, and the emulators that run
# them. $ROOT is the tree.
hook_boards=$ROOT/test/e2e/machines/hook hook_programs=$hook_boards hook_cpu=${hook_cpu-}
hook_flags="-O2 -g -ffreestanding -fno-common -falign-functions=4 -Wall -Wextra -Werror -I$ROOT/include -I$ROOT -I$ROOT/target -I$hook_boards"

# have_machine m3|riscv: whether its compiler and its emulator are here, else what is missing
have_machine()
{
	case $1 in
	m3) set -- arm-none-eabi-gcc qemu-system-arm ;;
	riscv) set -- riscv64-unknown-elf-gcc qemu-system-riscv32 ;;
	esac
	command -v "$1" > /dev/null && command -v "$2" > /dev/null && return
	echo "no $1 or no $2"
	return 1
}

# object_of NAME COMMAND ...: $object, which the command makes, once for each name
object_of()
{
	object=objects/$1.o
	[ -e "$object" ] || { mkdir -p objects && "${@:2}" -c -o "$object"; }
}

# build_for m3|riscv PROGRAM [FLAGS]: program.elf of PROGRAM.c, which the hooks, $hook_objects, are linked with; with $hooks its functions have some.
# $hook_cpu: another processor for hook.c than for the rest. The board needs none of the flags, and the hooks those that are named like them.
build_for()
{
	local machine=$1 program=$2 cc flag object objects form
	shift 2
	form=$machine$hook_cpu
	for flag; do
		case $flag in -DHOOK_* | -DMAX_PROFILE_*) form=$form${flag//[^A-Za-z0-9_=]/} ;; esac
	done
	case $machine in
	m3) cc="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb $hook_flags -DPERIOD=20000" ;;
	riscv) cc="riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 -mno-relax $hook_flags -DPERIOD=1000000" ;;
	esac
	# shellcheck disable=SC2086
	{
		object_of board_$machine $cc "$hook_boards/$machine.c" || return
		objects=("$object")
		object_of "hook_$form" $cc ${hook_cpu:+-mcpu=$hook_cpu} "$@" "$ROOT/classic/target/face/c6000/hook.c" || return
		hook_objects=("$object")
		if [ $machine = m3 ] && arm-none-eabi-nm "$object" | grep -q 'D dwell_hook_state'; then
			object_of "hooks_$form" $cc "$@" "$ROOT/classic/target/port/cpu/armv7m/hooks.S" || return
			hook_objects+=("$object")
		fi
		$cc "$@" ${hooks:+-finstrument-functions} -c "$hook_programs/$program.c" -o program.o || return
		case $machine in
		m3) $cc -nostdlib -T "$hook_boards/m3.ld" -Wl,--defsym,hooks_begin=entry_hook-64 program.o "${objects[@]}" "${hook_objects[@]}" -lgcc -o program.elf ;;
		riscv)
			object_of start_riscv $cc "$hook_boards/riscv.S" || return
			$cc -nostdlib -Wl,--no-warn-rwx-segments -T "$hook_boards/riscv.ld" -Wl,--defsym,hooks_begin=entry_hook-64 "$object" program.o "${objects[@]}" \
				"${hook_objects[@]}" -lgcc -o program.elf ;;
		esac
	}
}

# emulator_of m3|riscv SHIFT: the command in $emulator, an instruction taking 2^SHIFT ns (-: as it comes)
emulator_of()
{
	case $1 in
	m3) emulator="qemu-system-arm -M mps2-an385" ;;
	riscv) emulator="qemu-system-riscv32 -M virt -bios none" ;;
	esac
	[ "$2" = - ] || emulator="$emulator -icount shift=$2,sleep=off"
	emulator="$emulator -display none -monitor none -serial none -chardev stdio,id=console"
	emulator="timeout -k 5 120 $emulator -semihosting-config enable=on,target=native,chardev=console -kernel program.elf"
}

# run_on m3|riscv SHIFT [OPTIONS]: program.elf; what it says is in out, its files are here
run_on()
{
	local emulator
	emulator_of "$1" "$2"
	# shellcheck disable=SC2086
	$emulator "${@:3}" < /dev/null > out 2> err
}

# stand_on m3|riscv SHIFT: the same until it stands, with a GDB stub at stub.sock; its process is $standing
stand_on()
{
	local emulator
	emulator_of "$1" "$2"
	rm -f stub.sock out
	# shellcheck disable=SC2086
	$emulator -gdb unix:stub.sock,server=on,wait=off < /dev/null > out 2> err &
	standing=$!
	for _ in $(seq 300); do
		grep -q '^stands' out 2> /dev/null && return
		sleep 0.1
	done
	echo "it does not come to stand"
	cat out err
	return 1
}

# nm_of m3|riscv [OPTIONS], objdump_of: the tools that know its programs
nm_of() { case $1 in m3) arm-none-eabi-nm "${@:2}" program.elf ;; riscv) riscv64-unknown-elf-nm "${@:2}" program.elf ;; esac; }
objdump_of() { case $1 in m3) arm-none-eabi-objdump -d program.elf ;; riscv) riscv64-unknown-elf-objdump -d program.elf ;; esac; }
