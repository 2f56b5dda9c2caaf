/* watch_shares: writes a table of samples for dwell top: two lines about the samples, then the functions' shares. */
#include "watch/watch_shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/summary_samples.h"
#include "util/real.h"
#include "util/units.h"

static uint64_t count_running_threads(const struct model *model)
{
	uint64_t threads = 0;

	for (uint32_t i = 0; i < model_thread_count(model); i++)
		threads += !model_get_thread(model, i).ended;
	return threads;
}

/* Writes what the program used per second, such as "; CPU time 1.98 s a second" or "; cycles 3,100,000,000 a second". recent: the
 * samples of a time of ns nanoseconds. */
static void put_used(const struct message_sampling *sampling, const struct live_state *recent, uint64_t ns, FILE *out)
{
	uint64_t each = ns ? real_to_u64((double)recent->weight * 1e9 / (double)ns) : 0;
	char text[UNITS_TEXT_BYTES];

	if (sampling->engine == DWELL_ENGINE_INTERRUPT) /* such samples weigh the requested period, not a time measured */
		return;
	if (sampling->unit == DWELL_UNIT_NS)
		units_format_ns(text, each);
	else
		units_format_count(text, each);
	fprintf(out, "; %s %s a second", sampling->unit != DWELL_UNIT_NS ? "cycles" : sampling->is_wall ? "wall time" : "CPU time", text);
}

static void put_head(const struct live_shares *live, struct model *model, FILE *out)
{
	const struct live_state *recent = live_shares_recent(live), *all = live_shares_all(live);
	const struct message_sampling *sampling = model_get_sampling(model);
	uint64_t threads = count_running_threads(model), held = model_get_loss(model, DWELL_LOSS_THROTTLED);
	char count[UNITS_TEXT_BYTES], time[UNITS_TEXT_BYTES];

	units_format_count(count, recent->estimates.samples);
	units_format_ns(time, all->ns - recent->ns);
	fprintf(out, "%s sample%s of the last %s, ", count, recent->estimates.samples == 1 ? "" : "s", time);
	units_format_count(count, model_get_loss(model, DWELL_LOSS_SAMPLES));
	fprintf(out, "%s lost", count);
	if (held) {
		units_format_count(count, held);
		fprintf(out, ", %s time%s held back by the kernel", count, held == 1 ? "" : "s");
	}
	put_used(sampling, recent, all->ns - recent->ns, out);
	units_format_count(count, threads);
	fprintf(out, "; %s thread%s", count, threads == 1 ? "" : "s");
	units_format_count(count, all->estimates.samples);
	units_format_ns(time, all->ns - live->begun_ns);
	fprintf(out, "; %s sample%s in %s since the start", count, all->estimates.samples == 1 ? "" : "s", time);
	putc('\n', out);
	summary_print_rate(sampling, model_get_profile(model), out);
}

bool watch_shares_write(struct live_shares *live, struct model *model, struct watch_form *form, struct table_sink *sink)
{
	if (!live_shares_update(live, model))
		return false;
	put_head(live, model, form->head);
	return live_shares_write(live, model, form->limit, sink);
}
