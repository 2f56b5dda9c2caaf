/* kept_switches: follows which thread has which ring, and writes the kept intervals chunk by chunk. */
#include "record/sink/kept_switches.h"

#include <stdlib.h>

#define KEPT_BYTES (UINT64_C(64) << 20)
#define KEPT_LEAST 1024u

/* The thread that had the ring at the last look. */
struct kept_slot {
	uint64_t begin_ticks;
	struct switch_track *track;
	bool ended, retired; /* ended: the thread had ended at the last look; retired: its track follows no thread any more */
};

/* The number of intervals to keep for each thread. used: the number of rings in use. */
static uint32_t get_keep_max(uint32_t used)
{
	uint64_t most = KEPT_BYTES / sizeof(struct message_switch) / (used ? used : 1);

	return most < KEPT_LEAST ? KEPT_LEAST : most < TRACE_WRITER_SWITCHES_MAX ? (uint32_t)most : TRACE_WRITER_SWITCHES_MAX;
}

bool kept_switches_begin(struct kept_switches *kept, const struct session *session, struct switches *switches)
{
	*kept = (struct kept_switches){.switches = switches, .session = session};
	kept->slots = calloc(session->slot_count, sizeof *kept->slots);
	switches->kept = session->mode == DWELL_MODE_RING ? SWITCHES_LAST : SWITCHES_FIRST;
	switches->keep_max = get_keep_max(1);
	return kept->slots;
}

void kept_switches_end(struct kept_switches *kept)
{
	for (uint32_t i = 0; kept->slots && i < kept->session->slot_count; i++)
		switches_untrack(kept->switches, kept->slots[i].track);
	free(kept->slots);
	kept->slots = NULL;
}

void kept_switches_read_threads(struct kept_switches *kept)
{
	uint32_t used = kept->slots && kept->switches->on ? session_slots_used(kept->session) : 0;

	kept->switches->keep_max = get_keep_max(used);
	for (uint32_t i = 0; i < used; i++) {
		struct dwell_session_slot from = session_read_slot(kept->session, i);
		struct kept_slot *slot = &kept->slots[i];
		uint32_t state = session_slot_state(kept->session, i);

		if (state != DWELL_SESSION_LIVE && state != DWELL_SESSION_ENDED)
			continue;
		if (slot->begin_ticks != from.begin_ticks) {
			switches_untrack(kept->switches, slot->track);
			*slot = (struct kept_slot){
				.begin_ticks = from.begin_ticks,
				.track = switches_track(kept->switches, from.tid, i),
			};
		}
		/* Another thread may soon have the same tid. But the old thread's switches
		 * since the last look are still unread, so its track is retired one look later. */
		if (slot->ended && !slot->retired) {
			switches_retire(kept->switches, slot->track);
			slot->retired = true;
		}
		slot->ended = state == DWELL_SESSION_ENDED;
	}
}

/* Takes the next switches up to until_ticks, as one message. */
static struct message_switches take(const struct switch_track *track, uint64_t first_ticks, uint64_t until_ticks,
	struct kept_position *position)
{
	struct message_switches message = {
		.off_before_ticks = position->off_ticks, .preempted_before_ticks = position->preempted_ticks};

	/* Switches before the thread's first event are left out. */
	while (position->next < track->pending_count && track->pending[position->next].in_ticks <= first_ticks)
		position->next++;
	message.switches = track->pending + position->next;
	for (; position->next < track->pending_count; position->next++, message.count++) {
		const struct message_switch *at = &track->pending[position->next];

		if (at->in_ticks > until_ticks)
			break;
		position->off_ticks += at->in_ticks - at->out_ticks;
		position->preempted_ticks += at->preempted ? at->in_ticks - at->out_ticks : 0;
	}
	return message;
}

void kept_switches_write(const struct kept_switches *kept, struct trace_writer *writer, uint32_t stream, uint32_t slot,
	uint64_t begin_ticks, uint64_t first_ticks, uint64_t until_ticks, struct kept_position *position)
{
	const struct switch_track *track = kept->slots && kept->switches->on ? kept->slots[slot].track : NULL;
	uint64_t known_ticks = kept->switches->latest.ticks;
	struct message_switches message;

	if (!track || (track->unknown && !track->over_ticks) || kept->slots[slot].begin_ticks != begin_ticks)
		return;
	if (track->over_ticks && track->over_ticks < known_ticks)
		known_ticks = track->over_ticks;
	if (until_ticks > known_ticks)
		until_ticks = known_ticks;
	if (position->from_ticks < track->from_ticks)
		position->from_ticks = track->from_ticks;
	if (until_ticks <= position->from_ticks)
		return;
	message = take(track, first_ticks, until_ticks, position);
	message.stream = stream;
	message.from_ticks = position->from_ticks;
	message.until_ticks = until_ticks;
	trace_writer_switches(writer, &message);
	position->from_ticks = until_ticks;
}
