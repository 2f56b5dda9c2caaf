/* SPDX-License-Identifier: MIT
 *
 * Follows record's requests to stop recording functions; see throttle.h.
 */
#include "port/os/linux/throttle.h"

#include "port/os/linux/agent.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/held.h"
#include "port/os/linux/system.h"

_Static_assert(sizeof(struct dwell_ring) <= DWELL_THROTTLE_COUNTERS, "counters stand behind the ring's own fields");
_Static_assert(DWELL_THROTTLE_COUNTERS + DWELL_THROTTLE_END * 8 <= DWELL_RING_HEADER_BYTES, "and in front of its data");

static struct dwell_throttle *throttle;
static uint32_t followed_count; /* number of entries followed */
static uint32_t places[DWELL_THROTTLE_END]; /* places of throttled functions, by counter */
bool throttle_is_on;

static bool is_error(long value)
{
	return (unsigned long)value >= -4095ul;
}

void throttle_begin(const char *path)
{
	long address;
	int fd;

	/* The last throttle stays mapped, for ever: a thread may be using it. */
	throttle = 0;
	throttle_is_on = false;
	followed_count = 0;
	for (uint32_t i = 0; i < DWELL_THROTTLE_END; i++)
		places[i] = 0;
	if (!*path || (fd = held_open(path, true, !dwell_control.begun)) < 0)
		return;
	address = system_mmap(0, sizeof *throttle, 3, 1 /* MAP_SHARED */, fd);
	system_close(fd);
	if (is_error(address) || ((struct dwell_throttle *)address)->magic != DWELL_THROTTLE_MAGIC)
		return;
	throttle = (struct dwell_throttle *)address;
	throttle_is_on = filter_make_map();
	dwell_control.map = (uint64_t)filter_map;
}

/* Follows one request: throttles the function, or records it again. Writes the result into the entry. */
static void take(struct dwell_throttle_entry *entry)
{
	uint32_t counter = entry->counter;
	enum dwell_throttle_state state = DWELL_THROTTLE_REFUSED;

	if (counter == DWELL_THROTTLE_UNDO || (counter >= DWELL_THROTTLE_FIRST && counter < DWELL_THROTTLE_END))
		state = modules_throttle(entry->place, counter, entry->ticks);
	for (uint32_t i = DWELL_THROTTLE_FIRST; counter == DWELL_THROTTLE_UNDO && i < DWELL_THROTTLE_END; i++)
		if (places[i] == entry->place)
			places[i] = 0;
	if (counter != DWELL_THROTTLE_UNDO && state != DWELL_THROTTLE_REFUSED)
		places[counter] = entry->place;
	entry->state = state;
}

void throttle_follow(const struct dwell_session *session)
{
	uint32_t count = __atomic_load_n(&session->throttled, __ATOMIC_ACQUIRE);

	for (; throttle && followed_count < count && followed_count < DWELL_THROTTLE_ENTRIES; followed_count++)
		if (throttle->entries[followed_count].process == agent.process)
			take(&throttle->entries[followed_count]);
	agent.throttled = count;
}

void throttle_begin_child(uint32_t process, uint32_t parent)
{
	if (!throttle || process >= DWELL_THROTTLE_PROCESSES)
		return;
	throttle->copied[process].followed = followed_count;
	__atomic_store_n(&throttle->copied[process].parent, parent + 1, __ATOMIC_RELEASE);
}

void throttle_count(struct dwell_thread *thread, uint32_t counter)
{
	if (!thread->ring && thread->state == DWELL_THREAD_NEW)
		port_thread_begin(thread);
	if (thread->ring)
		__atomic_fetch_add(dwell_throttle_counter(thread->ring, counter), 1, __ATOMIC_RELAXED);
	else
		port_event_refused(thread);
}

bool throttle_drops(uint64_t start)
{
	uint32_t place = (uint32_t)start & ~1u;

	for (uint32_t i = DWELL_THROTTLE_FIRST; throttle && place && i < DWELL_THROTTLE_END; i++)
		if (places[i] == place)
			return true;
	return false;
}
