# More sections than the file has room for headers of.
elf 32 little 140 2
symbol main 0x1000 0 func global 1
symbol tick 0x1018 0 func local 1
# e_shnum
put file 0x30 2 0xfe00
