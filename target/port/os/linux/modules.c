/* SPDX-License-Identifier: MIT
 *
 * Which files are mapped, and which of them have hooks. At start all are looked at; one that is loaded later is found when its first
 * hook call arrives, because its calls still go to the exported entries then. dl_iterate_phdr holds the loader's lock around the
 * callback, which is all the mutual exclusion that this file needs.
 */
#include "port/os/linux/modules_inner.h"

#include "port/os/linux/extents.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/image.h"
#include "port/os/linux/next.h"
#include "port/os/linux/plan.h"
#include "port/os/linux/plans.h"
#include "port/os/linux/system.h"

#define CALL_BYTES_MAX 8

struct module modules[MODULES_MAX];
unsigned module_count;
static volatile uint32_t adopting; /* by a thread that holds the loader's lock: a handler on it must not start again */
static volatile uint32_t adopters; /* threads that hold that lock, or wait for it */

static void tell_module(struct dwell_session *session, const struct module *module, uint64_t ticks, uint32_t flags)
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

void modules_tell_again(struct dwell_session *session)
{
	for (unsigned i = 0; i < module_count; i++)
		if (!modules[i].gone)
			tell_module(session, &modules[i], 0, 0);
}

void modules_filter(void)
{
	for (unsigned i = 0; i < module_count; i++) {
		const struct module *module = &modules[i];
		const struct dwell_filter_module *filter;

		if (module->gone)
			continue;
		filter = filter_find(module->path, module->build_id, module->build_id_bytes);
		if (module->sites)
			hooks_filter_sites(module->sites, filter, module->bias);
		/* Stubs look into the map where there was a filter when they were made. */
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

static void count_hooked(void)
{
	dwell_control.hooked_modules = ++agent.hooked_modules;
	if (agent.session)
		__atomic_fetch_add(&agent.session->hooked_modules, 1, __ATOMIC_RELAXED);
}

/* Two spans of the 32-bit circle have a point in common. */
static bool overlap_low32(const struct module *a, uint64_t low, uint64_t high)
{
	uint32_t a_low = (uint32_t)a->low, b_low = (uint32_t)low;

	if (a->high - a->low > UINT32_MAX || high - low > UINT32_MAX)
		return true;
	return b_low - a_low < (uint32_t)(a->high - a->low) || a_low - b_low < (uint32_t)(high - low);
}

/* A program that has hook functions of its own keeps them; those of one kind say nothing about the other. True: it has enter hooks. */
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

/* False: the system does not allow it. Calls keep coming to the exported entries then: slower, and right. */
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
			hooks_patch_code(image->bias + header->p_vaddr, image->bias + header->p_vaddr + header->p_filesz, slot, target);
	}
}

