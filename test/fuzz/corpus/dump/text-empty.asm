# Nothing, as text.
# how to read it: test/fuzz/dump.c
8 1
