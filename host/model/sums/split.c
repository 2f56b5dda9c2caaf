/* split: counts the samples of chosen functions by intervals of code. */
#include "model/sums/split.h"

#include <stdlib.h>

#include "model/function/holder.h"
#include "model/function/module.h"
#include "symbol/symbol.h"
#include "util/array.h"
#include "util/saturate.h"

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

		estimate_streams_clear(&symbol->streams);
		free(symbol->weights);
		estimates_clear(&symbol->estimates);
	}
	free(split->symbols);
	free_pattern(split->pattern);
	free(split);
}

/* Finds the extent of the function's code in its file, and the link-time address of the sample; UINT64_MAX: in another file, as for
 * another copy of generated code. False: the extent is unknown. */
static bool find_code(const struct split *split, uint32_t process, uint32_t function, uint64_t address, uint64_t ticks,
	struct symbol_extent *code, uint64_t *linked)
{
	struct modules *modules = functions_get_modules(split->functions);
	struct function_place place;
	struct module_match match;

	if (!functions_get_place(split->functions, function, &place))
		return false;
	match = modules_find(modules, process, (struct place){DWELL_PLACE_ADDRESS, address}, ticks, UINT64_MAX);
	*linked = match.file == place.file ? match.address - match.bias : UINT64_MAX;
	return get_holder_code(modules, place.file, place.address, code);
}

/* The entry of the function; made when it is new. Null: too many functions, or no memory. */
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

/* Finds the entry of the function, and the interval of the address. False: in no interval (*starved false), or no memory (true). */
static bool find_interval(struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks,
	struct split_symbol **symbol, uint32_t *interval, bool *starved)
{
	struct symbol_extent code;
	uint64_t linked = 0;

	*starved = false;
	if (!pattern_matches(split->pattern, function) ||
		!find_code(split, thread->own.row.process, function, address, ticks, &code, &linked))
		return false;
	*symbol = get_symbol(split, function, &code);
	*starved = !*symbol && split->count < SPLIT_SYMBOLS_MAX;
	if (!*symbol)
		return false;
	if (linked < (*symbol)->start || linked - (*symbol)->start >= (*symbol)->bytes) {
		(*symbol)->elsewhere++;
		return false;
	}
	/* The last interval that begins at the byte, or before it. */
	*interval =
		(uint32_t)(((unsigned __int128)(linked - (*symbol)->start + 1) * (*symbol)->interval_count - 1) / (*symbol)->bytes);
	return true;
}

bool split_add(
	struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks, uint64_t weight)
{
	struct split_symbol *symbol;
	struct estimate_blocks *blocks;
	uint32_t interval;
	bool starved;

	if (!find_interval(split, thread, function, address, ticks, &symbol, &interval, &starved))
		return !starved;
	blocks = estimate_streams_get(&symbol->streams, thread->own.row.stream);
	if (!blocks || !estimates_add(&symbol->estimates, blocks, interval, weight))
		return false;
	saturate_add(&symbol->weights[interval], weight);
	saturate_add(&symbol->weight, weight);
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
	saturate_add(&symbol->weights[interval], sum);
	saturate_add(&symbol->weight, sum);
	return estimates_add_unordered(&symbol->estimates, interval, weight, samples);
}

bool split_finish(struct split *split, bool jittered)
{
	bool good = true;

	for (size_t i = 0; i < split->count; i++) {
		split->symbols[i].estimates.jittered = jittered;
		good &= estimates_end_streams(&split->symbols[i].estimates, &split->symbols[i].streams);
	}
	return good;
}
