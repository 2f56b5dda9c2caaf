# Decimals, one of which is none.
# how to read it: test/fuzz/dump.c
8 1
text 1651 2 80000000 0 9\r
text 201330316\r
text -5\r
text x\r
text 201330317\r
text 99\r
text -1\r
text -1\r
text -1\r
