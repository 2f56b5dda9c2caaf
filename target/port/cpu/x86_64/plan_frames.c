/* SPDX-License-Identifier: MIT
 *
 * The unwind tables of plans (port/os/linux/plan.h), for the program's own unwinders. A program asks where it is in a gate when a signal
 * interrupts one: backtrace(), pthread_cancel and exceptions start there.
 *
 *     _dl_find_object     libgcc asks this for each frame, as a library that may come at any time, or linked into the program. It is
 *                         interposed. No lock is taken, and no memory, so it may be asked in a handler.
 *     dl_iterate_phdr     GNU's and LLVM's libunwind look through the objects that this lists. It is interposed, and lists the code of each
 *                         plan behind the program, as an object "[dwell]": its code and its tables.
 *     __register_frame    libgcc before GCC 12, and where the agent came later than libgcc did
 *
 * The last has to be there when the code is changed.
 */
#include "port/cpu/x86_64/sites_inner.h"

#include <link.h>

#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"

extern void __register_frame(void *section) OPTIONAL;

struct table {
	uint64_t low, high; /* of the code */
	uint64_t index;
	ElfW(Phdr) headers[2]; /* of these, as a file would have them */
};

#ifdef DWELL_LINKED_AGENT /* a program has its unwinder before the agent is in it */
static bool is_asked(void)
{
	return false;
}
static void add_table(const struct table *table)
{
	(void)table;
}
#else
#define TABLES_MAX 1024u

/* struct dl_find_object of <dlfcn.h>, which older systems do not have. */
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

/* Before the first table is added. */
__attribute__((constructor(101))) static void find_real(void)
{
	if (!real_find_object)
		real_find_object = (int (*)(void *, struct found_object *))unwind_find_real("_dl_find_object");
}

/* Another name for it here: headers of some systems have it, with a struct of theirs. */
int find_object(void *pc, struct found_object *found) __asm__("_dl_find_object");
extern __typeof__(find_object) own_find_object __attribute__((alias("_dl_find_object"), visibility("hidden")));
__attribute__((visibility("default"))) int find_object(void *pc, struct found_object *found)
{
	const struct table *table = find_table((uint64_t)pc);

	if (!table)
		return real_find_object ? real_find_object(pc, found) : -1;
	*found = (struct found_object){.low = (void *)table->low, .high = (void *)table->high, .unwind_index = (void *)table->index};
	return 0;
}

typedef int list_fn(struct dl_phdr_info *info, size_t bytes, void *data);
/* Another name for it here, so that its own calls are no calls of itself. */
int list_objects(list_fn *each, void *data) __asm__("dl_iterate_phdr");

struct listing {
	list_fn *each;
	void *data;
	bool is_told;
};

/* The code of plans behind the first object, under the lock that libc takes: who is called counts on being called by one at a time, and may
 * keep what it was given. */
static int list_one(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct listing *listing = data;
	uint32_t count = __atomic_load_n(&table_count, __ATOMIC_ACQUIRE);
	int status = listing->each(info, bytes, listing->data);

	for (uint32_t i = 0; i < count && !status && !listing->is_told; i++) {
		struct dl_phdr_info plan = *info;

		plan.dlpi_addr = 0;
		plan.dlpi_name = "[dwell]";
		plan.dlpi_phdr = tables[i].headers;
		plan.dlpi_phnum = 2;
		plan.dlpi_tls_modid = 0;
		plan.dlpi_tls_data = 0;
		status = listing->each(&plan, sizeof plan, listing->data);
	}
	listing->is_told = true;
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

/* Whether libgcc's calls arrive here: not where the agent was brought into a process that ran. */
static bool is_asked(void)
{
	__typeof__(find_object) *bound = find_object;

	find_real();
	__asm__("" : "+r"(bound)); /* what the loader made of the name, which the compiler takes for granted */
	return real_find_object && bound == own_find_object;
}
#endif

void plan_frames_add(uint64_t low, uint64_t high, uint8_t *index, uint32_t bytes)
{
	uint8_t *section = index + 4 + (int32_t)get32(index + 4);

	add_table(&(struct table){low, high, (uint64_t)index,
		{{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = low, .p_memsz = high - low},
			{.p_type = PT_GNU_EH_FRAME, .p_flags = PF_R, .p_vaddr = (uint64_t)index, .p_memsz = bytes}}});
	if (!is_asked() && IS_THERE(__register_frame))
		__register_frame(section);
}
