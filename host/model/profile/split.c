/* split: see split.h. */
#include "model/profile/split.h"

#include <stdlib.h>

#include "model/function/holder.h"
#include "model/function/module.h"
#include "symbol/symbol.h"
#include "util/array.h"

struct split *make_split(const char *name, uint32_t intervals, struct functions *functions)
{
	struct split *split = calloc(1, sizeof *split);

	if (!split)
		return NULL;
	*split = (struct split){.pattern = make_pattern(name, functions), .functions = functions, .intervals = intervals};
	if (split->pattern)
		return split;
	free(split);
	return NULL;
}

void free_split(struct split *split)
{
	if (!split)
		return;
	for (size_t i = 0; i < split->count; i++) {
		struct split_symbol *symbol = &split->symbols[i];

		estimate_runs_clear(&symbol->runs);
		free(symbol->weights);
		estimates_clear(&symbol->estimates);
	}
	free(split->symbols);
	free_pattern(split->pattern);
	free(split);
}

/* The function's code as the file has it, and where in the file the place is. False: nothing tells how far it goes. */
static bool find_code(const struct split *split, uint32_t process, uint32_t function, uint64_t address, uint64_t ticks,
	struct symbol_extent *code, uint64_t *linked)
{
	struct modules *modules = functions_get_modules(split->functions);
	struct function_place place;
	struct module_match match;

	if (!functions_get_place(split->functions, function, &place))
		return false;
	match = modules_find(modules, process, (struct place){DWELL_PLACE_ADDRESS, address}, ticks, UINT64_MAX);
	if (match.file != place.file)
		return false;
	*linked = match.address - match.bias;
	return get_holder_code(modules, match.file, place.address, code);
}

/* Null: there are too many, or there is no memory. */
static struct split_symbol *get_symbol(struct split *split, uint32_t function, const struct symbol_extent *code)
{
	struct split_symbol *symbol;

	for (size_t i = 0; i < split->count; i++)
		if (split->symbols[i].function == function)
			return &split->symbols[i];
	if (split->count == SPLIT_SYMBOLS_MAX ||
		!array_reserve(&split->symbols, &split->capacity, split->count + 1, sizeof *split->symbols))
		return NULL;
	symbol = &split->symbols[split->count];
	*symbol = (struct split_symbol){.function = function,
		.start = code->address,
		.bytes = code->size,
		.interval_count = code->size < split->intervals ? (uint32_t)code->size : split->intervals};
	symbol->weights = calloc(symbol->interval_count, sizeof *symbol->weights);
	if (!symbol->weights)
		return NULL;
	split->count++;
	return symbol;
}

static void add_capped(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* Which interval of which function the address is in. False: in none, or there is no memory, which *starved says. */
static bool find_interval(struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks,
	struct split_symbol **symbol, uint32_t *interval, bool *starved)
{
	struct symbol_extent code;
	uint64_t linked = 0;

	*starved = false;
	if (!pattern_matches(split->pattern, function) ||
		!find_code(split, thread->row.process, function, address, ticks, &code, &linked))
		return false;
	*symbol = get_symbol(split, function, &code);
	*starved = !*symbol && split->count < SPLIT_SYMBOLS_MAX;
	if (!*symbol)
		return false;
	if (linked < (*symbol)->start || linked - (*symbol)->start >= (*symbol)->bytes) {
		(*symbol)->elsewhere++;
		return false;
	}
	/* The last one that begins at the byte, or before it. */
	*interval = (uint32_t)(((unsigned __int128)(linked - (*symbol)->start + 1) * (*symbol)->interval_count - 1) / (*symbol)->bytes);
	return true;
}

bool split_add(struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks, uint64_t weight)
{
	struct split_symbol *symbol;
	struct estimate_run *run;
	uint32_t interval;
	bool starved;

	if (!find_interval(split, thread, function, address, ticks, &symbol, &interval, &starved))
		return !starved;
	run = estimate_runs_get(&symbol->runs, thread->row.stream);
	if (!run || !estimates_add(&symbol->estimates, run, interval, weight))
		return false;
	add_capped(&symbol->weights[interval], weight);
	add_capped(&symbol->weight, weight);
	return true;
}

bool split_add_unordered(struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks,
	uint64_t weight, uint64_t samples)
{
	struct split_symbol *symbol;
	uint32_t interval;
	uint64_t sum;
	bool starved;

	if (!find_interval(split, thread, function, address, ticks, &symbol, &interval, &starved))
		return !starved;
	if (__builtin_mul_overflow(weight, samples, &sum))
		sum = UINT64_MAX;
	add_capped(&symbol->weights[interval], sum);
	add_capped(&symbol->weight, sum);
	return estimates_add_unordered(&symbol->estimates, interval, weight, samples);
}

bool split_finish(struct split *split)
{
	bool good = true;

	for (size_t i = 0; i < split->count; i++)
		good &= estimates_end_runs(&split->symbols[i].estimates, &split->symbols[i].runs);
	return good;
}
