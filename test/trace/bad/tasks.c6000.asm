# Switches that contradict each other, times that run backwards, and less than a record at the end.
little
32 0x0c000e8c 0x64 0
32 0x0c000e24 0x5a 0
# one comes, and none left
32 0x00804c12 0x50 0
32 0x008043ba 0x78 0
32 0x0c000e25 0x6e 0
32 0x00804c13 0x82 0
32 0x0c000e24 0x8c 0
32 0x0c000e25 1 0xffffffff
# less than a record
8 1 2 3 4 5
