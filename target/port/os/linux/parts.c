/* SPDX-License-Identifier: MIT
 *
 * Maps the parts of a session that this process needs. See agent.h.
 *
 * A session is far larger than the part used by one process, with a ring for each possible thread of all processes. Mapped memory
 * counts even without use: for limits (ulimit -v, mlockall), for cores, for emulators. So the agent maps the head at first, and a
 * thread's ring at its first event.
 *
 * Mapping needs a descriptor, but the agent cannot rely on one: programs close descriptors that they have not opened, also the held
 * one (held.h), and may give up the right to open the session again. A mapped page does as well: mremap() of zero bytes of a shared
 * page makes one more mapping, which begins at this page and may have any length. So behind each part lies an anchor: a mapped
 * page of what follows, without access rights. A mapping made from an anchor starts without access rights, too, and so takes no
 * memory in a program that locks all its mappings.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define PROT_RW 3
#define ENOMEM 12
#define FRONT_UNIT 65536u /* at least a page of any machine */
/* Address space used for a moment to get from an anchor to something far behind it. */
#define STEP_BYTES (1ull << 30)

static bool is_error(long value)
{
	return (unsigned long)value >= -4095ul;
}

static struct dwell_session_layout *layout_of(struct dwell_session *session)
{
	return (struct dwell_session_layout *)(void *)session - 1;
}

/* Size of the private memory in front of the session: the addresses of its parts, its name, the layout. */
static uint64_t front_bytes(uint64_t windows, uint64_t rings, unsigned name_bytes)
{
	uint64_t bytes = (windows + rings) * sizeof(void *) + name_bytes + sizeof(struct dwell_session_layout);

	return (bytes + FRONT_UNIT - 1) / FRONT_UNIT * FRONT_UNIT;
}

/* Leaves the memory out of core files. */
static void hide(long address, uint64_t bytes)
{
	system_madvise((void *)address, bytes, MADV_DONTDUMP);
}

/* Maps the head and two anchors: of the journal and of the rings. */
static bool map_head(const struct dwell_session *header, int fd, long head)
{
	const uint64_t anchors[2] = {header->journal_offset, header->rings_offset};

	if (is_error(system_mmap((void *)head, header->journal_offset, PROT_RW, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd)))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (is_error(system_mmap_at((void *)(head + (long)header->journal_offset + (long)(i * header->page_bytes)),
			    header->page_bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, anchors[i])))
			return false;
	return true;
}

