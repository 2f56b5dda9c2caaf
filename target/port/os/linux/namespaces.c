/* SPDX-License-Identifier: MIT
 *
 * Files in link-map namespaces other than the agent's; see namespaces.h.
 *
 * A plug-in that was opened with dlmopen finds the hooks in the C library of its own namespace, where they are empty functions; two
 * of them may share one address. So the agent changes the library's table of symbols before any file is bound to it. glibc 2.41
 * announces files only when they are bound, so the agent changes the words of these, too.
 */
#include "port/os/linux/namespaces.h"
#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"
#include "port/os/linux/next.h"

/* glibc's struct r_debug_extended, if r_version is at least 2. The chain only grows: an unused namespace has no files. */
struct namespace {
	struct r_debug debug;
	const struct namespace *next;
};

static int find_debug(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Dyn) *dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);

		if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
			continue;
		for (; dynamic->d_tag != DT_NULL; dynamic++)
			if (dynamic->d_tag == DT_DEBUG)
				*(const struct r_debug **)data = (const struct r_debug *)dynamic->d_un.d_ptr;
	}
	return 1; /* stop: the program comes first */
}

const struct r_debug *namespaces_debug(void)
{
	static const struct r_debug *volatile debug;
	const struct r_debug *found = debug;
	uint64_t call_mask;

	if (found)
		return found;
	call_mask = agent_begin_libc_call();
	next_list_files(find_debug, &found);
	agent_end_libc_call(call_mask);
	return debug = found;
}

static const struct namespace *get_next(const struct r_debug *debug)
{
	return debug && debug->r_version >= 2 ? ((const struct namespace *)debug)->next : 0;
}

bool namespaces_are_consistent(void)
{
	const struct r_debug *debug = namespaces_debug();

	for (const struct namespace *other = get_next(debug); other; other = other->next)
		if (other->debug.r_state != RT_CONSISTENT)
			return false;
	return debug->r_state == RT_CONSISTENT;
}

struct listing {
	int (*each)(struct dl_phdr_info *info, size_t size, void *data);
	void *data;
};

/* Called for the program, with the loader's lock. */
static int list_others(struct dl_phdr_info *program, size_t size, void *data)
{
	const struct listing *listing = data;

	(void)program;
	(void)size;
	for (const struct namespace *other = get_next(namespaces_debug()); other; other = other->next)
		for (const struct link_map *map = other->debug.r_map; map; map = map->l_next) {
			struct dl_phdr_info info = {.dlpi_addr = map->l_addr, .dlpi_name = map->l_name};

			if (image_find_headers(map->l_addr, map->l_ld, &info.dlpi_phdr, &info.dlpi_phnum) &&
				listing->each(&info, 0, listing->data))
				return 1;
		}
	return 1;
}

void namespaces_list_files(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data)
{
	struct listing listing = {each, data};

	if (get_next(namespaces_debug()))
		next_list_files(list_others, &listing);
}

/* A hook's name, and the address to which it led in a C library, and leads now. */
struct binding {
	const char *name;
	uint64_t was, is;
};

/* Redirects the words of a file that were bound to the library before. Other words hold other values. */
static int rebind_words(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct binding *binding = data;
	void **slots[IMAGE_SLOTS_MAX];
	struct image image;
	unsigned count;

	(void)size;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum))
		return 0;
	count = image_find_slots(&image, binding->name, slots, IMAGE_SLOTS_MAX);
	for (unsigned i = 0; i < count; i++)
		if ((uint64_t)*slots[i] == binding->was)
			modules_redirect(&image, slots[i], (void *)binding->is);
	return 0;
}

static int bind_hooks(struct dl_phdr_info *info, size_t size, void *data)
{
	static bool is_refused;
	struct binding bindings[] = {{"__cyg_profile_func_enter", 0, (uint64_t)&dwell_own_enter},
		{"__cyg_profile_func_exit", 0, (uint64_t)&dwell_own_exit}, {"__fentry__", 0, (uint64_t)&dwell_own_fentry}};
	struct image image;

	(void)size;
	(void)data;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) || !image_is_libc(&image))
		return 0;
	for (unsigned i = 0; i < sizeof bindings / sizeof *bindings; i++) {
		struct binding *binding = &bindings[i];

		binding->was = image_find_symbol(&image, binding->name);
		if (!binding->was || binding->was == binding->is)
			continue;
		namespaces_list_files(rebind_words, binding);
		if (image_set_symbol(&image, binding->name, binding->is) || is_refused)
			continue;
		is_refused = true;
		modules_count(0, 0, 1);
	}
	return 0;
}

void namespaces_bind_hooks(void)
{
	uint64_t call_mask;

	if (agent.own_hooks) /* the program's own hooks stay in use */
		return;
	call_mask = agent_begin_libc_call();
	namespaces_list_files(bind_hooks, 0);
	agent_end_libc_call(call_mask);
}
