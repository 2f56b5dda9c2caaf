/* losses: reads the counters of the session, and reports each that is not 0. */
#include "record/sink/losses.h"

#include <inttypes.h>
#include <stdio.h>

#include "record/session/figures.h"
#include "util/guard.h"
#include "util/units.h"

/* Waiting keeps threads from losing events, but takes time. A shorter total is not worth a note on the terminal. */
#define WAITED_MUCH_NS UINT64_C(10000000)

/* Reports how long threads waited for room in their rings. */
static void report_waits(const struct figures *figures, struct trace_writer *writer, const char *output, struct diag *diag)
{
	char text[2 * UNITS_TEXT_BYTES + 32], time[UNITS_TEXT_BYTES], longest[UNITS_TEXT_BYTES];
	const struct message_info fact = {"waited", text};

	if (!figures->waited_ns)
		return;
	units_format_ns_short(time, figures->waited_ns);
	units_format_ns_short(longest, figures->longest_wait_ns);
	snprintf(text, sizeof text, "%s, at most %s at a time", time, longest);
	trace_writer_info(writer, &fact, 1);
	if (figures->waited_ns >= WAITED_MUCH_NS)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET,
			"recording held threads up for %s in all, at most %s at a time, so that no event was lost%s", time, longest,
			figures->failed_wait_sweeps ? " until the longest wait was over" : "");
}

/* Names the first program only. */
static void report_unloaded(const struct privileged *unloaded, const char *output, struct diag *diag)
{
	if (unloaded->count)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET, "%zu program%s %s not recorded: %s " PRIVILEGED_UNLOADED,
			unloaded->count, unloaded->count == 1 ? "" : "s", unloaded->count == 1 ? "was" : "were", unloaded->paths[0]);
}

void losses_report(const struct losses *of, struct trace_writer *writer, const char *output, struct diag *diag)
{
	const struct figures figures = figures_read(of->session);
	bool is_cut = guard_was_truncated(of->session->shared);
	uint64_t all = of->in_rings + of->dropped + of->recorded;
	const struct message_loss losses[] = {
		{.reason = DWELL_LOSS_THREADS, .count = figures.lost_threads},
		{.reason = DWELL_LOSS_EVENTS, .count = figures.lost_events},
		{.reason = DWELL_LOSS_SETUP, .count = figures.lost_setup},
		{.reason = DWELL_LOSS_MODULES, .count = figures.lost_modules + of->entries},
		{.reason = DWELL_LOSS_SWITCHES, .count = of->switches},
		{.reason = DWELL_LOSS_FAULTS, .count = of->faults},
		{.reason = DWELL_LOSS_GIVEN_UP, .count = figures.given_up},
		{.reason = DWELL_LOSS_UNSEEN, .count = figures.unseen},
		{.reason = DWELL_LOSS_MOVED, .count = figures.moved},
		{.reason = DWELL_LOSS_PRIVILEGED, .count = of->privileged->count},
		{.reason = DWELL_LOSS_UNREACHED, .count = of->unreached->count},
		{.reason = DWELL_LOSS_UNLOADED, .count = of->unloaded->count},
		{.reason = DWELL_LOSS_CONFINED, .count = of->confined},
		{.reason = DWELL_LOSS_FORKS, .count = figures.unnoticed_forks},
		{.reason = DWELL_LOSS_UNPATCHED, .count = figures.unpatched_modules},
		{.reason = DWELL_LOSS_OVERWRITTEN, .count = of->broken + figures.is_damaged + is_cut},
	};

	for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
		if (losses[i].count)
			trace_writer_loss(writer, &losses[i]);
	report_waits(&figures, writer, output, diag);
	if (of->in_rings)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " of %" PRIu64 " events were lost: the program was faster than dwell could write; times near the gaps are lower bounds (~). Record less: --only, --not", of->in_rings,
			all);
	if (of->dropped)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " of %" PRIu64 " events were dropped: the disk was slower than the program; write to a faster disk, or use --ring", of->dropped, all);
	if (figures.lost_threads)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " threads were not recorded: all %u rings were in use, by running threads or by ended ones that dwell had "
			"not read yet%s", figures.lost_threads,
			of->session->slot_count, of->session->is_kept ? "; --memory=SIZE makes room for more" : "");
	if (figures.given_up)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET,
			"the data of %" PRIu64 " threads that had ended was given up for later threads: there is room for %u threads; --memory=SIZE makes more",
			figures.given_up, of->session->slot_count);
	if (figures.lost_setup)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " events were lost: signal handlers made them while dwell set up their thread",
			figures.lost_setup);
	if (figures.unnoticed_forks)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"forks by the program's own system calls: %" PRIu64 "; up to 511 events of each child count for its parent's thread",
			figures.unnoticed_forks);
	if (of->broken)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET, "the rings of %" PRIu64 " threads were damaged, probably by the program: their calls are missing; look for stray writes",
			of->broken);
	if (of->privileged->count)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " program%s with hooks %s not recorded, because the system gives %s rights of another user or group (set-uid, "
			"set-gid or capabilities): %s; record a copy without these rights", (uint64_t)of->privileged->count, of->privileged->count == 1 ? "" : "s",
			of->privileged->count == 1 ? "was" : "were", of->privileged->count == 1 ? "it" : "them", of->privileged->paths[0]);
	if (of->unreached->count)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " program%s %s not recorded: %s " PRIVILEGED_UNREACHED, (uint64_t)of->unreached->count,
			of->unreached->count == 1 ? "" : "s", of->unreached->count == 1 ? "was" : "were", of->unreached->paths[0]);
	if (of->confined)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"processes that forbade themselves the clock or system calls (PR_SET_TSC, seccomp's strict mode): %" PRIu64
			"; dwell did not record them from then on; use --sample", of->confined);
	report_unloaded(of->unloaded, output, diag);
	if (figures.is_damaged)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"a program has written over the memory that dwell shares with it: an unknown number of events is lost, and others may be wrong; "
			"look for stray writes in it, for example with AddressSanitizer");
	if (is_cut)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"a program has shortened the file that dwell recorded it to: the calls behind the new end are lost");
	if (losses[3].count)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " modules or processes did not fit into the trace: names of their functions are missing", losses[3].count);
}
