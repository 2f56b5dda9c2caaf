#!/bin/bash
# The C6000 profiler's hooks on a Cortex-M3 and a RISC-V, emulated: the application note's example on a preemptive kernel whose interrupts nest,
# each record looked at; the hooks interrupted before each of their instructions while the counter comes round at each of them; their size, and
# their instructions, counted. What is looked at goes by an emulator's instructions, or by no clock: it does not matter how busy the machine is.
# Takes long, emulated machines.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/hook/lib.sh"

# The port of the C6000, by compilers for other machines of 32 bits in both byte orders: C of 1989, and nothing from outside but what TI's
# compiler and header have.
compiled_as_c6000() # COMPILER ...
{
	"$@" -std=gnu89 -Wpedantic -Wdeclaration-after-statement -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-long-long -O2 -ffreestanding \
		-D_TMS320C6X -D__TI_COMPILER_VERSION__=7003000 -I"$ROOT/test/unit/hook/standin" -I"$ROOT/include" -I"$ROOT" -I"$ROOT/target" \
		-c "$ROOT/classic/target/face/c6000/hook.c" -o c6000.o
	nm c6000.o | awk '$1 == "U" { print $2 }' | grep -vxE '_disable_interrupts|_restore_interrupts|standin_tsc[lh]|memset' > needed || true
	[ ! -s needed ] || fail "needs these" "$(cat needed)"
	nm c6000.o | grep -q ' T task_switch_hook_circular$'
	# TI's compiler wants a pragma in front of the first declaration of what it names.
	"$@" -std=gnu89 -ffreestanding -D_TMS320C6X -D__TI_COMPILER_VERSION__=7003000 -I"$ROOT/test/unit/hook/standin" -I"$ROOT/include" -I"$ROOT" \
		-I"$ROOT/target" -E "$ROOT/classic/target/face/c6000/hook.c" > preprocessed.c
	awk '
		/^# *[0-9]/ { next }
		/^ *#pragma/ { split($0, part, /[(,)]/); pragmas++; if (part[2] in declared) { print "late: " $0; bad = 1 } next }
		{ n = split($0, word, /[^A-Za-z0-9_]+/); for (i = 1; i <= n; i++) declared[word[i]] = 1 }
		END { print pragmas " pragmas"; exit bad || pragmas < 18 }' preprocessed.c
}

has_all_records() # MACHINE SHIFT FLAGS ...
{
	local machine=$1 circular=0
	case " $* " in *" -DHOOK_CIRCULAR "*) circular=1 ;; esac
	hooks=1
	build_for "$machine" delays "${@:3}"
	run_on "$machine" "$2" || fail "exit status $?" "$(cat out err)"
	nm_of "$machine" > all_symbols
	awk '$2 ~ /[tT]/ { print $1, $3 }' all_symbols > symbols
	od -An -v -tu4 -w12 dump.bin > records
	if [ $circular = 1 ]; then
		local count size
		count=$(awk '$1 == "records" { print $2 }' out) size=$(wc -l < records)
		[ "$count" -gt "$size" ] || fail "$count records: it did not come round"
		{ tail -n +$((count % size + 1)) records; head -n $((count % size)) records; } > rotated
		mv rotated records
	fi
	awk -v circular=$circular -f "$hook_programs/check.awk" symbols out records
}

# The reader of such dumps sees the same: calls as the tasks counted them, and of each task's function, which is open for ever, the CPU time.
is_reported() # MACHINE SHIFT FLAGS ...
{
	has_all_records "$@"
	"$DWELL" report --csv --format c6000 --program program.elf dump.bin > report.csv || fail "status $?"
	columns report.csv function calls total_cpu_ticks > report
	cat report
	awk -F '[ \t]' '
		function complain(what) {
			print what
			bad = 1
		}
		NR == FNR && $1 == "task" { said[$3, $2] = $4; if (!($2 in seen)) { seen[$2] = 1; order[++tasks] = $2 } }
		NR == FNR && $1 == "period" { period = $2 }
		NR == FNR { next }
		{ calls[$1] = $2; cpu[$1] = $3 }
		END {
			split("first_task second_task third_task", name, " ")
			for (i = 1; i <= 3; i++) {
				begun += said["begun", order[i]]
				ticks = said["ticks", order[i]]
				if (cpu[name[i]] < (ticks - 1) * period || cpu[name[i]] > (ticks + 1) * period)
					complain(name[i] ": " cpu[name[i]] " counts, " ticks " ticks")
			}
			if (calls["delay"] < begun || calls["delay"] > begun + 3)
				complain("delay: " calls["delay"] " calls, " begun " counted")
			if (calls["tick_interrupt"] != 300 || calls["nested_interrupt"] != 300)
				complain("interrupts: " calls["tick_interrupt"] ", " calls["nested_interrupt"])
			exit bad || tasks != 3
		}' out report
	adds_up_by_task
}

