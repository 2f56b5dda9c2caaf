/* Dumps of TI's function hooks: the records of the document, in either order of bytes and wherever the buffer begins; and what is
 * no record. */
#include "classic/core/hook_records.h"
#include "unit/reader/hook_seen.h"
#include "classic/host/writer/core_file.h"

#define FUNCTION_A 0x0c000e8cu
#define FUNCTION_B 0x0c000e24u

/* The document's, from a buffer that was written round and round: nobody knows whether the oldest record is whole. */
static const char circle_text[] = DOCUMENT_TEXT("");
static const char circle_note[] = "the oldest record is left out";

static const struct reader_options found, as_records = {.format = "c6000"};

TEST(the_records_of_the_document)
{
	for (int is_big = 0; is_big < 2; is_big++) {
		uint8_t bytes[4 * DOCUMENT_WORDS];
		char want[4096];
		struct seen *seen;

		to_bytes(document, DOCUMENT_WORDS, is_big, bytes);
		snprintf(want, sizeof want, "C6000 records, %s-endian, 0 Hz, bare\n%s", is_big ? "big" : "little", document_text);
		seen = begin(bytes, sizeof bytes, &found);
		CHECK_STR(seen->text, want);
		CHECK_EQ(seen->health.events, 12);
		CHECK_EQ(seen->health.bytes_total, sizeof bytes);
		end(seen, 0, NULL);
	}
}

/* Nobody says what places are: of functions when one is left that was entered, wherever it is; else return addresses. */
TEST(what_places_are)
{
	static const struct {
		uint32_t words[12];
		enum dwell_place_kind kind;
	} cases[] = {
		{{0x100, 1, 0, 0x101, 2, 0, 0x200, 3, 0, 0x301, 4, 0}, DWELL_PLACE_ENTRY},
		{{0x100, 1, 0, 0x200, 2, 0, 0x101, 3, 0, 0x301, 4, 0}, DWELL_PLACE_ENTRY},
		{{0x100, 1, 0, 0x200, 2, 0, 0x211, 3, 0, 0x111, 4, 0}, DWELL_PLACE_WORD},
		{{0x100, 1, 0, 0x200, 2, 0, 0x300, 3, 0, 0x400, 4, 0}, DWELL_PLACE_ENTRY},
		{{0x101, 1, 0, 0x201, 2, 0, 0x301, 3, 0, 0x401, 4, 0}, DWELL_PLACE_ENTRY},
	};
	uint8_t bytes[sizeof cases[0].words];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct seen *seen;

		to_bytes(cases[i].words, 12, false, bytes);
		seen = begin(bytes, sizeof bytes, &found);
		CHECK_EQ(seen->place_kind, cases[i].kind);
		end(seen, 0, NULL);
	}
}

/* Of entries alone nothing tells. */
TEST(return_addresses_that_are_said)
{
	static const uint32_t words[] = {0x100, 1, 0, 0x200, 2, 0, 0x300, 3, 0, 0x400, 4, 0};
	const struct reader_options returns = {.format = "c6000", .places_are_returns = true};
	uint8_t bytes[sizeof words];
	struct seen *seen;

	to_bytes(words, sizeof words / 4, false, bytes);
	seen = begin(bytes, sizeof bytes, &returns);
	CHECK_EQ(seen->place_kind, DWELL_PLACE_WORD);
	end(seen, 0, NULL);
}

/* A buffer that was written round and round, and has room that nobody wrote: at every place. */
TEST(wherever_the_buffer_begins)
{
	uint32_t words[DOCUMENT_WORDS + 6];
	uint8_t bytes[sizeof words];

	for (size_t begins = 0; begins < DOCUMENT_WORDS; begins += 3) {
		struct seen *seen;

		for (size_t i = 0; i < DOCUMENT_WORDS; i++)
			words[i] = document[(i + begins) % DOCUMENT_WORDS];
		memset(words + DOCUMENT_WORDS, 0xff, 24);
		to_bytes(words, sizeof words / 4, false, bytes);
		seen = begin(bytes, sizeof bytes, &found);
		/* The two records of a switch have one time: between them nobody can tell where it begins. */
		if (begins != 21 && begins != 30 && !CHECK(strstr(seen->text, begins ? circle_text : document_text)))
			printf("# at %zu: %s", begins, seen->text);
		CHECK_EQ(seen->health.holes, begins ? 2 : 0);
		CHECK_EQ(seen->health.room, begins ? 0 : 2);
		CHECK_EQ(seen->health.events, begins ? 11 : 12);
		end(seen, 0, begins ? circle_note : NULL);
	}
}

