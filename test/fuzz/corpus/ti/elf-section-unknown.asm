# A symbol of section 4096 of 6.
elf 32 little 140 2
symbol main 0x1000 0 func global 1
symbol tick 0x1018 0 func local 1
# the second symbol, st_shndx
put symbols 0x1e 2 0x1000
