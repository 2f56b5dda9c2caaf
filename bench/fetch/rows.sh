# Sourced by bench/run: a megabyte out of a machine's memory, through the GDB stub of an emulator that stands still.

measure_fetch()
{
	local requests seconds begin emulator
	say "a megabyte out of QEMU, through its GDB stub"
	if ! command -v qemu-system-arm > /dev/null; then
		row_absent "a megabyte through QEMU's GDB stub" - "no qemu-system-arm"
		return
	fi
	QEMU_AUDIO_DRV=none timeout -k 5 100 qemu-system-arm -M versatilepb -cpu arm946 -S -display none -monitor none -serial none \
		-gdb "unix:$work/stub.sock,server=on,wait=off" > "$work/qemu.log" 2>&1 < /dev/null &
	emulator=$!
	for _ in $(seq 100); do
		[ -S "$work/stub.sock" ] && break
		sleep 0.1
	done
	begin=$EPOCHREALTIME
	requests=$("$build/dwell" fetch --gdb "$work/stub.sock" --address 0 --size 1M --raw -o "$work/megabyte" 2> "$work/fetch.log" |
		awk '{ print $(NF - 1) }')
	seconds=$(calculate "$EPOCHREALTIME - $begin" %.3f)
	kill $emulator
	[ "$requests" ] || give_up "fetching failed: $(cat "$work/fetch.log" "$work/qemu.log")"
	row "a megabyte through QEMU's GDB stub: requests" "<= 530" "$requests" "$requests <= 530"
	row "and seconds" "<= 1" "$seconds" "$seconds <= 1"
}