TEST(the_order_of_bytes_can_be_said)
{
	const struct reader_options big = {.format = "c6000", .order = READER_ORDER_BIG};
	uint8_t bytes[4 * DOCUMENT_WORDS];
	struct seen *seen;

	to_bytes(document, DOCUMENT_WORDS, false, bytes);
	seen = begin(bytes, sizeof bytes, &big);
	CHECK(strstr(seen->text, "big-endian"));
	CHECK(!strstr(seen->text, "c000e8c"));
	end(seen, 1, "earlier than those before them");
}

TEST(what_is_no_record)
{
	uint8_t bytes[120 * 12];

	memset(bytes, 0, sizeof bytes);
	end(begin(bytes, sizeof bytes, &found), 2, "is no recording that dwell knows");
	end(begin(bytes, sizeof bytes, &as_records), 1, "holds no record: of 120 none was written");
	memset(bytes, 0xff, sizeof bytes);
	end(begin(bytes, sizeof bytes, &as_records), 1, "holds no record: of 120 none was written");
	end(begin(bytes, 0, &as_records), 1, "holds no record: it is empty");
	to_bytes(document, DOCUMENT_WORDS, false, bytes);
	end(begin(bytes, 4 * DOCUMENT_WORDS - 5, &as_records), 1, "x.bin:0x84: 7 bytes at the end are no whole record");
	end(begin(bytes, 12, &as_records), 0, NULL);
}

/* Tasks that come without one that leaves, leave without having come, and functions between two tasks. */
TEST(tasks_that_do_not_fit)
{
	static const uint32_t words[] = {
		0x804c12,
		10,
		0,
		FUNCTION_A,
		11,
		0,
		0x8043ba,
		20,
		0,
		FUNCTION_B,
		21,
		0,
		0x804c13,
		30,
		0,
		FUNCTION_A,
		31,
		0,
		0x804c12,
		40,
		0,
	};
	uint8_t bytes[sizeof words];
	struct seen *seen;

	to_bytes(words, sizeof words / 4, false, bytes);
	seen = begin(bytes, sizeof bytes, &as_records);
	CHECK_STR(seen->text, "C6000 records, little-endian, 0 Hz, bare\n"
			      "thread 0 804c10 ''\nthread 1 8043b8 ''\nthread 2 0 '(no task)'\n"
			      "switches 0 0-14\non 0:0@a\nenter 0:c000e8c@b\n"
			      "switches 1 0-1e\non 1:0@14\nenter 1:c000e24@15\noff 1:0@1e\n"
			      "switches 2 0-28\non 2:0@1f\nenter 2:c000e8c@1f\noff 2:0@28\n"
			      "switches 0 14-28 away 14-28\n");
	end(seen, 1, "task records that do not fit what ran before them: 4");
}

TEST(more_tasks_than_anyone_has)
{
	enum { TASKS = 20000 };
	uint32_t *words = malloc(TASKS * 24);
	uint8_t *bytes = malloc(TASKS * 24);
	struct diag *diag = make_diag();
	struct message message;
	struct reader *reader;
	uint32_t threads = 0, events = 0;

	for (uint32_t i = 0; i < TASKS; i++) {
		const uint32_t pair[] = {(i + 1) * 4 | 2, 2 * i + 1, 0, FUNCTION_A, 2 * i + 2, 0};

		memcpy(words + 6 * i, pair, sizeof pair);
	}
	to_bytes(words, TASKS * 6, false, bytes);
	reader = make_reader(make_source_memory("x.bin", bytes, TASKS * 24, diag), diag);
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message)) {
		threads += message.kind == MESSAGE_THREAD;
		for (uint32_t i = 0; message.kind == MESSAGE_EVENTS && i < message.events.count; i++)
			events += message.events.events[i].kind == EVENT_ENTER;
	}
	CHECK_EQ(threads, 16384);
	CHECK_EQ(events, 16384);
	CHECK_EQ(reader_get_health(reader)->bytes_skipped, (TASKS - 16384) * 12);
	free_reader(reader);
	free_diag(diag);
	free(words);
	free(bytes);
}

