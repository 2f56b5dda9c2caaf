# Sourced by bench/run: the C6000 profiler's hooks, counted in emulators; beside what its application note says of the original's.

# hook_row FIGURE MOST NAME
hook_row()
{
	local count
	count=$(awk -v name="$3" '$1 == name { print $2 }' "$work/hooks")
	if [ "$count" ]; then
		row "$1" "${2:+<= }${2:--}" "$count" "${2:+$count <= $2}"
	else
		row_absent "$1" "${2:+<= }${2:--}" "no compiler or no emulator"
	fi
}

# hook_size_rows FORM WHAT: each symbol's bytes, and those of memory beside the records
hook_size_rows()
{
	local name
	for name in $(awk -v form="$1" 'index($1, form "_size_") == 1 { print $1 }' "$work/hooks"); do
		hook_row "$2: ${name#"$1_size_"}, bytes" "" "$name"
	done
	hook_row "$2: memory beside the records, bytes" "" "$1_ram"
}

measure_hook_records()
{
	local form what
	say "the C6000 profiler's hooks: instructions in emulated machines"
	bench/c6000/measure > "$work/hooks" 2> "$work/hooks.log" || give_up "counting hooks failed: $(cat "$work/hooks.log")"
	hook_row "C6000 hooks on a Cortex-M3: entry, instructions (the note: 40–80 cycles a call on its own machine)" 25 m3_entry
	hook_row "exit" 25 m3_exit
	hook_row "task switch" 40 m3_switch
	hook_row "circular entry" 25 m3_entry_circular
	hook_row "circular exit" 25 m3_exit_circular
	hook_row "circular task switch" 40 m3_switch_circular
	hook_row "entry before hook_init(), or full" "" m3_off_entry
	hook_row "code of all six, bytes (the note: 80 a hook)" 400 m3_bytes
	hook_size_rows m3 "on a Cortex-M3"
	for form in m3_c m0 riscv; do
		case $form in
		m3_c) what="the hooks in C on a Cortex-M3" ;;
		m0) what="on a Cortex-M0, by SysTick" ;;
		riscv) what="on a RISC-V of 32 bits" ;;
		esac
		hook_row "$what: entry" "" ${form}_entry
		hook_row "exit" "" ${form}_exit
		hook_row "task switch" "" ${form}_switch
		hook_row "circular entry" "" ${form}_entry_circular
		hook_row "code of all six, bytes" "" ${form}_bytes
		hook_size_rows $form "$what"
	done
	row "bytes of a record: an entry, an exit, half a task switch" - 12 ""
}
