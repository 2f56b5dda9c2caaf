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
gcc -nostdlib -static -Wl,-Ttext=0x401000,-z,noseparate-code,--build-id=none -x assembler "$ROOT/test/sites.s" -o sites-program
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
# A program that knows its functions' names, and what its console said.
gcc -nostdlib -static -Wl,-Ttext=0x401000,-Trodata-segment=0x402000,--build-id=none -x assembler - -o console-program <<'END'
	.text
	.globl _start
	.type _start, @function
_start:	.skip 32, 0x90
	.size _start, 32
	.type parse, @function
parse:	.skip 64, 0x90
	.size parse, 64
	.type _ZN5shape6Circle4areaEi, @function
_ZN5shape6Circle4areaEi:
	.skip 32, 0x90
	.size _ZN5shape6Circle4areaEi, 32
	.section .rodata
	.ascii "parse\0other\0shape::Circle::area\0"
END
cat > console <<'END'
00401020: lr=0040104c, r0=00000103, r1=0x0000000c
in 0x401020, [<000000000040107f>] 0x401080, main+0x401030, 1.00401030, 0x00401030x
texts: 00402000 00402001 00402006 00402008 0040200c
lr=00401060
END
echo 'This is text.' > text
: > empty
head -c 4096 /dev/zero > zeros

# Recordings: the same seed gives the same bytes.
tracegen --program program --functions 5 --depth 5 --events 2000 --threads 2 --seed 7 -o small.dwell
tracegen --functions 3 --depth 3 --events 300 --threads 1 --seed 8 -o nameless.dwell
tracegen --program program --functions 5 --depth 5 --events 3000 --threads 2 --seed 9 --args 6 -o args.dwell
tracegen --program program --functions 5 --depth 5 --events 2000 --threads 2 --seed 12 --switches 4 -o off.dwell
tracegen --program program --functions 5 --depth 5 --events 2000 --threads 2 --seed 13 --throttled 60000 -o throttled.dwell
tracegen --program program-cpp --functions 4 --depth 4 --events 500 --threads 1 --seed 3 -o cpp.dwell
tracegen --program program --functions 5 --samples 20000 --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples.dwell
# Cut where the samples begin: how they were to be taken, and none of them.
head -c 816 samples.dwell > samples-none.dwell
tracegen --program program --functions 5 --samples 20000 --unsampled 20 --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples-short.dwell
tracegen --program program --functions 5 --samples 20000 --excess 20 --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples-excess.dwell
tracegen --program program --functions 5 --samples 20000 --unsampled 20 --interrupted '5000 samples, 5000000000 ns' --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples-interrupted.dwell
tracegen --program program --functions 5 --samples 20000 --unsampled-kernel '148000000000 ns' --shares 50,30,14,5,1 --threads 2 --run 3 --seed 31 -o samples-kernel.dwell
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
samples program 1000 50,30,14,5,1 40 samples-lost.dwell --losses 17
tracegen --program program --functions 1 --samples 1 --threads 1 --seed 41 --losses 1 -o samples-one.dwell
cp program program-moved
samples program-moved 20000 50,30,14,5,1 38 samples-moved.dwell
tracegen --zoo -o zoo.dwell
tracegen --zoo --pack -o zoo-packed.dwell
size=$(wc -c < small.dwell)
head -c 1000 zoo-packed.dwell > packed-cut.dwell
# A packed chunk of two parts, cut in the second one.
tracegen --program program --functions 5 --depth 5 --events 30000 --threads 1 --seed 14 --pack -o parts.dwell
head -c $(($(wc -c < parts.dwell) * 7 / 10)) parts.dwell > parts-cut.dwell
head -c $((size / 2)) small.dwell > cut.dwell
head -c 64 small.dwell > header-only.dwell
head -c 10 small.dwell > ten-bytes.dwell
# 16 bytes inside of the first block of events
{ head -c 2000 small.dwell; printf 'XXXXXXXXXXXXXXXX'; tail -c +2017 small.dwell; } > damaged.dwell
# another major version, with its checksum as it was: found out first
{ head -c 8 small.dwell; printf '\002'; tail -c +10 small.dwell; } > flipped-header.dwell
printf 'main;read;parse 12\nmain;read 3\nmain;write 5\nmain 1\nmain;read;parse 8\n' > stacks.folded
printf '=1+2;+a,b;-c;@d;\033[31mred\007;\302\233m\342\200\256x;\377 4\n' > hostile.folded
printf '\357\273\277main;a 0.156\nmain;b 0.98\nmain 1.5\n' > fractions.folded
printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\nsummary: 14\n\nfn=(1) main\n3 6\n* 8\n' > callgrind.out
printf 'desc: I1 cache: 32768 B\ncmd: ./t\nevents: Ir I1mr\nfl=t.c\nfn=main\n3 6 1\n4 8 1\n' > cachegrind.out
printf 'main;a 10 12\nmain;b 3 4\n' > two-counts.folded
printf 'main;a 18446744073709551615\nmain;b 18446744073709551615\n' > overflow.folded
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
# What TI's tools make: a program of two files, as COFF, and the map of one.
text2bin > coff.out <<'END'
coff 2 little
section .text 0x0c000000 0xd000 0x520
section .bss 0x00800000 0x1000 0x280
section .far 0x00804000 0x1000 0x80
symbol .text 0x0c000e00 .text 0 3 0xb000
symbol _SL2MemoryBufInit 0x0c000e00 .text 4 2
symbol $C$L1 0x0c000e10 .text 4 6
symbol _delay 0x0c000e24 .text 0x24 2 0 0x54
symbol _delay_loop 0x0c000e24 .text 4 2
symbol _mutex_init 0x0c000e8c .text 4 6
symbol .text:_idle 0x0c00c400 .text 0 3 0x400
symbol _idle 0x0c00c598 .text 4 2
symbol _a_name_of_more_than_eight_letters 0x0c00c644 .text 4 2
symbol C$$EXIT 0x0c00c700 .text 4 2
symbol _buffer 0x00800000 .bss 4 2
symbol _task1Handle 0x00804c10 .far 4 2
symbol _end_of_stacks 0x00804e00 .far 4 2
END
head -c 53548 coff.out > coff-cut.out
cp "$ROOT/test/fuzz/corpus/ti/map-elf" app.map
cp "$ROOT/test/fuzz/corpus/ti/map-cut" cut.map
tracegen --program gst.prg --functions 3 --depth 3 --events 200 --threads 1 --seed 21 -o gemdos.dwell
head -c 7000 wrapped.session > cut.session
head -c 100 wrapped.session > ten.session

