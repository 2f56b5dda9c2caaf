# The symbol table is behind the end of the file.
coff 2 little
section .text 0x100 0x40 0x520
symbol _short 0x100 .text 4 2
symbol _a_long_name 0x110 .text 4 2
symbol _another_long_name 0x120 .text 0x20 2 0 0x10
table 0x7fffffff
