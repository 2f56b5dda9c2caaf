#include "record/losses.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/units.h"

/* What --count spares the program from losing, it costs time. */
static void tell_waits(const struct losses *of, struct trace_writer *writer)
{
	char text[2 * UNITS_TEXT_BYTES + 96], time[UNITS_TEXT_BYTES], own[UNITS_TEXT_BYTES];
	const struct message_info fact = {"waited", text};
	const struct dwell_session *shared = of->session->shared;

	if (!shared->waited_ns)
		return;
	units_format_ns_short(time, shared->waited_ns);
	units_format_ns_short(own, shared->folded_ns);
	snprintf(text, sizeof text, "%s, until calls were counted, %s of it by the threads themselves: outside of all functions", time, own);
	trace_writer_info(writer, &fact, 1);
}

void losses_tell(const struct losses *of, struct trace_writer *writer, const char *output, struct diag *diag)
{
	const struct dwell_session *shared = of->session->shared;
	uint64_t all = of->in_rings + of->dropped + of->recorded;
	const struct message_loss losses[] = {
		{.reason = DWELL_LOSS_THREADS, .count = shared->lost_threads},
		{.reason = DWELL_LOSS_EVENTS, .count = shared->lost_events},
		{.reason = DWELL_LOSS_SETUP, .count = shared->lost_setup},
		{.reason = DWELL_LOSS_MODULES, .count = shared->lost_modules + of->entries},
		{.reason = DWELL_LOSS_SWITCHES, .count = of->switches},
		{.reason = DWELL_LOSS_GIVEN_UP, .count = shared->given_up},
		{.reason = DWELL_LOSS_UNSEEN, .count = shared->unseen},
		{.reason = DWELL_LOSS_MOVED, .count = shared->moved},
	};

	for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
		if (losses[i].count)
			trace_writer_loss(writer, &losses[i]);
	tell_waits(of, writer);
	if (of->in_rings)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " of %" PRIu64 " events were lost: the program was faster than they could be written", of->in_rings,
			all);
	if (of->dropped)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " of %" PRIu64 " events were dropped: the disk was slower than they came", of->dropped, all);
	if (shared->lost_threads)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " threads were not recorded: more than %u recorded at the same time%s", (uint64_t)shared->lost_threads,
			of->session->slot_count, of->session->is_file ? "; --memory=SIZE makes room for more" : "");
	if (shared->given_up)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET,
			"the data of %" PRIu64 " threads that had ended was given up for later ones: there is room for %u; --memory=SIZE makes more",
			(uint64_t)shared->given_up, of->session->slot_count);
	if (shared->lost_setup)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " events were lost in signal handlers that came while a thread began to be recorded",
			(uint64_t)shared->lost_setup);
	if (shared->unannounced)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"forks by the program's own system calls: %" PRIu64 "; up to 511 events of each child are in its parent's thread",
			(uint64_t)shared->unannounced);
	if (of->broken)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET, "the rings of %" PRIu64 " threads were damaged, probably by the program itself",
			of->broken);
	if (losses[3].count)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " modules or processes are not in the trace: names will be missing", losses[3].count);
}
