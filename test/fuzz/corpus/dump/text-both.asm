# Hex and decimals without a word of which is which.
# how to read it: test/fuzz/dump.c
8 1
text 1651 1 80000000 0 6
text 0C000E8C
text 128
text 0
text 201330317
text -200
text 0
