# A program linked of four files: a library's memcpy and exit, a main compiled with debugging, and assembly.
coff 1 big
section .vecs 0 0 0
section .text 0x220 0x6c0 0x520
section .bss 0x860 4 0x280
symbol main.c 0 -2 0 103
symbol $C$L3 0x848 .text 4 6
symbol L12 0x84c .text 4 6
symbol RL0 0x850 .text 4 6
symbol DW$L$_main$2$B 0x850 .text 4 6
symbol .text 0x460 .text 0 3 0x220
symbol .text 0x220 .text 0 3 0x240
symbol _main 0x840 .text 0x24 2 0 0x1c
symbol .bf 0x840 .text 0 101 0 0
symbol .text 0x840 .text 0 3 0x20
symbol .text 0x8e0 .text 0 3 0
symbol _a_static_function 0x4e0 .text 4 6
symbol .text:_memcpy 0x220 .text 0 3 0x240
symbol _memcpy 0x220 .text 4 2
symbol _exit 0x460 .text 4 2
symbol _abort 0x674 .text 4 2
symbol C$$EXIT 0x674 .text 4 2
symbol C$$IO$$ 0x300 .text 4 2
symbol $ASM$ 0x880 .text 0x20 3 0 0x60
symbol .text 0x880 .text 0 3 0x60
symbol start 0x880 .text 4 6
symbol loop$12$ 0x890 .text 4 6
symbol middle 0x8a0 .text 4 6
symbol inner 0x500 .text 4 6
symbol $Tramp$L$PI$$_exit 0x8c0 .text 4 3
symbol .text 0x220 .text 0 2
symbol ___text__ 0x220 .text 0 2
symbol etext 0x8e0 .text 0 2
symbol _counter 0x860 .bss 4 2
symbol __STACK_SIZE 0x400 -1 4 2
symbol _undefined 0 0 4 2
