# Sourced by bench/run: sampling interrupts of the Nintendo 64's profiler, counted in emulators, its memory, and its link.

# ultra_row FIGURE MOST NAME
ultra_row()
{
	local number
	number=$(awk -v name="$3" '$1 == name { print $2 }' "$work/ultra")
	row "$1" "${2:+<= }${2:--}" "${number:-none}" "${2:+${number:-999999} <= $2}"
}

measure_ultra()
{
	local machine title most poll
	say "the N64 profiler's interrupt: instructions in emulators"
	make -s BUILD="$build" ultra > "$work/ultra.log" 2>&1 && bench/ultra/measure "$build" > "$work/ultra" 2> "$work/ultra.log" ||
		give_up "counting sampling interrupts failed: $(cat "$work/ultra.log")"
	bench/ultra/poll "$build" >> "$work/ultra" 2> "$work/ultra.log" || give_up "counting osProfilePoll's instructions failed: $(cat "$work/ultra.log")"
	while read -r machine most poll title; do
		if ! grep -q "^$machine" "$work/ultra"; then
			row_absent "osProfile on $title, instructions" - "no compiler or no emulator for it"
			continue
		fi
		ultra_row "osProfile on $title: an interrupt, 1 segment, the most" "" ${machine}_1_most
		ultra_row "4 segments, in the one as before" "" ${machine}_4_least
		ultra_row "4 segments, the most" "${most#-}" ${machine}_4_most
		ultra_row "8 segments, the most" "" ${machine}_8_most
		ultra_row "8 segments, mean of a program that changes often" "" ${machine}_8_mean
		ultra_row "a call of osProfilePoll, the most" "${poll#-}" ${machine}_poll_most
		ultra_row "code and constants, bytes" "" ${machine}_text
		ultra_row "memory without counters, bytes" "" ${machine}_ram
	done <<-END
	mips3 60 - a MIPS III
	cortex-m3 60 2170 a Cortex-M3
	rv32imac - - a RISC-V
	END
	bench/ultra/asks "$build" >> "$work/ultra" 2> "$work/ultra.log" || give_up "asking a program failed: $(cat "$work/ultra.log")"
	ultra_row "osProfile on Linux: from asking to the report, ms" "" asks_ms
	bench/ultra/line "$build" >> "$work/ultra" 2> "$work/ultra.log" || give_up "counting the link's bytes failed: $(cat "$work/ultra.log")"
	ultra_row "osProfile's link: bytes of frames for 100 of memory" "" line_up
	ultra_row "with what the host asks" "" line_both
	ultra_row "throughput, % of the line's own, one way at a time" "" line_share
	bench/ultra/uart "$build" >> "$work/ultra" 2> "$work/ultra.log" || give_up "timing a serial line failed: $(cat "$work/ultra.log")"
	ultra_row "over a serial line of 115200 baud: throughput, % of the line's own" "" uart_share
	ultra_row "from asking to the report, ms" "" uart_asks_ms
	row "osProfile: memory for counters, bytes a KB of text" - 512 ""
}
