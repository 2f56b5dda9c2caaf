/* figures: copies the counters in the session's header, and checks the copy. */
#include "record/session/figures.h"

#include <string.h>

#define HOOK_KINDS                                                                                                                 \
	(DWELL_HOOKS_CYG | DWELL_HOOKS_FENTRY | DWELL_HOOKS_XRAY | DWELL_HOOKS_ENTRIES | DWELL_HOOKS_UNFOUND |                     \
		DWELL_HOOKS_DOUBLED | DWELL_HOOKS_PLANNED | DWELL_HOOKS_UNFIT | DWELL_HOOKS_ELSEWHERE)

/* Whether the fields that record has written are unchanged. */
static bool is_intact(const struct session *session, const struct dwell_session *header)
{
	return header->magic == DWELL_SESSION_MAGIC_WORD && header->version == DWELL_SESSION_VERSION &&
	       header->header_bytes == SESSION_PAGE && header->bytes == session->bytes &&
	       header->journal_offset == session->journal_offset && header->journal_bytes == session->journal_bytes &&
	       header->rings_offset == session->rings_offset &&
	       header->slot_bytes == session->slot_bytes && header->slot_count == session->slot_count &&
	       header->mode == (uint32_t)session->mode &&
	       header->args == session->args && header->slots_used <= session->slot_count;
}

static bool are_possible(const uint64_t *counts, size_t count, uint64_t max)
{
	for (size_t i = 0; i < count; i++)
		if (counts[i] > max)
			return false;
	return true;
}

struct figures figures_read(const struct session *session)
{
	uint64_t max = session_count_max(session);
	struct dwell_session header;
	struct figures figures;

	memcpy(&header, session->shared, sizeof header);
	__asm__ volatile("" : : "r"(&header) : "memory"); /* from here on the compiler must use the copy */
	figures = (struct figures){
		.agents = header.agents,
		.unmappable = header.unmappable,
		.hooked_modules = header.hooked_modules,
		.own_hooks = header.own_hooks,
		.refused_machines = header.refused_machines,
		.hook_kinds = header.hook_kinds & HOOK_KINDS,
	};
	const uint64_t counts[] = {header.lost_threads, header.lost_events, header.lost_setup, header.lost_modules, header.given_up,
		header.unseen, header.moved, header.unnoticed_forks, header.skipped_functions, header.unpatched_modules};
	/* The sum may exceed the elapsed time, since all threads may wait at the same time. */
	const uint64_t times_ns[] = {header.waited_ns / session->slot_count, header.longest_wait_ns};

	figures.is_damaged = !is_intact(session, &header) || header.hook_kinds != figures.hook_kinds ||
			     !are_possible(counts, sizeof counts / sizeof *counts, max) ||
			     !are_possible(times_ns, sizeof times_ns / sizeof *times_ns, max);
	if (figures.is_damaged)
		return figures;
	figures.lost_threads = header.lost_threads;
	figures.lost_events = header.lost_events;
	figures.lost_setup = header.lost_setup;
	figures.lost_modules = header.lost_modules;
	figures.given_up = header.given_up;
	figures.unseen = header.unseen;
	figures.moved = header.moved;
	figures.unnoticed_forks = header.unnoticed_forks;
	figures.skipped_functions = header.skipped_functions;
	figures.unpatched_modules = header.unpatched_modules;
	figures.waited_ns = header.waited_ns;
	figures.longest_wait_ns = header.longest_wait_ns;
	figures.failed_wait_sweeps = header.failed_wait_sweeps;
	return figures;
}
