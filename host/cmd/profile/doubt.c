/* profile_doubt: see profile_doubt.h. */
#include "cmd/profile/doubt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "query/sampled_time.h"
#include "symbol/symbol.h"
#include "util/units.h"

/* Of CPU time; with the display that of the samples which are much more often. */
static double distance_ns(const struct profiling *profiling)
{
	return 1e9 / (profiling->vblank ? PROFILING_FINE_HZ : profiling->hz);
}

/* Percent of the CPU time that is in no sample. */
static unsigned find_unsampled(const struct profiling *profiling)
{
	const struct message_sampling sampling = {.engine = DWELL_ENGINE_TASK_CLOCK,
		.unit = DWELL_UNIT_NS,
		.has_kernel = profiling->has_kernel,
		.period = (uint64_t)distance_ns(profiling),
		.cpu = profiling->system_ns};

	if (!profiling->system_ns || profiling->lost || profiling->damaged)
		return 0;
	return sampled_time_find_missing(&sampling, (double)(profiling->sampled_ns + profiling->interrupted_ns), profiling->threads);
}

static void doubt_unsampled(const struct profiling *profiling, unsigned percent, char text[static PROFILE_DOUBT_BYTES], struct diag *diag)
{
	char distance[UNITS_TEXT_BYTES], used[UNITS_TEXT_BYTES];
	const char *remedy = profiling->vblank || profiling->hz >= DWELL_PROFILE_HZ_MAX ? "dwell record --engine=timer sees" : "a higher f= sees more of";

	units_format_ns_short(distance, (uint64_t)distance_ns(profiling));
	units_format_ns_short(used, profiling->system_ns);
	diag_add(diag, DIAG_WARN, profiling->path, DIAG_NO_OFFSET,
		"%u %% of the %s of CPU time is in no sample, such as that of threads and processes that live for less than %s: %s them; or of programs "
		"that change their user (set-uid), at which the system lets nobody look",
		percent, used, distance, remedy);
	snprintf(text, PROFILE_DOUBT_BYTES, "%u percent of the CPU time is in no sample, such as that of threads and processes that live for less than %s",
		percent, distance);
}

static void describe(const struct dwell_tally *tally, const struct rhythm_place *place, char *text, size_t bytes)
{
	const char *symbol = !place->file ? "what is not the program's own" : tally->names[place->address] ? tally->names[place->address] : "?";
	char *name = place->file ? make_symbol_display_name(symbol) : NULL;

	snprintf(text, bytes, "%.300s", name ? name : symbol);
	free(name);
}

/* "Not in step" is worth what would have been seen. */
static void say_sight(const struct profiling *profiling, char text[static PROFILE_DOUBT_BYTES], struct diag *diag)
{
	double samples = profiling->rhythm.all[RHYTHM_RANDOM].sum, points = 100 * rhythm_find_sight(&profiling->rhythm);

	if (points > 100 * RHYTHM_SIGHT_MAX)
		snprintf(text, PROFILE_DOUBT_BYTES,
			"Whether the program is in step with the display is not known: of %.0f samples at random moments\n"
			"a difference of less than %.1f percentage points would not show", samples, points);
	else
		diag_add(diag, DIAG_NOTE, profiling->path, DIAG_NO_OFFSET,
			"not in step with the display: by %.0f samples at random moments, of which a difference of less than %.1f percentage points "
			"would not show", samples, points);
}

/* Samples at the display's moments against those at random ones. */
static void doubt_rhythm(
	const struct profiling *profiling, struct dwell_summary *summary, char text[static PROFILE_DOUBT_BYTES], struct diag *diag)
{
	const struct rhythm_place *place;
	double shares[RHYTHM_KINDS];
	char name[320];

	switch (rhythm_find(&profiling->rhythm, &place, shares)) {
	case RHYTHM_NONE:
		say_sight(profiling, text, diag);
		break;
	case RHYTHM_NOT_KNOWN:
		snprintf(text, PROFILE_DOUBT_BYTES, "Whether the program is in step with the display is not known: that takes %u samples", RHYTHM_WINDOWS_MIN);
		break;
	case RHYTHM_IN_STEP:
		describe(summary->tally, place, name, sizeof name);
		diag_add(diag, DIAG_WARN, profiling->path, DIAG_NO_OFFSET,
			"the program is in step with the display: %s has %.1f %% of the samples, and %.1f %% of those taken at random moments; the shares "
			"may be far off, without +v they are not",
			name, 100 * shares[RHYTHM_EVEN], 100 * shares[RHYTHM_RANDOM]);
		snprintf(text, PROFILE_DOUBT_BYTES,
			"These percentages are not to be trusted: the program is in step with the display.\n%s has %.1f percent of the samples, and %.1f of those "
			"taken at random moments",
			name, 100 * shares[RHYTHM_EVEN], 100 * shares[RHYTHM_RANDOM]);
		summary->is_false = true;
	}
}

static void warn_too_short(const struct profiling *profiling, struct diag *diag)
{
	uint64_t used_ns = profiling->system_ns ? profiling->system_ns : profiling->elapsed_ns;

	if (profiling->vblank)
		diag_add(diag, DIAG_WARN, profiling->path, DIAG_NO_OFFSET,
			"ended before the first sample: they come every %.3g ms by the clock, and it ran for %.3g ms", 1000 / profiling->vblank_hz,
			(double)profiling->elapsed_ns / 1e6);
	else
		diag_add(diag, DIAG_WARN, profiling->path, DIAG_NO_OFFSET,
			"ended before the first sample, which comes after some %.3g ms of CPU time; it used %.3g ms", 1000 / profiling->hz,
			(double)used_ns / 1e6);
}

void profile_doubt(
	const struct profiling *profiling, struct dwell_summary *summary, char text[static PROFILE_DOUBT_BYTES], struct diag *diag)
{
	unsigned unsampled = find_unsampled(profiling);
	size_t left = profiling->text->process_count;

	*text = 0;
	if (unsampled)
		doubt_unsampled(profiling, unsampled, text, diag);
	else if (!profiling->samples)
		warn_too_short(profiling, diag);
	if (profiling->vblank && profiling->samples)
		doubt_rhythm(profiling, summary, text, diag);
	summary->doubt = *text ? text : NULL;
	if (!profiling->has_kernel)
		diag_add(diag, DIAG_NOTE, profiling->path, DIAG_NO_OFFSET,
			"what it did in the kernel is in no sample: the kernel does not permit it (kernel.perf_event_paranoid)");
	if (left)
		diag_add(diag, DIAG_WARN, profiling->path, DIAG_NO_OFFSET,
			"has ended and left %zu process%s behind: what these do from now on is not in %s", left, left == 1 ? "" : "es",
			summary->options->output);
	if (profiling->lost)
		diag_add(diag, DIAG_WARN, profiling->path, DIAG_NO_OFFSET,
			"samples lost, there was no room for them: %" PRIu64, profiling->lost);
	if (profiling->damaged)
		diag_add(diag, DIAG_WARN, profiling->path, DIAG_NO_OFFSET,
			"times that what the kernel told made no sense, and was left out: %" PRIu64, profiling->damaged);
	if (profiling->text->starved)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
}
