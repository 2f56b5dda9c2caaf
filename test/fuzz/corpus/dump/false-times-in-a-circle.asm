# Written round and round, and two times that are wrong.
# how to read it: test/fuzz/dump.c
8 2
little
repeat 20 32 0x0c000e00+4 2000+10 1
32 0x0c000e4d 2200 0
repeat 20 32 0x0c000e01+4 1000+10 1
32 0x0c000e4d 1200 9
repeat 10 32 0x0c000e01+4 1210+10 1