/* ---- memory images ---- */

/* A machine's memory from base on, with a control area, COUNT and records in it. */
struct memory {
	uint64_t base;
	uint32_t word_bytes;
	bool is_big;
	uint8_t bytes[1024];
};
enum { CONTROL_AT = 40, COUNT_AT = 136, RECORDS_AT = 160, NAMES_AT = 800 };

static void put_number(struct memory *memory, size_t at, uint32_t bytes, uint64_t value)
{
	for (uint32_t i = 0; i < bytes; i++)
		memory->bytes[at + i] = (uint8_t)(value >> 8 * (memory->is_big ? bytes - 1 - i : i));
}

static void put_word(struct memory *memory, uint32_t word, uint64_t value)
{
	put_number(memory, CONTROL_AT + HOOK_HEAD_BYTES + word * memory->word_bytes, memory->word_bytes, value);
}

/* The document's records: in a buffer for so many, written from number begins on, COUNT as it is then. */
static void make_memory(struct memory *memory, uint32_t place, uint32_t capacity, uint32_t begins)
{
	uint32_t count = begins + DOCUMENT_WORDS / 3;

	memset(memory->bytes, 0xff, sizeof memory->bytes);
	put_number(memory, CONTROL_AT, 4, HOOK_MAGIC);
	put_number(memory, CONTROL_AT + 4, 4, HOOK_WHAT(place, memory->word_bytes));
	put_word(memory, HOOK_WORD_SELF, memory->base + CONTROL_AT);
	put_word(memory, HOOK_WORD_RECORDS, memory->base + RECORDS_AT);
	put_word(memory, HOOK_WORD_CAPACITY, capacity);
	put_word(memory, HOOK_WORD_COUNT_AT, memory->base + COUNT_AT);
	put_word(memory, HOOK_WORD_HZ, 25000000);
	put_word(memory, HOOK_WORD_STATE, 0);
	put_word(memory, HOOK_WORD_MISSED, 0);
	put_number(memory, COUNT_AT, 4, count);
	for (uint32_t i = 0; i < DOCUMENT_WORDS / 3; i++)
		for (uint32_t k = 0; k < 3; k++)
			put_number(memory, RECORDS_AT + 12 * ((begins + i) % capacity) + 4 * k, 4, document[3 * i + k]);
}

TEST(memory_images)
{
	for (uint32_t variant = 0; variant < 4; variant++) {
		struct memory memory = {.base = variant & 1 ? 0x7f0012340000 : 0x20000000,
			.word_bytes = variant & 1 ? 8 : 4,
			.is_big = variant & 2};
		struct seen *seen;
		char want[4096];

		make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0);
		seen = begin(memory.bytes, sizeof memory.bytes, &found);
		snprintf(want, sizeof want, "memory image at 0x%" PRIx64 ", %s-endian, 25000000 Hz, bare\n%s", memory.base,
			memory.is_big ? "big" : "little", document_text);
		CHECK_STR(seen->text, want);
		end(seen, 0, NULL);
	}
}

/* The count tells where a buffer that was written round and round begins, where times cannot: between the two records of a
 * switch. */
TEST(the_count_of_an_image)
{
	for (uint32_t begins = 100; begins < 112; begins++) {
		struct memory memory = {.base = 0x80000000, .word_bytes = 4};
		struct seen *seen;

		make_memory(&memory, HOOK_PLACE_RETURN, 12, begins);
		seen = begin(memory.bytes, sizeof memory.bytes, &found);
		CHECK(strstr(seen->text, circle_text));
		end(seen, 0, circle_note);
	}
}

