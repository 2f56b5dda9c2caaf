# Hooked functions hold live vector registers.
AGENT_CPU_CFLAGS := -mgeneral-regs-only
