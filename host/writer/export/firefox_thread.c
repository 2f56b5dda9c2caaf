/* firefox_thread: see firefox_thread.h. */
#include "writer/export/firefox_thread.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "writer/form.h"

static size_t hash_of(const struct firefox_thread *thread, uint32_t caller, uint32_t name)
{
	return (size_t)((caller * UINT64_C(0x9e3779b97f4a7c15) + name * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 32) & (thread->head_count - 1);
}

static bool grow(struct firefox_thread *thread)
{
	size_t count = thread->head_count ? thread->head_count * 2 : 64;
	uint32_t *heads;

	if (thread->stack_count < thread->head_count)
		return true;
	heads = calloc(count, sizeof *heads);
	if (!heads)
		return false;
	free(thread->heads);
	thread->heads = heads;
	thread->head_count = count;
	for (uint32_t i = 0; i < thread->stack_count; i++) {
		struct firefox_stack *stack = &thread->stacks[i];
		uint32_t *head = &heads[hash_of(thread, stack->caller, stack->name)];

		stack->next = *head;
		*head = i + 1;
	}
	return true;
}

/* The stack with name on top of what is open: index + 1. 0: no memory. */
static uint32_t find_stack(struct firefox_thread *thread, uint32_t name)
{
	uint32_t *head;

	if (thread->stack_count >= UINT32_MAX - 1 || !grow(thread) ||
		!array_reserve(&thread->stacks, &thread->stack_capacity, thread->stack_count + 1, sizeof *thread->stacks))
		return 0;
	head = &thread->heads[hash_of(thread, thread->stack, name)];
	for (uint32_t at = *head; at; at = thread->stacks[at - 1].next)
		if (thread->stacks[at - 1].caller == thread->stack && thread->stacks[at - 1].name == name)
			return at;
	thread->stacks[thread->stack_count] = (struct firefox_stack){thread->stack, name, *head};
	return *head = (uint32_t)++thread->stack_count;
}

static int64_t end_of(const struct firefox_sample *sample)
{
	return (int64_t)((uint64_t)sample->at_ns + sample->ns);
}

/* The last sample is over. */
static bool tell_last(struct firefox_thread *thread, struct spool *spool)
{
	const struct firefox_sample *last = &thread->last, *told = &thread->told;
	int64_t stacks = (int64_t)last->stack - (int64_t)told->stack;
	int64_t since = (int64_t)((uint64_t)last->at_ns - (uint64_t)end_of(told));

	if (!last->ns)
		return true;
	if (!spool_put_signed(spool, &thread->samples, stacks) || !spool_put_signed(spool, &thread->samples, since) ||
		!spool_put(spool, &thread->samples, last->ns))
		return false;
	thread->sample_count++;
	thread->told = *last;
	thread->last = (struct firefox_sample){0};
	return true;
}

/* What is open took the time up to now. */
static bool charge(struct firefox_thread *thread, struct spool *spool, int64_t at_ns)
{
	struct firefox_sample *last = &thread->last;
	uint64_t ns = (uint64_t)at_ns - (uint64_t)thread->last_ns;

	if (thread->stack && at_ns > thread->last_ns) {
		if (last->ns && last->stack == thread->stack - 1 && end_of(last) == thread->last_ns) {
			last->ns += ns;
		} else {
			if (!tell_last(thread, spool))
				return false;
			*last = (struct firefox_sample){.at_ns = thread->last_ns, .stack = thread->stack - 1, .ns = ns};
		}
	}
	thread->last_ns = at_ns;
	return true;
}

bool firefox_thread_enter(struct firefox_thread *thread, struct spool *spool, uint32_t name, int64_t at_ns)
{
	if (!charge(thread, spool, at_ns))
		return false;
	thread->stack = find_stack(thread, name);
	return thread->stack;
}

bool firefox_thread_leave(struct firefox_thread *thread, struct spool *spool, int64_t at_ns)
{
	if (!charge(thread, spool, at_ns))
		return false;
	thread->stack = thread->stack ? thread->stacks[thread->stack - 1].caller : 0;
	return true;
}

bool firefox_thread_mark(struct firefox_thread *thread, struct spool *spool, uint32_t name, int64_t at_ns)
{
	if (!spool_put(spool, &thread->marks, name) ||
		!spool_put_signed(spool, &thread->marks, (int64_t)((uint64_t)at_ns - (uint64_t)thread->mark_ns)))
		return false;
	thread->mark_ns = at_ns;
	thread->mark_count++;
	return true;
}

void firefox_thread_clear(struct firefox_thread *thread)
{
	free(thread->stacks);
	free(thread->heads);
	spool_row_clear(&thread->samples);
	spool_row_clear(&thread->marks);
	*thread = (struct firefox_thread){0};
}

/* ---- as JSON ---- */

void firefox_put_ms(struct output *output, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns, rest = size % 1000000;
	char *to;

	if (ns < 0)
		output_put_char(output, '-');
	writer_put_decimal(output, size / 1000000);
	if (!rest)
		return;
	to = output_reserve(output);
	to[0] = '.';
	for (int i = 6; i; i--, rest /= 10)
		to[i] = (char)('0' + rest % 10);
	output->used += 7;
}

/* A column in which all rows have the same. */
static void put_same(struct output *output, const char *key, size_t count, const char *value)
{
	output_put_text(output, ", \"");
	output_put_text(output, key);
	output_put_text(output, "\": [");
	for (size_t i = 0; i < count; i++) {
		output_put_text(output, i ? "," : "");
		output_put_text(output, value);
	}
	output_put_char(output, ']');
}

/* Columns that say nothing of the rows: of formats that know more than dwell. */
struct same {
	const char *key, *value;
};

static void put_all_same(struct output *output, size_t count, const struct same *same, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		put_same(output, same[i].key, count, same[i].value);
}
#define PUT_ALL_SAME(output, count, ...) \
	put_all_same(output, count, (const struct same[]){__VA_ARGS__}, sizeof((const struct same[]){__VA_ARGS__}) / sizeof(struct same))

static void begin_column(struct output *output, const char *key)
{
	output_put_text(output, ", \"");
	output_put_text(output, key);
	output_put_text(output, "\": [");
}

/* "key": {"length": 12 */
static void begin_table(struct output *output, const char *key, size_t count)
{
	output_put_text(output, ",\n\"");
	output_put_text(output, key);
	output_put_text(output, "\": {\"length\": ");
	writer_put_decimal(output, count);
}

/* In a column: index of row i. */
static void put_index(struct output *output, size_t i, uint64_t index)
{
	output_put_text(output, i ? "," : "");
	writer_put_decimal(output, index);
}

static void take_sample(struct spool_look *look, struct firefox_sample *sample)
{
	sample->stack = (uint32_t)(sample->stack + spool_next_signed(look));
	sample->at_ns = (int64_t)((uint64_t)end_of(sample) + (uint64_t)spool_next_signed(look));
	sample->ns = spool_next(look);
}

/* Their columns stand one behind the other, so each is a way through all of them. */
static void put_samples(const struct firefox_thread *thread, struct spool *spool, struct spool_look *look, struct output *output)
{
	static const char *const columns[] = {"stack", "time", "weight"};

	begin_table(output, "samples", thread->sample_count);
	output_put_text(output, ", \"weightType\": \"tracing-ms\"");
	for (int column = 0; column < 3; column++) {
		struct firefox_sample sample = {0};

		begin_column(output, columns[column]);
		spool_look(spool, &thread->samples, look);
		for (size_t i = 0; i < thread->sample_count; i++) {
			take_sample(look, &sample);
			if (!column) {
				put_index(output, i, sample.stack);
				continue;
			}
			output_put_text(output, i ? "," : "");
			firefox_put_ms(output, column == 1 ? sample.at_ns : (int64_t)sample.ns);
		}
		output_put_char(output, ']');
	}
	output_put_char(output, '}');
}

/* A table whose row i has i in its first column. */
static void put_own_numbers(struct output *output, const char *table, const char *column, size_t count)
{
	begin_table(output, table, count);
	begin_column(output, column);
	for (size_t i = 0; i < count; i++)
		put_index(output, i, i);
	output_put_char(output, ']');
}

/* Functions have the numbers of their names, and so have frames. */
static void put_stacks(const struct firefox_thread *thread, const uint32_t *local, size_t names, struct output *output)
{
	begin_table(output, "stackTable", thread->stack_count);
	begin_column(output, "frame");
	for (size_t i = 0; i < thread->stack_count; i++)
		put_index(output, i, local[thread->stacks[i].name] - 1);
	output_put_char(output, ']');
	begin_column(output, "prefix");
	for (size_t i = 0; i < thread->stack_count; i++) {
		output_put_text(output, i ? "," : "");
		if (thread->stacks[i].caller)
			writer_put_decimal(output, thread->stacks[i].caller - 1);
		else
			output_put_text(output, "null");
	}
	output_put_char(output, ']');
	PUT_ALL_SAME(output, thread->stack_count, {"category", "0"}, {"subcategory", "0"});
	output_put_char(output, '}');
	put_own_numbers(output, "frameTable", "func", names);
	PUT_ALL_SAME(output, names, {"address", "-1"}, {"inlineDepth", "0"}, {"category", "0"}, {"subcategory", "0"}, {"nativeSymbol", "null"},
		{"innerWindowID", "null"}, {"implementation", "null"}, {"line", "null"}, {"column", "null"});
	output_put_char(output, '}');
	put_own_numbers(output, "funcTable", "name", names);
	PUT_ALL_SAME(output, names, {"isJS", "false"}, {"relevantForJS", "false"}, {"resource", "-1"}, {"fileName", "null"},
		{"lineNumber", "null"}, {"columnNumber", "null"});
	output_put_text(output, "},\n\"resourceTable\": {\"length\": 0, \"lib\": [], \"name\": [], \"host\": [], \"type\": []},\n"
				"\"nativeSymbols\": {\"length\": 0, \"libIndex\": [], \"address\": [], \"name\": [], \"functionSize\": []}");
}

static void put_marks(const struct firefox_thread *thread, struct spool *spool, struct spool_look *look, const uint32_t *local,
	size_t names, struct output *output)
{
	int64_t at_ns = 0;

	begin_table(output, "markers", thread->mark_count);
	begin_column(output, "name");
	spool_look(spool, &thread->marks, look);
	for (size_t i = 0; i < thread->mark_count; i++) {
		uint64_t name = spool_next(look);

		spool_next_signed(look);
		put_index(output, i, name < names ? local[name] - 1 : 0); /* none, where the spool cannot be read */
	}
	output_put_char(output, ']');
	begin_column(output, "startTime");
	spool_look(spool, &thread->marks, look);
	for (size_t i = 0; i < thread->mark_count; i++) {
		spool_next(look);
		at_ns = (int64_t)((uint64_t)at_ns + (uint64_t)spool_next_signed(look));
		output_put_text(output, i ? "," : "");
		firefox_put_ms(output, at_ns);
	}
	output_put_char(output, ']');
	PUT_ALL_SAME(output, thread->mark_count, {"endTime", "null"}, {"phase", "0"}, {"category", "0"}, {"data", "null"});
	output_put_char(output, '}');
}

/* Numbers for the thread's own list of texts: + 1, by the number that all threads know. */
static void number_name(uint32_t name, uint32_t *local, uint32_t *list, size_t *names)
{
	if (local[name])
		return;
	list[*names] = name;
	local[name] = (uint32_t)++*names;
}

static void number_names(const struct firefox_thread *thread, struct spool *spool, struct spool_look *look, size_t known, uint32_t *local,
	uint32_t *list, size_t *names)
{
	for (size_t i = 0; i < thread->stack_count; i++)
		number_name(thread->stacks[i].name, local, list, names);
	spool_look(spool, &thread->marks, look);
	for (size_t i = 0; i < thread->mark_count; i++) {
		uint64_t name = spool_next(look);

		spool_next_signed(look);
		if (name < known)
			number_name((uint32_t)name, local, list, names);
	}
}

bool firefox_thread_put(struct firefox_thread *thread, struct spool *spool, const struct strings *strings, struct output *output)
{
	uint32_t *local = calloc(strings->count + 1, sizeof *local), *list = calloc(strings->count + 1, sizeof *list);
	struct spool_look *look = malloc(sizeof *look);
	size_t names = 0;
	bool good = tell_last(thread, spool) && local && list && look;

	if (good) {
		number_names(thread, spool, look, strings->count, local, list, &names);
		output_put_text(output, "{\"name\": ");
		json_text_put(output, strings->texts[thread->name]);
		output_put_text(output, ", \"processName\": ");
		json_text_put(output, strings->texts[thread->process]);
		output_put_text(output, ", \"processType\": \"default\", \"isMainThread\": ");
		output_put_text(output, thread->is_main ? "true, \"pid\": \"" : "false, \"pid\": \"");
		writer_put_decimal(output, thread->pid);
		output_put_text(output, "\", \"tid\": ");
		writer_put_decimal(output, thread->tid);
		output_put_text(output, ", \"registerTime\": ");
		firefox_put_ms(output, thread->begin_ns);
		output_put_text(output, ", \"unregisterTime\": null, \"processStartupTime\": 0, \"processShutdownTime\": null, \"pausedRanges\": []");
		put_samples(thread, spool, look, output);
		put_stacks(thread, local, names, output);
		put_marks(thread, spool, look, local, strings->count, output);
		output_put_text(output, ",\n\"stringArray\": [");
		for (size_t i = 0; i < names; i++) {
			output_put_text(output, i ? ",\n" : "");
			json_text_put(output, strings->texts[list[i]]);
		}
		output_put_text(output, "]}");
	}
	free(look);
	free(local);
	free(list);
	return good && !spool_get_error(spool);
}
