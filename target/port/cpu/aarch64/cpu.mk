# Hooked functions hold live vector registers.
AGENT_CPU_CFLAGS := -mgeneral-regs-only
# Else atomic operations are calls of libgcc, which nothing here links.
CPU_CFLAGS := -mno-outline-atomics
