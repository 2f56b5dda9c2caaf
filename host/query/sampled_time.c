#include "query/sampled_time.h"

#include "util/real.h"

bool sampled_time_is_known(const struct trace *trace)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);

	return sampling && sampling->cpu && sampling->unit == DWELL_UNIT_NS && !sampling->is_wall && !trace->thread;
}

uint64_t sampled_time_count_threads(const struct profile *profile)
{
	uint64_t threads = 0;

	for (size_t i = 0; i < profile->thread_count; i++)
		threads += profile->threads[i].samples > 0;
	return threads;
}

double sampled_time_get_all_ns(const struct trace *trace)
{
	return (double)model_get_profile(trace->model)->total + (double)model_get_interrupted(trace->model)->weight;
}

/* Whether other findings already explain missing samples. */
static bool has_known_loss(const struct trace *trace)
{
	const struct reader_health *reader = reader_get_health(trace->reader);

	return reader->bytes_skipped || reader->chunks_damaged || reader->chunks_starved || reader->chunks_missing || reader->cut ||
		model_get_loss(trace->model, DWELL_LOSS_SAMPLES) || model_get_loss(trace->model, DWELL_LOSS_THROTTLED) ||
		model_get_loss(trace->model, DWELL_LOSS_DAMAGED) ||
		model_get_loss(trace->model, DWELL_LOSS_BYTES_UNWRITTEN);
}

/* The variance of the number of samples. With random distances of 0.8 to 1.3 times the mean, each sample adds 1/48; each
 * thread adds 1 for its end; the start and end of the program add a few. Exponential distances (timers) add 1 for each sample.
 * Without samples of the kernel the variance is five times the number of samples: the system measures its own time by ticks,
 * mostly at a quarter of the rate. */
static double chance_variance(const struct message_sampling *sampling, double expected, uint64_t threads)
{
	if (!sampling->has_kernel)
		return 5 * expected + 10;
	return (sampling->engine == DWELL_ENGINE_TIMERS ? expected : expected / 48) + (double)threads + 10;
}

unsigned sampled_time_find_missing(const struct message_sampling *sampling, double ns, uint64_t threads)
{
	double share = ns / (double)sampling->cpu, expected, missing;

	if (share >= 0.9) /* on a busy virtual machine even one thread was up to 8 % short, most likely because of switches */
		return 0;
	expected = (double)sampling->cpu / (double)sampling->period;
	missing = (1 - share) * expected;
	return missing * missing > 9 * chance_variance(sampling, expected, threads) ? real_to_u32(100 * (1 - share) + 0.5) : 0;
}

unsigned sampled_time_get_missing(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct message_sampling *sampling = model_get_sampling(trace->model);

	if (!profile->has_samples || !sampled_time_is_known(trace) || !sampling->period || has_known_loss(trace))
		return 0;
	return sampled_time_find_missing(sampling, sampled_time_get_all_ns(trace), sampled_time_count_threads(profile));
}

unsigned sampled_time_get_left_out(const struct trace *trace)
{
	const struct model_interrupted *interrupted = model_get_interrupted(trace->model);
	double taken = sampled_time_get_all_ns(trace), share = taken > 0 ? (double)interrupted->weight / taken : 0;

	return !trace->thread && share >= 0.1 ? real_to_u32(100 * share + 0.5) : 0;
}

uint64_t sampled_time_get_kernel_ns(const struct trace *trace)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);

	if (!sampling || sampling->has_kernel || sampling->unit != DWELL_UNIT_NS || trace->thread)
		return 0;
	return model_get_unsampled_kernel_ns(trace->model);
}

unsigned sampled_time_get_unsampled_kernel(const struct trace *trace)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	double kernel = (double)sampled_time_get_kernel_ns(trace);

	return kernel > 0 ? (unsigned)(100 * kernel / (kernel + (double)sampling->cpu) + 0.5) : 0;
}

unsigned sampled_time_get_excess(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	double expected, excess, variance;

	if (!profile->has_samples || !sampled_time_is_known(trace) || !sampling->period)
		return 0;
	expected = (double)sampling->cpu / (double)sampling->period;
	excess = (double)profile->total / (double)sampling->period - expected;
	variance = chance_variance(sampling, expected, sampled_time_count_threads(profile));
	if (excess <= 0.05 * expected || excess * excess <= 9 * variance)
		return 0;
	return real_to_u32(100 * excess / expected + 0.5);
}
