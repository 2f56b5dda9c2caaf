# A high word that is wrong, in the middle; and a switch at the end whose times are 2^32 too late.
# how to read it: test/fuzz/dump.c
8 2
little
repeat 20 32 0x0c000e00+4 1000+10 0
32 0x0c000e00 1200 7
repeat 20 32 0x0c000e4d-4 1210+10 0
32 0x00000003 1420 1
32 0x00804c12 1420 1
