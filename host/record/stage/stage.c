/* stage: calls the operations of a list of stages, in order. */
#include "record/stage/stage.h"

#include <stdlib.h>

#include "util/array.h"

void stages_add(struct stage_list *list, struct stage *stage)
{
	struct stage **link = &list->first;

	while (*link)
		link = &(*link)->next;
	*link = stage;
	list->uses_switches |= stage->type->add_switches != NULL;
}

void stages_free(struct stage_list *list)
{
	for (struct stage *stage = list->first, *next; stage; stage = next) {
		next = stage->next;
		if (stage->type->clear)
			stage->type->clear(stage);
		free(stage);
	}
	mapping_changes_clear(&list->mapping_changes);
	*list = (struct stage_list){0};
}

bool stages_begin(struct stage_list *list, const struct stage_recording *recording)
{
	bool good = true;

	for (struct stage *stage = list->first; stage && good; stage = stage->next) {
		stage->recording = recording;
		good = !stage->type->begin || stage->type->begin(stage);
	}
	return good;
}

void stages_add_module(struct stage_list *list, const struct message_module *module)
{
	mapping_changes_add(&list->mapping_changes, module);
	for (struct stage *stage = list->first; stage; stage = stage->next)
		if (stage->type->add_module)
			stage->type->add_module(stage, module);
}

void stages_sweep(const struct stage_list *list, struct trace_writer *writer, uint64_t now_ns)
{
	for (struct stage *stage = list->first; stage; stage = stage->next)
		if (stage->type->on_sweep)
			stage->type->on_sweep(stage, writer, now_ns);
}

void stages_finish(const struct stage_list *list, struct stage_end *end)
{
	for (struct stage *stage = list->first; stage; stage = stage->next)
		if (stage->type->finish)
			stage->type->finish(stage, end);
}

/* ---- threads ---- */

bool stages_begin_thread(const struct stage_list *list, const struct stage_source *source, struct stage_thread **threads)
{
	struct stage_thread **link = threads;

	*threads = NULL;
	for (struct stage *stage = list->first; stage; stage = stage->next) {
		if (!stage->type->begin_thread)
			continue;
		*link = stage->type->begin_thread(stage, source);
		if (!*link) {
			stages_end_thread(*threads);
			*threads = NULL;
			return false;
		}
		(*link)->type = stage->type;
		link = &(*link)->next;
	}
	return true;
}

void stages_end_thread(struct stage_thread *threads)
{
	for (struct stage_thread *thread = threads, *next; thread; thread = next) {
		next = thread->next;
		if (thread->type->clear_thread)
			thread->type->clear_thread(thread);
		free_follower(thread->calls);
		free(thread);
	}
}

void stages_add_switches(struct stage_thread *threads, const struct message_switch *switches, size_t count)
{
	for (struct stage_thread *thread = threads; thread; thread = thread->next)
		if (thread->type->add_switches)
			thread->type->add_switches(thread, switches, count);
}

void stages_add_figures(const struct stage_thread *threads, struct stage_figures *figures)
{
	for (; threads; threads = threads->next) {
		figures->left_out += threads->figures.left_out;
		figures->counted_events += threads->figures.counted_events;
		figures->seen_events += threads->figures.seen_events;
	}
}

/* ---- batches ---- */

uint64_t *stage_reserve_slots(struct stage_batch *batch, uint64_t count)
{
	struct workers_buffers *buffers = batch->buffers;

	/* A worker has two arrays for slots, .slots and .sifted. If the batch is in .slots, its output goes to .sifted; otherwise
	 * to .slots. */
	if (batch->slots != buffers->slots)
		return array_reserve(&buffers->slots, &buffers->slot_capacity, count, DWELL_SLOT_BYTES) ? buffers->slots : NULL;
	return array_reserve(&buffers->sifted, &buffers->sifted_capacity, count, DWELL_SLOT_BYTES) ? buffers->sifted : NULL;
}

void stage_replace_slots(struct stage_batch *batch, uint32_t count)
{
	batch->slots = batch->slots != batch->buffers->slots ? batch->buffers->slots : batch->buffers->sifted;
	batch->count = count;
	batch->is_changed = true;
}
