#include "cmd/html/line_shares.h"

#include <stdlib.h>

#include "model/function/lines.h"
#include "model/function/module.h"
#include "model/profile/estimate.h"
#include "util/array.h"
#include "util/lookup.h"

/* The row of an address, because a search in debug information is slow. */
struct known_line {
	uint64_t address; /* in the file */
	uint32_t row;
};

/* A function with its self samples by rows. Row n is line n of the lines shown, from 1; row 0 has the samples outside of these
 * lines. */
struct shared {
	const struct shown_source *source;
	double *weights; /* sum of the samples' weights; index: row */
	struct estimates estimates;
	struct estimate_streams streams;
	struct known_line *known; /* addresses of samples so far */
	size_t known_count, known_capacity;
	struct lookup index; /* address → known */
};

struct line_shares {
	const struct trace *trace;
	const struct html_code *code;
	struct shared *shared;
	size_t count;
	uint32_t *index; /* index: function id; value: index in shared, counted from 1; 0: not in shared */
	size_t function_count;
};

struct line_shares *make_line_shares(const struct trace *trace, const struct html_code *code)
{
	struct line_shares *shares = calloc(1, sizeof *shares);
	bool good = shares;

	if (!good)
		return NULL;
	*shares = (struct line_shares){.trace = trace, .code = code, .count = code->count};
	shares->function_count = model_get_profile(trace->model)->function_count;
	shares->index = calloc(shares->function_count + 1, sizeof *shares->index);
	shares->shared = calloc(code->count + 1, sizeof *shares->shared);
	good = shares->index && shares->shared;
	for (size_t i = 0; good && i < code->count; i++) {
		shares->shared[i].source = &code->shown[i];
		shares->shared[i].weights = calloc(code->shown[i].count + (size_t)1, sizeof(double));
		good = shares->shared[i].weights;
		shares->index[code->shown[i].function] = (uint32_t)i + 1;
	}
	if (good)
		return shares;
	free_line_shares(shares);
	return NULL;
}

void free_line_shares(struct line_shares *shares)
{
	if (!shares)
		return;
	for (size_t i = 0; shares->shared && i < shares->count; i++) {
		struct shared *shared = &shares->shared[i];

		estimate_streams_clear(&shared->streams);
		estimates_clear(&shared->estimates);
		lookup_clear(&shared->index);
		free(shared->weights);
		free(shared->known);
	}
	free(shares->shared);
	free(shares->index);
	free(shares);
}

/* Null: the address is new. */
static const struct known_line *find_known(const struct shared *shared, uint64_t address)
{
	uint32_t hash = hash_number(address);

	for (uint32_t at = hash, item; (item = lookup_next(&shared->index, hash, &at)) != LOOKUP_NONE;)
		if (shared->known[item].address == address)
			return &shared->known[item];
	return NULL;
}

static const struct known_line *add_known(struct shared *shared, uint64_t address, uint32_t line)
{
	const struct shown_source *source = shared->source;
	bool is_shown = line >= source->first && line - source->first < source->count;

	if (!array_reserve(&shared->known, &shared->known_capacity, shared->known_count + 1, sizeof *shared->known) ||
		!lookup_put(&shared->index, hash_number(address), (uint32_t)shared->known_count))
		return NULL;
	shared->known[shared->known_count] = (struct known_line){address, is_shown ? line - source->first + 1 : 0};
	return &shared->known[shared->known_count++];
}

/* Finds the row of a sample in the function. False: memory ran out. */
static bool find_row(struct line_shares *shares, struct shared *shared, const struct model_sample *sample, uint32_t *row)
{
	struct functions *functions = model_get_functions(shares->trace->model);
	uint32_t thread = model_find_thread(shares->trace->model, sample->stream);
	struct function_place place;
	struct module_match match;
	const struct known_line *known;
	uint64_t address;

	*row = 0;
	if (thread == UINT32_MAX || !functions_get_place(functions, shared->source->function, &place))
		return true;
	match = modules_find(functions_get_modules(functions), model_get_thread(shares->trace->model, thread).process,
		(struct place){DWELL_PLACE_ADDRESS, sample->address}, sample->ticks, UINT64_MAX);
	address = match.address - match.bias;
	if (match.file != place.file)
		return true;
	known = find_known(shared, address);
	if (!known)
		known = add_known(shared, address, lines_get_line(shares->code->lines, shared->source->function, address));
	*row = known ? known->row : 0;
	return known;
}

bool line_shares_take(struct line_shares *shares, const struct model_sample *sample)
{
	uint32_t id = sample->count ? sample->functions[sample->count - 1] : FUNCTION_NONE, row;
	uint32_t at = id < shares->function_count ? shares->index[id] : 0;
	struct shared *shared = at ? &shares->shared[at - 1] : NULL;
	struct estimate_blocks *blocks;

	if (!shared)
		return true;
	blocks = estimate_streams_get(&shared->streams, sample->stream);
	if (!blocks || !find_row(shares, shared, sample, &row))
		return false;
	shared->weights[row] += (double)sample->weight;
	return estimates_add(&shared->estimates, blocks, row, sample->weight);
}

bool line_shares_put(struct line_shares *shares, bool jittered, struct page *page)
{
	bool good = true;

	page_open_array(page, "line_shares");
	for (size_t i = 0; i < shares->count; i++) {
		struct shared *shared = &shares->shared[i];

		shared->estimates.jittered = jittered;
		good &= estimates_end_streams(&shared->estimates, &shared->streams);
		page_put_count(page, NULL, shared->source->function);
		page_open_array(page, NULL);
		for (uint32_t row = 0; row <= shared->source->count && row < shared->estimates.count; row++) {
			struct estimate_share share = estimates_get_share(&shared->estimates, row, shared->weights[row]);

			if (!shared->estimates.functions[row].samples)
				continue;
			page_put_count(page, NULL, row ? shared->source->first + row - 1 : 0);
			page_put_count(page, NULL, shared->estimates.functions[row].samples);
			page_put_real(page, NULL, 100 * share.share);
			page_put_real(page, NULL, 100 * share.low);
			page_put_real(page, NULL, 100 * share.high);
		}
		page_close(page);
	}
	page_close(page);
	return good;
}
