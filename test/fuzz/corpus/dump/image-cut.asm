# The file ends within the buffer.
# how to read it: test/fuzz/dump.c
8 0
little
# the control area: magic, what; its own address, that of the records, room for so many, the address of the count, rate, state, missed
32 0x4b485744 0x040c0101 0x20000000 0x20000028 4 0x20000024 25000000 0 0
# the count, then the buffer
32 3
32 0x0c000e8c 0x0064aaa8 0
32 0x0c000e8d 0x0064ad93 0
32 0x00804c12 0x006500d6 0
32 0xffffffff 0xffffffff 0xffffffff
cut 69
