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
# Names as long as the standard library makes them.
gcc -nostdlib -static -Wl,-Ttext=0x401000 -Wl,--build-id=none -x assembler - -o program-cpp <<'END'
	.text
	.globl _start
	.type _start, @function
_start:	.skip 32, 0x90
	.size _start, 32
	.type _Z5parseRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, @function
_Z5parseRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE:
	.skip 32, 0x90
	.size _Z5parseRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, 32
	.type _ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_backEOS5_, @function
_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_backEOS5_:
	.skip 32, 0x90
	.size _ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_backEOS5_, 32
	.type _ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_backERKS5_, @function
_ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_backERKS5_:
	.skip 32, 0x90
	.size _ZNSt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_backERKS5_, 32
END
head -c 3000 program > cut-program
echo 'This is text.' > text
: > empty
head -c 4096 /dev/zero > zeros

# Recordings: the same seed gives the same bytes.
tracegen --program program --functions 5 --depth 5 --events 2000 --threads 2 --seed 7 -o small.dwell
tracegen --functions 3 --depth 3 --events 300 --threads 1 --seed 8 -o nameless.dwell
tracegen --program program --functions 5 --depth 5 --events 3000 --threads 2 --seed 9 --args 6 -o args.dwell
tracegen --program program --functions 5 --depth 5 --events 2000 --threads 2 --seed 12 --switches 4 -o off.dwell
tracegen --program program-cpp --functions 4 --depth 4 --events 500 --threads 1 --seed 3 -o cpp.dwell
tracegen --program program --functions 5 --samples 20000 --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples.dwell
# Cut where the samples begin: how they were to be taken, and none of them.
head -c 816 samples.dwell > samples-none.dwell
tracegen --program program --functions 5 --samples 20000 --unsampled 20 --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples-short.dwell
tracegen --program program --functions 5 --samples 100 --unsampled 20 --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples-few.dwell
cp program bare
tracegen --program bare --functions 5 --samples 100 --threads 1 --seed 33 -o samples-nameless.dwell
cp stripped bare
# The same once more, and a third time; and with a fourth function that takes half as much again.
samples() { tracegen --program "$1" --functions 5 --samples "$2" --shares "$3" --threads 2 --run 3 --seed "$4" "${@:6}" -o "$5"; }
samples program 20000 50,30,14,5,1 32 samples-again.dwell
samples program 20000 50,30,14,5,1 33 samples-third.dwell
samples program 20500 50,30,14,7.5,1 34 samples-slower.dwell
samples program 20500 50,30,14,7.5,1 35 samples-slower-2.dwell
samples program 20500 50,30,14,7.5,1 36 samples-slower-3.dwell
samples program 5000 50,30,14,5,1 37 samples-cycles.dwell --cycles
cp program program-moved
samples program-moved 20000 50,30,14,5,1 38 samples-moved.dwell
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

# Programs of the Atari ST (test/unit/symbol/tiny_prg.h makes such).
cp "$ROOT/test/fuzz/corpus/prg/gst" gst.prg
cp "$ROOT/test/fuzz/corpus/prg/aout" aout.ttp
cp "$ROOT/test/fuzz/corpus/prg/faults" faults.prg
cp "$ROOT/test/fuzz/corpus/prg/table-cut" cut.prg
cp "$ROOT/test/fuzz/corpus/prg/text-cut" half.prg
cp "$ROOT/test/fuzz/corpus/prg/no-text-symbols" data-only.prg
cp "$ROOT/test/fuzz/corpus/prg/stripped" stripped.prg
tracegen --program gst.prg --functions 3 --depth 3 --events 200 --threads 1 --seed 21 -o gemdos.dwell
head -c 7000 wrapped.session > cut.session
head -c 100 wrapped.session > ten.session
