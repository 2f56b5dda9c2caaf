/* remote_stack: unwinds the stack of a stopped thread, and checks each function on it. */
#include "record/remote/remote_stack.h"

#ifdef __x86_64__

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "record/remote/remote_find.h"
#include "unwind/unwind.h"
#include "util/array.h"
#include "util/mapped_file.h"

#define FRAMES_MAX 16384u
#define PIECE_MAX (UINT64_C(4) << 20)
#define STACK_LEAST (UINT64_C(64) << 10) /* a mapping up to this size counts as too small for a thread's stack */
#define JUMP_BYTES 5u
#define BRANCH_BYTES 6u

/* Where on a stack a file's code is allowed. */
enum role {
	ROLE_ANY,
	ROLE_RUNTIME, /* a C library and its companions: as a caller, or in a waiting system call */
	ROLE_NEVER,   /* nowhere: the loader, unwinders, libraries with a malloc of their own */
};

struct code {
	uint64_t low, high, bias;
	struct unwind_file *file; /* one for all mappings of a file; null: no tables */
	uint64_t inode;
	enum role role;
	bool owns; /* this struct frees the unwind_file; another mapping of the file may use it, too */
};

struct span {
	uint64_t low, high;
};

struct remote_stacks {
	const struct remote_image *image;
	struct unwind_space *space;
	struct code *codes;
	size_t code_count, code_capacity;
	struct span *forbidden; /* functions that must not be on the stack */
	size_t forbidden_count, forbidden_capacity;
	bool failed; /* no memory */
};

static bool is_any(const struct remote_mapping *mapping, const char *const *names)
{
	for (; *names; names++)
		if (remote_is_library(mapping, *names))
			return true;
	return false;
}

static bool is_in_list(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

/* Whether the function allocates or frees: in C, in C++, or as an extra of jemalloc, tcmalloc or mimalloc. */
static bool is_of_malloc(const char *name)
{
	static const char *const names[] = {"malloc", "calloc", "realloc", "free", "cfree", "memalign", "aligned_alloc", "posix_memalign",
		"valloc", "pvalloc", "reallocarray", "malloc_usable_size", "malloc_trim", "malloc_stats", "mallinfo", "mallinfo2",
		"mallopt", "malloc_info", "free_sized", "free_aligned_sized", NULL};
	static const char *const beginnings[] = {"_Znw", "_Zna", "_Zdl", "_Zda", "mallctl", "mallocx", "rallocx", "xallocx", "sallocx",
		"dallocx", "sdallocx", "nallocx", "je_", "tc_", "mi_", "MallocExtension", "__libc_m", "__libc_f", "__libc_c", "__libc_r",
		NULL};

	if (is_in_list(name, names))
		return true;
	for (const char *const *beginning = beginnings; *beginning; beginning++)
		if (!strncmp(name, *beginning, strlen(*beginning)))
			return true;
	return false;
}

/* Whether the function of a C library holds locks while it calls the program. */
static bool calls_with_locks(const char *name)
{
	static const char *const names[] = {"dl_iterate_phdr", "dlopen", "dlmopen", "dlclose", "dlsym", "dlvsym", "dladdr", "dladdr1", "dlinfo",
		"fork", "_Fork", "__libc_fork", "vfork", "pthread_create", "pthread_atfork", "__register_atfork", "pthread_exit", NULL};

	return is_in_list(name, names);
}

/* Adds a function that must not be on the stack. */
static void add_forbidden(struct remote_stacks *stacks, uint64_t low, uint64_t high)
{
	if (low >= high)
		high = low + 1;
	if (array_reserve(&stacks->forbidden, &stacks->forbidden_capacity, stacks->forbidden_count + 1, sizeof *stacks->forbidden))
		stacks->forbidden[stacks->forbidden_count++] = (struct span){low, high};
	else
		stacks->failed = true;
}

static bool is_forbidden(const struct remote_stacks *stacks, uint64_t address)
{
	for (size_t i = 0; i < stacks->forbidden_count; i++)
		if (address >= stacks->forbidden[i].low && address < stacks->forbidden[i].high)
			return true;
	return false;
}

/* What a search of a file's exported functions needs and finds. */
struct symbol_scan {
	struct remote_stacks *stacks;
	bool is_libc, has_malloc;
};

static void scan_symbol(void *context, const char *name, uint64_t low, uint64_t high)
{
	struct symbol_scan *symbol_scan = context;
	bool of_malloc = is_of_malloc(name);

	symbol_scan->has_malloc |= !strcmp(name, "malloc");
	if (of_malloc || (symbol_scan->is_libc && calls_with_locks(name)))
		add_forbidden(symbol_scan->stacks, low, high);
}

static const struct code *find_code(const struct remote_stacks *stacks, uint64_t address)
{
	for (size_t i = 0; i < stacks->code_count; i++)
		if (address >= stacks->codes[i].low && address < stacks->codes[i].high)
			return &stacks->codes[i];
	return NULL;
}

/* Adds the targets of jumps: a function of the malloc family that ends in a jump to another function is not on the stack while
 * the target runs. Any bytes that look like a jump into a function count: an unnecessary refusal of a thread does no harm. */
static void follow_jumps(struct remote_stacks *stacks, size_t first)
{
	for (size_t i = first; i < stacks->forbidden_count && !stacks->failed; i++) {
		struct span span = stacks->forbidden[i];
		const struct code *code = find_code(stacks, span.low);
		uint8_t bytes[4096];
		size_t size = span.high - span.low < sizeof bytes ? span.high - span.low : sizeof bytes;

		if (!code || !code->file || !remote_read(stacks->image, span.low, bytes, size))
			continue;
		for (size_t at = 0; at + JUMP_BYTES <= size; at++) {
			size_t length = bytes[at] == 0xe9 ? JUMP_BYTES
					: bytes[at] == 0x0f && (bytes[at + 1] & 0xf0) == 0x80 ? BRANCH_BYTES
											      : 0;
			uint64_t target, low, high;
			int32_t distance;

			if (!length || at + length > size)
				continue;
			memcpy(&distance, bytes + at + length - sizeof distance, sizeof distance);
			target = span.low + at + length + (uint64_t)(int64_t)distance;
			if (target >= code->low && target < code->high && !is_forbidden(stacks, target) &&
				unwind_file_find(code->file, target - code->bias, &low, &high))
				add_forbidden(stacks, target, code->bias + high);
		}
	}
}

static bool is_program(const struct remote_image *image, const struct remote_mapping *mapping)
{
	char path[32];
	struct stat info;

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)remote_live_thread(image->pid));
	return stat(path, &info) == 0 && info.st_ino == mapping->inode;
}

