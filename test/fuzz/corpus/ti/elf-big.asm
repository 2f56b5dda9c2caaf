# A program as TI's linker makes it: sections, labels and functions without a size.
elf 32 big 140 2
symbol .text 0x1000 0 section local 1
symbol .text:retain 0x1020 0 section local 1
symbol .data 0x2000 0 section local 5
symbol $C$L1 0x1004 0 func local 1
symbol $C$RL0 0x1006 0 func local 1
symbol $C$DW$L$_main$3$B 0x1008 0 func local 1
symbol main 0x1000 0 func global 1
symbol a_static 0x1010 0 func local 1
# 16 bytes too many
symbol tick 0x1018 0x18 func global 1
symbol C$$EXIT 0x101c 0 func global 1
symbol isr 0x1020 0 func global 1
symbol C$$IO$$ 0x1020 0 func global 1
symbol $Tramp$S$$isr 0x1030 0 func local 1
symbol __TI_CINIT_Limit 0x1040 0 notype global 1
