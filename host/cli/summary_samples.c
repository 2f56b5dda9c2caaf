/* summary_samples: the lines above a report of samples. */
#include "cli/summary_samples.h"

#include <inttypes.h>
#include <string.h>

#include "cli/summary_counted.h"
#include "cli/summary_name.h"
#include "query/facts.h"
#include "query/sampled_time.h"
#include "util/units.h"

#define INTERRUPTED_MIN 0.01 /* part of all samples; less is not worth a line */

static void print_interrupts(const struct message_sampling *sampling, uint64_t samples, FILE *out)
{
	char asked[UNITS_TEXT_BYTES], got[UNITS_TEXT_BYTES];

	if (!sampling->cpu || !samples) {
		fputs("; how often they came is not known", out);
		return;
	}
	units_format_ns(asked, sampling->period);
	units_format_ns(got, sampling->cpu / samples);
	fprintf(out, ", got %.6g: one each %s, of %s asked for", (double)samples * 1e9 / (double)sampling->cpu, got, asked);
}

void summary_print_rate(const struct message_sampling *sampling, const struct profile *profile, FILE *out)
{
	double second = sampling->unit == DWELL_UNIT_NS && profile->total ? (double)profile->total / 1e9 : 0;

	if (sampling->millihertz)
		fprintf(out, "asked for %.6g sample%s a second of %s time", (double)sampling->millihertz / 1000, sampling->millihertz == 1000 ? "" : "s",
			sampling->is_wall ? "wall" : "CPU");
	else if (sampling->is_event && sampling->period)
		fprintf(out, "one sample every %" PRIu64, sampling->period);
	if (facts_is_interrupt_sampling(sampling))
		print_interrupts(sampling, profile->estimates.samples, out);
	/* No rate for two engines, whose samples do not weigh measured time. A sample of a debugger weighs the time for which the
	 * debugger let the program run. A sample of another interrupt (gmon.out) weighs the requested period. */
	else if (second > 0 && sampling->engine != DWELL_ENGINE_INTERRUPT && sampling->engine != DWELL_ENGINE_DEBUGGER)
		fprintf(out, "%s%.6g", sampling->millihertz ? ", got " : "samples a second: ",
			(double)profile->estimates.samples / second);
	fprintf(out, "\ntaken by %s, %s\n", sampling->is_event ? "perf events" : facts_engine_name(sampling->engine),
		sampling->jittered ? "at random distances" : "at even distances");
}

/* Prints the CPU time that the kernel measured: all of it, then the time in the kernel, which has no samples. */
static void print_both_parts(const struct message_sampling *sampling, uint64_t kernel_ns, FILE *out)
{
	char all[UNITS_TEXT_BYTES], outside[UNITS_TEXT_BYTES], inside[UNITS_TEXT_BYTES];

	units_format_ns(all, sampling->cpu + kernel_ns);
	units_format_ns(outside, sampling->cpu);
	units_format_ns(inside, kernel_ns);
	fprintf(out, "the kernel measured %s of CPU time: %s in itself, and %s outside of itself", all, inside, outside);
}

/* Prints the CPU time that the kernel measured, and the share of the samples in it. Below 100 %, samples are missing, or cover only
 * a part of the time. */
static void print_system(const struct trace *trace, FILE *out)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	uint64_t kernel_ns = sampled_time_get_kernel_ns(trace);
	char text[UNITS_TEXT_BYTES];

	if (!sampled_time_is_known(trace) && !kernel_ns)
		return;
	units_format_ns(text, sampling->cpu);
	if (kernel_ns)
		print_both_parts(sampling, kernel_ns, out);
	else
		fprintf(out, "the kernel measured %s of CPU time%s", text, sampling->has_kernel ? "" : " outside of itself");
	if (sampling->cpu)
		fprintf(out, "; the samples cover %.1f %% of %s",
			100 * (double)model_get_profile(trace->model)->total / (double)sampling->cpu, kernel_ns ? "the latter" : "it");
	putc('\n', out);
}

/* Prints how many samples are left out because the kernel handled an interrupt. Prints nothing for less than INTERRUPTED_MIN. */
static void print_interrupted(const struct trace *trace, FILE *out)
{
	const struct model_interrupted *interrupted = model_get_interrupted(trace->model);
	char count[UNITS_TEXT_BYTES];

	if (trace->thread || (double)interrupted->weight < INTERRUPTED_MIN * sampled_time_get_all_ns(trace))
		return;
	units_format_count(count, interrupted->samples);
	fprintf(out, "left out: %s sample%s (%.1f %%) taken while the kernel handled interrupts, which are not the program's work\n", count,
		interrupted->samples == 1 ? "" : "s", 100 * (double)interrupted->weight / sampled_time_get_all_ns(trace));
}