# The tasks of NAME_profile.csv: the kernel's own count of ticks, within one. Handles are the addresses of the elements of the kernel's array.
adds_up_by_task()
{
	"$DWELL" c6000 --program program.elf dump.bin > status || fail "status $?"
	grep -qx 'tasks found: 3' status && grep -qx 'Profile data processing complete.' status || fail "$(cat status)"
	cat dump_profile.csv
	awk -F '[ ,]' -v table="$(awk '$3 == "tasks" { print $1 }' all_symbols)" '
		function number(hex,   at, value) {
			for (at = 1; at <= length(hex); at++)
				value = value * 16 + index("0123456789abcdef", substr(hex, at, 1)) - 1
			return value
		}
		NR == FNR && $1 == "task" && $3 == "ticks" { ticks[number($2)] = $4 }
		NR == FNR && $1 == "period" { period = $2 }
		NR == FNR { next }
		$1 == "Tasks" { inside = 1 }
		inside && $1 ~ /^tasks/ {
			split($1, part, /\+0x/)
			handle = number(table) + number(part[2])
			spent = $2 * $3
			found++
			if (!(handle in ticks) || spent < (ticks[handle] - 1) * period || spent > (ticks[handle] + 1) * period) {
				print $1 ": " spent " cycles, " ticks[handle] " ticks of " period
				bad = 1
			}
		}
		END { exit bad || found != 3 }' out dump_profile.csv
}

# Out of the memory of a machine that stands: the buffer is found by the program's variables, by its name, and in all of the RAM; and is what the
# machine wrote into a file.
is_fetched() # MACHINE SHIFT RAM FLAGS ...
{
	local machine=$1 form
	hooks=1
	build_for "$machine" delays -DSTANDS "${@:4}"
	stand_on "$machine" "$2"
	"$DWELL" fetch --gdb ./stub.sock --program program.elf -o found.core > said
	cat said
	grep -q '^function hooks at 0x[0-9a-f]*: [1-9][0-9]* of [0-9]* records$' said
	"$DWELL" fetch --gdb ./stub.sock --program program.elf --symbol ProfileData -o named.core
	"$DWELL" fetch --gdb ./stub.sock --address "$3" --size 2M --raw -o ram.bin
	"$DWELL" fetch --gdb ./stub.sock --address "$3" --size 2M -o ram.core
	kill $standing
	"$DWELL" report --csv --program program.elf dump.bin > want.csv || fail "status $?"
	columns want.csv function | grep -qx delay || fail "$(cat want.csv)"
	"$DWELL" c6000 --program program.elf -o dump dump.bin > /dev/null
	for form in found.core named.core ram.bin ram.core; do
		"$DWELL" report --csv --program program.elf $form > got.csv || fail "$form: status $?"
		cmp want.csv got.csv || fail "$form"
		"$DWELL" c6000 --program program.elf -o $form $form > /dev/null || fail "$form: status $?"
		cmp dump_call_list.csv ${form}_call_list.csv && cmp dump_profile.csv ${form}_profile.csv || fail "$form"
	done
}

# Hooks that were given names: the texts come with the records, or are looked up in the program.
names_are_fetched() # MACHINE
{
	build_for "$1" parms -DSTANDS -DMAX_PROFILE_RECORD_NUM=16 -DHOOK_COUNTER_AT=0x40028018 -DHOOK_PARM=HOOK_PARM_NAME
	stand_on "$1" -
	"$DWELL" fetch --gdb ./stub.sock --program program.elf -o found.core
	"$DWELL" fetch --gdb ./stub.sock --program program.elf --symbol ProfileData --raw -o raw.bin
	kill $standing
	"$DWELL" report --csv found.core > found.csv || fail "status $?"
	"$DWELL" report --csv --program program.elf --format c6000,names raw.bin > raw.csv 2> said || fail "status $?" "$(cat said)"
	[ ! -s said ] || fail "$(cat said)"
	for form in found raw; do
		[ "$(columns $form.csv function calls)" = "some_function	3" ] || fail "$form" "$(cat $form.csv)"
	done
}

