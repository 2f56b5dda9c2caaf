# A symbol table of nearly 4 GiB.
elf 32 little 140 2
symbol main 0x1000 0 func global 1
symbol tick 0x1018 0 func local 1
# the fourth header, sh_size
put headers 0x8c 4 0xfffffff0
