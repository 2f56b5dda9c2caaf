/* SPDX-License-Identifier: MIT
 *
 * Finds the mapped files and the hooks in the files: all files at the start; a later file after the loader has loaded it
 * (loader.c), or at the first hook call: until then, hook calls go to the exported entries. dl_iterate_phdr holds the loader's lock
 * around the callback; no further mutual exclusion is needed.
 */
#include "port/os/linux/modules_inner.h"

#include "port/os/linux/environment.h"
#include "port/os/linux/extents.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/image.h"
#include "port/os/linux/namespaces.h"
#include "port/os/linux/next.h"
#include "port/os/linux/plan.h"
#include "port/os/linux/plans.h"
#include "port/os/linux/system.h"

#define CALL_BYTES_MAX 8

struct module modules[MODULES_MAX];
unsigned module_count;
static volatile uint32_t adopting; /* thread that adopts modules with the loader's lock: a handler must not begin again */
static volatile uint32_t adopters; /* number of threads that hold the loader's lock or wait for the lock */

void modules_list_files(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
	if (!next_list_files(each, data))
		namespaces_list_files(each, data);
}

void modules_report(struct dwell_session *session, const struct module *module, uint64_t ticks, uint32_t flags)
{
	static union {
		uint64_t align;
		unsigned char bytes[DWELL_MODULE_PATH + PATH_BYTES];
	} payload;
	unsigned char *p = payload.bytes;
	uint64_t words[4] = {module->low, module->high, module->bias, ticks};
	uint32_t halves[2] = {module->flags | flags, module->build_id_bytes}, length = 0;

	for (int i = 0; i < 4; i++)
		for (int b = 0; b < 8; b++)
			*p++ = (unsigned char)(words[i] >> 8 * b);
	for (int i = 0; i < 2; i++)
		for (int b = 0; b < 4; b++)
			*p++ = (unsigned char)(halves[i] >> 8 * b);
	for (unsigned i = 0; i < sizeof module->build_id; i++)
		*p++ = module->build_id[i];
	do
		*p++ = (unsigned char)module->path[length];
	while (module->path[length++]);
	journal_append_to(session, DWELL_CHUNK_MODULE, payload.bytes, (uint32_t)(p - payload.bytes));
}

void modules_report_all(struct dwell_session *session)
{
	for (unsigned i = 0; i < module_count; i++)
		if (!modules[i].is_unmapped)
			modules_report(session, &modules[i], 0, 0);
}

void modules_filter(void)
{
	for (unsigned i = 0; i < module_count; i++) {
		const struct module *module = &modules[i];
		const struct dwell_filter_module *filter;

		if (module->is_unmapped)
			continue;
		filter = filter_find(module->path, module->build_id, module->build_id_bytes);
		if (module->sites)
			hooks_filter_sites(module->sites, filter, module->bias);
		/* Stubs read the map only if a filter existed when the stubs were made. */
		if (filter_map && !module->window && !hooks_may_be_tags(module->low, module->high))
			filter_mark(filter, module->low, module->high, module->bias);
	}
}

void modules_count(uint64_t kinds, uint64_t skipped, uint64_t unpatched)
{
	agent.hook_kinds |= kinds;
	agent.skipped_functions += skipped;
	agent.unpatched_modules += unpatched;
	if (!agent.session)
		return;
	__atomic_fetch_or(&agent.session->hook_kinds, kinds, __ATOMIC_RELAXED);
	__atomic_fetch_add(&agent.session->skipped_functions, skipped, __ATOMIC_RELAXED);
	__atomic_fetch_add(&agent.session->unpatched_modules, unpatched, __ATOMIC_RELAXED);
}

void modules_count_hooked(void)
{
	dwell_control.hooked_modules = ++agent.hooked_modules;
	if (agent.session)
		__atomic_fetch_add(&agent.session->hooked_modules, 1, __ATOMIC_RELAXED);
}

/* Whether the two ranges overlap in the low 32 bits. */
static bool overlap_low32(const struct module *a, uint64_t low, uint64_t high)
{
	uint32_t a_low = (uint32_t)a->low, b_low = (uint32_t)low;

	if (a->high - a->low > UINT32_MAX || high - low > UINT32_MAX)
		return true;
	return b_low - a_low < (uint32_t)(a->high - a->low) || a_low - b_low < (uint32_t)(high - low);
}

/* Whether the program defines an enter hook, which then stays in use. A program's hooks of one kind do not exclude dwell's hooks of
 * the other kind. */
