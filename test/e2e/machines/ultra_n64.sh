#!/bin/bash
# The Nintendo 64's osProfile… on a Nintendo 64, emulated: the program of ultra_machines.sh as a cartridge. Nothing can be said to it; what it
# counted it shows on its console, as an image of memory. The emulator's clock goes by its instructions.
# Takes long, an emulated machine.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/ultra/lib.sh"

mupen=$(PATH=$PATH:/usr/games command -v mupen64plus)
cc=mips-linux-gnu-gcc
if ! command -v $cc > /dev/null || [ -z "$mupen" ]; then
	echo "1..0 # SKIP no compiler for MIPS or no Nintendo 64 (gcc-mips-linux-gnu, mupen64plus-ui-console)"
	exit
fi
make_machines mips3 > make.log 2>&1 || { echo "not ok 1 - its library"; sed 's/^/# /' make.log; echo 1..1; exit 1; }

# make_z64 PROGRAM Z64: 4 KB of header and boot code, the program behind them; no cartridge is smaller than 1 MB and that
make_z64()
{
	${cc%gcc}objcopy -O binary "$1" program.bin
	[ "$(stat -c %s program.bin)" -le 65536 ] || fail "the program is larger than what the boot code copies"
	$cc -march=vr4300 -mabi=32 -c "$ultra/n64_boot.S" -o boot.o
	${cc%gcc}objcopy -O binary -j .text boot.o boot.bin
	perl -e 'use strict; binmode STDOUT;
		sub all { open my $f, "<:raw", shift or die; local $/; <$f> }
		my $head = pack("N4 x16 A20", 0x80371240, 0xf, 0x80100000, 0x1444, "OSPROFILE");
		print pack("a64 a4032 a1048576", $head, all("boot.bin"), all("program.bin"))' > "$2"
}

# run_z64 Z64 IMAGE: until it says that all is shown. It does not end by itself, and its output is not to be kept back for a full buffer.
run_z64()
{
	local pid status=0
	mkfifo said
	SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD XDG_CACHE_HOME=$PWD timeout -k 5 200 nice stdbuf -o0 "$mupen" \
		--nosaveoptions --nospeedlimit --gfx dummy --audio dummy --input dummy --rsp dummy --emumode "1" "$1" \
		> said 2> mupen.err < /dev/null &
	pid=$!
	# (awk might read on for a full buffer.)
	sed -un '/IS64: end$/{s/.*/end/p;q}; s/.*IS64: //p' said > image.hex
	[ "$(tail -n 1 image.hex)" = end ] || status=1
	kill $pid 2> mupen.kill || true
	wait $pid 2> mupen.kill || true
	rm said
	[ $status = 0 ] || fail "it did not come to its end" "$(head -20 image.hex mupen.err)"
	sed '$d' image.hex | perl -ne 'chomp; print pack("H*", $_)' > "$2"
}

three_to_one_in_an_image()
{
	build_machine n64 machine.c -DPERIOD=1000 -DROUNDS=15000
	make_z64 program program.z64
	run_z64 program.z64 ram.bin
	dwell report --csv --program program ram.bin > image.csv
	shares_hold image.csv 3000
}
test_that "a cartridge: 3 to 1, of an image of its memory" three_to_one_in_an_image
done_testing
