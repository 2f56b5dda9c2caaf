/* SPDX-License-Identifier: MIT
 *
 * Redirects a file's calls of the functions that the agent wraps (longjmp, _Unwind_SetIP, _Fork …) to the wrappers, in a process
 * into which the agent was injected. There the names already lead to libc: record changes the words that calls go through. See
 * agent.h.
 */
#include "port/os/linux/changes.h"
#include "port/os/linux/image.h"
#include "port/os/linux/next.h"

#define WORD_HALF 4u /* a change has at most five bytes (control.h), so an address takes two changes */

/* The wrapped functions. dl_iterate_phdr is among them only if the agent applies plans; else it has no wrapper, and no address. */
#define NAME(name) #name,
static const char *const names[] = {NAME(longjmp) NAME(_longjmp) NAME(siglongjmp) NAME(__longjmp_chk) NAME(_Unwind_SetIP)
		NAME(__cxa_begin_catch) NAME(_Fork) NAME(clone) NAME(_exit) NAME(_Exit) NAME(prctl)
		NAME(pthread_setname_np) NAME(dl_iterate_phdr) LINUX_INTERPOSED(NAME)};
#define NAMES (sizeof names / sizeof *names)

static uint64_t ours[NAMES]; /* addresses of the agent's wrappers; 0: none */

/* Called for each file in load order, up to the agent's own: libc came first if the agent was injected. data: bool, libc was
 * seen. */
static int find_wrappers(struct dl_phdr_info *info, size_t size, void *data)
{
	bool *libc = data;
	struct image image;

	(void)size;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum))
		return 0;
	if ((uint64_t)&dwell_control < image.low || (uint64_t)&dwell_control >= image.high) {
		*libc |= image_is_libc(&image);
		return 0;
	}
	agent.is_injected = *libc;
	for (unsigned i = 0; agent.is_injected && i < NAMES; i++)
		ours[i] = image_find_symbol(&image, names[i]);
	return 1;
}

void injected_begin(void)
{
	bool libc = false;

	next_list_files(find_wrappers, &libc);
}

void injected_adopt_slots(const struct image *image)
{
	void **slots[NAMES][IMAGE_SLOTS_MAX];
	unsigned counts[NAMES], all = 0;
	struct dwell_changes *changes;

	for (unsigned f = 0; f < NAMES; f++) {
		counts[f] = ours[f] ? image_find_slots(image, names[f], slots[f], IMAGE_SLOTS_MAX) : 0;
		all += counts[f];
	}
	changes = all ? changes_make(image->low, 2 * all) : 0;
	if (!changes)
		return;
	for (unsigned f = 0; f < NAMES; f++)
		for (unsigned i = 0; i < counts[f]; i++) {
			const uint8_t *at = (const uint8_t *)slots[f][i], *word = (const uint8_t *)&ours[f];

			uint32_t group = changes->count;

			changes_add(changes, at, at, word, WORD_HALF, 0, group);
			changes_add(changes, at + WORD_HALF, at + WORD_HALF, word + WORD_HALF, WORD_HALF, 0, group);
		}
	changes_publish(changes);
}
