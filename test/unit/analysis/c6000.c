/* The call list and the profile of a dump, against a count of their own: random programs of tasks that are switched at any time,
 * whose records are written here and read back. */
#include "classic/host/analysis/c6000.h"

#include <stdlib.h>

#include "check.h"
#include "reader/reader.h"
#include "util/bytes.h"

enum { TASKS = 4, FUNCTIONS = 7, DEEP = 10, RECORDS = 6000 };

struct truth {
	uint64_t calls, inclusive, exclusive, min_inclusive, max_inclusive, min_exclusive, max_exclusive;
};

static struct {
	uint64_t random, now;
	uint8_t bytes[12 * (RECORDS + 1)];
	uint32_t records;
	struct {
		uint32_t function[DEEP], depth;
		uint64_t spent[DEEP], callees[DEEP];     /* cycles of the task since its entry; of those: in finished callees */
		uint64_t runs, cycles, min, max, current;
	} task[TASKS];
	struct truth function[FUNCTIONS];
	uint64_t open, deepest, first, last;
} program;

static uint32_t dice(uint32_t sides)
{
	program.random = program.random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(program.random >> 33) % sides;
}

static void put(uint32_t place)
{
	uint8_t *p = program.bytes + 12 * program.records++;

	put_u32(p, place);
	put_u32(p + 4, (uint32_t)program.now);
	put_u32(p + 8, (uint32_t)(program.now >> 32));
	if (program.records == 1)
		program.first = program.now;
	program.last = program.now;
}

/* Time passes in a task, and in all that is open in it. */
static void pass(uint32_t task)
{
	uint64_t ticks = dice(50) + (dice(100) ? 0 : 0xffffffffu);

	program.now += ticks;
	program.task[task].current += ticks;
	for (uint32_t i = 0; i < program.task[task].depth; i++)
		program.task[task].spent[i] += ticks;
}

static void enter(uint32_t task)
{
	uint32_t function = dice(FUNCTIONS), depth = program.task[task].depth++;

	program.task[task].function[depth] = function;
	program.task[task].spent[depth] = program.task[task].callees[depth] = 0;
	if (program.task[task].depth > program.deepest)
		program.deepest = program.task[task].depth;
	put(0x1000 + function * 0x40);
}

static void leave(uint32_t task)
{
	uint32_t depth = --program.task[task].depth;
	uint64_t inclusive = program.task[task].spent[depth], exclusive = inclusive - program.task[task].callees[depth];
	struct truth *truth = &program.function[program.task[task].function[depth]];

	put(0x1001 + program.task[task].function[depth] * 0x40);
	if (depth)
		program.task[task].callees[depth - 1] += inclusive;
	if (!truth->calls || inclusive < truth->min_inclusive)
		truth->min_inclusive = inclusive;
	if (!truth->calls || exclusive < truth->min_exclusive)
		truth->min_exclusive = exclusive;
	truth->max_inclusive = inclusive > truth->max_inclusive ? inclusive : truth->max_inclusive;
	truth->max_exclusive = exclusive > truth->max_exclusive ? exclusive : truth->max_exclusive;
	truth->calls++;
	truth->inclusive += inclusive;
	truth->exclusive += exclusive;
}

static void end_run(uint32_t task)
{
	uint64_t ticks = program.task[task].current;

	if (!program.task[task].runs || ticks < program.task[task].min)
		program.task[task].min = ticks;
	program.task[task].max = ticks > program.task[task].max ? ticks : program.task[task].max;
	program.task[task].cycles += ticks;
	program.task[task].runs++;
	program.task[task].current = 0;
}

/* Ends with a record of a function. */
static void run_program(uint64_t seed)
{
	uint32_t task = 0;

	memset(&program, 0, sizeof program);
	program.random = seed;
	program.now = seed * 1000;
	put(0x80002);
	while (program.records < RECORDS) {
		pass(task);
		if (!dice(20) && program.records < RECORDS - 3) {
			put(0x80003 + task * 0x100);
			end_run(task);
			task = dice(TASKS);
			put(0x80002 + task * 0x100);
		} else if (program.task[task].depth && (program.task[task].depth == DEEP || dice(2))) {
			leave(task);
		} else {
			enter(task);
		}
	}
	end_run(task);
	for (uint32_t i = 0; i < TASKS; i++)
		program.open += program.task[i].depth;
}

/* ---- what is told of it ---- */

