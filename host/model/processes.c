/* processes: the list of a recording's processes, from the messages about them, and the searches in it. The part of model.h that
 * concerns processes. */
#include <stdlib.h>
#include <string.h>

#include "model/model_inner.h"
#include "util/array.h"

/* The index of the process with the file's number; UINT32_MAX: none. */
static uint32_t find(const struct model *model, uint32_t process)
{
	const struct lookup *index = &model->process_index;
	uint32_t hash = hash_number(process), item;

	for (uint32_t at = hash; (item = lookup_next(index, hash, &at)) != LOOKUP_NONE;)
		if (model->processes[item].process == process)
			return item;
	return UINT32_MAX;
}

/* UINT32_MAX: no memory. */
static uint32_t find_or_add(struct model *model, uint32_t process)
{
	uint32_t at = find(model, process);

	if (at != UINT32_MAX)
		return at;
	if (!array_reserve(&model->processes, &model->process_capacity, model->process_count + 1, sizeof *model->processes) ||
		!lookup_put(&model->process_index, hash_number(process), (uint32_t)model->process_count))
		return UINT32_MAX;
	model->processes[model->process_count] = (struct model_process){.process = process};
	return (uint32_t)model->process_count++;
}

void processes_feed(struct model *model, const struct message_process *message)
{
	uint32_t at = find_or_add(model, message->process), *last = numbers_put(&model->pids, message->pid);
	struct model_process *process;

	if (at == UINT32_MAX)
		return;
	if (last && *last < at + 1)
		*last = at + 1;
	process = &model->processes[at];
	process->pid = message->pid;
	process->parent_pid = message->parent_pid;
	process->ended = message->ended;
	process->status = message->status;
	process->start_ticks = message->start_ticks;
	if (*message->path) {
		free(process->path);
		process->path = strdup(message->path);
	}
	if (message->argc && *message->argv[0]) {
		free(process->called);
		process->called = strdup(message->argv[0]);
	}
}

uint32_t model_process_count(const struct model *model)
{
	return (uint32_t)model->process_count;
}

const struct model_process *model_get_process(const struct model *model, uint32_t index)
{
	return &model->processes[index];
}

uint32_t model_find_process(const struct model *model, uint32_t pid, uint64_t ticks)
{
	uint32_t last = numbers_get(&model->pids, pid), found = UINT32_MAX;

	/* Usually only one process had the pid. If several had it, takes the last that began before ticks, or else the first. */
	for (uint32_t i = last; i-- > 0;)
		if (model->processes[i].pid == pid) {
			found = model->processes[i].process;
			if (model->processes[i].start_ticks <= ticks)
				break;
		}
	return found;
}

bool model_is_replaced(const struct model *model, uint32_t index)
{
	const struct model_process *process = &model->processes[index];
	uint32_t last = numbers_get(&model->pids, process->pid);

	return !process->ended && last > index + 1 && model->processes[last - 1].pid == process->pid;
}

bool model_process_is_replaced(const struct model *model, uint32_t process)
{
	uint32_t index = find(model, process);

	return index != UINT32_MAX && model_is_replaced(model, index);
}
