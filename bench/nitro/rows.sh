# Sourced by bench/run: the NITRO profiler's hooks, counted in an emulator; beside what its manual says of the original's.

# nitro_row FIGURE MOST NAME MANUAL
nitro_row()
{
	local count
	count=$(awk -v name="$3" '$1 == name { print $2 }' "$work/nitro")
	row "$1${4:+ (the manual: $4)}" "${2:+<= }${2:--}" "${count:-none}" "${2:+${count:-999} <= $2}"
}

measure_nitro()
{
	say "the NITRO profiler's hooks: instructions in an emulated ARM946E-S"
	if ! command -v arm-none-eabi-gcc > /dev/null || ! command -v qemu-system-arm > /dev/null; then
		row_absent "NITRO hooks on an ARM9, instructions" - "no arm-none-eabi-gcc or no qemu-system-arm"
		return
	fi
	make -s BUILD="$build" nitro-arm > "$work/nitro.log" 2>&1 && bench/nitro/measure "$build" > "$work/nitro" 2> "$work/nitro.log" ||
		give_up "counting NITRO hooks failed: $(cat "$work/nitro.log")"
	nitro_row "NITRO trace, stack mode, r0–r3: entry, instructions" 30 trace_stack_arm_entry 60–70
	nitro_row "exit" 14 trace_stack_arm_exit 20–40
	nitro_row "NITRO trace, log mode, r0–r3: entry" 30 trace_log_arm_entry 60–70
	nitro_row "exit" 14 trace_log_arm_exit 20–40
	nitro_row "entry where the log begins again" "" trace_log_wrap_arm_entry
	nitro_row "NITRO trace, log mode, fewer registers: entry" 30 trace_log_few_arm_entry 60–70
	nitro_row "NITRO trace, stack mode, no registers: entry" "" trace_no_registers_arm_entry
	nitro_row "NITRO trace, disabled: entry" "" trace_off_arm_entry
	nitro_row "exit" "" trace_off_arm_exit
	nitro_row "NITRO trace: switch of threads" 22 switch_trace 30–40
	nitro_row "NITRO cost: entry" 18 cost_arm_entry 25–35
	nitro_row "exit" 18 cost_arm_exit 20–30
	nitro_row "switch of threads" 22 switch 30–40
	nitro_row "NITRO cost, the counter in two halves, as the DS's: entry" 25 halves_arm_entry 25–35
	nitro_row "exit" 25 halves_arm_exit 20–30
	nitro_row "switch of threads" 30 switch_halves 30–40
	nitro_row "NITRO cost, the counter asked of a function: entry" "" asked_arm_entry
	nitro_row "exit" "" asked_arm_exit
	nitro_row "NITRO cost, disabled: entry" "" cost_off_arm_entry
	nitro_row "NITRO cost, no room: entry" "" cost_full_arm_entry
	nitro_row "called from Thumb state: trace, stack mode: entry" 30 trace_stack_thumb_entry 60–70
	nitro_row "exit" 14 trace_stack_thumb_exit 20–40
	nitro_row "trace, log mode: entry" 30 trace_log_thumb_entry 60–70
	nitro_row "exit" 14 trace_log_thumb_exit 20–40
	nitro_row "cost: entry" 18 cost_thumb_entry 25–35
	nitro_row "exit" 18 cost_thumb_exit 20–30
	nitro_row "switch of threads" 22 switch_thumb 30–40
	nitro_row "trace: switch of threads" 22 switch_trace_thumb 30–40
	nitro_row "NITRO trace, bytes of a line: with r0–r3" 24 trace_line_bytes 24
	nitro_row "without" 8 trace_line_bytes_no_registers 8
	nitro_row "in the buffer, with its level: with r0–r3" "" trace_room_bytes
	nitro_row "without" "" trace_room_bytes_no_registers
	nitro_row "NITRO cost, bytes of a line" 12 cost_line_bytes 12
	nitro_row "bytes of a call, which is two" 24 cost_call_bytes 24
	nitro_row "NITRO control area, bytes: trace" "" trace_control_bytes
	nitro_row "cost" "" cost_control_bytes
}