static uint64_t latest_sample(const struct profile *profile)
{
	uint64_t latest = 0;

	for (size_t i = 0; i < profile->thread_count; i++)
		if (profile->threads[i].samples && profile->threads[i].last_ticks > latest)
			latest = profile->threads[i].last_ticks;
	return latest;
}

/* Prints the start, the elapsed time, and the mean number of processors in use. If the end is missing, the last
 * sample counts as the end. */
static void print_clock(const struct trace *trace, FILE *out)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	uint64_t end = clock->latest_ticks, latest = latest_sample(profile), cpu, ns;
	bool has_end = clock->basis == CLOCK_CALIBRATED;
	char text[UNITS_TEXT_BYTES], time[40];

	if (trace->window || !clock->points || (!has_end && latest <= clock->origin_ticks))
		return;
	ns = clock_duration_ns(clock, (has_end && end > latest ? end : latest) - clock->origin_ticks);
	units_format_ns(text, ns);
	cpu = (sampled_time_is_known(trace) ? sampling->cpu : profile->total) + sampled_time_get_kernel_ns(trace);
	fprintf(out, "begun %s, %s%s by the clock", facts_time(clock->origin_unix_ns, time), has_end ? "" : "at least ", text);
	if (has_end && profile->total && sampling && sampling->unit == DWELL_UNIT_NS && !sampling->is_wall)
		fprintf(out, ", %.2f CPUs used on average", (double)cpu / (double)ns);
	putc('\n', out);
}

static void print_stacks(const struct message_sampling *sampling, const struct profile *profile, FILE *out)
{
	const uint64_t *stacks = profile->estimates.stacks;
	uint64_t with = stacks[DWELL_STACK_COMPLETE] + stacks[DWELL_STACK_TRUNCATED] + stacks[DWELL_STACK_BROKEN];
	static const char *const names[] = {[DWELL_STACK_COMPLETE] = "complete", [DWELL_STACK_TRUNCATED] = "truncated",
		[DWELL_STACK_BROKEN] = "broken"};

	if (!with) {
		fputs("callers were not looked for: total is self\n", out);
		return;
	}
	fprintf(out, "callers%s", sampling && sampling->by_pointers ? ", by frame pointers" : "");
	if (sampling && sampling->callers_are_unsure) {
		fputs(": those that perf found; how many are missing is not known\n", out);
		return;
	}
	putc(':', out);
	for (int i = DWELL_STACK_COMPLETE; i <= DWELL_STACK_BROKEN; i++)
		fprintf(out, "%s %.1f %% %s", i == DWELL_STACK_COMPLETE ? "" : ",", 100.0 * (double)stacks[i] / (double)with, names[i]);
	putc('\n', out);
}

void summary_print_samples(const struct trace *trace, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	char text[UNITS_TEXT_BYTES], count[UNITS_TEXT_BYTES];
	uint64_t functions = 0, threads = sampled_time_count_threads(profile);

	if (!profile->has_samples) {
		print_clock(trace, out);
		fprintf(out, "no samples: too little %s time was used for one, or none of them is left\n", sampling && sampling->is_wall ? "wall" : "CPU");
		if (sampling)
			summary_print_rate(sampling, profile, out);
		return;
	}
	for (size_t i = 0; i < profile->function_count; i++)
		functions += profile->functions[i].total > 0;
	if (sampling && sampling->unit == DWELL_UNIT_NS)
		units_format_ns(text, profile->total);
	else
		units_format_count(text, profile->total);
	print_clock(trace, out);
	units_format_count(count, profile->estimates.samples);
	if (facts_is_interrupt_sampling(sampling))
		units_format_ns(text, sampling->cpu);
	if (facts_is_interrupt_sampling(sampling) && !sampling->cpu)
		fprintf(out, "%s sample%s of wall time", count, profile->estimates.samples == 1 ? "" : "s");
	else if (sampling && sampling->is_event)
		fprintf(out, "%s %s", text, profile->unit);
	else
		fprintf(out, "%s%s%s of %s", text, sampling && sampling->unit == DWELL_UNIT_NS ? "" : " ",
			sampling && sampling->unit == DWELL_UNIT_NS ? "" : profile->unit,
			sampling && sampling->is_wall ? "wall time" : "CPU time");
	if (!facts_is_interrupt_sampling(sampling) || sampling->cpu)
		fprintf(out, ", %s sample%s", count, profile->estimates.samples == 1 ? "" : "s");
	units_format_count(count, threads);
	fprintf(out, ", %s thread%s", count, threads == 1 ? "" : "s");
	units_format_count(count, functions);
	fprintf(out, ", %s function%s", count, functions == 1 ? "" : "s");
	summary_print_counted(trace, out);
	putc('\n', out);
	if (sampling) {
		summary_print_rate(sampling, profile, out);
		print_system(trace, out);
		print_interrupted(trace, out);
	}
	print_stacks(sampling, profile, out);
}