# A program with a call trace (classic/core/lines.h) in its data: main called parse, and two calls have no line. What runs instead of it is a stub.
gcc -nostdlib -static -Wl,-Ttext=0x401000,-Tdata=0x600000 -Wl,--build-id=none -x assembler - -o traced <<'END'
	.text
	.globl _start
	.type _start, @function
_start:	.skip 32, 0x90
	.size _start, 32
	.type main, @function
main:	.skip 32, 0x91
	.size main, 32
	.type parse, @function
parse:	.skip 32, 0x92
	.size parse, 32
	.data
	.globl buffer, unsized
	.type buffer, @object
buffer:	.long 0x4e4c5744, 0x08000103
	.quad 16, lines, lines + 32, lines + 64, 0, 0, 0, lines, lines + 64, lines + 64, 1, 2, 0, 0, 0, 0, 1, lines
lines:	.quad main_name, 0x401010, parse_name, 0x401030, 0, 0, 0, 0
	.skip 8
	.size buffer, . - buffer
unsized:
main_name:
	.asciz "main"
parse_name:
	.asciz "parse"
END
# Statistics of what a thread measured first, and what it has measured since, from tick 5000000 on.
gcc -nostdlib -static -Wl,-Ttext=0x401000,-Tdata=0x600000 -Wl,--build-id=none -x assembler - -o measured <<'END'
	.globl _start
_start:	.skip 32, 0x90
	.data
cost:	.long 0x4e4c5744, 0x08000303
	.quad 0, 0, 0, 0, lines + 96, 0, lines, lines + 96, 0, 0, 1, 0, 0, lines + 96, 0, 0, 0, 0, 0, 0, 1000000, 0, 1, 0, 0, 0, 0
lines:	.quad main_name, 5000000, 0, parse_name, 5000010, 0, -1, 5000040, 10, -1, 5000100, 0
statistics:
	.long 0x4e4c5744, 0x08000403
	.quad rows, 2, 1, 0, 0, 0, 0, 0, 1000000, 0, 0, 0, 0, 0, 0, 0, 0, 0
