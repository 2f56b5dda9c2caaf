# A name that is behind the end of the string table.
elf 32 little 140 2
symbol main 0x1000 0 func global 1
symbol tick 0x1018 0 func local 1
# the second symbol (the first is none), st_name
put symbols 0x10 4 0x9999
