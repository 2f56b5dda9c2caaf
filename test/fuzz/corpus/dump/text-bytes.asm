# Bytes, and a header that is none.
# how to read it: test/fuzz/dump.c
8 0x4e
text 51 6 0 0 0
text -116
text 0x0e
text 12
text 0
text 1
text 2
text 3
text 4
text 5
text 6
text 7
text 8
text 200