/* The machine was stopped inside of a hook that overwrote the oldest record: its first word, and the second, too. */
TEST(a_record_that_is_half_overwritten)
{
	static const uint32_t words[] = {
		FUNCTION_A | 1, 5, 1, FUNCTION_B, 0x10, 1, FUNCTION_A, 0x2000, 0, /* this one */
		FUNCTION_A, 0xa00, 0, FUNCTION_A | 1, 0xb00, 0, FUNCTION_A, 0xc00, 0,
	};
	uint8_t bytes[sizeof words];
	struct seen *seen;

	for (uint32_t written = 1; written <= 3; written++) {
		struct memory memory = {.base = 0x80000000, .word_bytes = 4};

		make_memory(&memory, HOOK_PLACE_ADDRESS, 12, 100);
		for (uint32_t k = 0; k < written; k++)
			put_number(&memory, RECORDS_AT + 12 * (112 % 12) + 4 * k, 4, 0x0c000ff0 + k);
		seen = begin(memory.bytes, sizeof memory.bytes, &found);
		CHECK(strstr(seen->text, circle_text));
		end(seen, 0, circle_note);
	}
	to_bytes(words, sizeof words / 4, false, bytes); /* times that fall twice: at it, and behind it */
	seen = begin(bytes, sizeof bytes, &as_records);
	CHECK(strstr(seen->text, "\nenter 0:c000e8c@a00\nexit 0:c000e8c@b00\nenter 0:c000e8c@c00\nexit 0:c000e8c@100000005\n"
				 "enter 0:c000e24@100000010\n"));
	CHECK_EQ(seen->health.events, 5);
	end(seen, 0, circle_note);
}

TEST(what_an_image_says_of_itself)
{
	struct memory memory = {.base = 0x80000000, .word_bytes = 4};

	make_memory(&memory, HOOK_PLACE_ADDRESS, 100, 0);
	end(begin(memory.bytes, RECORDS_AT + 12 * 5, &found), 1, "x.bin:0x28: its buffer has 12 records, of which 5 are in the image");
	put_word(&memory, HOOK_WORD_MISSED, 7);
	end(begin(memory.bytes, sizeof memory.bytes, &found), 1, "7 calls of threads other than");
	make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0);
	put_number(&memory, COUNT_AT, 4, HOOK_COUNT_OFF);
	end(begin(memory.bytes, sizeof memory.bytes, &found), 1, "hook_init() was not called");
	make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0); /* the buffer in one memory, the count in another one */
	put_word(&memory, HOOK_WORD_COUNT_AT, 0x00800010);
	end(begin(memory.bytes, sizeof memory.bytes, &found), 0, "x.bin:0x28: the count of its records (at 0x800010) is not in the image");
	make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0);
	put_word(&memory, HOOK_WORD_STATE, HOOK_STATE_NO_CLOCK);
	end(begin(memory.bytes, sizeof memory.bytes, &found), 1, "the machine's counter does not count");
}

/* ---- core files ---- */

/* The parts of the memory, each [from, to), as a debugger or dwell fetch write them. Its bytes are to be freed. */
struct part {
	size_t from, to;
};
static char *make_core(const struct memory *memory, const struct part *list, size_t count, size_t *size)
{
	const struct core_machine machine = {.machine = 40, .pointer_bytes = memory->word_bytes, .is_big = memory->is_big};
	struct core_part parts[4];
	char *core;
	FILE *out = open_memstream(&core, size);

	for (size_t i = 0; i < count; i++)
		parts[i] = (struct core_part){memory->base + list[i].from, memory->bytes + list[i].from, list[i].to - list[i].from};
	core_file_write(out, &machine, parts, count);
	fclose(out);
	return core;
}

TEST(core_files)
{
	enum { CONTROL_END = CONTROL_AT + 64 };
	static const struct part whole[] = {{0, 1024}}, no_records[] = {{CONTROL_AT, CONTROL_END}}, bare[] = {{RECORDS_AT, 400}};
	static const struct part in_parts[] = {{CONTROL_AT, CONTROL_END}, {COUNT_AT, COUNT_AT + 4}, {RECORDS_AT, 400}};
	static const struct part no_count[] = {{CONTROL_AT, CONTROL_END}, {RECORDS_AT, 400}};
	static const struct {
		const struct part *parts;
		size_t count;
		int status;
		const char *said;
	} cases[] = {
		{whole, 1, 0, NULL},
		{in_parts, 3, 0, NULL},
		{no_count, 2, 0, "the count of its records"},
		{no_records, 1, 2, "and none of their records (at 0x200000a0)"},
		{bare, 1, 0, NULL},
	};

	for (uint32_t variant = 0; variant < 4 * sizeof cases / sizeof *cases; variant++) {
		struct memory memory = {.base = 0x20000000, .word_bytes = variant & 1 ? 8 : 4, .is_big = variant & 2};
		size_t number = variant / 4, size;
		struct seen *seen;
		char *core;

		make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0);
		core = make_core(&memory, cases[number].parts, cases[number].count, &size);
		seen = begin(core, size, &found);
		if (cases[number].status == 0)
			CHECK(!strncmp(seen->text, "core file, ", 11) && strstr(seen->text, document_text));
		end(seen, cases[number].status, cases[number].said);
		seen = begin(core, size, &(struct reader_options){.otherwise = "c6000"});
		if (cases[number].status == 0)
			CHECK(strstr(seen->text, document_text));
		end(seen, cases[number].status, cases[number].said);
		free(core);
	}
}

