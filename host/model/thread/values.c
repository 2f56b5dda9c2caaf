/* values: stores the arguments and return addresses of open calls, and adds the return value at the exit. */
#include "model/thread/values.h"

#include <stdlib.h>


void values_enter(struct values *values, uint32_t index, uint32_t frames)
{
	struct call_values *grown;

	values->entered = 0;
	if (index >= values->capacity) {
		grown = frames > index ? realloc(values->list, frames * sizeof *grown) : NULL;
		if (!grown)
			return;
		values->list = grown;
		for (uint32_t i = values->capacity; i < frames; i++)
			grown[i] = (struct call_values){0};
		values->capacity = frames;
	}
	values->list[index].arg_count = values->list[index].unknown_args = 0;
	values->list[index].has_ret = values->list[index].has_return_address = false;
	values->entered = index + 1;
}

/* The values of the frame that the next arguments belong to; null: none. */
static struct call_values *get_entered(const struct values *values)
{
	return values->entered ? &values->list[values->entered - 1] : NULL;
}

void values_add(struct values *values, const uint64_t *argument)
{
	struct call_values *of = get_entered(values);

	if (!of || of->arg_count >= DWELL_ARGS_MAX)
		return;
	of->unknown_args |= !argument << of->arg_count;
	of->args[of->arg_count++] = argument ? *argument : 0;
}

void values_set_return_address(struct values *values, uint64_t address)
{
	struct call_values *of = get_entered(values);

	if (!of)
		return;
	of->return_address = address;
	of->has_return_address = true;
}

/* Whether the hook stored any value at the entry. */
static bool has_entry_values(const struct call_values *of)
{
	return of->arg_count || of->has_return_address;
}

void values_exit(struct values *values, const struct event *next)
{
	values->entered = 0;
	values->has_returned = next && next->kind == EVENT_RET;
	values->returned = values->has_returned ? next->value : 0;
}

const struct call_values *values_leave(struct values *values, const struct dwell_call *call)
{
	struct call_values *of = call->depth < values->capacity ? &values->list[call->depth] : NULL;

	if (!of || call->flags & DWELL_CALL_NO_ENTRY)
		return NULL;
	of->has_ret = values->has_returned && !call->flags; /* a call unwound by this exit returns nothing */
	of->ret = of->has_ret ? values->returned : 0;
	return has_entry_values(of) || of->has_ret ? of : NULL;
}

const struct call_values *values_of(const struct values *values, uint32_t index)
{
	return index < values->capacity && has_entry_values(&values->list[index]) ? &values->list[index] : NULL;
}

void values_clear(struct values *values)
{
	free(values->list);
	*values = (struct values){0};
}
