# The text is behind the end of the file.
elf 32 little 140 2
symbol main 0x1000 0 func global 1
symbol tick 0x1018 0 func local 1
# the second header of 40 bytes, sh_offset
put headers 0x38 4 0x7fffff00
