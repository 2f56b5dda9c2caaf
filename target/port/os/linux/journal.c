/* SPDX-License-Identifier: MIT
 *
 * Writes messages to `dwell record` into the session's journal (session.h): rare, small, with payloads as in the trace file.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#define CLOCK_FIRST_TICKS 100000u /* tens of microseconds */
#define ENTRY_BYTES ((uint32_t)sizeof(struct dwell_session_entry))

static bool exchange(volatile uint64_t *word, uint64_t *expected, uint64_t desired)
{
	return __atomic_compare_exchange_n(word, expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Claims the next entry. Null: the journal is full. */
static struct dwell_session_entry *claim(struct dwell_session *session, uint32_t bytes)
{
	const struct dwell_session_layout *layout = dwell_session_layout(session);

	for (;;) {
		uint64_t pos = __atomic_load_n(&session->journal_pos, __ATOMIC_ACQUIRE), found = 0;
		struct dwell_session_entry *entry;
		bool mine;

		if (pos % 8 || pos > layout->journal_bytes || layout->journal_bytes - pos < ENTRY_BYTES + bytes ||
			ENTRY_BYTES + bytes > DWELL_SESSION_ENTRY_MAX)
			return 0;
		entry = parts_journal(session, pos);
		if (!entry)
			return 0;
		mine = exchange(&entry->claim, &found, agent.process | (uint64_t)bytes << 32);
		/* Moves journal_pos behind another process's entry, too: that process may be dead. */
		exchange(&session->journal_pos, &pos, pos + ENTRY_BYTES + (mine ? bytes : found >> 32));
		if (mine)
			return entry;
	}
}

bool journal_append_to(struct dwell_session *session, uint32_t kind, const void *payload, uint32_t bytes)
{
	struct dwell_session_entry *entry;
	unsigned char *to;

	if (!session)
		return false;
	entry = claim(session, (bytes + 7u) & ~7u);
	if (!entry) {
		__atomic_fetch_add(&session->lost_modules, 1, __ATOMIC_RELAXED);
		return false;
	}
	entry->kind = kind;
	to = (unsigned char *)(entry + 1);
	for (uint32_t i = 0; i < bytes; i++)
		to[i] = ((const unsigned char *)payload)[i];
	__atomic_store_n(&entry->ready, 1, __ATOMIC_RELEASE);
	return true;
}

bool journal_append(uint32_t kind, const void *payload, uint32_t bytes)
{
	return journal_append_to(agent.session, kind, payload, bytes);
}

void journal_clock(void)
{
	uint64_t best[3] = {0, 0, 0}, width = UINT64_MAX;

	/* Of five tries, keep the one during which the fewest ticks passed. */
	for (int i = 0; i < 5; i++) {
		uint64_t before = port_now();
		uint64_t monotonic = system_clock_ns(1);
		uint64_t after = port_now();

		if (after - before < width) {
			width = after - before;
			best[0] = before + width / 2;
			best[1] = monotonic;
		}
	}
	best[2] = system_clock_ns(0) - (system_clock_ns(1) - best[1]);
	journal_append(DWELL_CHUNK_CLOCK, best, sizeof best);
}

/* The time since first_clock_ticks doubles from one clock point to the next: a recording of a year has some forty of these. */
void journal_clock_if_due(void)
{
	struct dwell_session *session = agent.session;
	uint64_t now = port_now(), due = session->next_clock_ticks, first = session->first_clock_ticks;

	if (now < due || !session->mode)
		return;
	if (!first)
		session->first_clock_ticks = first = now - CLOCK_FIRST_TICKS;
	if (exchange(&session->next_clock_ticks, &due, now + (now - first)))
		journal_clock();
}
