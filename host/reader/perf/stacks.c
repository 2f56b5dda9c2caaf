/* perf_stacks: finds the callers in the copies of stacks in a perf.data, by the unwinder that the reader was given (reader.h). */
#include "reader/perf/reader.h"

enum { ABI_NONE = 0, ABI_64 = 2 };

bool perf_stacks_can(const struct perf_reader *reader)
{
	return reader->input->unwinder && reader->head.machine;
}

void perf_stacks_begin(struct perf_reader *reader)
{
	if (!reader->stacks.is_begun && perf_stacks_can(reader))
		reader->stacks.unwinder = reader->input->unwinder->make(reader->head.machine);
	reader->stacks.is_begun = true;
}

void perf_stacks_clear(struct perf_reader *reader)
{
	if (reader->stacks.unwinder)
		reader->input->unwinder->free(reader->stacks.unwinder);
	reader->stacks = (struct perf_stacks){0};
}

void perf_stacks_map(struct perf_reader *reader, uint32_t process, const struct perf_map *map)
{
	const struct reader_mapping mapping = {.low = map->low,
		.high = map->high,
		.offset = map->offset,
		.path = map->path,
		.build_id = map->build_id,
		.build_id_bytes = map->build_id_bytes,
		.is_generated = map->is_generated};

	if (reader->stacks.unwinder)
		reader->no_memory |= !reader->input->unwinder->map(reader->stacks.unwinder, process, &mapping);
}

void perf_stacks_unmap(struct perf_reader *reader, uint32_t process, const struct perf_map *map)
{
	if (reader->stacks.unwinder)
		reader->no_memory |= !reader->input->unwinder->unmap(reader->stacks.unwinder, process, map->low, map->high);
}

static bool is_mapped(const struct perf_process *process, uint64_t address)
{
	bool found = false;

	for (size_t i = 0; i < process->map_count && !found; i++)
		found = address >= process->maps[i].low && address < process->maps[i].high;
	return found;
}

bool perf_stacks_find(
	struct perf_reader *reader, uint32_t process, const struct perf_sample *sample, struct reader_callers *callers)
{
	const struct reader_stack stack = {sample->event->registers, sample->registers, sample->stack};

	if (!sample->event->has_stack)
		return false;
	/* A thread of the kernel, or one that begins or ends: no function of the program is open. */
	*callers = (struct reader_callers){.state = DWELL_STACK_COMPLETE};
	if (sample->abi == ABI_NONE)
		return sample->is_kernel;
	if (sample->abi != ABI_64) {
		reader->stacks.narrow++;
		return false;
	}
	if (!reader->stacks.unwinder) {
		reader->stacks.unread++;
		return false;
	}
	*callers = reader->input->unwinder->find(reader->stacks.unwinder, process, &stack);
	/* While execve runs, the registers still belong to the old program. */
	if (sample->is_kernel && callers->count && !is_mapped(&reader->tasks.processes[process], callers->frames[0]))
		*callers = (struct reader_callers){.state = DWELL_STACK_COMPLETE};
	return true;
}
