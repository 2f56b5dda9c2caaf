/* samples: see samples.h. */
#include <stdlib.h>

#include "tracegen/samples.h"

#define CHUNK_SAMPLES 4096u

static double draw(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return (double)(x >> 11) / 9007199254740992.0;
}

/* sums[i]: of the weights of functions 0 to i. */
static bool read_shares(const struct samples_plan *plan, uint32_t functions, double *sums)
{
	const char *text = plan->shares;
	double sum = 0;

	for (uint32_t i = 0; i < functions; i++) {
		double weight = i < 60 ? 1.0 / (double)(UINT64_C(1) << i) : 0;

		if (text) {
			char *end = (char *)text;

			weight = *text ? strtod(text, &end) : 0;
			if ((*text && end == text) || !(weight >= 0 && weight < 1e9) || (*end && *end != ','))
				return false;
			text = end + (*end == ',');
		}
		sums[i] = sum += weight;
	}
	return sum > 0 && !(text && *text);
}

bool samples_plan_check(const struct samples_plan *plan, uint32_t functions)
{
	double *sums = malloc(functions * sizeof *sums);
	bool good = sums && read_shares(plan, functions, sums);

	free(sums);
	return good;
}

static uint32_t choose(const double *sums, uint32_t count, uint64_t *state)
{
	double at = draw(state) * sums[count - 1];
	uint32_t low = 0, high = count - 1;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (at < sums[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Node 0 is function 0, out of which the others were called; node i + 1 is function i. What is invented has no extent: only its
 * first byte is the function. */
static void make_nodes(struct message_node *nodes, const struct functions_list *list)
{
	const struct message_module *module = &list->module;

	for (uint32_t i = 0; i < list->count; i++) {
		uint64_t address = (module->low & ~(uint64_t)UINT32_MAX) | list->places[i];

		if (address < module->low)
			address += UINT64_C(1) << 32;
		nodes[i + 1] = (struct message_node){.address = address, .caller = i ? 1 : 0};
		if (!i)
			nodes[0] = (struct message_node){.address = address + (list->real ? 8 : 1), .is_return = true};
	}
}

struct thread {
	uint64_t now;
	uint32_t function;
};

static void fill(const struct samples_plan *plan, const double *sums, uint32_t functions, struct thread *thread, uint64_t *state,
	struct message_sample *samples, uint32_t count, struct samples_truth *truth)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t weight = (uint64_t)(SAMPLES_PERIOD_NS * (0.7 + 0.6 * draw(state)));

		if (thread->function == UINT32_MAX || draw(state) * plan->run < 1)
			thread->function = choose(sums, functions, state);
		thread->now += weight;
		truth[thread->function].samples++;
		truth[thread->function].weight += weight;
		samples[i] = (struct message_sample){thread->now, weight, thread->function + 2, DWELL_STACK_COMPLETE};
	}
}

uint64_t samples_write(struct trace_writer *writer, const struct samples_plan *plan, const struct functions_list *list,
	uint64_t start_ticks, struct samples_truth *truth)
{
	struct message_sampling sampling = {.engine = plan->cycles ? DWELL_ENGINE_CYCLES : DWELL_ENGINE_TASK_CLOCK,
		.unit = plan->cycles ? DWELL_UNIT_CYCLES : DWELL_UNIT_NS, .jittered = true, .has_stacks = true,
		.period = SAMPLES_PERIOD_NS, .millihertz = UINT64_C(1000000000000) / SAMPLES_PERIOD_NS};
	struct message_sample *samples = malloc(CHUNK_SAMPLES * sizeof *samples);
	struct message_node *nodes = malloc((list->count + 1) * sizeof *nodes);
	double *sums = malloc(list->count * sizeof *sums);
	uint64_t state = ((plan->seed + 1) * UINT64_C(0x9e3779b97f4a7c15)) | 1, last = start_ticks;

	if (!samples || !nodes || !sums || !read_shares(plan, list->count, sums)) {
		last = 0;
		goto end;
	}
	for (int i = 0; i < 16; i++) /* seeds that are near begin alike */
		draw(&state);
	make_nodes(nodes, list);
	trace_writer_sampling(writer, &sampling);
	for (uint32_t i = 0; i < plan->threads; i++) {
		struct thread thread = {start_ticks, UINT32_MAX};

		for (uint64_t left = plan->count / plan->threads + (i < plan->count % plan->threads); left;) {
			uint32_t count = left < CHUNK_SAMPLES ? (uint32_t)left : CHUNK_SAMPLES;
			struct message_samples message = {i, nodes, list->count + 1, samples, count};

			fill(plan, sums, list->count, &thread, &state, samples, count, truth);
			trace_writer_samples(writer, &message);
			left -= count;
		}
		last = thread.now > last ? thread.now : last;
	}
	for (uint32_t i = 0; i < list->count; i++)
		sampling.cpu += truth[i].weight;
	sampling.cpu += sampling.cpu / 100 * plan->unsampled;
	sampling.cpu -= sampling.cpu / 100 * plan->excess;
	trace_writer_sampling(writer, &sampling);
end:
	free(samples);
	free(nodes);
	free(sums);
	return last;
}