/* Nobody looks at the first bytes alone. */
TEST(deep_in_an_image)
{
	enum { BEFORE = 100000 };
	struct memory memory = {.base = 0x20000000 + BEFORE, .word_bytes = 4};
	uint8_t *bytes = calloc(1, BEFORE + sizeof memory.bytes);
	struct seen *seen;

	make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0);
	memcpy(bytes + BEFORE, memory.bytes, sizeof memory.bytes);
	seen = begin(bytes, BEFORE + sizeof memory.bytes, &found);
	CHECK(strstr(seen->text, "memory image at 0x20000000, ") && strstr(seen->text, document_text));
	end(seen, 0, NULL);
	free(bytes);
}

/* A copy of the control area that lies elsewhere than it says (what is loaded from flash) comes first; and one that says nonsense
 * alone. */
TEST(control_areas_that_are_none)
{
	struct memory memory = {.base = 0x80000000, .word_bytes = 4};
	struct seen *seen;

	make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0);
	memcpy(memory.bytes, memory.bytes + CONTROL_AT, 36);
	put_number(&memory, 8, 4, 4); /* SELF */
	seen = begin(memory.bytes, sizeof memory.bytes, &found);
	CHECK(strstr(seen->text, document_text));
	end(seen, 0, NULL);
	for (uint32_t word = HOOK_WORD_SELF; word < HOOK_WORD_COUNT_AT; word++) {
		make_memory(&memory, HOOK_PLACE_ADDRESS, 20, 0);
		put_word(&memory, word, word == HOOK_WORD_CAPACITY ? 0 : 0xfffffff0);
		seen = begin(memory.bytes, sizeof memory.bytes, &as_records);
		CHECK(!strstr(seen->text, "memory image"));
		if (word == HOOK_WORD_CAPACITY)
			end(seen, diag_status(seen->diag), "");
		else
			end(seen, 2, "x.bin:0x28: function hooks have their control area here, and none of their records (at 0x");
	}
}

TEST(addresses_of_names)
{
	const struct reader_options as_names = {.format = "c6000", .places_are_names = true};
	struct memory memory = {.base = 0x80000000, .word_bytes = 4};
	struct diag *diag = make_diag();
	struct reader *reader;
	struct message message;
	uint32_t texts = 0;

	make_memory(&memory, HOOK_PLACE_NAME, 20, 0);
	for (uint32_t i = 0; i < DOCUMENT_WORDS / 3; i++) /* the document's addresses, in this memory */
		if ((document[3 * i] & 3) < 2)
			put_number(
				&memory, RECORDS_AT + 12 * i, 4, 0x80000000 + (document[3 * i] & 1) + (i < 4 ? NAMES_AT : 0x10000));
	memcpy(memory.bytes + NAMES_AT, "parse", 6);
	reader = make_reader(make_source_memory("x.bin", memory.bytes, sizeof memory.bytes, diag), diag);
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
		if (message.kind == MESSAGE_EVENTS) {
			CHECK_EQ(message.events.place_kind, DWELL_PLACE_STRING);
		} else if (message.kind == MESSAGE_STRING) {
			CHECK_EQ(message.string.address, 0x80000000 + NAMES_AT);
			CHECK_STR(message.string.text, "parse");
			texts++;
		}
	CHECK_EQ(texts, 1);
	free_reader(reader);
	reader = make_reader_as(make_source_memory("x.bin", memory.bytes + RECORDS_AT, 144, diag), &as_names, diag);
	for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
		if (message.kind == MESSAGE_EVENTS)
			CHECK_EQ(message.events.place_kind, DWELL_PLACE_STRING);
	free_reader(reader);
	CHECK_EQ(diag_status(diag), 0);
	free_diag(diag);
}

