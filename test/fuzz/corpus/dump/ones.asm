# A buffer that nobody wrote.
# how to read it: test/fuzz/dump.c
8 0
repeat 10 32 0xffffffff 0xffffffff 0xffffffff
