/* cpu: the host's facts about each kind of processor, one table each. The only other code with
 * such facts finds hooks in a program's code (record/program/).
 *
 *     const struct cpu *cpu = cpu_find(header.e_machine);
 *
 * A missing value (null, 0, false) is an unknown fact; features that need it are off for that processor. CONTRIBUTING.md describes
 * how to add a processor for Linux; the second half of such a port is a folder in target/port/cpu. */
#ifndef DWELL_HOST_CPU_CPU_H
#define DWELL_HOST_CPU_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_REGISTERS 32u /* most registers with a number in unwind tables */
#define CPU_CALLEE_SAVED_MAX 16u
#define CPU_PC 64         /* in perf_registers: the program counter, which has no such number */

struct cpu {
	uint16_t elf_machine;    /* e_machine of its ELF files */
	const char *name;        /* for people: "x86-64" */
	const char *system_name; /* as in uname(2): "x86_64" */
	bool is_native;            /* dwell itself was compiled for this processor */

	/* Reads the clock of recordings. Null: dwell cannot read it here, only the recorded program can. */
	uint64_t (*read_ticks)(void);

	/* Stacks. Registers have the numbers of unwind tables (DWARF). pointer_bytes 0: stacks cannot be unwound. */
	uint8_t pointer_bytes;
	uint8_t fp, sp, ra;
	uint8_t pc;          /* the register that stands for the frame's own pc in expressions of the tables; 255: none */
	bool ra_in_register; /* at a function's first instruction, the return address is in ra, not on the stack */
	int8_t fp_record;    /* in code with frame pointers: the caller's fp is at fp + fp_record, followed by the return address.
				0 is a distance here, not an unknown fact */
	uint64_t code_mask;  /* valid bits of a code address; in a return address the other bits may be its signature */
	uint8_t callee_saved[CPU_CALLEE_SAVED_MAX],
		callee_saved_count; /* registers that a function preserves for its caller, without sp and ra */

	/* Samples from perf events. */
	const int8_t *perf_registers;         /* by the kernel's number: the number in unwind
	                                         tables, or CPU_PC; −1: not requested */
	uint8_t perf_register_count;
	const char *const *interrupt_entries; /* the kernel's entry functions for interrupts,
	                                         terminated by null; "name*" is a prefix */

	/* Symbols. */
	const char *marks;        /* letters of marker symbols, which separate code from data ("$a", "$d.1") and are not names */
	bool marks_have_suffixes; /* any suffix: "$xrv64i" */
	bool has_state_bit;       /* bit 0 of a code address is a state of the processor, not a part of the address */

	bool gdb_is_signed; /* some stubs of GDB's protocol expect 32-bit addresses sign-extended */
};

/* The tables of processors with Linux recordings: cpu_x86_64 in x86_64.c, and so on. */
#define CPU_EACH(do) do(x86_64) do(aarch64)
#define CPU_DECLARE(name) extern const struct cpu cpu_##name;
CPU_EACH(CPU_DECLARE)

/* Both return null for an unknown processor. */
const struct cpu *cpu_find(uint32_t elf_machine);
const struct cpu *cpu_find_system_name(const char *name);
/* Returns the processor that dwell was compiled for; without a table: name "unknown", elf_machine 0. */
const struct cpu *cpu_native(void);
/* Returns "x86-64", or a number if the name is unknown. */
const char *cpu_name(uint32_t elf_machine, char buffer[static 16]);
/* Returns the registers of perf_registers as a bit mask for perf_event_open(2). */
uint64_t cpu_perf_mask(const struct cpu *cpu);

#endif
