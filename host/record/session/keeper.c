/* keeper: writes facts and clock points to the session's journal, and marks the slots of ended threads. */
#include "record/session/keeper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwell/format.h"
#include "record/session/clock_point.h"
#include "record/session/journal.h"
#include "record/session/threads.h"
#include "util/bytes.h"

#define LOOK_NS UINT64_C(400000000)       /* interval at which the keeper checks all threads */
#define CLOCK_FIRST_NS UINT64_C(10000000) /* the first interval between clock points */

static void append_clock_point(const struct session *session, const struct message_clock *point)
{
	uint8_t payload[DWELL_CLOCK_BYTES];

	put_u64(payload + DWELL_CLOCK_TICKS, point->ticks);
	put_u64(payload + DWELL_CLOCK_MONOTONIC_NS, point->monotonic_ns);
	put_u64(payload + DWELL_CLOCK_UNIX_NS, point->unix_ns);
	journal_add(session, DWELL_CHUNK_CLOCK, payload, sizeof payload);
}

/* Writes a line "key=value". Line feeds in the value become blanks. A value without room loses its end. */
static void append_fact(const struct session *session, const struct message_info *fact)
{
	static const char cut[] = "...";
	size_t key_bytes = strlen(fact->key), bytes = strlen(fact->value), room = JOURNAL_PAYLOAD_BYTES_MAX - key_bytes - 2;
	bool is_cut = bytes > room;
	char *text = malloc(JOURNAL_PAYLOAD_BYTES_MAX + 1);

	if (!text)
		return;
	if (is_cut)
		bytes = room - strlen(cut);
	bytes = (size_t)snprintf(text, JOURNAL_PAYLOAD_BYTES_MAX + 1, "%s=%.*s%s", fact->key, (int)bytes, fact->value, is_cut ? cut : "");
	for (size_t i = 0; i < bytes; i++)
		if (text[i] == '\n')
			text[i] = ' ';
	text[bytes] = '\n';
	journal_add(session, DWELL_CHUNK_INFO, text, (uint32_t)bytes + 1);
	free(text);
}

void keeper_begin(struct keeper *keeper, const struct session *session, const struct message_info *facts, uint32_t count,
	const struct message_clock *first)
{
	*keeper = (struct keeper){.session = session, .clock_step_ns = CLOCK_FIRST_NS};
	session->shared->start_unix_ns = first->unix_ns;
	for (uint32_t i = 0; i < count; i++)
		append_fact(session, &facts[i]);
	/* If record cannot read the agents' clock, only agents write clock points. */
	if (clock_point_machine())
		append_clock_point(session, first);
}

/* Checks one slot. Frees the slot if the process that was taking it has ended. Marks the slot as ended if its thread has
 * ended, or its process runs another program; else copies the thread's present name to the slot. */
static void check_slot(const struct session *session, const struct followed *followed, uint32_t index)
{
	struct dwell_session_slot *slot = session_slot(session, index), read;
	uint64_t state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);

	if (dwell_session_state_of(state) == DWELL_SESSION_TAKEN && !process_exists((uint32_t)(state >> 32)))
		__atomic_compare_exchange_n(&slot->state, &state, DWELL_SESSION_FREE, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	if (dwell_session_state_of(state) != DWELL_SESSION_LIVE)
		return;
	read = session_read_slot(session, index);
	if (thread_is_alive(read.pid, read.tid) && followed_is_current(followed, read.pid, read.process)) {
		thread_read_name(read.pid, read.tid, slot->name);
		return;
	}
	slot->ended = ++session->shared->ends;
	/* Fails if an agent has given the slot to another thread meanwhile: the state contains the thread's number. */
	__atomic_compare_exchange_n(&slot->state, &state, dwell_session_state(DWELL_SESSION_ENDED, (uint32_t)(state >> 32)), false,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void keeper_sweep(struct keeper *keeper, const struct followed *followed, uint64_t now_ns)
{
	const struct session *session = keeper->session;
	struct session_machine machine;
	struct message_info step;
	char text[CLOCK_STEP_TEXT];
	uint32_t used = session_slots_used(session);

	if (now_ns >= keeper->next_check_ns) {
		keeper->next_check_ns = now_ns + LOOK_NS;
		for (uint32_t i = 0; i < used; i++)
			check_slot(session, followed, i);
	}
	if (now_ns < keeper->next_clock_ns)
		return;
	if (keeper->next_clock_ns && session_read_machine(session, &machine) && machine.machine == clock_point_machine()) {
		struct message_clock point = clock_point_read();

		append_clock_point(session, &point);
		if (!keeper->step_is_written && clock_point_make_step_fact(&step, text))
			append_fact(session, &step);
		keeper->step_is_written = true;
	}
	keeper->next_clock_ns = now_ns + keeper->clock_step_ns;
	keeper->clock_step_ns *= 2;
}