/* Finds the role of the mapping's file, and adds its functions that must not be on the stack. */
static enum role find_role(struct remote_stacks *stacks, const struct remote_mapping *mapping)
{
	static const char *const loaders[] = {"ld", "libgcc_s", "libunwind", "libc++abi", NULL};
	static const char *const runtimes[] = {"libc", "libpthread", "libdl", "librt", "libstdc++", "libc++", NULL};
	struct symbol_scan symbol_scan = {stacks, remote_is_library(mapping, "libc"), false};
	size_t first = stacks->forbidden_count;

	if (is_any(mapping, loaders))
		return ROLE_NEVER;
	if (!remote_each_function(stacks->image, mapping, scan_symbol, &symbol_scan))
		return ROLE_NEVER;
	if (is_program(stacks->image, mapping)) {
		follow_jumps(stacks, first);
		return ROLE_ANY;
	}
	if (is_any(mapping, runtimes)) {
		follow_jumps(stacks, first);
		return ROLE_RUNTIME;
	}
	return symbol_scan.has_malloc ? ROLE_NEVER : ROLE_ANY;
}

/* Finds the unwind tables of the mapping's file, one struct for all mappings of the file. */
static void find_file(struct remote_stacks *stacks, const struct remote_mapping *mapping, struct code *code)
{
	char name[MAPPED_NAME_BYTES];
	int fd;

	if (!mapping->inode || !remote_find_bias(stacks->image, mapping, &code->bias))
		return;
	for (size_t i = 0; i < stacks->code_count && !code->file; i++)
		if (stacks->codes[i].inode == mapping->inode && stacks->codes[i].bias == code->bias) {
			code->file = stacks->codes[i].file;
			code->role = stacks->codes[i].role;
			return;
		}
	fd = remote_open_file(stacks->image, mapping);
	if (fd < 0)
		return;
	mapped_name_descriptor(name, fd);
	code->file = make_unwind_file(name, NULL);
	code->owns = true;
	close(fd);
}

static void add_code(struct remote_stacks *stacks, const struct remote_mapping *mapping)
{
	struct code code = {.low = mapping->low, .high = mapping->high, .inode = mapping->inode, .role = ROLE_NEVER};

	find_file(stacks, mapping, &code);
	if (!array_reserve(&stacks->codes, &stacks->code_capacity, stacks->code_count + 1, sizeof code) ||
		!unwind_space_map(stacks->space, code.low, code.high, code.bias, code.file)) {
		if (code.owns)
			free_unwind_file(code.file);
		stacks->failed = true;
		return;
	}
	stacks->codes[stacks->code_count++] = code;
	if (code.owns && code.file)
		stacks->codes[stacks->code_count - 1].role = find_role(stacks, mapping);
}

struct remote_stacks *make_remote_stacks(const struct remote_image *image)
{
	struct remote_stacks *stacks = calloc(1, sizeof *stacks);

	if (!stacks || !(stacks->space = make_unwind_space(cpu_native()))) {
		free(stacks);
		return NULL;
	}
	stacks->image = image;
	for (size_t i = 0; i < image->map_count && !stacks->failed; i++)
		if (image->maps[i].access[2] == 'x')
			add_code(stacks, &image->maps[i]);
	if (!stacks->failed)
		return stacks;
	free_remote_stacks(stacks);
	return NULL;
}