# Wherever interrupts are not masked one came, in all that the trials ran through.
is_never_torn() # MACHINE SHIFT FLAGS ...
{
	local machine=$1
	build_for "$machine" points -DMAX_PROFILE_RECORD_NUM=16 "${@:3}"
	run_on "$machine" "$2" || fail "exit status $?" "$(grep -v '^at' out)" "$(cat err)"
	awk '$1 == "at" { printf "%x\n", $2 }' out > came
	objdump_of "$machine" > code
	cat out | grep -v '^at'
	[ "$machine" = m3 ] || is_open_around_masks "$(case " $* " in *" -DCIRCULAR "*) echo hook_circular ;; *) echo hook ;; esac)"
	# Of the M3's assembly every instruction can be judged: its way is straight.
	[ "$machine" = m3 ] && [ "${4-}" != -DHOOK_PLAIN_C ] || return 0
	awk -v wanted="$(case " $* " in *" -DCIRCULAR "*) echo hook_circular ;; *) echo hook ;; esac)" '
		NR == FNR { came[$1] = 1; next }
		/^[0-9a-f]+ </ { inside = $2 ~ (wanted ">:$") || $2 ~ /__cyg|__e/ && wanted == "hook"; masked = 0 }
		!inside || !/^ +[0-9a-f]+:/ || /\.(word|short)/ { next }
		{
			address = $1
			sub(/:/, "", address)
			if (!masked) {
				judged++
				if (!(address in came)) {
					print "never interrupted: " $0
					bad = 1
				}
			}
			masked = /cpsid/ ? 1 : /msr/ ? 0 : masked
		}
		END { print judged " instructions"; exit bad || judged < 14 }' came code
}

# Of a compiler's RISC-V code: in each hook interrupts came before every instruction up to the one that masks them, and behind one of those that let
# them in again.
is_open_around_masks() # ENDING OF THE HOOKS' NAMES
{
	awk -v wanted="$1" '
		function judge() {
			if (inside && !behind) {
				print "never interrupted behind its record: " name
				bad = 1
			}
		}
		NR == FNR { came[$1] = 1; next }
		/^[0-9a-f]+ </ {
			judge()
			inside = $2 ~ ("^<(entry|exit|task_switch)_" wanted ">:$") ||
				(wanted == "hook" && $2 ~ /^<(__cyg_profile_func_(enter|exit)|__(entry|exit|task_switch)_hook)>:$/)
			name = $2
			state = "open"
			behind = 0
			hooks += inside
			next
		}
		!inside || !/^ *[0-9a-f]+:\t/ { next }
		{
			address = $1
			sub(/:/, "", address)
			if (state == "open" && !(address in came)) {
				print "never interrupted: " name " " $0
				bad = 1
			}
			if (state == "behind" && address in came)
				behind = 1
			state = /csrr?ci?[ \t].*mstatus/ ? "masked" : /csrr?si?[ \t].*mstatus/ ? "behind" : /[ \t](ret|j)[ \t]*/ && state == "behind" ? "masked" : state
		}
		END { judge(); print hooks " hooks"; exit bad || hooks != 3 }' came code
}

# The ends of the buffer and of the count.
holds_at_its_edges() # MACHINE FLAGS ...
{
	build_for "$1" edges -DMAX_PROFILE_RECORD_NUM=16 -DHOOK_COUNTER_AT=0x40028018 "${@:2}"
	run_on "$1" - || fail "exit status $?" "$(cat out err)"
}

# Names, and nothing.
takes_its_parameter() # MACHINE FLAGS ...
{
	local parm
	for parm in NAME NONE; do
		build_for "$1" parms -DMAX_PROFILE_RECORD_NUM=16 -DHOOK_COUNTER_AT=0x40028018 -DHOOK_PARM=HOOK_PARM_$parm "${@:2}"
		run_on "$1" - || fail "$parm: exit status $?" "$(cat out err)"
	done
}

follows_systick()
{
	hook_cpu=cortex-m0 build_for m3 systick -DMAX_PROFILE_RECORD_NUM=4096 -DHOOK_CLOCK_SYSTICK
	for shift in 5 6; do
		run_on m3 $shift || fail "exit status $?" "$(cat out err)"
	done
}

# The emulator has no cycle counter: nothing is recorded, and the control area says why.
says_no_clock()
{
	build_for m3 no_clock -DMAX_PROFILE_RECORD_NUM=16
	run_on m3 - || fail "exit status $?" "$(cat out err)"
}

# What is promised: instructions of a Cortex-M3, and the bytes of all six hooks.
counted()
{
	"$ROOT/bench/c6000/measure" "$1" > counts
	cat counts
	awk -v most="${*:2}" '
		{ count[$1] = $2 }
		END {
			n = split(most, part, " ")
			for (i = 1; i < n; i += 2)
				if (!(part[i] in count) || count[part[i]] > part[i + 1]) {
					printf "%s: %s, at most %d\n", part[i], count[part[i]], part[i + 1]
					bad = 1
				}
			exit bad || n < 2
		}' counts
}