/* Sends the hook calls of a module to targets of its own. True: it has hooks. */
static bool redirect_hooks(const struct image *image, struct module *module, bool collides, bool at_start)
{
	void **enters[IMAGE_SLOTS_MAX], **exits[IMAGE_SLOTS_MAX];
	unsigned enter_count = image_find_slots(image, "__cyg_profile_func_enter", enters, IMAGE_SLOTS_MAX);
	unsigned exit_count = image_find_slots(image, "__cyg_profile_func_exit", exits, IMAGE_SLOTS_MAX);
	struct hook_targets targets = module->targets; /* of an earlier one at the same place: they reach it as well */

	if (!enter_count && !exit_count)
		return false;
	if (!targets.enter || collides)
		targets = hooks_make_targets(image->low, image->high, collides);
	module->targets = targets;
	for (unsigned i = 0; i < enter_count; i++)
		module->exported |= !modules_redirect(image, enters[i], targets.enter);
	for (unsigned i = 0; i < exit_count; i++)
		module->exported |= !modules_redirect(image, exits[i], targets.exit);
	/* Code is changed only while no other thread can be running it. */
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

/* One look at everything that is mapped, in two passes: what is there no more must be known before what is new is judged, since that may
 * lie where the other was. */
struct look {
	bool first, at_start, own_enter;
	enum sites_when when;
	unsigned index;
	bool seen[MODULES_MAX];
};

static bool holds(const struct image *image, const void *address)
{
	return (uint64_t)address >= image->low && (uint64_t)address < image->high;
}

/* A file that was unmapped and is mapped again at the same addresses looks the same, but its words are as the dynamic linker left them. */
static bool is_redirected(const struct image *image, const struct module *module)
{
	void **slots[1];

	if (module->sites && !hooks_sites_stand(module->sites))
		return false;
	if (!module->targets.enter || module->exported)
		return true;
	if (image_find_slots(image, "__cyg_profile_func_enter", slots, 1))
		return *slots[0] == module->targets.enter;
	return !image_find_slots(image, "__cyg_profile_func_exit", slots, 1) || *slots[0] == module->targets.exit;
}

/* An entry for a new module: a gone one's at the same place for choice, any gone one's, or one more. */
static struct module *take_entry(const struct image *image)
{
	struct module *entry = 0;

	for (unsigned i = 0; i < module_count; i++) {
		if (!modules[i].gone)
			continue;
		if (modules[i].low == image->low && modules[i].high == image->high)
			return &modules[i];
		entry = &modules[i];
	}
	if (!entry && module_count < MODULES_MAX)
		entry = &modules[module_count++];
	if (entry) {
		entry->targets = (struct hook_targets){0, 0};
		entry->sites = 0;
	}
	return entry;
}

static struct module *find_known(const struct image *image, uint32_t id_bytes)
{
	for (unsigned i = 0; i < module_count; i++)
		if (!modules[i].gone && modules[i].low == image->low && modules[i].high == image->high &&
			modules[i].build_id_bytes == id_bytes && same_bytes(modules[i].build_id, image->build_id, id_bytes))
			return &modules[i];
	return 0;
}

static uint32_t usable_id_bytes(const struct image *image)
{
	return image->build_id_bytes > sizeof ((struct module *)0)->build_id ? 0 : image->build_id_bytes;
}

static bool open_image(struct image *image, const struct dl_phdr_info *info)
{
	return image_open(image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum);
}

/* First pass: which of the known modules are still there, as they were. */
static int find_again(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *look = data;
	struct image image;
	struct module *module;

	(void)size;
	if (!open_image(&image, info))
		return 0;
	module = find_known(&image, usable_id_bytes(&image));
	if (module && is_redirected(&image, module))
		look->seen[module - modules] = true;
	return 0;
}

static void tell_gone(const struct look *look)
{
	for (unsigned i = 0; i < module_count; i++) {
		if (modules[i].gone || look->seen[i])
			continue;
		modules[i].gone = true;
		if (modules[i].sites)
			hooks_drop_sites(modules[i].sites);
		tell_module(agent.session, &modules[i], port_now(), DWELL_MODULE_UNMAPPED);
	}
}

/* Whether any code calls the hooks in the agent that is linked into the same file. A call of an enter hook is never the last thing in a
 * function, so it is a call and no jump. */
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

/* Calls of a file that was just mapped, whose words the loader fills in only now, come to the entries of the agent that is linked into the
 * program, which are the program's own: nobody would hear of the file from them. True: it has some. */
static bool calls_linked_entries(const struct image *image, const struct look *look)
{
	void **slots[1];

	return IS_LINKED && look->when == SITES_LOADED && !look->at_start &&
	       (image_find_slots(image, "__cyg_profile_func_enter", slots, 1) || image_find_slots(image, "__cyg_profile_func_exit", slots, 1));
}

/* Null: none is made for it. */
static const struct dwell_plan *ask_for_plan(const struct image *image, const struct module *module, bool is_program)
{
	bool may = plans_are_wanted(is_program) && *module->path && !holds(image, (const void *)&dwell_own_enter);

	return may ? plans_ask(module->path, is_program) : 0;
}

/* What has no hooks is changed by a plan, if record makes plans: while nobody runs it. */
static struct sites *adopt_plan(const struct image *image, const struct module *module, const struct look *look, bool is_program,
	const struct dwell_filter_module *filter)
{
	const struct dwell_plan *plan = ask_for_plan(image, module, is_program);

	return plan ? hooks_adopt_plan(image, module->window, look->at_start ? SITES_AT_START : look->when, filter, plan) : 0;
}

/* Both kinds that a module may have. True: it has some. A program that the agent is linked into can always come to have events: from a
 * call that is made through a word, which is not looked for. */
static bool adopt_hooks(const struct image *image, struct module *module, const struct look *look, bool is_program)
{
	bool is_own = holds(image, (const void *)&dwell_own_enter), hooked = is_own && is_program;
	const struct dwell_filter_module *filter = filter_find(module->path, module->build_id, module->build_id_bytes);
	struct sites *earlier = module->sites;
	bool calls_hooks;

	module->sites = 0;
	if (is_own && !is_program)
		return false;
	/* Where places collide, another's functions would be meant. Before the hooks are made, which look into the map if there is one. */
	if (!module->window && !hooks_may_be_tags(image->low, image->high))
		filter_mark(filter, image->low, image->high, image->bias);
	if (!is_own && !look->own_enter) {
		module->exported = calls_linked_entries(image, look);
		hooked = module->exported || redirect_hooks(image, module, module->window, look->at_start);
	}
	calls_hooks = is_own ? calls_own_hooks(image) : hooked;
	if (calls_hooks)
		modules_count(DWELL_HOOKS_CYG, 0, 0);
	/* Where threads run, a plan will do that is applied while they are stopped. */
	if (!agent.brought || look->when != SITES_CALLED)
		module->sites = hooks_adopt_sites(image, earlier, module->window, look->at_start ? SITES_AT_START : look->when, filter,
			!calls_hooks ? 0 : is_own || module->exported ? (uint64_t)&dwell_own_enter : (uint64_t)module->targets.enter);
	if (!hooked && !module->sites)
		module->sites = adopt_plan(image, module, look, is_program, filter);
	return hooked || module->sites;
}

/* Hooks that are called through a word are found when they are, after the loader has filled that in. */
static bool is_left_for_later(const struct image *image, const struct look *look)
{
	void **slots[1];

	return look->when == SITES_LOADED && !look->at_start &&
	       ((image_find_slots(image, "__cyg_profile_func_enter", slots, 1) && !calls_linked_entries(image, look)) ||
		       image_find_slots(image, "__fentry__", slots, 1));
}

/* Second pass: what is new. */
static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *look = data;
	struct image image;
	struct module *module;
	bool is_program = look->index++ == 0, collides = false;
	uint32_t id_bytes;
	uint64_t ticks;

	(void)size;
	if (!open_image(&image, info))
		return 0;
	if (is_program)
		look->own_enter = find_own_hooks(&image, look->first);
	id_bytes = usable_id_bytes(&image);
	if (find_known(&image, id_bytes) || is_left_for_later(&image, look))
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
	image_write_path(info->dlpi_name, is_program, module->path, sizeof module->path);
	for (unsigned i = 0; i < module_count; i++)
		if (&modules[i] != module && !modules[i].gone && (modules[i].flags & DWELL_MODULE_HOOKED) &&
			overlap_low32(&modules[i], image.low, image.high))
			collides = true;
	ticks = look->at_start ? 0 : port_now();
	module->load_ticks = ticks;
	module->flags = 0;
	module->gone = false;
	module->exported = false;
	module->settled = false;
	module->window = collides;
	/* Told before its first event can be recorded, so that whoever reads both in order knows it by then. */
	if (adopt_hooks(&image, module, look, is_program)) {
		module->flags = collides ? 0 : DWELL_MODULE_HOOKED;
		count_hooked();
	}
	if (agent.brought && look->when != SITES_LOADED && !holds(&image, &dwell_control))
		brought_adopt_slots(&image);
	if (look->at_start || look->when != SITES_LOADED) /* the loader may still add to what is there */
		linked_adopt_slots(&image, is_program);
	tell_module(agent.session, module, ticks, 0);
	return 0;
}

