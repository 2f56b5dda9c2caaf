/* SPDX-License-Identifier: MIT
 *
 * Makes the unwind tables of plans (port/os/linux/plan.h) available to the program's own unwinders. Unwinders need the tables if a
 * signal interrupts a gate: backtrace(), pthread_cancel and exceptions start from there.
 *
 *     _dl_find_object     libgcc calls this for each frame: the library, which may be loaded at any time, or a linked copy. The
 *                         wrapper takes no lock and no memory, so handlers may call it.
 *     dl_iterate_phdr     GNU's and LLVM's libunwind call this to list objects. The wrapper also lists the code of each plan,
 *                         behind the program, as an object "[dwell]" with its code and its tables.
 *     __register_frame    for libgcc before GCC 12, and if the agent came later than libgcc did
 *
 * The process must have __register_frame already when the code changes.
 */
#include "port/cpu/x86_64/sites_inner.h"

#include <link.h>

#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"

extern void __register_frame(void *section) OPTIONAL;

struct table {
	uint64_t low, high; /* of the code */
	uint64_t index; /* address of the .eh_frame_hdr of the code */
	ElfW(Phdr) headers[2]; /* program headers of the code and of the index, as a file would have them */
};

#ifdef DWELL_LINKED_AGENT /* the program has an unwinder before the agent is in it: only __register_frame is used */
static bool is_interposed(void)
{
	return false;
}
static void add_table(const struct table *table)
{
	(void)table;
}
#else
#define TABLES_MAX 1024u

/* struct dl_find_object of <dlfcn.h>, missing in older systems. */
struct found_object {
	unsigned long long flags;
	void *low, *high, *map, *unwind_index;
	unsigned long long unused[7];
};

static struct table tables[TABLES_MAX];
static volatile uint32_t table_count;

static const struct table *find_table(uint64_t pc)
{
	uint32_t count = __atomic_load_n(&table_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count; i++)
		if (pc - tables[i].low < tables[i].high - tables[i].low)
			return &tables[i];
	return 0;
}

static void add_table(const struct table *table)
{
	uint32_t count = table_count;

	if (count == TABLES_MAX)
		return;
	tables[count] = *table;
	__atomic_store_n(&table_count, count + 1, __ATOMIC_RELEASE);
}

static int (*real_find_object)(void *pc, struct found_object *found);

/* Runs before the first table is added. */
__attribute__((constructor(101))) static void find_real(void)
{
	if (!real_find_object)
		real_find_object = (int (*)(void *, struct found_object *))unwind_find_real("_dl_find_object");
}

/* Another C name for _dl_find_object: the headers of some systems declare _dl_find_object with their own struct. */
int find_object(void *pc, struct found_object *found) __asm__("_dl_find_object");
extern __typeof__(find_object) own_find_object __attribute__((alias("_dl_find_object"), visibility("hidden")));
__attribute__((visibility("default"))) int find_object(void *pc, struct found_object *found)
{
	const struct table *table = find_table((uint64_t)pc);

	if (!table)
		return real_find_object ? real_find_object(pc, found) : -1;
	*found =
		(struct found_object){.low = (void *)table->low, .high = (void *)table->high, .unwind_index = (void *)table->index};
	return 0;
}

typedef int list_fn(struct dl_phdr_info *info, size_t bytes, void *data);
/* Another C name for dl_iterate_phdr, so that the compiler does not take its calls for recursion. */
int list_objects(list_fn *each, void *data) __asm__("dl_iterate_phdr");

/* One call of dl_iterate_phdr: the program's callback, and whether it has got the plans' code already. */
struct listing {
	list_fn *each;
	void *data;
	bool plans_listed;
};

/* Lists the code of plans behind the first object, under libc's lock: the callback expects to run in one thread at a time,
 * and may keep its arguments. */
static int list_one(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct listing *listing = data;
	uint32_t count = __atomic_load_n(&table_count, __ATOMIC_ACQUIRE);
	int status = listing->each(info, bytes, listing->data);

	for (uint32_t i = 0; i < count && !status && !listing->plans_listed; i++) {
		struct dl_phdr_info plan = *info;

		plan.dlpi_addr = 0;
		plan.dlpi_name = "[dwell]";
		plan.dlpi_phdr = tables[i].headers;
		plan.dlpi_phnum = 2;
		plan.dlpi_tls_modid = 0;
		plan.dlpi_tls_data = 0;
		status = listing->each(&plan, sizeof plan, listing->data);
	}
	listing->plans_listed = true;
	return status;
}

__attribute__((visibility("default"))) int list_objects(list_fn *each, void *data)
{
	static __typeof__(list_objects) *volatile real;
	struct listing listing = {each, data, false};

	if (!real)
		real = (__typeof__(list_objects) *)unwind_find_real("dl_iterate_phdr");
	return real ? real(list_one, &listing) : 0;
}

/* Whether libgcc's calls of _dl_find_object arrive here: not if the agent was injected into a running process. */
static bool is_interposed(void)
{
	__typeof__(find_object) *bound = find_object;

	find_real();
	__asm__("" : "+r"(bound)); /* read the loader's binding of the name, which the compiler would take for granted */
	return real_find_object && bound == own_find_object;
}
#endif

void plan_frames_add(uint64_t low, uint64_t high, uint8_t *index, uint32_t bytes)
{
	uint8_t *section = index + 4 + (int32_t)get32(index + 4);

	add_table(&(struct table){low, high, (uint64_t)index,
		{{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = low, .p_memsz = high - low},
			{.p_type = PT_GNU_EH_FRAME, .p_flags = PF_R, .p_vaddr = (uint64_t)index, .p_memsz = bytes}}});
	if (!is_interposed() && IS_DEFINED(__register_frame))
		__register_frame(section);
}
