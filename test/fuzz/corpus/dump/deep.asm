# 300 calls in one another, of which the outermost is left.
# how to read it: test/fuzz/dump.c
8 0
little
repeat 300 32 0x1000+4 1+1 0
32 0x1001 400 0