struct table {
	const struct column *columns;
	uint32_t column_count, tables;
	char text[1 << 16]; /* of all but the call list */
	uint64_t rows, last_exit, inclusive, exclusive;
	bool is_list, is_disordered;
};

static void begin_table(void *context, const char *name, const struct column *columns, uint32_t column_count)
{
	struct table *table = context;

	table->columns = columns;
	table->column_count = column_count;
	table->is_list = !strcmp(name, "call list");
}

static void add_row(void *context, const struct cell *cells)
{
	struct table *table = context;
	size_t used = strlen(table->text);

	table->rows++;
	if (table->is_list) {
		table->is_disordered |= cells[4].count < table->last_exit;
		table->last_exit = cells[4].count;
		table->inclusive += cells[5].count;
		table->exclusive += cells[6].count;
		return;
	}
	for (uint32_t i = 0; i < table->column_count; i++) {
		enum unit unit = table->columns[i].unit;

		if (cells[i].absent)
			used += (size_t)snprintf(table->text + used, sizeof table->text - used, ",");
		else if (unit == UNIT_TEXT || unit == UNIT_NAME)
			used += (size_t)snprintf(table->text + used, sizeof table->text - used, "%s,", cells[i].text);
		else if (unit == UNIT_COUNT)
			used += (size_t)snprintf(table->text + used, sizeof table->text - used, "%" PRIu64 ",", cells[i].count);
		else
			used += (size_t)snprintf(table->text + used, sizeof table->text - used, "%.3f,", cells[i].real);
	}
	snprintf(table->text + used, sizeof table->text - used, "\n");
}

static void end_table(void *context)
{
	((struct table *)context)->tables++;
}

static struct c6000_status process(const void *bytes, size_t size, struct table *list, struct table *profile)
{
	const struct table_sink list_sink = {list, begin_table, add_row, end_table};
	const struct table_sink profile_sink = {profile, begin_table, add_row, end_table};
	const struct reader_options as_records = {.format = "c6000"};
	struct c6000 *c6000 = make_c6000();
	const struct model_options options = {.on_call = c6000_take_call, .context = c6000};
	struct diag *diag = make_diag();
	struct reader *reader = make_reader_as(make_source_memory("x.bin", bytes, size, diag), &as_records, diag);
	struct model *model = make_model(&options, diag);
	struct c6000_status status;
	struct message message;

	memset(list, 0, sizeof *list);
	memset(profile, 0, sizeof *profile);
	c6000_begin(c6000, model, &list_sink);
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message)) {
		c6000_tell(c6000, &message);
		model_feed(model, &message);
	}
	model_finish(model);
	CHECK(c6000_end(c6000));
	CHECK(c6000_write_profile(c6000, &profile_sink));
	status = c6000_get_status(c6000);
	free_c6000(c6000);
	free_model(model);
	free_reader(reader);
	free_diag(diag);
	return status;
}

static void check_line(const struct table *profile, const char *line)
{
	if (!CHECK(strstr(profile->text, line)))
		printf("# '%s' is not in\n%s", line, profile->text);
}

/* Functions are numbered as they appear, so which is which is told by its calls and cycles alone. */
static void check_function(const struct table *profile, const struct truth *truth, uint64_t valid)
{
	char line[512];
	double calls = (double)truth->calls;

	if (!truth->calls)
		return;
	snprintf(line, sizeof line, ",%" PRIu64 ",%.3f,%" PRIu64 ",%" PRIu64 ",%.3f,%" PRIu64 ",%" PRIu64 ",%.3f,\n", truth->calls,
		(double)truth->inclusive / calls, truth->max_inclusive, truth->min_inclusive, (double)truth->exclusive / calls,
		truth->max_exclusive, truth->min_exclusive, 100 * (double)truth->exclusive / (double)valid);
	check_line(profile, line);
}

