/* SPDX-License-Identifier: MIT
 *
 * Makes lists of changes for record to write; see changes.h.
 */
#include "port/os/linux/changes.h"

#include "port/os/linux/system.h"

#include <linux/mman.h>

struct dwell_changes *changes_make(uint64_t base, uint32_t room)
{
	long address = system_mmap(
		0, sizeof(struct dwell_changes) + room * sizeof(struct dwell_change), 3, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	struct dwell_changes *changes = (struct dwell_changes *)address;

	if ((unsigned long)address >= -4096ul)
		return 0;
	changes->base = base;
	return changes;
}

void changes_add(struct dwell_changes *changes, const uint8_t *at, const uint8_t *old, const uint8_t *new, uint32_t count,
	uint8_t flags, uint32_t group)
{
	struct dwell_change *change = &changes->list[changes->count++];

	change->address = (uint64_t)at;
	change->bytes = (uint8_t)count;
	change->flags = flags;
	change->group = group;
	for (uint32_t i = 0; i < count; i++) {
		change->old[i] = old[i];
		change->new[i] = new[i];
	}
}

void changes_publish(struct dwell_changes *changes)
{
	changes->next = dwell_control.changes;
	__atomic_store_n(&dwell_control.changes, (uint64_t)changes, __ATOMIC_RELEASE);
}