/* A module that was there before anybody asked for plans, or has had one in another session. */
static int plan_known(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *look = data;
	bool is_program = look->index++ == 0;
	struct image image;
	struct module *module;

	(void)size;
	if (!open_image(&image, info))
		return 0;
	module = find_known(&image, usable_id_bytes(&image));
	if (!module || module->targets.enter || module->exported)
		return 0;
	if (module->sites) {
		const struct dwell_plan *plan = hooks_are_planned(module->sites) ? ask_for_plan(&image, module, is_program) : 0;

		if (plan)
			hooks_filter_plan(module->sites, plan);
		return 0;
	}
	module->sites = adopt_plan(
		&image, module, look, is_program, filter_find(module->path, module->build_id, module->build_id_bytes));
	if (!module->sites)
		return 0;
	module->flags = module->window ? 0 : DWELL_MODULE_HOOKED;
	count_hooked();
	tell_module(agent.session, module, 0, 0);
	return 0;
}

/* Pages of code that a look changed nothing for: in no file, or in one whose words do not lead to the hooks. Looked at once, not at every
 * call, until files come or go. */
#define SEEN_SLOTS 64
static volatile uint64_t seen[SEEN_SLOTS];

static bool is_settled(uint64_t place)
{
	if (seen[place >> 12 & (SEEN_SLOTS - 1)] == place >> 12)
		return true;
	for (unsigned i = 0; i < module_count; i++)
		if (!modules[i].gone && modules[i].exported && place >= modules[i].low && place < modules[i].high)
			return true;
	return false;
}

static void look_at_all(enum sites_when when)
{
	struct look look = {.first = module_count == 0, .when = when};

	look.at_start = look.first && !agent.brought;

	next_list_files(find_again, &look);
	tell_gone(&look);
	next_list_files(look_at, &look);
}

void modules_plan(void)
{
	struct look look = {.when = SITES_CALLED};

	next_list_files(plan_known, &look);
	if (agent.brought)
		look_at_all(SITES_CALLED);
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

/* False: it must not be now. */
static bool look(enum sites_when when)
{
	uint32_t tid = system_tid();
	bool may;

	if (adopting == tid)
		return false;
	__atomic_fetch_add(&adopters, 1, __ATOMIC_SEQ_CST);
	may = !control_is_attending();
	if (may) {
		adopting = tid;
		look_at_all(when);
		adopting = 0;
	}
	__atomic_fetch_sub(&adopters, 1, __ATOMIC_SEQ_CST);
	return may;
}

void modules_adopt(uint64_t place)
{
	const struct module *module;

	if ((place && is_settled(place)) || !look(SITES_CALLED) || !place)
		return;
	module = modules_at(place);
	if (!module || (!module->targets.enter && !module->sites))
		seen[place >> 12 & (SEEN_SLOTS - 1)] = place >> 12;
}

void modules_changed(void)
{
	for (unsigned i = 0; i < SEEN_SLOTS; i++)
		seen[i] = 0;
	look(SITES_LOADED);
}
