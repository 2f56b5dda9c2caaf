/* remote_call_state: writes a thread's state as a signal frame, as the kernel reads one when a signal handler returns. */
#include "record/remote/remote_call_inner.h"

#ifdef __x86_64__

#include <cpuid.h>
#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

/* The kernel's struct ucontext, which rt_sigreturn(2) reads at the stack pointer. state: the address of the vector registers. */
struct saved_context {
	uint64_t flags, link, stack[3];
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t error, trap, old_mask, cr2, state, reserved[8];
	uint64_t mask;
};
_Static_assert(offsetof(struct saved_context, mask) == 40 + 256, "as in the kernel's asm/sigcontext.h");

#define RETURNS_STATE 1u
#define RETURNS_SS 6u
#define STACK_OF_NOBODY 0xffu /* flags that the kernel refuses: the signal stack stays unchanged */
#define STATE_SOFTWARE 464u
#define STATE_LEGACY_BYTES 576u /* with the header, which begins with a mask of the registers in use */
#define FEATURES_TILES (UINT64_C(3) << 17)
#define STATE_MAGIC_1 0x46505853u
#define STATE_MAGIC_2 0x46505845u

/* Fills the frame with the thread's registers and signal mask. state: address of the vector registers in the process. */
static void fill_context(const struct borrowed *borrowed, struct saved_context *saved_context, uint64_t state)
{
	const struct user_regs_struct *from = &borrowed->registers;
	int64_t result = (int64_t)from->rax;
	/* An interrupted system call starts again, as after a signal handler; a timed wait starts from its full time. */
	bool again = (int64_t)from->orig_rax >= 0 && result <= -512 && result >= -516;

	*saved_context = (struct saved_context){RETURNS_STATE | RETURNS_SS, 0, {0, STACK_OF_NOBODY, 0}, from->r8, from->r9,
		from->r10, from->r11, from->r12, from->r13, from->r14, from->r15, from->rdi, from->rsi, from->rbp, from->rbx,
		from->rdx, again ? from->orig_rax : from->rax, from->rcx, from->rsp, from->rip - (again ? 2 : 0), from->eflags,
		(uint16_t)from->cs, (uint16_t)from->gs, (uint16_t)from->fs, (uint16_t)from->ss, 0, 0, 0, 0, state, {0},
		borrowed->mask};
}

bool remote_read_state(struct borrowed *borrowed)
{
	struct iovec state = {borrowed->state, sizeof borrowed->state};

	if (ptrace(PTRACE_GETREGSET, borrowed->tid, NT_X86_XSTATE, &state) < 0 || state.iov_len < STATE_LEGACY_BYTES)
		return false;
	borrowed->state_bytes = state.iov_len;
	return true;
}

/* The number of bytes of the state that rt_sigreturn(2) accepts; *features: a mask of the registers in the state.
 * ptrace returns all registers, but tiles (AMX) are only for threads with permission: for other threads, the
 * kernel would restore only the oldest registers of a state with tiles. So unused tiles are left out. */
static uint32_t find_returned_bytes(const struct borrowed *borrowed, uint64_t *features)
{
	uint64_t has;
	uint32_t bytes = STATE_LEGACY_BYTES, size, offset, c, d;

	memcpy(&has, borrowed->state + STATE_LEGACY_BYTES - 64, sizeof has);
	memcpy(features, borrowed->state + STATE_SOFTWARE, sizeof *features);
	if (!(*features & FEATURES_TILES) || has & FEATURES_TILES)
		return (uint32_t)borrowed->state_bytes;
	*features &= ~FEATURES_TILES;
	for (unsigned i = 2; i < 63; i++)
		if (*features >> i & 1 && __get_cpuid_count(0xd, i, &size, &offset, &c, &d) && offset + size > bytes &&
			offset + size <= borrowed->state_bytes)
			bytes = offset + size;
	return bytes;
}

bool remote_write_signal_frame(const struct borrowed *borrowed, uint64_t top, uint64_t return_to, uint64_t *pointer)
{
	uint64_t features;
	uint32_t size = find_returned_bytes(borrowed, &features), last = STATE_MAGIC_2;
	uint32_t software[5] = {STATE_MAGIC_1, size + 4, (uint32_t)features, (uint32_t)(features >> 32), size};
	uint64_t state = (top - size - sizeof last) & ~UINT64_C(63);
	uint64_t frame = (state - sizeof(struct saved_context)) & ~UINT64_C(15);
	struct saved_context saved_context;

	fill_context(borrowed, &saved_context, state);
	*pointer = frame - sizeof return_to;
	return remote_write(borrowed->image, state, borrowed->state, size) &&
	       remote_write(borrowed->image, state + STATE_SOFTWARE, software, sizeof software) &&
	       remote_write(borrowed->image, state + size, &last, sizeof last) &&
	       remote_write(borrowed->image, frame, &saved_context, sizeof saved_context) &&
	       remote_write(borrowed->image, *pointer, &return_to, sizeof return_to);
}

#endif
