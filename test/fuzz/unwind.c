/* Any bytes as a program file: its unwind tables, and stacks that are walked by them. The file's end is the stack, too.
 *
 * What is asked: no read leaves the bytes, each walk ends, and what is said of a function holds of it. */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unwind/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FRAMES_MAX 256u
#define WALKS 64u
#define CODE_END UINT64_C(0x3000) /* the corpus has its code below */
#define BIAS UINT64_C(0x7f0000000000)
#define STACK_BYTES_MAX 4096u
#define STACK_AT UINT64_C(0x7ffc00000000)

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "broken: %s\n", what);
	abort();
}

/* Registers that point into the stack, so that rules lead somewhere. */
static void walk(struct unwind_space *space, uint64_t pc, const uint8_t *stack_data, size_t stack_bytes, uint64_t seed)
{
	struct unwind_registers registers = {.pc = pc, .known = UINT32_MAX};
	const struct unwind_stack stack = {{stack_data, stack_bytes}, STACK_AT};
	uint64_t frames[FRAMES_MAX], signals;
	struct unwind_result result;

	for (uint32_t i = 0; i < CPU_REGISTERS; i++)
		registers.values[i] = STACK_AT + (seed * (i + 3) % (stack_bytes + 8) & ~UINT64_C(7));
	if (seed & 1)
		registers.known = (uint32_t)(seed >> 8);
	result = unwind_stack(space, &registers, &stack, frames, FRAMES_MAX, &signals);
	must(result.count >= 1 && result.count <= FRAMES_MAX, "the number of frames");
	must(frames[0] == pc, "the innermost frame");
	must(result.state == DWELL_STACK_COMPLETE || result.state == DWELL_STACK_TRUNCATED || result.state == DWELL_STACK_BROKEN, "its state");
}

static void walk_all(struct unwind_file *file, const struct cpu *cpu, const uint8_t *stack_data, size_t stack_bytes)
{
	struct unwind_space *space = make_unwind_space(cpu);
	uint64_t low, high;

	if (space && unwind_space_map(space, BIAS, BIAS + (UINT64_C(1) << 32), BIAS, file)) {
		unsigned walks = 0;

		for (uint64_t address = 0; address < CODE_END && walks < WALKS; address += 4)
			if (unwind_file_find(file, address, &low, &high)) {
				must(low <= address && address < high, "a function that does not hold the address");
				walk(space, BIAS + address, stack_data, stack_bytes, address * 0x9e3779b97f4a7c15u >> 7);
				walks++;
				/* At its first instructions, where rules change, and at its last. */
				if (address >= low + 12 && high - address > 8 && address + 4 < high)
					address = high - 8 < CODE_END ? (high - 8) & ~UINT64_C(3) : CODE_END;
			}
		walk(space, BIAS + 0x12345678, stack_data, stack_bytes, 2);
	}
	free_unwind_space(space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	size_t stack_bytes = size / 4 < STACK_BYTES_MAX ? size / 4 : STACK_BYTES_MAX;
	uint8_t *stack = malloc(stack_bytes ? stack_bytes : 1);
	struct unwind_file *file;
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (stack && write(fd, data, size) == (ssize_t)size) {
		/* The file's own end: of exactly this size, so that a byte too far is seen; every other word leads into code. */
		memcpy(stack, data + size - stack_bytes, stack_bytes);
		for (size_t at = 0; at + 16 <= stack_bytes; at += 16) {
			uint64_t word = BIAS + 0x400 + at * 3;

			memcpy(stack + at, &word, sizeof word);
		}
		file = make_unwind_file(path, NULL);
		if (file) {
			walk_all(file, &cpu_x86_64, stack, stack_bytes);
			walk_all(file, &cpu_aarch64, stack, stack_bytes);
			free_unwind_file(file);
		}
	}
	free(stack);
	close(fd);
	return 0;
}