# A number of records that no power of two is: linear hooks, and no others.
no_circles()
{
	hooks=1
	has_all_records "$1" "$2" -DMAX_PROFILE_RECORD_NUM=30011 -DHOOK_COUNTER_AT=0x40028018
	! build_for "$1" points -DMAX_PROFILE_RECORD_NUM=1000 -DCIRCULAR $sweep 2> said || fail "it can be linked"
	grep -q 'entry_hook_circular' said || fail "$(cat said)"
	! build_for "$1" points -DMAX_PROFILE_RECORD_NUM=1000 -DHOOK_CIRCULAR 2> said || fail "it can be compiled"
	grep -q 'a circular buffer takes a power of two' said || fail "$(cat said)"
}

for compiler in "arm-none-eabi-gcc -marm" "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32" m68k-linux-gnu-gcc "clang --target=mips-none-elf"; do
	if command -v "${compiler%% *}" > /dev/null; then
		# shellcheck disable=SC2086
		test_that "the C6000's port by $compiler" compiled_as_c6000 $compiler
	else
		skip "the C6000's port by $compiler" "not installed"
	fi
done

counter=-DHOOK_COUNTER_AT=0x40028018
large=-DMAX_PROFILE_RECORD_NUM=32768
small=-DMAX_PROFILE_RECORD_NUM=4096
sweep="-DWAIT_FROM=1 -DWAIT_TO=260 -DAHEAD=200 -DAHEAD_STEP=3"
if why=$(have_machine m3); then
	test_that "Cortex-M3: three tasks, record by record, and reported" is_reported m3 5 $large $counter
	test_that "Cortex-M3: the last records of three tasks" has_all_records m3 5 $small $counter -DHOOK_CIRCULAR
	test_that "Cortex-M3: fetched out of its memory" is_fetched m3 5 0x20000000 $large $counter
	test_that "Cortex-M3: names, fetched" names_are_fetched m3
	test_that "Cortex-M3, hooks in C: three tasks" has_all_records m3 5 $large $counter -DHOOK_PLAIN_C
	test_that "Cortex-M0, by SysTick" follows_systick
	test_that "Cortex-M3: interrupts and wraps at each instruction" is_never_torn m3 6 $counter $sweep
	test_that "Cortex-M3: the same of the circular hooks" is_never_torn m3 6 $counter -DCIRCULAR $sweep
	test_that "Cortex-M3: the same of those in C" is_never_torn m3 6 $counter -DHOOK_PLAIN_C $sweep
	test_that "Cortex-M3: full, in circles, behind 2^32 records" holds_at_its_edges m3
	test_that "Cortex-M3: the same of those in C" holds_at_its_edges m3 -DHOOK_PLAIN_C
	test_that "Cortex-M3: names, and no parameters" takes_its_parameter m3
	test_that "Cortex-M3: the same of hooks in C" takes_its_parameter m3 -DHOOK_PLAIN_C
	test_that "Cortex-M3: no cycle counter" says_no_clock
	test_that "Cortex-M3: a buffer of any size" no_circles m3 5
	test_that "Cortex-M3: instructions and bytes" counted m3 m3_entry 25 m3_exit 25 m3_entry_circular 25 m3_exit_circular 25 \
		m3_switch 40 m3_switch_circular 40 m3_bytes 400
else
	skip "Cortex-M3" "$why"
fi
if why=$(have_machine riscv); then
	sweep="-DWAIT_FROM=1 -DWAIT_TO=320 -DAHEAD=40000 -DAHEAD_STEP=896 -DSLACK=100000"
	test_that "RISC-V: three tasks, record by record, and reported" is_reported riscv 5 $large
	test_that "RISC-V: the last records of three tasks" has_all_records riscv 5 $small -DHOOK_CIRCULAR
	test_that "RISC-V: fetched out of its memory, in circles" is_fetched riscv 5 0x80000000 $small -DHOOK_CIRCULAR
	test_that "RISC-V: interrupts and wraps at each instruction" is_never_torn riscv 7 $sweep
	test_that "RISC-V: the same of the circular hooks" is_never_torn riscv 7 -DCIRCULAR $sweep
	test_that "RISC-V: full, in circles, behind 2^32 records" holds_at_its_edges riscv
	test_that "RISC-V: names, and no parameters" takes_its_parameter riscv
	test_that "RISC-V: instructions" counted riscv riscv_entry 30 riscv_exit 30 riscv_entry_circular 35 riscv_exit_circular 35 \
		riscv_switch 40 riscv_switch_circular 45
else
	skip "RISC-V" "$why"
fi
done_testing