rows:	.quad parse_name, 0, 7, 300, 300, 0, 0, 0, 0, 0
main_name:
	.asciz "main"
parse_name:
	.asciz "parse"
END
objcopy -O binary -j .data measured measured.bin
# An image of that memory, as a debugger writes it; one without its end; and a core file of nothing.
objcopy -O binary -j .data traced traced.bin
head -c 180 traced.bin > traced-cut.bin
head -c 100 traced.bin > traced-head.bin
objcopy -I binary -O elf64-x86-64 zeros nothing.core
printf '\004' | dd of=nothing.core bs=1 seek=16 conv=notrunc status=none

# A program with histograms (classic/core/histogram.h) in its data: two segments, counters of words that are of two functions, one that is full.
gcc -nostdlib -static -Wl,-Ttext=0x401000,-Tdata=0x600000 -Wl,--build-id=none -x assembler - -o counted <<'END'
	.text
	.globl _start
	.type _start, @function
_start:	.skip 32, 0x90
	.size _start, 32
	.type hot, @function
hot:	.skip 34, 0x91
	.size hot, 34
	.type cold, @function
cold:	.skip 30, 0x92
	.size cold, 30
	.data
	.globl histogram
	.type histogram, @object
histogram:
	.long 0x53485744, 0x08040201
	.quad histogram, segments, segments, 1, 37, 0, 0, 2, 1, 1000, 0
segments:
	.quad 0x401000, 32, counters, 0, 0x401020, 64, counters + 16, 0
counters:
	.short 0, 3, 0, 0, 0, 0, 0, 0
	.short 300, 0, 0, 0, 20, 0, 0, 0, 6, 90, 0, 0, 0, 0, 0, 11
	.size histogram, . - histogram
END
objcopy -O binary -j .data counted counted.bin
head -c 200 counted.bin > counted-cut.bin
# The same with a counter that can count no more, and what it could not count.
cp counted full
printf '\377\377' | dd of=full bs=1 seek=$((0x$(readelf -SW counted | awk '$2 == ".data" { print $5 } $3 == ".data" { print $6 }') + 176 + 16)) conv=notrunc status=none
printf '\11' | dd of=full bs=1 seek=$((0x$(readelf -SW counted | awk '$2 == ".data" { print $5 } $3 == ".data" { print $6 }') + 8 + 40)) conv=notrunc status=none
objcopy -O binary -j .data full full.bin

# A dump of TI's function hooks: the twelve records that their document prints, and a program that has functions and tasks there.
cp "$BUILD/assembled/test/trace/good/document.c6000" document.bin
cp "$BUILD/assembled/test/trace/good/circular-big.c6000" circular.bin
cp "$BUILD/assembled/test/trace/bad/tasks.c6000" bad-tasks.bin
c6000() # where its text is, where its data is
{
	gcc -nostdlib -static -Wl,-Ttext="$1,-Tdata=$2" -Wl,--build-id=none -x assembler - "${@:3}" <<'CODE'
	.macro function name at size
	.org \at
	.type \name, @function
\name:	.skip \size, 0x90
	.size \name, \size
	.endm
	.text
	.globl _start
_start:
	function Delay 0x24 0x40
	function Delay_init 0x8c 0x40
	function task1 0xb798 0x60
	function task2 0xb808 0x30
	function main 0xb844 0x40
	.data
	.org 0x3b8
	.globl task1Handle
	.type task1Handle, @object
task1Handle: .skip 0x58
	.size task1Handle, 0x58
	.org 0xc10
	.globl task2Handle
	.type task2Handle, @object
task2Handle: .skip 0x58
	.size task2Handle, 0x58
CODE
}
c6000 0x0c000e00 0x00804000 -o c6000.out
c6000 0x0b800e00 0x00004000 -o c6000-low.out
cp "$ROOT/test/trace/good/document.dat" document.dat
cp "$ROOT/test/trace/bad/values.dat" bad-values.dat
cp "$BUILD/assembled/test/trace/good/image.c6000" image.bin
{ head -c 8192 /dev/zero; cat image.bin; } > image-behind.bin
# Written before the recordings that name them, as far as these tell.
find . -type f -exec touch -d @1600000000 {} +
