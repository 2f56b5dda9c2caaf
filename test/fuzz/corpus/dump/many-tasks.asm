# Sixty tasks.
# how to read it: test/fuzz/dump.c
8 0
little
repeat 60 32 6+4 0+2 0 0x1000 1+2 0
