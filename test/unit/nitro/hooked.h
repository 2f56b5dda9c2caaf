/* The compiler's calls, made by hand: with registers that are known, and looked at afterwards. And what OS_Printf printed. */
#ifndef DWELL_TEST_NITRO_HOOKED_H
#define DWELL_TEST_NITRO_HOOKED_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "check.h"
#include "nitro.h"
#include "classic/target/port/nitro/port.h"

static char printed[1 << 20];
static size_t printed_length;

void nitro_port_put(const char *text, uint32_t length)
{
	if (printed_length + length < sizeof printed) {
		memcpy(printed + printed_length, text, length);
		printed_length += length;
	}
	printed[printed_length] = 0;
}

static inline void print_nothing(void)
{
	printed_length = 0;
	printed[0] = 0;
}

#ifdef __x86_64__
/* At the call of a function: rdi, rsi, rdx, rcx, r8, r9, rax, r10, r11, rbx, rbp, r12–r15. Then what they are behind the hook. */
struct registers {
	uint64_t integer[15];
	uint64_t vector[8][2];
};

/* As the plugin's code does it: in a function that was called from lr. */
void hooked_enter(const char *name, uint64_t lr, struct registers *registers);
void hooked_exit(struct registers *registers);

#define EACH_INTEGER(move)                                                                                                         \
	move(8, rsi) move(16, rdx) move(24, rcx) move(32, r8) move(40, r9) move(48, rax) move(56, r10) move(64, r11) move(72, rbx) \
		move(80, rbp) move(88, r12) move(96, r13) move(104, r14)
#define LOAD(offset, name) "mov " #offset "(%r15), %" #name "\n"
#define STORE(offset, name) "mov %" #name ", " #offset "(%r15)\n"
#define KEEP "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
#define GIVE_BACK "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
#define VECTORS(move) ".irp n, 0, 1, 2, 3, 4, 5, 6, 7\n" move ".endr\n"

__asm__(".text\n"
	"hooked_enter:\n" KEEP "mov %rdx, %r15\n"
	"push %rdi\n" /* the name, for later */
	"push %rsi\n" /* where the function was called */
	VECTORS("movups 120+16*\\n(%r15), %xmm\\n\n") EACH_INTEGER(
		LOAD) "mov (%r15), %rdi\n"
		      "push %rdi\n"
		      "mov 16(%rsp), %rdi\n"
		      "call __PROFILE_ENTRY\n"
		      "pop %rdi\n"
		      "mov %rdi, (%r15)\n" EACH_INTEGER(STORE) VECTORS(
			      "movups %xmm\\n, 120+16*\\n(%r15)\n") "add $16, %rsp\n" GIVE_BACK "ret\n"
								    "hooked_exit:\n" KEEP
								    "mov %rdi, %r15\n" VECTORS("movups 120+16*\\n(%r15), %xmm\\n\n")
									    EACH_INTEGER(LOAD) "mov (%r15), %rdi\n"
											       "call __PROFILE_EXIT\n"
											       "mov %rdi, (%r15)\n" EACH_INTEGER(
												       STORE)
												       VECTORS("movups %xmm\\n, "
													       "120+16*\\n(%r15)\n")
													       GIVE_BACK "ret\n");

static inline void fill(struct registers *registers, uint64_t with)
{
	for (size_t i = 0; i < sizeof *registers / 8; i++)
		((uint64_t *)registers)[i] = with + i * 0x1111;
}

static inline void enter_from(const char *name, uint64_t lr, uint64_t argument)
{
	struct registers registers, before;

	fill(&registers, argument);
	before = registers;
	hooked_enter(name, lr, &registers);
	CHECK(!memcmp(&registers, &before, sizeof before));
}

static inline void leave(void)
{
	struct registers registers, before;

	fill(&registers, 0xfeedfacecafebeef);
	before = registers;
	hooked_exit(&registers);
	CHECK(!memcmp(&registers, &before, sizeof before));
}
#else
/* As the plugin's code calls it there. */
void called_entry(const char *name, uintptr_t lr) __asm__("__PROFILE_ENTRY");

static inline void enter_from(const char *name, uint64_t lr, uint64_t argument)
{
	(void)argument;
	called_entry(name, (uintptr_t)lr);
}

static inline void leave(void)
{
	__PROFILE_EXIT();
}
#endif

static inline void enter(const char *name)
{
	enter_from(name, 0x1000, 0);
}

/* Memory with an end: bytes of it, between pages that nobody may touch. at_end: they lie against the one behind, else
 * against the one in front. */
static inline void *guarded(size_t bytes, bool at_end)
{
	static char *room;
	size_t page = 4096, size = 64 * page;

	if (!room) {
		room = mmap(0, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(room + page, size, PROT_READ | PROT_WRITE);
	}
	memset(room + page, 0xa5, size);
	return room + page + (at_end ? size - bytes : 0);
}

/* The bytes of that memory that were not given away are as they were. */
static inline bool untouched(const void *given, size_t bytes, bool at_end)
{
	const unsigned char *at = given;

	for (size_t i = 0; i < 64; i++)
		if ((at_end ? at[-1 - (long)i] : at[bytes + i]) != 0xa5)
			return false;
	return true;
}

#endif
