/* perf_messages: makes messages of the processes, threads, maps and events of a perf.data (reader.h). */
#include <string.h>

#include "reader/perf/reader.h"
#include "util/array.h"

enum { TYPE_HARDWARE = 0, TYPE_SOFTWARE = 1, HARDWARE_CYCLES = 0, SOFTWARE_CPU_CLOCK = 0,
	SOFTWARE_TASK_CLOCK = 1 };

struct message *perf_push_message(struct perf_reader *reader, enum message_kind kind)
{
	struct message *message;

	if (!array_reserve(&reader->queue, &reader->queue_capacity, reader->queued + 1, sizeof *reader->queue)) {
		reader->no_memory = true;
		return NULL;
	}
	message = &reader->queue[reader->queued++];
	*message = (struct message){.kind = kind, .offset = reader->pending_offset};
	return message;
}

static void push_process(struct perf_reader *reader, uint32_t index)
{
	struct perf_process *process = &reader->tasks.processes[index];
	struct message *message = perf_push_message(reader, MESSAGE_PROCESS);

	if (!message)
		return;
	message->process = (struct message_process){
		.process = index, .pid = process->pid, .parent_pid = process->parent_pid, .path = process->path};
	process->is_declared = true;
}

void perf_push_thread(struct perf_reader *reader, uint32_t index)
{
	struct perf_thread *thread = &reader->tasks.threads[index];
	struct message *message;

	if (!reader->tasks.processes[thread->process].is_declared)
		push_process(reader, thread->process);
	message = perf_push_message(reader, MESSAGE_THREAD);
	if (!message)
		return;
	message->thread = (struct message_thread){.stream = index,
		.process = thread->process,
		.tid = thread->tid,
		.ended = thread->ended,
		.place_kind = DWELL_PLACE_ADDRESS,
		.name = thread->name};
	thread->is_declared = true;
}

static void push_map(struct perf_reader *reader, uint32_t process, const struct perf_map *map, bool is_gone, uint64_t time)
{
	struct message *message = perf_push_message(reader, MESSAGE_MODULE);

	if (message)
		message->module = (struct message_module){.process = process,
			.low = map->low,
			.high = map->high,
			.bias = map->is_generated ? 0 : map->low - map->offset,
			.bias_is_of_offsets = !map->is_generated,
			.load_ticks = time,
			.unmapped = is_gone,
			.build_id = is_gone ? NULL : map->build_id, /* perf_tasks_unmap removes the map
								       before the message is read */
			.build_id_bytes = is_gone ? 0 : map->build_id_bytes,
			.path = map->path};
}

void perf_push_maps(struct perf_reader *reader, uint32_t index, uint64_t time)
{
	struct perf_process *process = &reader->tasks.processes[index];

	for (; process->declared_maps < process->map_count; process->declared_maps++) {
		struct perf_map *map = &process->maps[process->declared_maps];
		const struct perf_build_id *id = map->build_id_bytes ? NULL : perf_head_find_build_id(&reader->head, map->path);

		if (id) {
			memcpy(map->build_id, id->id, id->bytes);
			map->build_id_bytes = id->bytes;
		}
		push_map(reader, index, map, false, time);
		perf_stacks_map(reader, index, map);
	}
}

void perf_push_unmap(struct perf_reader *reader, uint32_t process, size_t map, uint64_t time)
{
	if (map < reader->tasks.processes[process].declared_maps) {
		push_map(reader, process, &reader->tasks.processes[process].maps[map], true, time);
		perf_stacks_unmap(reader, process, &reader->tasks.processes[process].maps[map]);
	}
	perf_tasks_unmap(&reader->tasks, process, map);
}

void perf_push_sampling(struct perf_reader *reader)
{
	struct message *message = perf_push_message(reader, MESSAGE_SAMPLING);
	const struct perf_event *event;
	struct message_sampling *sampling;
	bool is_clock;

	reader->sampling_written = true;
	if (!message || reader->choice.event >= reader->head.layout.count)
		return;
	event = &reader->head.layout.events[reader->choice.event];
	is_clock = event->type == TYPE_SOFTWARE && (event->config == SOFTWARE_CPU_CLOCK || event->config == SOFTWARE_TASK_CLOCK);
	sampling = &message->sampling;
	sampling->unit = is_clock						 ? DWELL_UNIT_NS
			 : event->type == TYPE_HARDWARE && event->config == HARDWARE_CYCLES ? DWELL_UNIT_CYCLES
											    : DWELL_UNIT_SAMPLES;
	sampling->engine = is_clock ? DWELL_ENGINE_TASK_CLOCK : DWELL_ENGINE_CYCLES;
	sampling->is_event = sampling->unit == DWELL_UNIT_SAMPLES;
	if (sampling->is_event)
		sampling->event = *event->name ? event->name : "events";
	sampling->has_kernel = !event->no_kernel;
	sampling->has_stacks = event->has_callers || (event->has_stack && perf_stacks_can(reader));
	sampling->by_pointers = sampling->callers_are_unsure = event->has_callers;
	sampling->period = event->is_rate ? 0 : event->period;
	if (event->is_rate && event->period && event->period < PERF_NS_A_SECOND) {
		sampling->millihertz = event->period * 1000;
		sampling->period = is_clock ? PERF_NS_A_SECOND / event->period : 0;
	}
}
