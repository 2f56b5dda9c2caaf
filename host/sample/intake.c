/* intake: takes records, finds the callers of samples, and counts losses. */
#include "sample/intake.h"

#include <inttypes.h>
#include <stdio.h>

/* dwell copies more of the stack if at least TRUNCATED_MIN samples, and more than one in TRUNCATED_ONE_IN, are truncated. Fewer are
 * normal. */
#define TRUNCATED_ONE_IN 100u
#define TRUNCATED_MIN 5u

/* Notes the addresses of the new nodes, from first on: the file needs their names. */
static void note_names(struct intake *intake, const struct batch *batch, struct image *image, size_t first)
{
	for (size_t i = first; i < batch->node_count; i++)
		if (batch->nodes[i].is_kernel)
			address_set_add(&intake->kernel, batch->nodes[i].address);
		else
			images_note(&intake->images, image, batch->nodes[i].address - batch->nodes[i].is_return);
}

/* Unwinds the sample's stack, and adds its path to the batch, outermost call first. Returns the number of its innermost node, as
 * batch_node does. *state: how far the callers reach. */
static uint32_t add_path(struct intake *intake, struct batch *batch, const struct perf_record *record, struct image *image,
	enum dwell_sample_stack *state)
{
	struct unwind_result result = {.count = 0, .state = DWELL_STACK_LEAF};
	size_t nodes = batch->node_count;
	uint64_t signals = 1;
	uint32_t node = 0;

	/* While execve runs, the registers still belong to the old program. */
	if (record->sample.has_registers && !intake->leaf &&
		(!record->sample.in_kernel || unwind_space_is_mapped(image->space, record->sample.registers.pc))) {
		result = unwind_stack(image->space, &record->sample.registers, &record->sample.stack, intake->frames,
			INTAKE_FRAMES_MAX, &signals);
		intake->unwound++;
		intake->truncated += result.state == DWELL_STACK_TRUNCATED;
	} else if (!record->sample.in_kernel) {
		intake->frames[0] = record->sample.ip;
		result.count = 1;
	} else if (!intake->leaf) {
		result.state = DWELL_STACK_COMPLETE; /* no function of the program is open: the thread is beginning or ending */
	}
	for (uint32_t i = result.count; i--;)
		node = batch_node(batch, node, intake->frames[i], i > 63 || !(signals >> i & 1), false);
	if (record->sample.in_kernel)
		node = batch_node(batch, node, record->sample.ip, false, true);
	if (record->sample.is_bare && !intake->leaf) { /* no room for a copy */
		result.state = DWELL_STACK_TRUNCATED;
		intake->bare++;
	}
	note_names(intake, batch, image, nodes);
	*state = result.state;
	return node;
}

/* Counts a sample that was taken in an interrupt, without adding the sample to a batch. Notes the timer: this may be the timer's
 * first sample. */
static void count_interrupted(struct intake *intake, const struct perf_record *record)
{
	sampled_timers_is_first(&intake->timers, record->sample.timer);
	intake->interrupted++;
	intake->interrupted_weight += record->sample.period;
}

static void add_sample(struct intake *intake, const struct perf_record *record)
{
	struct sampled_thread *thread =
		sampled_threads_find(&intake->threads, &intake->images, record->pid, record->tid, record->ns);
	struct message_sample sample = {.ticks = record->ns};

	if (!thread) {
		intake->lost++;
		return;
	}
	if (thread->batch.count && (batch_is_full(&thread->batch) || thread->image_changes != thread->image->changes))
		sampled_thread_flush(thread, intake->images.writer);
	if (!thread->batch.count) {
		thread->begin_ns = record->ns;
		thread->image_changes = thread->image->changes;
	}
	sample.weight = record->sample.period;
	if (sampled_timers_is_first(&intake->timers, record->sample.timer))
		sample.weight += record->sample.period / 2;
	sample.node = add_path(intake, &thread->batch, record, thread->image, &sample.stack);
	if (sample.ticks < thread->last_ns)
		sample.ticks = thread->last_ns;
	thread->last_ns = sample.ticks;
	if (batch_add(&thread->batch, &sample))
		intake->threads.samples++;
	else
		intake->lost++;
}

