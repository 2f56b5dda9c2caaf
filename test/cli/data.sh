#!/bin/bash
# Makes the inputs of the command-line cases in $DATA: the same bytes on every machine. Runs once before the cases.
set -eu
rm -rf "$DATA"
mkdir -p "$DATA"
cd "$DATA"

# A program file: assembled, not compiled, so that a newer compiler changes nothing. Aliases, sizes of 0, local and C++ names.
gcc -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -x assembler - -o program <<'END'
	.text
	.globl _start
	.type _start, @function
_start:	.skip 32, 0x90
	.size _start, 32
	.globl alias
	.weak weak_alias
	.type alias, @function
	.type weak_alias, @function
	.type local_name, @function
alias: weak_alias: local_name:
	.skip 16, 0x90
	.size alias, 16
	.size weak_alias, 16
	.size local_name, 16
	.type no_size, @function
no_size:
	.skip 48, 0x90
	.globl _ZN5shape6Circle4areaEv
	.type _ZN5shape6Circle4areaEv, @function
_ZN5shape6Circle4areaEv:
	.skip 64, 0x90
	.size _ZN5shape6Circle4areaEv, 64
	.type _ZN5shapelsERSoRKNS_6CircleE, @function
_ZN5shapelsERSoRKNS_6CircleE:
	.skip 8, 0x90
	.size _ZN5shapelsERSoRKNS_6CircleE, 8
	.data
	.globl not_a_function
not_a_function:
	.quad 1
END
strip -s -o stripped program
head -c 3000 program > cut-program
echo 'This is text.' > text
: > empty
head -c 4096 /dev/zero > zeros

# Recordings: the same seed gives the same bytes.
tracegen --program program --functions 5 --depth 5 --events 2000 --threads 2 --seed 7 -o small.dwell
tracegen --functions 3 --depth 3 --events 300 --threads 1 --seed 8 -o nameless.dwell
tracegen --program program --functions 5 --depth 5 --events 3000 --threads 2 --seed 9 --args 6 -o args.dwell
tracegen --zoo -o zoo.dwell
tracegen --zoo --pack -o zoo-packed.dwell
size=$(wc -c < small.dwell)
head -c 1000 zoo-packed.dwell > packed-cut.dwell
head -c $((size / 2)) small.dwell > cut.dwell
head -c 64 small.dwell > header-only.dwell
head -c 10 small.dwell > ten-bytes.dwell
# 16 bytes inside of the first block of events
{ head -c 2000 small.dwell; printf 'XXXXXXXXXXXXXXXX'; tail -c +2017 small.dwell; } > damaged.dwell
# another major version, with its checksum as it was: found out first
{ head -c 8 small.dwell; printf '\002'; tail -c +10 small.dwell; } > flipped-header.dwell
printf 'main;read;parse 12\nmain;read 3\nmain;write 5\nmain 1\nmain;read;parse 8\n' > stacks.folded
printf 'main;read;parse 12\nthis line has no weight\nmain 1\n' > stacks-bad.folded
# A recording in rings whose recorder was killed: the example of FORMAT.md, and the same after its ring went round.
cp "$ROOT/test/fuzz/corpus/trace/session" left.session
cp "$ROOT/test/fuzz/corpus/trace/session-wrapped" wrapped.session
head -c 7000 wrapped.session > cut.session
head -c 100 wrapped.session > ten.session
