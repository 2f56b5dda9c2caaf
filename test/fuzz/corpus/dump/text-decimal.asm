# A header that says hex, and decimals: the third value tells.
# how to read it: test/fuzz/dump.c
8 1
text 1651 1 80000000 0 6
text 8408082
text 128
text -1
text 201330316
text 200
text 0
