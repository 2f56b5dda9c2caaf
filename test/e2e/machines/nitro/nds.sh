# Sourced by nitro_nds.sh: a program as a cartridge of the Nintendo DS, and what an emulated console's memory holds afterwards, by way of GDB's
# protocol.
. "$ROOT/test/e2e/machines/ultra/port.sh"

# word NUMBER: four bytes, the lowest first
word()
{
	local bytes
	printf -v bytes '\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24 & 255))
	printf %b "$bytes"
}

# make_nds PROGRAM ROM: a header, the ARM9's program at 0x02000000, and for the ARM7 a loop
make_nds()
{
	local bytes arm7
	arm-none-eabi-objcopy -O binary "$1" "$1.bin"
	bytes=$(stat -c %s "$1.bin")
	arm7=$(((0x4000 + bytes + 511) / 512 * 512))
	{
		printf 'DWELL\0\0\0\0\0\0\0####'
		printf '\0\0\0\0\7\0\0\0\0\0\0\0\0\0\0\0'
		for number in 0x4000 0x02000000 0x02000000 "$bytes" $arm7 0x02380000 0x02380000 4; do
			word $number
		done
	} > "$2"
	truncate -s 128 "$2"
	{
		word $((arm7 + 512))
		word 0x4000
	} >> "$2"
	truncate -s $((0x4000)) "$2"
	cat "$1.bin" >> "$2"
	truncate -s $arm7 "$2"
	word 0xeafffffe >> "$2"
	truncate -s $((arm7 + 512)) "$2"
}

# The stub is at descriptor 3.
say()
{
	local sum=0 i code
	for ((i = 0; i < ${#1}; i++)); do
		printf -v code %d "'${1:i:1}"
		sum=$((sum + code))
	done
	printf '$%s#%02x' "$1" $((sum & 255)) >&3
}

hear()
{
	local packet sum
	IFS= read -r -t 20 -d '#' -u 3 packet && read -r -t 20 -N 2 -u 3 sum || fail "the stub is silent" || return 1
	printf + >&3
	echo "${packet##*\$}"
}

# memory ADDRESS BYTES: in hexadecimal, as it lies there
memory()
{
	local at=$1 left=$2 piece what
	while [ "$left" -gt 0 ]; do
		piece=$((left > 200 ? 200 : left))
		printf -v what m%x,%x "$at" $piece
		say "$what"
		hear || return 1
		at=$((at + piece)) left=$((left - piece))
	done | tr -d '\n'
}

# number ADDRESS: of 32 bits
number()
{
	local bytes
	bytes=$(memory "$1" 4) && echo $((16#${bytes:6:2}${bytes:4:2}${bytes:2:2}${bytes:0:2}))
}

# address NAME: of the program's
address()
{
	echo $((16#$(arm-none-eabi-nm program | awk -v name="$1" '$3 == name { print $1 }')))
}

# start_nds ROM: the emulator, with a stub at $port. It does not mind a SIGTERM.
start_nds()
{
	port=$(free_port) # the emulator takes no 0 for any
	HOME=$work SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy timeout -s KILL 300 "$desmume" --disable-sound --disable-limiter --arm9gdb=$port "$PWD/$1" \
		> desmume.log 2>&1 < /dev/null &
	emulator=$!
	trap end_nds EXIT
}

end_nds()
{
	pkill -KILL -P "$emulator" 2> /dev/null || true
	wait "$emulator" 2> /dev/null || true
}

# run_nds ROM CONSOLE: runs it to its end, and writes what it printed into the file CONSOLE
run_nds()
{
	local try status bytes ends console
	ends=$(address nds_status) console=$(address nitro_console)
	start_nds "$1"
	for ((try = 0; try < 400; try++)); do
		if { exec 3<> "/dev/tcp/127.0.0.1/$port"; } 2> /dev/null; then
			break
		fi
		sleep 0.05
	done
	say '?'
	hear > stop || fail "$(cat desmume.log)"
	for ((try = 0; try < 300; try++)); do
		say c
		sleep 0.1
		printf '\003' >&3
		hear > stop
		status=$(number "$ends")
		[ "$status" = $((0x600df00d)) ] && break
	done
	[ "$status" = $((0x600df00d)) ] || fail "did not end: $status"
	bytes=$(number "$console")
	memory $((console + 4)) "$bytes" | sed 's/../\\x&/g' > hex
	printf '%b' "$(cat hex)" > "$2"
	exec 3>&-
	end_nds
}
