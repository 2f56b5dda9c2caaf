# The string table is behind the end of the file.
elf 32 little 140 2
symbol main 0x1000 0 func global 1
symbol tick 0x1018 0 func local 1
# the fifth header, sh_offset
put headers 0xb0 4 0xfffffff0