/* What decoders tell of each stream is what the reader tells of it, and it tells the same when it is rewound. */
TEST(decoders_and_a_second_pass)
{
	uint8_t bytes[4 * DOCUMENT_WORDS];
	struct seen *seen, *again = calloc(1, sizeof *again);
	struct reader_decoder *decoder;
	struct message message;

	to_bytes(document, DOCUMENT_WORDS, false, bytes);
	seen = begin(bytes, sizeof bytes, &found);
	CHECK_EQ(reader_chunk_count(seen->reader), 3);
	decoder = make_reader_decoder(seen->reader);
	put(again, "thread 0 0 '(no task)'\nthread 1 804c10 ''\nthread 2 8043b8 ''\n");
	for (uint64_t chunk = 0; chunk < 3; chunk++) {
		CHECK_EQ(reader_get_chunk(seen->reader, chunk).stream, chunk);
		CHECK(reader_decoder_load(decoder, chunk));
		for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message))
			put_message(again, &message);
	}
	CHECK_STR(again->text, document_text);
	free_reader_decoder(decoder);
	*again->text = 0;
	CHECK(reader_rewind(seen->reader));
	again->reader = seen->reader;
	read_to_end(again);
	CHECK_STR(again->text, seen->text);
	CHECK_EQ(again->health.events, 12);
	free(again);
	end(seen, 0, NULL);
}

TEST(the_program_is_told_behind_the_header)
{
	const struct reader_span spans[] = {{0x1000, 0x2000}, {0x8000, 0x8010}};
	const struct reader_program program = {.path = "app.out", .spans = spans, .span_count = 2, .bias = 0x20};
	const struct reader_options options = {.program = &program, .clock_hz = 1000000};
	uint8_t bytes[4 * DOCUMENT_WORDS];
	struct seen *seen;

	to_bytes(document, DOCUMENT_WORDS, false, bytes);
	seen = begin(bytes, sizeof bytes, &options);
	CHECK(!strncmp(seen->text,
		"C6000 records, little-endian, 1000000 Hz, bare\nprocess 0 app.out\n"
		"module 1000-2000 bias 20 app.out\nmodule 8000-8010 bias 20 app.out\nthread 0 ",
		strlen("C6000 records, little-endian, 1000000 Hz, bare\nprocess 0 app.out\n"
		       "module 1000-2000 bias 20 app.out\nmodule 8000-8010 bias 20 app.out\nthread 0 ")));
	end(seen, 0, NULL);
}

TEST(who_names_his_files_is_given_none)
{
	const struct reader_program program = {.path = "app.out"};
	const struct reader_options with_program = {.program = &program}, with_clock = {.clock_hz = 1000}, unknown = {.format = "c6001"};

	end(begin("a;b 1\n", 6, &with_program), 2, "names its functions, or the files that they are in (folded stacks)");
	end(begin("a;b 1\n", 6, &with_clock), 2, "no rate can be given for it");
	end(begin("a;b 1\n", 6, &unknown), 2, "cannot be read as 'c6001'; formats that can be named: " READER_FORMATS);
}

/* Each name in READER_FORMATS is one. */
TEST(formats_that_can_be_named)
{
	char names[] = READER_FORMATS;

	for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", ")) {
		const struct reader_options options = {.format = name};
		struct seen *seen = begin("", 0, &options);

		CHECK(seen->reader);
		end(seen, diag_status(seen->diag), "");
	}
}

int main(void)
{
	RUN(the_records_of_the_document);
	RUN(what_places_are);
	RUN(return_addresses_that_are_said);
	RUN(wherever_the_buffer_begins);
	RUN(the_order_of_bytes_can_be_said);
	RUN(what_is_no_record);
	RUN(tasks_that_do_not_fit);
	RUN(more_tasks_than_anyone_has);
	RUN(memory_images);
	RUN(the_count_of_an_image);
	RUN(a_record_that_is_half_overwritten);
	RUN(what_an_image_says_of_itself);
	RUN(core_files);
	RUN(deep_in_an_image);
	RUN(control_areas_that_are_none);
	RUN(addresses_of_names);
	RUN(decoders_and_a_second_pass);
	RUN(the_program_is_told_behind_the_header);
	RUN(who_names_his_files_is_given_none);
	RUN(formats_that_can_be_named);
	return tap_done();
}