static bool find_own_hooks(const struct image *image, bool at_start)
{
	uint64_t enter = image_find_symbol(image, "__cyg_profile_func_enter"), fentry = image_find_symbol(image, "__fentry__");
	bool own_enter = enter && enter != (uint64_t)&dwell_own_enter;

	agent.own_fentry = fentry && fentry != (uint64_t)&dwell_own_fentry;
	if (at_start && (own_enter || agent.own_fentry)) {
		agent.own_hooks = dwell_control.own_hooks = 1;
		if (agent.session)
			__atomic_fetch_add(&agent.session->own_hooks, 1, __ATOMIC_RELAXED);
	}
	return own_enter;
}

/* False: the system refuses. Then calls still reach the exported entries: slower, but correct. */
bool modules_redirect(const struct image *image, void **slot, void *target)
{
	uint64_t page = (uint64_t)slot & ~4095ull;
	bool read_only = (uint64_t)slot >= image->relro_low && (uint64_t)slot < image->relro_high;

	if (read_only && system_mprotect((void *)page, 4096, 3) < 0)
		return false;
	__atomic_store_n(slot, target, __ATOMIC_RELEASE);
	if (read_only)
		system_mprotect((void *)page, 4096, 1);
	return true;
}

static void patch_code(const struct image *image, void **slot, void *target)
{
	for (unsigned i = 0; i < image->header_count; i++) {
		const ElfW(Phdr) *header = image->headers + i;

		if (header->p_type == PT_LOAD && (header->p_flags & PF_X))
			hooks_patch_code(
				image->bias + header->p_vaddr, image->bias + header->p_vaddr + header->p_filesz, slot, target);
	}
}

/* Redirects a module's hook calls to targets made for the module. True: the module has hook calls. */
static bool redirect_hooks(const struct image *image, struct module *module, bool collides, bool at_start)
{
	void **enters[IMAGE_SLOTS_MAX], **exits[IMAGE_SLOTS_MAX];
	unsigned enter_count = image_find_slots(image, "__cyg_profile_func_enter", enters, IMAGE_SLOTS_MAX);
	unsigned exit_count = image_find_slots(image, "__cyg_profile_func_exit", exits, IMAGE_SLOTS_MAX);
	struct hook_targets targets = module->targets; /* of an earlier module at the same place: within reach */

	if (!enter_count && !exit_count)
		return false;
	if (!targets.enter || collides)
		targets = hooks_make_targets(image->low, image->high, collides);
	module->targets = targets;
	for (unsigned i = 0; i < enter_count; i++)
		module->exported |= !modules_redirect(image, enters[i], targets.enter);
	for (unsigned i = 0; i < exit_count; i++)
		module->exported |= !modules_redirect(image, exits[i], targets.exit);
	/* Changes code only at the start, while no second thread can run the code. */
	if (at_start && !collides) {
		for (unsigned i = 0; i < enter_count; i++)
			patch_code(image, enters[i], targets.enter);
		for (unsigned i = 0; i < exit_count; i++)
			patch_code(image, exits[i], targets.exit);
	}
	return true;
}

