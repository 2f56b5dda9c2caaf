# The file ends within the symbol table.
elf 32 little 140 2
symbol main 0x1000 0 func global 1
symbol tick 0x1018 0 func local 1
cut 0xa0