TEST(random_programs)
{
	static struct table list, profile;

	for (uint64_t seed = 1; seed < 40; seed++) {
		struct c6000_status status;
		uint64_t calls = 0, inclusive = 0, valid = 0;
		char line[256];

		run_program(seed);
		status = process(program.bytes, 12 * program.records, &list, &profile);
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			calls += program.function[i].calls;
			inclusive += program.function[i].inclusive;
			valid += program.function[i].exclusive;
		}
		CHECK_EQ(status.calls, calls);
		CHECK_EQ(status.without_exit, program.open);
		CHECK_EQ(status.without_entry, 0);
		CHECK_EQ(status.deepest, program.deepest);
		CHECK_EQ(status.functions, FUNCTIONS);
		CHECK_EQ(list.rows, calls);
		CHECK_EQ(list.inclusive, inclusive);
		CHECK_EQ(list.exclusive, valid);
		CHECK(!list.is_disordered);
		snprintf(line, sizeof line, "FirstTSC,%" PRIu64 ",LastTSC,%" PRIu64 ",TotalCycles,%" PRIu64 ",\n", program.first,
			program.last, program.last - program.first);
		check_line(&profile, line);
		snprintf(line, sizeof line, "Functions,%d,ValidCycles,%" PRIu64 ",Valid/Total,", FUNCTIONS, valid);
		check_line(&profile, line);
		for (uint32_t i = 0; i < FUNCTIONS; i++)
			check_function(&profile, &program.function[i], valid);
		for (uint32_t i = 0; i < TASKS; i++) {
			if (!program.task[i].runs)
				continue;
			snprintf(line, sizeof line, ",%" PRIu64 ",%.3f,%" PRIu64 ",%" PRIu64 ",", program.task[i].runs,
				(double)program.task[i].cycles / (double)program.task[i].runs, program.task[i].max,
				program.task[i].min);
			check_line(&profile, line);
		}
	}
}

/* How many records of functions there are. */
static uint64_t count_records(const uint8_t *bytes, uint32_t count)
{
	uint64_t functions = 0;

	for (uint32_t i = 0; i < count; i++)
		functions += (get_u32(bytes + 12 * i) & 2) == 0;
	return functions;
}

/* A dump begins and ends anywhere: each record is of a call that is whole, or counted. Whole ones are as they were. */
TEST(the_middle_of_a_program)
{
	static struct table all, list, profile;

	run_program(7);
	process(program.bytes, 12 * program.records, &all, &profile);
	for (uint32_t first = 0; first < 3000; first += 61) {
		const uint8_t *bytes = program.bytes + 12 * first;
		struct c6000_status status = process(bytes, 12 * 1000, &list, &profile);

		CHECK_EQ(2 * status.calls + status.without_entry + status.without_exit, count_records(bytes, 1000));
		CHECK(status.without_entry < 200 && status.without_exit < 200);
		CHECK_EQ(list.rows, status.calls);
		CHECK(!list.is_disordered);
	}
}

/* Exits alone, entries alone, an exit that fits nothing, a call within one whose exit is missing. */
TEST(what_is_not_whole)
{
	static const uint32_t exits[] = {0x1001, 5, 0, 0x1041, 9, 0}, entries[] = {0x1000, 5, 0, 0x1040, 9, 0};
	static const uint32_t wrong[] = {0x1000, 5, 0, 0x1041, 7, 0, 0x1001, 9, 0};
	static const uint32_t missing[] = {0x1000, 5, 0, 0x1040, 7, 0, 0x1080, 8, 0, 0x1081, 10, 0, 0x1001, 20, 0};
	static const struct {
		const uint32_t *words;
		uint32_t count;
		uint64_t calls, without_entry, without_exit;
	} cases[] = {{exits, 6, 0, 2, 0}, {entries, 6, 0, 0, 2}, {wrong, 9, 1, 1, 0}, {missing, 15, 2, 0, 1}};
	static struct table list, profile;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t bytes[60];
		struct c6000_status status;

		for (uint32_t k = 0; k < cases[i].count; k++)
			put_u32(bytes + 4 * k, cases[i].words[k]);
		status = process(bytes, 4 * cases[i].count, &list, &profile);
		CHECK_EQ(status.calls, cases[i].calls);
		CHECK_EQ(status.without_entry, cases[i].without_entry);
		CHECK_EQ(status.without_exit, cases[i].without_exit);
	}
	check_line(&profile, "?function #3,1,2.000,2,2,2.000,2,2,");
}

TEST(nothing)
{
	static struct table list, profile;
	struct c6000_status status = process("", 0, &list, &profile);

	CHECK_EQ(status.calls, 0);
	CHECK_EQ(list.rows, 0);
	CHECK_EQ(profile.tables, 5);
	CHECK_STR(profile.text, "FirstTSC,0,LastTSC,0,TotalCycles,0,\nFunctions,0,ValidCycles,0,Valid/Total,0.000,\n"
				"Tasks,0,ValidCycles,0,Valid/Total,0.000,\n");
}

int main(void)
{
	RUN(random_programs);
	RUN(the_middle_of_a_program);
	RUN(what_is_not_whole);
	RUN(nothing);
	return tap_done();
}