static bool same_bytes(const uint8_t *a, const uint8_t *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* State of a scan of the mapped files, in two passes: find_still_mapped finds the modules that are gone, then adopt_file adopts
 * new files, which may lie at the addresses of a module that is gone. first: no module was known before the scan. at_start: the
 * same, and the agent is not injected, so that only one thread runs. own_enter: the program defines an enter hook. */
struct scan {
	bool first, at_start, own_enter;
	bool postpones; /* leave the slow parts until no lock is held */
	enum sites_when when;
	unsigned index; /* number of the file in load order; 0: the program */
	bool seen[MODULES_MAX]; /* by module: still mapped and unchanged */
};

static bool holds(const struct image *image, const void *address)
{
	return (uint64_t)address >= image->low && (uint64_t)address < image->high;
}

/* Whether the calls still go to the module's targets. A file unmapped and mapped again at the same addresses looks unchanged, but
 * the dynamic linker has reset the words. */
static bool is_redirected(const struct image *image, const struct module *module)
{
	void **slots[1];

	if (module->sites && !hooks_are_patched(module->sites))
		return false;
	if (!module->targets.enter || module->exported)
		return true;
	if (image_find_slots(image, "__cyg_profile_func_enter", slots, 1))
		return *slots[0] == module->targets.enter;
	return !image_find_slots(image, "__cyg_profile_func_exit", slots, 1) || *slots[0] == module->targets.exit;
}

/* Returns an entry for a new module: preferably of a missing module at the same place, else of any missing module, else a new
 * entry. Null: the table is full. */
static struct module *take_entry(const struct image *image)
{
	struct module *entry = 0;

	for (unsigned i = 0; i < module_count; i++) {
		if (!modules[i].is_unmapped)
			continue;
		if (modules[i].low == image->low && modules[i].high == image->high)
			return &modules[i];
		entry = &modules[i];
	}
	if (!entry && module_count < MODULES_MAX)
		entry = &modules[module_count++];
	if (entry) {
		entry->needs_plan = false;
		entry->targets = (struct hook_targets){0, 0};
		entry->sites = 0;
	}
	return entry;
}

static uint32_t usable_id_bytes(const struct image *image)
{
	return image->build_id_bytes > sizeof ((struct module *)0)->build_id ? 0 : image->build_id_bytes;
}

struct module *modules_find_known(const struct image *image)
{
	uint32_t id_bytes = usable_id_bytes(image);

	for (unsigned i = 0; i < module_count; i++)
		if (!modules[i].is_unmapped && modules[i].low == image->low && modules[i].high == image->high &&
			modules[i].build_id_bytes == id_bytes && same_bytes(modules[i].build_id, image->build_id, id_bytes))
			return &modules[i];
	return 0;
}

static bool open_image(struct image *image, const struct dl_phdr_info *info)
{
	return image_open(image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum);
}

/* First pass: finds known modules that are mapped and unchanged. */
static int find_still_mapped(struct dl_phdr_info *info, size_t size, void *data)
{
	struct scan *scan = data;
	struct image image;
	struct module *module;

	(void)size;
	if (!open_image(&image, info))
		return 0;
	module = modules_find_known(&image);
	if (module && is_redirected(&image, module))
		scan->seen[module - modules] = true;
	return 0;
}

/* Marks known modules as unmapped if the first pass has not found them unchanged, and reports the unmapping in the journal. */
static void drop_unmapped(const struct scan *scan)
{
	for (unsigned i = 0; i < module_count; i++) {
		if (modules[i].is_unmapped || scan->seen[i])
			continue;
		modules[i].is_unmapped = true;
		if (modules[i].sites)
			hooks_drop_sites(modules[i].sites);
		modules_report(agent.session, &modules[i], port_now(), DWELL_MODULE_UNMAPPED);
	}
}

/* Whether any code calls the hooks of an agent linked into the same file. An enter hook is never the last action of a function, so
 * the search is for calls and not for jumps. */
static bool calls_own_hooks(const struct image *image)
{
	for (unsigned i = 0; i < image->header_count; i++) {
		const ElfW(Phdr) *header = image->headers + i;
		uint64_t begin = image->bias + header->p_vaddr;

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
			continue;
		for (uint64_t at = begin + CALL_BYTES_MAX; at <= begin + header->p_filesz; at += PORT_CODE_STEP)
			if (port_call_target(at) == (uint64_t)&dwell_own_enter)
				return true;
	}
	return false;
}

/* Whether the hook calls of a newly mapped file will reach the entries of an agent linked into the program. The loader fills in the
 * file's words only now, with the program's entries: calls through the words would not reveal the file. */
static bool calls_linked_entries(const struct image *image, const struct scan *scan)
{
	void **slots[1];

	return IS_LINKED && scan->when == SITES_LOADED && !scan->at_start &&
	       (image_find_slots(image, "__cyg_profile_func_enter", slots, 1) || image_find_slots(image, "__cyg_profile_func_exit", slots, 1));
}

/* Notes the module for a later request of the plan, if the pass postpones requests. */
static void postpone(struct module *module, const struct scan *scan, bool is_new, bool is_program)
{
	module->needs_plan = scan->postpones;
	module->is_new = is_new;
	module->is_program = is_program;
}

/* Applies a plan to a file without hooks, if record makes plans. With SITES_CALLED, threads may run the file: then the changes are
 * only listed, for record. */
static struct sites *adopt_plan(const struct image *image, const struct module *module, const struct scan *scan, bool is_program,
	const struct dwell_filter_module *filter)
{
	const struct dwell_plan *plan = scan->postpones ? 0 : modules_request_plan(image, module, is_program);

	return plan ? hooks_adopt_plan(image, module->window, scan->at_start ? SITES_AT_START : scan->when, filter, plan) : 0;
}

/* Adopts hooks of both kinds. True: the module has hooks. A program with a linked agent always counts as hooked, since the search
 * does not cover calls through words. */
static bool adopt_hooks(const struct image *image, struct module *module, const struct scan *scan, bool is_program)
{
	bool is_own = holds(image, (const void *)&dwell_own_enter), hooked = is_own && is_program;
	const struct dwell_filter_module *filter = filter_find(module->path, module->build_id, module->build_id_bytes);
	struct sites *earlier = module->sites;
	bool calls_hooks;

	module->sites = 0;
	if (is_own && !is_program)
		return false;
	/* filter_mark writes by the low 32 bits of addresses: where two modules have these in common, marks would hit the other
	 * module's functions. The marks come first, since a hook reads the map as soon as it is adopted. */
	if (!module->window && !hooks_may_be_tags(image->low, image->high))
		filter_mark(filter, image->low, image->high, image->bias);
	if (!is_own && !scan->own_enter) {
		module->exported = calls_linked_entries(image, scan);
		hooked = module->exported || redirect_hooks(image, module, module->window, scan->at_start);
	}
	calls_hooks = is_own ? calls_own_hooks(image) : hooked;
	if (calls_hooks)
		modules_count(DWELL_HOOKS_CYG, 0, 0);
	/* If the agent is injected and threads may run the file, dwell applies a plan instead, while the threads are stopped. */
	if (!agent.is_injected || scan->when != SITES_CALLED)
		module->sites =
			hooks_adopt_sites(image, earlier, module->window, scan->at_start ? SITES_AT_START : scan->when, filter,
				!calls_hooks		     ? 0
				: is_own || module->exported ? (uint64_t)&dwell_own_enter
							     : (uint64_t)module->targets.enter);
	if (!hooked && !module->sites)
		postpone(module, scan, true, is_program);
	if (!hooked && !module->sites)
		module->sites = adopt_plan(image, module, scan, is_program, filter);
	return hooked || module->sites;
}

/* Whether the module calls hooks through a word still to be filled in by the loader: the first call through the word adopts the
 * module. */
static bool is_left_for_later(const struct image *image, const struct scan *scan)
{
	void **slots[1];

	return scan->when == SITES_LOADED && !scan->at_start &&
	       ((image_find_slots(image, "__cyg_profile_func_enter", slots, 1) && !calls_linked_entries(image, scan)) ||
		       image_find_slots(image, "__fentry__", slots, 1));
}

/* Counts the names by which a file of another namespace leaves functions: they lead to the libraries there, past the agent's
 * wrappers. If calls record the functions, then cleanups record the exits behind an exception. */
static void count_unseen(const struct image *image, bool has_sites)
{
	static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__cxa_begin_catch"};
	unsigned count = sizeof names / sizeof *names - !has_sites;
	uint64_t unseen = 0;
	void **slots[1];

	for (unsigned i = 0; i < count; i++)
		unseen += image_find_slots(image, names[i], slots, 1);
	agent.unseen += unseen;
	if (agent.session)
		__atomic_fetch_add(&agent.session->unseen, unseen, __ATOMIC_RELAXED);
}

/* Second pass: adopts new files. */
static int adopt_file(struct dl_phdr_info *info, size_t size, void *data)
{
	struct scan *scan = data;
	struct image image;
	struct module *module;
	bool is_program = scan->index++ == 0, collides = false;
	uint32_t id_bytes;
	uint64_t ticks;

	if (!open_image(&image, info))
		return 0;
	if (is_program)
		scan->own_enter = find_own_hooks(&image, scan->first);
	id_bytes = usable_id_bytes(&image);
	if (modules_find_known(&image) || is_left_for_later(&image, scan))
		return 0;
	module = take_entry(&image);
	if (!module) {
		if (agent.session)
			__atomic_fetch_add(&agent.session->lost_modules, 1, __ATOMIC_RELAXED);
		return 0;
	}
	module->low = image.low;
	module->high = image.high;
	module->bias = image.bias;
	module->unwind_index = image.unwind_index;
	module->unwind_index_bytes = image.unwind_index_bytes;
	module->build_id_bytes = id_bytes;
	for (uint32_t i = 0; i < id_bytes; i++)
		module->build_id[i] = image.build_id[i];
	if (is_program)
		environment_write_program(agent.argc, agent.argv, module->path, sizeof module->path);
	else
		image_write_path(info->dlpi_name, module->path, sizeof module->path);
	for (unsigned i = 0; i < module_count; i++)
		if (&modules[i] != module && !modules[i].is_unmapped &&
			(modules[i].needs_plan || (modules[i].flags & DWELL_MODULE_HOOKED)) &&
			overlap_low32(&modules[i], image.low, image.high))
			collides = true;
	ticks = scan->at_start ? 0 : port_now();
	module->load_ticks = ticks;
	module->flags = 0;
	module->is_unmapped = false;
	module->exported = false;
	module->settled = false;
	module->window = collides;
	module->is_elsewhere = size == 0;
	/* Before the scan ends, only SITES_CALLED lets threads call the module's functions: then the first events may be in the
	 * rings before the module is in the journal. */
	if (adopt_hooks(&image, module, scan, is_program)) {
		module->flags = collides ? 0 : DWELL_MODULE_HOOKED;
		modules_count_hooked();
		if (module->is_elsewhere)
			count_unseen(&image, module->sites);
	}
	if (agent.is_injected && !module->is_elsewhere && scan->when != SITES_LOADED && !holds(&image, &dwell_control))
		injected_adopt_slots(&image);
	/* Before the end of a load, the loader may still change the words. */
	if (!module->is_elsewhere && (scan->at_start || scan->when != SITES_LOADED))
		linked_adopt_slots(&image, is_program);
	if (!module->needs_plan)
		modules_report(agent.session, module, ticks, 0);
	return 0;
}

/* Lets a known module without hooks request a plan, or the plan of an earlier session again. */
static int plan_known(struct dl_phdr_info *info, size_t size, void *data)
{
	struct scan *scan = data;
	bool is_program = scan->index++ == 0;
	struct image image;
	struct module *module;

	(void)size;
	if (!open_image(&image, info))
		return 0;
	module = modules_find_known(&image);
	if (!module || module->targets.enter || module->exported)
		return 0;
	if (!module->sites || hooks_are_planned(module->sites))
		postpone(module, scan, false, is_program);
	return 0;
}

/* Pages of code for which a pass changed nothing: in no file, or in a file without words that lead to the hooks. Calls from a noted
 * page start no further pass, until files come or go. */
#define SEEN_SLOTS 64
static volatile uint64_t seen[SEEN_SLOTS];

/* Whether a pass for a call from place would change nothing: an earlier pass changed nothing, or could not redirect the file's
 * calls. */
static bool is_settled(uint64_t place)
{
	if (seen[place >> 12 & (SEEN_SLOTS - 1)] == place >> 12)
		return true;
	for (unsigned i = 0; i < module_count; i++)
		if (!modules[i].is_unmapped && modules[i].exported && place >= modules[i].low && place < modules[i].high)
			return true;
	return false;
}

static void scan_files(enum sites_when when, bool postpones)
{
	struct scan scan = {.first = module_count == 0, .when = when, .postpones = postpones};
	uint64_t call_mask = agent_begin_libc_call();

	scan.at_start = scan.first && !agent.is_injected;

	modules_list_files(find_still_mapped, &scan);
	drop_unmapped(&scan);
	modules_list_files(adopt_file, &scan);
	agent_end_libc_call(call_mask);
}

void modules_plan(void)
{
	struct scan scan = {.when = SITES_CALLED, .postpones = true};
	uint64_t call_mask = agent_begin_libc_call();

	modules_list_files(plan_known, &scan);
	agent_end_libc_call(call_mask);
	if (agent.is_injected)
		scan_files(SITES_CALLED, true);
	modules_adopt_postponed();
}

bool modules_are_adopted(void)
{
	return __atomic_load_n(&adopters, __ATOMIC_SEQ_CST) != 0;
}

void modules_begin_child(void)
{
	adopters = 0;
	adopting = 0;
}

/* Passes through all mapped files. False: no pass, since the thread is in a pass already, or a thread handles a request. */
static bool scan(enum sites_when when)
{
	struct dwell_ring *work;
	uint32_t tid = system_tid();
	bool may;

	if (adopting == tid)
		return false;
	work = agent.on ? dwell_trace_work_begin(port_thread()) : 0;
	__atomic_fetch_add(&adopters, 1, __ATOMIC_SEQ_CST);
	may = !control_is_handling();
	if (may) {
		adopting = tid;
		scan_files(when, false);
		adopting = 0;
	}
	__atomic_fetch_sub(&adopters, 1, __ATOMIC_SEQ_CST);
	dwell_trace_work_end(port_thread(), work);
	return may;
}

void modules_adopt(uint64_t place)
{
	const struct module *module;

	if ((place && is_settled(place)) || !scan(SITES_CALLED) || !place)
		return;
	module = modules_at(place);
	if (!module || (!module->targets.enter && !module->sites))
		seen[place >> 12 & (SEEN_SLOTS - 1)] = place >> 12;
}

void modules_changed(void)
{
	for (unsigned i = 0; i < SEEN_SLOTS; i++)
		seen[i] = 0;
	scan(SITES_LOADED);
}