void free_remote_stacks(struct remote_stacks *stacks)
{
	if (!stacks)
		return;
	for (size_t i = 0; i < stacks->code_count; i++)
		if (stacks->codes[i].owns)
			free_unwind_file(stacks->codes[i].file);
	free(stacks->codes);
	free(stacks->forbidden);
	free_unwind_space(stacks->space);
	free(stacks);
}

/* Converts the registers for the unwinder. */
static void fill(const struct user_regs_struct *from, struct unwind_registers *to)
{
	/* In the order of the unwind tables' register numbers. */
	const uint64_t values[] = {from->rax, from->rdx, from->rcx, from->rbx, from->rsi, from->rdi, from->rbp, from->rsp, from->r8,
		from->r9, from->r10, from->r11, from->r12, from->r13, from->r14, from->r15};

	*to = (struct unwind_registers){.pc = from->rip};
	for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
		to->values[i] = values[i];
		to->known |= UINT32_C(1) << i;
	}
}

/* Copies the memory from a place to the end of its mapping. False: not mapped, or larger than PIECE_MAX. */
static bool copy_piece(const struct remote_image *image, uint64_t from, struct unwind_stack *piece)
{
	const struct remote_mapping *mapping = remote_image_at(image, from);
	uint64_t size = mapping ? mapping->high - from : 0;
	uint8_t *bytes = size && size <= PIECE_MAX ? malloc(size) : NULL;

	if (!bytes || !remote_read(image, from, bytes, size)) {
		free(bytes);
		return false;
	}
	*piece = (struct unwind_stack){.bytes = {bytes, size}, .address = from};
	return true;
}

/* Copies the outer part of the thread's own stack, unless sp is on that stack: a signal handler
 * may run on a separate stack, and the functions that the signal interrupted are on the own
 * stack. The own stack is the first thread's, or the mapping with the thread's data. */
static void copy_own(const struct remote_image *image, uint64_t sp, uint64_t thread_pointer, struct unwind_stack *piece)
{
	const struct remote_mapping *own = NULL, *data = remote_image_at(image, thread_pointer);

	for (size_t i = 0; i < image->map_count; i++)
		if (!strcmp(image->maps[i].path, "[stack]"))
			own = &image->maps[i];
	/* The first thread's data is not in its stack, but in a small mapping of the loader. */
	if (data && !data->inode && data->high - data->low > STACK_LEAST)
		own = data;
	if (own && (sp < own->low || sp >= own->high))
		copy_piece(image, own->high - own->low > PIECE_MAX ? own->high - PIECE_MAX : own->low, piece);
}

/* Whether a system call instruction ends at the place. */
static bool is_behind_call(const struct remote_stacks *stacks, uint64_t place)
{
	static const uint8_t syscall_code[] = {0x0f, 0x05};
	uint8_t bytes[sizeof syscall_code];

	return remote_read(stacks->image, place - sizeof bytes, bytes, sizeof bytes) && !memcmp(bytes, syscall_code, sizeof bytes);
}

/* Whether the function at a place may be on the stack. innermost: the thread executes it now. waits: the thread waits in a system
 * call. interrupted: a signal handler has interrupted the function. */
static bool may_be_on_stack(
	const struct remote_stacks *stacks, uint64_t place, bool innermost, bool waits, bool interrupted, bool *unknown)
{
	const struct code *code = find_code(stacks, place);

	if (!code || !code->file) {
		*unknown = true;
		return false;
	}
	if (code->role == ROLE_NEVER || is_forbidden(stacks, place))
		return false;
	/* Code of a C library that a signal handler interrupted may hold locks,
	 * but not in its own system call. Callers are checked separately. */
	return code->role != ROLE_RUNTIME || (innermost ? waits : !interrupted || is_behind_call(stacks, place));
}

bool remote_stack_holds_no_lock(struct remote_stacks *stacks, const struct user_regs_struct *registers, bool waits, bool *unknown)
{
	static uint64_t frames[FRAMES_MAX];
	struct unwind_stack piece = {0}, own = {0};
	struct unwind_registers at;
	struct unwind_result result;
	uint64_t signals = 0;
	bool good, below_trampoline = false;

	if (!copy_piece(stacks->image, registers->rsp, &piece)) {
		*unknown = true;
		return false;
	}
	copy_own(stacks->image, registers->rsp, registers->fs_base, &own);
	piece.next_stack = &own;
	fill(registers, &at);
	result = unwind_stack(stacks->space, &at, &piece, frames, FRAMES_MAX, &signals);
	good = result.state == DWELL_STACK_COMPLETE;
	*unknown |= !good;
	for (uint32_t i = 0; i < result.count && good; i++) {
		/* The bits mark the trampoline of a handler, and then the interrupted place. They
		 * cover 64 frames only: in deeper frames, interrupted functions count as callers. */
		bool is_place = i < 64 && signals >> i & 1, interrupted = is_place && below_trampoline;

		below_trampoline = i && is_place && !interrupted;
		good = may_be_on_stack(stacks, frames[i] - !is_place, i == 0, waits, interrupted, unknown);
	}
	free((void *)piece.bytes.data);
	free((void *)own.bytes.data);
	return good;
}

#endif