long parts_map(const struct dwell_session *header, int fd, const char *name, struct dwell_session **session)
{
	uint64_t windows = header->journal_bytes / DWELL_SESSION_WINDOW + 1, front, bytes;
	unsigned name_bytes = 1;
	struct dwell_session_layout *layout;
	long base;
	char *to;

	while (name[name_bytes - 1])
		name_bytes++;
	front = front_bytes(windows, header->slot_count, name_bytes);
	bytes = front + header->journal_offset + 2 * header->page_bytes;
	base = system_mmap(0, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	if (is_error(base))
		return base;
	if (!map_head(header, fd, base + (long)front) || is_error(system_mprotect((void *)base, front, PROT_RW))) {
		system_munmap((void *)base, bytes);
		return -ENOMEM;
	}
	hide(base, bytes);
	*session = (struct dwell_session *)(base + (long)front);
	layout = layout_of(*session);
	*layout = (struct dwell_session_layout){.slots_offset = header->header_bytes,
		.journal_offset = header->journal_offset,
		.journal_bytes = header->journal_bytes,
		.rings_offset = header->rings_offset,
		.slot_bytes = header->slot_bytes,
		.page_bytes = header->page_bytes,
		.slot_count = header->slot_count,
		.window_count = (uint32_t)windows,
		.front_bytes = front,
		.windows = (void **)base,
		.rings = (void **)base + windows};
	to = (char *)(layout->rings + header->slot_count);
	for (unsigned i = 0; i < name_bytes; i++)
		to[i] = name[i];
	layout->name = to;
	return 0;
}

static uint64_t window_bytes(const struct dwell_session_layout *layout)
{
	return DWELL_SESSION_WINDOW + DWELL_SESSION_ENTRY_MAX + layout->page_bytes;
}

static uint64_t ring_bytes(const struct dwell_session_layout *layout)
{
	return layout->slot_bytes + layout->page_bytes; /* with the anchor */
}

void parts_unmap(struct dwell_session *session)
{
	const struct dwell_session_layout layout = *layout_of(session);

	for (uint32_t i = 0; i < layout.window_count; i++)
		if (layout.windows[i])
			system_munmap(layout.windows[i], window_bytes(&layout));
	for (uint32_t i = 0; i < layout.slot_count; i++)
		if (layout.rings[i])
			system_munmap(layout.rings[i], ring_bytes(&layout));
	system_munmap(
		(unsigned char *)session - layout.front_bytes, layout.front_bytes + layout.journal_offset + 2 * layout.page_bytes);
}

/* Maps bytes of the session that lie `distance` behind an anchor, in smaller steps if address space is limited. The mapping has no
 * access rights. Returns an address, or −errno. */
static long map_from(long anchor, uint64_t distance, uint64_t bytes, uint32_t page_bytes)
{
	uint64_t step = STEP_BYTES;
	long at = anchor;

	system_munlock((void *)anchor, page_bytes); /* otherwise the new mapping is locked, too, and counts at once */
	for (;;) {
		uint64_t skip = distance < step ? distance : step, wanted = skip == distance ? bytes : page_bytes;
		long next = system_mremap((void *)at, 0, skip + wanted);

		if (is_error(next) && skip > page_bytes) {
			step = skip / 2 / page_bytes * page_bytes;
			continue;
		}
		if (at != anchor)
			system_munmap((void *)at, page_bytes);
		if (is_error(next))
			return next;
		if (skip)
			system_munmap((void *)next, skip);
		at = next + (long)skip;
		distance -= skip;
		if (wanted == bytes && !distance)
			return at;
	}
}

/* Does the same by the session's name, for systems where mremap() of zero bytes fails (qemu-user). */
static long map_by_name(const struct dwell_session_layout *layout, uint64_t offset, uint64_t bytes)
{
	int fd = parts_open(layout->name);
	long address;

	if (fd < 0)
		return fd;
	address = system_mmap_at(0, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd, offset);
	system_close(fd);
	if (!is_error(address))
		hide(address, bytes);
	return address;
}

/* Maps a part and gives access to all but its last page, the anchor of the next part. */
static void *map_part(
	const struct dwell_session_layout *layout, long anchor, uint64_t anchor_offset, uint64_t offset, uint64_t bytes)
{
	long address = map_from(anchor, offset - anchor_offset, bytes, layout->page_bytes);

	if (is_error(address))
		address = map_by_name(layout, offset, bytes);
	if (is_error(address))
		return 0;
	if (!is_error(system_mprotect((void *)address, bytes - layout->page_bytes, PROT_RW)))
		return (void *)address;
	system_munmap((void *)address, bytes);
	return 0;
}

/* Stores the part and returns it. If a handler or another thread has stored the same part meanwhile, unmaps this mapping and
 * returns the stored one. */
static void *keep_first(void *volatile *place, void *part, uint64_t bytes)
{
	void *found = 0;

	if (!part || __atomic_compare_exchange_n(place, &found, part, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return part;
	system_munmap(part, bytes);
	return found;
}

void *parts_journal(struct dwell_session *session, uint64_t pos)
{
	const struct dwell_session_layout *layout = layout_of(session);
	uint64_t window = pos / DWELL_SESSION_WINDOW, from = window * DWELL_SESSION_WINDOW;
	long anchor = (long)session + (long)layout->journal_offset;
	void *part = __atomic_load_n(&layout->windows[window], __ATOMIC_ACQUIRE);

	if (!part)
		part = keep_first(&layout->windows[window],
			map_part(layout, anchor, layout->journal_offset, layout->journal_offset + from, window_bytes(layout)),
			window_bytes(layout));
	return part ? (unsigned char *)part + (pos - from) : 0;
}

struct dwell_ring *parts_ring(struct dwell_session *session, uint32_t slot)
{
	const struct dwell_session_layout *layout = layout_of(session);
	void *part = __atomic_load_n(&layout->rings[slot], __ATOMIC_ACQUIRE);
	uint64_t offset = layout->rings_offset + slot * layout->slot_bytes, anchor_offset = layout->rings_offset;
	long anchor = (long)session + (long)layout->journal_offset + layout->page_bytes;

	if (part)
		return part;
	/* Maps from the anchor of the nearest mapped ring in front of this slot's. */
	for (uint32_t i = slot; i-- > 0;) {
		part = __atomic_load_n(&layout->rings[i], __ATOMIC_ACQUIRE);
		if (!part)
			continue;
		anchor = (long)part + (long)layout->slot_bytes;
		anchor_offset = layout->rings_offset + (i + 1) * layout->slot_bytes;
		break;
	}
	return keep_first(
		&layout->rings[slot], map_part(layout, anchor, anchor_offset, offset, ring_bytes(layout)), ring_bytes(layout));
}