void intake_take(struct intake *intake, const struct perf_record *record)
{
	struct sampled_thread *thread;

	switch (record->kind) {
	case PERF_SAMPLE:
		(record->sample.in_interrupt ? count_interrupted : add_sample)(intake, record);
		break;
	case PERF_MAP:
		images_map(&intake->images, record);
		break;
	case PERF_PROCESS:
		images_fork(&intake->images, record->pid, record->parent_pid, record->ns);
		sampled_threads_find(&intake->threads, &intake->images, record->pid, record->tid, record->ns);
		break;
	case PERF_THREAD:
		sampled_threads_find(&intake->threads, &intake->images, record->pid, record->tid, record->ns);
		break;
	case PERF_THREAD_END:
		sampled_threads_end(&intake->threads, &intake->images, record->pid, record->tid);
		break;
	case PERF_EXEC:
		images_exec(&intake->images, record->pid, record->ns);
		thread = sampled_threads_find(&intake->threads, &intake->images, record->pid, record->tid, record->ns);
		if (thread)
			sampled_threads_name(&intake->images, thread, record->name);
		break;
	case PERF_NAME:
		thread = sampled_threads_find(&intake->threads, &intake->images, record->pid, record->tid, record->ns);
		if (thread)
			sampled_threads_name(&intake->images, thread, record->name);
		break;
	case PERF_LOST:
		intake->lost += record->lost;
		break;
	case PERF_THROTTLED:
		intake->throttled++;
		break;
	}
}

bool intake_wants_large(struct intake *intake)
{
	intake->large |= intake->truncated >= TRUNCATED_MIN && intake->truncated * TRUNCATED_ONE_IN > intake->unwound;
	if (intake->unwound >= 2 * TRUNCATED_ONE_IN)
		intake->truncated = intake->unwound = 0;
	return intake->large;
}

/* Writes a loss to the trace, unless the count is 0. */
static void write_loss(const struct intake *intake, enum dwell_loss_reason reason, uint64_t count, uint64_t now_ns)
{
	if (count)
		trace_writer_loss(intake->images.writer, &(struct message_loss){.reason = reason, .count = count, .ticks = now_ns});
}

void intake_write_losses(const struct intake *intake, uint64_t damaged, uint64_t now_ns)
{
	write_loss(intake, DWELL_LOSS_SAMPLES, intake->lost, now_ns);
	write_loss(intake, DWELL_LOSS_THROTTLED, intake->throttled, now_ns);
	write_loss(intake, DWELL_LOSS_DAMAGED, damaged, now_ns);
}

void intake_write_interrupted(const struct intake *intake, enum dwell_sampling_unit unit)
{
	char text[80];

	if (!intake->interrupted)
		return;
	snprintf(text, sizeof text, "%" PRIu64 " samples, %" PRIu64 " %s", intake->interrupted, intake->interrupted_weight,
		unit == DWELL_UNIT_CYCLES ? "cycles" : "ns");
	trace_writer_info(intake->images.writer, &(const struct message_info){"interrupted", text}, 1);
}

void intake_write_kernel_time(const struct intake *intake, uint64_t ns)
{
	char text[40];

	if (!ns)
		return;
	snprintf(text, sizeof text, "%" PRIu64 " ns", ns);
	trace_writer_info(intake->images.writer, &(const struct message_info){"unsampled-kernel", text}, 1);
}

void intake_clear(struct intake *intake)
{
	sampled_threads_clear(&intake->threads);
	images_clear(&intake->images);
	sampled_timers_clear(&intake->timers);
	address_set_clear(&intake->kernel);
}
