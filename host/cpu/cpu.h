/* cpu: what the host knows about each kind of processor, one table each. Only what looks for hooks in a program's code (record/program/)
 * knows processors beside it.
 *
 *     const struct cpu *cpu = cpu_find(header.e_machine);
 *
 * A fact that is not in a table (null, 0, false) is not known, and what needs it is not done for that processor. CONTRIBUTING.md tells how
 * to add a processor for Linux; its second half is a folder in target/port/cpu. */
#ifndef DWELL_HOST_CPU_CPU_H
#define DWELL_HOST_CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_REGISTERS 32u /* that unwind tables number, at most */
#define CPU_KEPT_MAX 16u
#define CPU_PC 64         /* in perf_registers: the program counter, which has no number */

struct cpu {
	uint16_t elf_machine;    /* e_machine of its ELF files */
	const char *name;        /* for people: "x86-64" */
	const char *system_name; /* as uname(2) has it: "x86_64" */
	bool is_here;            /* dwell itself was compiled for it */

	/* The clock that programs are recorded with. Null: this dwell cannot read it, the recorded program does. */
	uint64_t (*read_ticks)(void);

	/* Stacks. Registers have the numbers of unwind tables (DWARF). pointer_bytes 0: stacks cannot be unwound. */
	uint8_t pointer_bytes;
	uint8_t fp, sp, ra;
	uint8_t pc;          /* what an expression of the tables means by the frame's own pc; 255: it cannot */
	bool ra_in_register; /* at a function's first instruction the return address is in ra, not on the stack */
	int8_t fp_record;    /* at fp + this lies the caller's fp, behind it the return address, where code keeps frame pointers */
	uint64_t code_mask;  /* bits of an address of code; the others of a return address may be its signature */
	uint8_t kept[CPU_KEPT_MAX], kept_count; /* registers that a function keeps for its caller, without sp and ra */

	/* Samples by perf events. */
	const int8_t *perf_registers;         /* by the kernel's numbers: the number of unwind tables, or CPU_PC; −1: not asked for */
	uint8_t perf_register_count;
	const char *const *interrupt_entries; /* where the kernel is entered for an interrupt, up to a null; "name*" is a beginning */

	/* Symbols. */
	const char *marks;        /* letters of symbols that tell code from data ("$a", "$d.1"), and are no names */
	bool marks_have_suffixes; /* of any kind: "$xrv64i" */
	bool has_state_bit;       /* bit 0 of an address of code is a state of the processor, and no part of it */

	bool gdb_is_signed; /* some stubs of GDB's protocol want addresses of 32 bits extended by their sign */
};

/* The tables of processors on which Linux programs are recorded: cpu_x86_64 in x86_64.c, and so on. */
#define CPU_EACH(do) do(x86_64) do(aarch64)
#define CPU_DECLARE(name) extern const struct cpu cpu_##name;
CPU_EACH(CPU_DECLARE)

/* Null: nothing is known of it. */
const struct cpu *cpu_find(uint32_t elf_machine);
const struct cpu *cpu_find_system_name(const char *name);
/* That dwell was compiled for: its name is "unknown" and its elf_machine 0 where it has no table. */
const struct cpu *cpu_here(void);
/* "x86-64"; a number where the name is not known. */
const char *cpu_name(uint32_t elf_machine, char buffer[static 16]);
/* The registers in perf_registers, as perf_event_open(2) asks for them: a bit each. */
uint64_t cpu_perf_mask(const struct cpu *cpu);

#endif
