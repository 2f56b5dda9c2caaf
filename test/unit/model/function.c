/* Places to functions. The program that has symbols is this one: what it finds of itself must be what the linker put there. */
#include "model/function/function.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "model/function/module.h"
#include "symbol/symbol.h"

/* A function with a part far away, as compilers make of branches that are rarely taken; one whose part belongs to one of two; and a
 * neighbour of all. */
__asm__(".text\n.balign 16\n"
	".globl dwell_test_whole\n.type dwell_test_whole, @function\ndwell_test_whole: .skip 32, 0x90\n.size dwell_test_whole, 32\n"
	".type dwell_test_beside, @function\ndwell_test_beside: .skip 32, 0x90\n.size dwell_test_beside, 32\n"
	".type dwell_test_whole.cold, @function\ndwell_test_whole.cold: .skip 32, 0x90\n.size dwell_test_whole.cold, 32\n"
	".type dwell_test_alone.cold.3, @function\ndwell_test_alone.cold.3: .skip 32, 0x90\n.size dwell_test_alone.cold.3, 32\n");

/* One that ends at an odd address, and the next one begins there. */
__asm__(".text\n.balign 16\n"
	".type dwell_test_tail, @function\ndwell_test_tail: .skip 1, 0x90\n.size dwell_test_tail, 1\n"
	".type dwell_test_behind, @function\ndwell_test_behind: .skip 15, 0x90\n.size dwell_test_behind, 15\n");

/* One that begins at an odd multiple of 2. */
__asm__(".text\n.balign 16\n"
	".type dwell_test_before, @function\ndwell_test_before: .skip 6, 0x90\n.size dwell_test_before, 6\n"
	".type dwell_test_odd, @function\ndwell_test_odd: .skip 10, 0x90\n.size dwell_test_odd, 10\n"
	".type dwell_test_even, @function\ndwell_test_even: .skip 8, 0x90\n.size dwell_test_even, 8\n"
	".type dwell_test_last, @function\ndwell_test_last: .skip 8, 0x90\n.size dwell_test_last, 8\n");

extern const char __ehdr_start;

static char self[4096];

/* Link-time address of a symbol of this program. */
static uint64_t address_of(const char *name)
{
	static const struct symbol_request want;
	struct diag *diag = make_diag();
	struct symbol_table *table = make_symbol_table(self, &want, diag);
	uint64_t address = 0;

	for (size_t i = 0; i < symbol_count(table); i++)
		if (!strcmp(symbol_at(table, i)->name, name))
			address = symbol_at(table, i)->address;
	free_symbol_table(table);
	free_diag(diag);
	CHECK(address != 0);
	return address;
}

static struct functions *functions;
static struct diag *diag;

static void begin(void)
{
	diag = make_diag();
	functions = make_functions(diag);
}

static void end(void)
{
	free_functions(functions);
	free_diag(diag);
}

static void map_at(const char *path, uint32_t process, uint64_t low, uint64_t bytes, uint64_t ticks, bool hooked)
{
	const struct message_module module = {.process = process, .low = low, .high = low + bytes, .bias = low, .load_ticks = ticks,
		.hooked = hooked, .path = path};

	functions_add_module(functions, &module, 0);
}

static void unmap_at(uint32_t process, uint64_t low, uint64_t bytes, uint64_t ticks)
{
	const struct message_module module = {
		.process = process, .low = low, .high = low + bytes, .load_ticks = ticks, .unmapped = true, .path = ""};

	functions_add_module(functions, &module, 0);
}

static uint32_t find_low32(uint32_t process, uint64_t address, uint64_t ticks)
{
	return functions_find(functions, process, (struct place){DWELL_PLACE_LOW32, (uint32_t)address & ~1u}, ticks);
}

static uint32_t find_kind(enum dwell_place_kind kind, uint64_t value)
{
	return functions_find(functions, 0, (struct place){kind, value}, 5);
}

static uint32_t find_full(uint32_t process, uint64_t address, uint64_t ticks)
{
	return functions_find(functions, process, (struct place){DWELL_PLACE_ADDRESS, address}, ticks);
}

TEST(symbols_of_this_program)
{
	const uint64_t low = 0x7f1234560000, bytes = 1 << 24;
	uint64_t whole = address_of("dwell_test_whole"), beside = address_of("dwell_test_beside");
	char want[4200], *longer;
	uint32_t id;

	begin();
	map_at(self, 0, low, bytes, 0, true);
	id = find_low32(0, low + whole, 5);
	CHECK_STR(functions_get_name(functions, id), "dwell_test_whole");
	snprintf(want, sizeof want, "dwell_test_whole (%s+0x%llx)", strrchr(self, '/') + 1, (unsigned long long)whole);
	longer = make_functions_name_and_place(functions, id);
	CHECK_STR(longer, want);
	free(longer);
	CHECK_EQ(find_low32(0, low + whole + 30, 5), id);
	CHECK_EQ(find_full(0, low + whole + 31, 5), id);
	CHECK_EQ(functions_find(functions, 0, (struct place){DWELL_PLACE_LOW32, low + whole}, 5), id); /* behind a WINDOW */
	CHECK(find_low32(0, low + beside, 5) != id);
	CHECK_STR(functions_get_name(functions, find_low32(0, low + beside, 5)), "dwell_test_beside");
	CHECK_EQ(functions_count(functions), 2);
	CHECK_EQ(functions_get_health(functions, 0).unsymbolised, 0);
	end();
}

TEST(a_cold_part_is_its_function)
{
	const uint64_t low = 0x10000000;
	uint32_t whole, alone;

	begin();
	map_at(self, 0, low, 1 << 24, 0, true);
	whole = find_full(0, low + address_of("dwell_test_whole"), 5);
	CHECK_EQ(find_full(0, low + address_of("dwell_test_whole.cold") + 9, 5), whole);
	CHECK_EQ(find_full(0, low + address_of("dwell_test_whole.cold") + 10, 5), whole);
	alone = find_full(0, low + address_of("dwell_test_alone.cold.3"), 5);
	CHECK(alone != whole);
	CHECK_STR(functions_get_name(functions, alone), "dwell_test_alone.cold.3");
	end();
}

/* A sample is often at a function's return, which may be its last byte, at an even address. What is of 32 bits has lost bit 0. */
TEST(the_last_byte)
{
	const uint64_t low = 0x40000000;
	uint64_t last = low + address_of("dwell_test_tail");

	begin();
	map_at(self, 0, low, 1 << 24, 0, false);
	CHECK_EQ(last & 1, 0);
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_ADDRESS, last)), "dwell_test_tail");
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_ADDRESS, last + 1)), "dwell_test_behind");
	CHECK_STR(functions_get_name(functions, find_low32(0, last + 1, 5)), "dwell_test_behind");
	end();
}

/* Two low bits are not recorded: a function begins there, or two bytes behind, or the place is in one. */
TEST(places_of_whole_words)
{
	const uint64_t low = 0x40000000;
	uint64_t odd = address_of("dwell_test_odd"), even = address_of("dwell_test_even");

	begin();
	map_at(self, 0, low, 1 << 24, 0, false);
	CHECK_EQ(odd & 3, 2);
	CHECK_EQ(even & 3, 0);
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_WORD, low + odd - 2)), "dwell_test_odd");
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_WORD, low + even)), "dwell_test_even");
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_WORD, low + even + 4)), "dwell_test_even");
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_ADDRESS, low + odd - 2)), "dwell_test_before");

	/* One that begins where no symbol does is not the one before it. */
	CHECK_EQ(functions_get_health(functions, 0).astray, 0);
	CHECK_EQ(find_kind(DWELL_PLACE_ENTRY, low + odd - 2), find_kind(DWELL_PLACE_WORD, low + odd - 2));
	CHECK_EQ(find_kind(DWELL_PLACE_ENTRY, low + even), find_kind(DWELL_PLACE_WORD, low + even));
	CHECK_EQ(functions_get_health(functions, 0).astray, 0);
	CHECK(find_kind(DWELL_PLACE_ENTRY, low + even + 4) != find_kind(DWELL_PLACE_WORD, low + even + 4));
	CHECK_EQ(find_kind(DWELL_PLACE_ENTRY, low + even + 4), find_kind(DWELL_PLACE_ENTRY, low + even + 4));
	CHECK_EQ(functions_get_health(functions, 0).astray, 1);
	end();
}

/* Addresses of names: the function that is called so, or the name alone. */
TEST(addresses_of_names)
{
	static const char known[] = "dwell_test_even", unknown[] = "no such function", empty[] = "";
	static char zeroed[64];
	const uint64_t low = (uint64_t)(uintptr_t)&__ehdr_start;
	uint32_t id;

	begin();
	map_at(self, 0, low, 1 << 24, 0, false);
	id = find_kind(DWELL_PLACE_STRING, (uintptr_t)known);
	CHECK_STR(functions_get_name(functions, id), known);
	CHECK_EQ(id, find_kind(DWELL_PLACE_ADDRESS, low + address_of(known)));
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_STRING, (uintptr_t)unknown)), unknown);
	CHECK_EQ(find_kind(DWELL_PLACE_STRING, (uintptr_t)unknown), functions_find_name(functions, unknown));
	CHECK(!strncmp(functions_get_name(functions, find_kind(DWELL_PLACE_STRING, (uintptr_t)empty)), "0x", 2));
	CHECK(!strncmp(functions_get_name(functions, find_kind(DWELL_PLACE_STRING, (uintptr_t)zeroed)), "0x", 2));
	CHECK_STR(functions_get_name(functions, find_kind(DWELL_PLACE_STRING, 0x20)), "0x20"); /* in no module */
	end();
}

/* A call that never returns may end its function: its last byte is still in it. */
TEST(call_sites)
{
	const uint64_t low = 0x10000000;
	uint64_t whole = address_of("dwell_test_whole");
	struct function_site site;
	uint32_t id;

	begin();
	map_at(self, 0, low, 1 << 24, 0, true);
	site = functions_find_site(functions, 0, (struct place){DWELL_PLACE_ADDRESS, low + whole + 20}, 5);
	CHECK(site.symbolised && site.id == FUNCTION_NONE); /* nobody entered it */
	CHECK_EQ(functions_count(functions), 0);
	id = find_full(0, low + whole, 5);
	site = functions_find_site(functions, 0, (struct place){DWELL_PLACE_ADDRESS, low + whole + 20}, 5);
	CHECK_EQ(site.id, id);
	site = functions_find_site(functions, 0, (struct place){DWELL_PLACE_LOW32, low + whole + 31}, 5);
	CHECK_EQ(site.id, id);
	site = functions_find_site(functions, 0, (struct place){DWELL_PLACE_ADDRESS, low + address_of("dwell_test_whole.cold") + 31}, 5);
	CHECK_EQ(site.id, id);
	end();
}

/* Without symbols the function that begins nearest before the site is the best guess, in the same module only. */
TEST(call_sites_without_symbols)
{
	struct function_site site;
	uint32_t near, far, behind, elsewhere;

	begin();
	map_at("/nowhere/stripped", 0, 0x10000, 0x10000, 0, true);
	map_at("/nowhere/other", 0, 0x20000, 0x10000, 0, true);
	far = find_full(0, 0x11000, 5);
	near = find_full(0, 0x12000, 5);
	behind = find_full(0, 0x13000, 5);
	elsewhere = find_full(0, 0x20000, 5);
	site = functions_find_site(functions, 0, (struct place){DWELL_PLACE_ADDRESS, 0x12345}, 5);
	CHECK(!site.symbolised);
	CHECK(functions_site_distance(functions, near, &site) < functions_site_distance(functions, far, &site));
	CHECK_EQ(functions_site_distance(functions, behind, &site), UINT64_MAX);
	CHECK_EQ(functions_site_distance(functions, elsewhere, &site), UINT64_MAX);
	end();
}

TEST(names_without_symbols)
{
	begin();
	map_at("/nowhere/libstripped.so.1", 0, 0x7f0000010000, 0x10000, 0, true);
	CHECK_STR(functions_get_name(functions, find_low32(0, 0x7f0000011230, 5)), "libstripped.so.1+0x1230");
	CHECK_STR(functions_get_name(functions, find_low32(0, 0x55550000, 5)), "0x55550000");
	CHECK_STR(functions_get_name(functions, functions_find_name(functions, "a name; with 'anything'")), "a name; with 'anything'");
	CHECK_EQ(functions_find_name(functions, "main"), functions_find_name(functions, "main"));
	CHECK_EQ(functions_get_health(functions, 0).unsymbolised, 1);
	CHECK_EQ(functions_get_health(functions, 0).homeless, 1);
	CHECK_EQ(functions_get_health(functions, 0).modules_unreadable, 1);
	CHECK_STR(functions_get_name(functions, FUNCTION_NONE), "?");
	end();
}

static void tell(const char *path, const uint8_t *build_id, uint32_t bytes, uint64_t address, uint64_t size, const char *name)
{
	const struct message_name one = {address, size, name};

	functions_add_names(functions,
		&(struct message_names){.path = path, .build_id = build_id, .build_id_bytes = bytes, .names = &one, .count = 1});
}

/* What the recording says of a file comes before what the file says, and does without it. */
TEST(told_names)
{
	const uint64_t low = 0x10000000, whole = address_of("dwell_test_whole"), beside = address_of("dwell_test_beside");
	uint32_t id;

	begin();
	tell("/nowhere/gone", NULL, 0, 0x2000, 0x40, "_ZN3two3oneEv");
	tell("/nowhere/gone", NULL, 0, 0x1000, 0x80, "whole");
	tell("/nowhere/gone", NULL, 0, 0x5000, 0x10, "whole.cold");
	tell("/nowhere/gone", NULL, 0, 0x3000, 0x10, "");
	tell("/nowhere/gone", (const uint8_t *)"x", 1, 0x4000, 0x10, "of_another_build");
	map_at("/nowhere/gone", 0, low, 0x10000, 0, true);
	id = find_full(0, low + 0x1011, 5);
	CHECK_STR(functions_get_name(functions, id), "whole");
	CHECK_EQ(find_full(0, low + 0x5004, 5), id); /* its cold part */
	CHECK_EQ(find_low32(0, low + 0x1000, 5), id);
	CHECK_STR(functions_get_name(functions, find_full(0, low + 0x203f, 5)), "two::one()");
	CHECK_EQ(functions_get_health(functions, 0).modules_unreadable, 0); /* nobody had to look */
	CHECK_EQ(functions_get_health(functions, 0).unsymbolised, 0);
	CHECK_EQ(diag_status(diag), 0);
	CHECK_STR(functions_get_name(functions, find_full(0, low + 0x300f, 5)), "gone+0x3000");
	CHECK_EQ(find_full(0, low + 0x3001, 5), find_full(0, low + 0x300e, 5));
	CHECK_STR(functions_get_name(functions, find_full(0, low + 0x4002, 5)), "gone+0x4002");
	CHECK_STR(functions_get_name(functions, find_full(0, low + 0x2040, 5)), "gone+0x2040");
	CHECK_EQ(functions_get_health(functions, 0).modules_unreadable, 0); /* the recorder found no name there */
	CHECK_EQ(functions_get_health(functions, 0).unsymbolised, 3);
	CHECK_EQ(diag_status(diag), 0);
	end();
	/* This program says otherwise; where nothing is told, it has the word. */
	begin();
	tell(self, NULL, 0, whole, 4, "as_recorded");
	map_at(self, 0, low, 1 << 24, 0, true);
	CHECK_STR(functions_get_name(functions, find_full(0, low + whole + 1, 5)), "as_recorded");
	CHECK_STR(functions_get_name(functions, find_full(0, low + beside + 1, 5)), "dwell_test_beside");
	end();
}

/* What comes behind the first question is not looked at, and no file makes us keep more than all of them together may have. */
TEST(told_too_late_and_too_many)
{
	enum { MANY = 600000 };
	struct message_name *names = calloc(MANY, sizeof *names);
	struct message_names many = {.path = "/nowhere/a", .names = names, .count = MANY};

	begin();
	for (uint32_t i = 0; i < MANY; i++)
		names[i] = (struct message_name){i * 16, 16, "x"};
	names[MANY - 1].name = "the_last_one";
	functions_add_names(functions, &many);
	many.path = "/nowhere/b";
	functions_add_names(functions, &many);
	map_at("/nowhere/a", 0, 0x10000000, MANY * 16, 0, true);
	map_at("/nowhere/b", 0, 0x20000000, MANY * 16, 0, true);
	CHECK_STR(functions_get_name(functions, find_full(0, 0x10000000 + MANY * 16 - 1, 5)), "the_last_one");
	CHECK_STR(functions_get_name(functions, find_full(0, 0x20000000 + 1, 5)), "x");
	CHECK_STR(functions_get_name(functions, find_full(0, 0x20000000 + MANY * 16 - 1, 5)), "b+0x927bff");
	end();
	begin();
	map_at("/nowhere/late", 0, 0x10000000, 0x10000, 0, true);
	tell("/nowhere/late", NULL, 0, 0x1000, 0x10, "early");
	CHECK_STR(functions_get_name(functions, find_full(0, 0x10001000, 5)), "early");
	tell("/nowhere/late", NULL, 0, 0x2000, 0x10, "late");
	CHECK_STR(functions_get_name(functions, find_full(0, 0x10002000, 5)), "late+0x2000");
	end();
	free(names);
}

TEST(the_kernel)
{
	uint32_t unknown, known;

	begin();
	unknown = functions_find_kernel(functions, 0xffffffff81000010);
	CHECK_STR(functions_get_name(functions, unknown), "[kernel]");
	CHECK_EQ(functions_find_kernel(functions, 0xffffffff81000020), unknown);
	tell("[kernel]", (const uint8_t *)"boot", 4, 0xffffffff81000000, 0x20, "clear_page [kernel]");
	tell("[kernel]", (const uint8_t *)"boot", 4, 0xffffffffc0000000, 0x20, "read [disk]");
	known = functions_find_kernel(functions, 0xffffffff81000010);
	CHECK_STR(functions_get_name(functions, known), "clear_page [kernel]");
	CHECK_EQ(functions_find_kernel(functions, 0xffffffff8100001f), known);
	CHECK_EQ(functions_find_kernel(functions, 0xffffffff81000020), unknown);
	CHECK_STR(functions_get_name(functions, functions_find_kernel(functions, 0xffffffffc0000010)), "read [disk]");
	CHECK_EQ(functions_get_health(functions, 0).modules_unreadable, 0);
	CHECK_EQ(diag_status(diag), 0);
	end();
}

/* The same low halves: modules with hooks come first; a place with its high half is exact. */
TEST(low_halves_collide)
{
	begin();
	map_at("/nowhere/plain", 0, 0x7f0100000000, 0x10000, 0, false);
	map_at("/nowhere/hooked", 0, 0x7f0200000000, 0x10000, 0, true);
	CHECK_STR(functions_get_name(functions, find_low32(0, 0x1230, 5)), "hooked+0x1230");
	CHECK_STR(functions_get_name(functions, functions_find(functions, 0, (struct place){DWELL_PLACE_LOW32, 0x7f0100001230}, 5)),
		"plain+0x1230");
	CHECK_STR(functions_get_name(functions, find_full(0, 0x7f0100001230, 5)), "plain+0x1230");
	end();
}

TEST(a_module_across_4_gib)
{
	begin();
	map_at("/nowhere/wide", 0, 0x7f00ffff0000, 0x20000, 0, true);
	CHECK_STR(functions_get_name(functions, find_low32(0, 0xffff1000, 5)), "wide+0x1000");
	CHECK_STR(functions_get_name(functions, find_low32(0, 0x1000, 5)), "wide+0x11000");
	CHECK_STR(functions_get_name(functions, find_low32(0, 0x20000, 5)), "0x20000");
	end();
}

/* A library goes and another one comes to its place: the time of the event tells which. */
TEST(modules_have_lifetimes)
{
	begin();
	map_at("/nowhere/first.so", 0, 0x10000, 0x1000, 100, true);
	unmap_at(0, 0x10000, 0x1000, 200);
	map_at("/nowhere/second.so", 0, 0x10000, 0x1000, 300, true);
	for (int turn = 0; turn < 3; turn++) {
		CHECK_STR(functions_get_name(functions, find_full(0, 0x10040, 150)), "first.so+0x40");
		CHECK_STR(functions_get_name(functions, find_low32(0, 0x10040, 350)), "second.so+0x40");
	}
	/* the map was late: somebody must have been there */
	CHECK(strchr(functions_get_name(functions, find_full(0, 0x10040, 250)), '+') != NULL);
	CHECK(strchr(functions_get_name(functions, find_full(0, 0x10040, 50)), '+') != NULL);
	CHECK_EQ(functions_count(functions), 2);
	end();
}

/* One function, however often its file is mapped; each process has its own map. */
TEST(one_file_is_one_file)
{
	uint32_t id;

	begin();
	map_at("/nowhere/lib.so", 0, 0x10000, 0x1000, 0, true);
	map_at("/nowhere/lib.so", 7, 0x90000, 0x1000, 0, true);
	map_at("/nowhere/app", 7, 0x10000, 0x1000, 0, true);
	id = find_full(0, 0x10040, 5);
	CHECK_EQ(find_full(7, 0x90040, 5), id);
	CHECK_STR(functions_get_name(functions, find_full(7, 0x10040, 5)), "app+0x40");
	CHECK_STR(functions_get_name(functions, find_full(3, 0x10040, 5)), "0x10040");
	CHECK_EQ(functions_get_health(functions, 0).modules, 2);
	end();
}

TEST(a_place_that_was_asked_for_before_its_module_came)
{
	begin();
	CHECK_STR(functions_get_name(functions, find_full(0, 0x10040, 5)), "0x10040");
	map_at("/nowhere/late.so", 0, 0x10000, 0x1000, 6, true);
	CHECK_STR(functions_get_name(functions, find_full(0, 0x10040, 7)), "late.so+0x40");
	end();
}

TEST(nonsense)
{
	const struct message_module upside_down = {.low = 0x2000, .high = 0x1000, .path = "/nowhere/x"};
	const struct message_module everything = {.low = 0, .high = UINT64_MAX, .hooked = true, .path = "/nowhere/all"};

	begin();
	functions_add_module(functions, &upside_down, 0);
	CHECK_STR(functions_get_name(functions, find_full(0, 0x1800, 5)), "0x1800");
	functions_add_module(functions, &everything, 0);
	CHECK_STR(functions_get_name(functions, find_low32(0xffffffff, 0x1800, 5)), "0x1800");
	CHECK_STR(functions_get_name(functions, find_low32(0, 0x1800, 5)), "all+0x1800");
	/* far beyond what the cache can tell apart */
	CHECK(functions_find(functions, 0x20000000, (struct place){DWELL_PLACE_ADDRESS, 0x1800}, 5) != find_full(0, 0x1800, 5));
	end();
}

/* More than the cache holds, and some that share all entries that they may be in: each keeps its id, and none is another's. */
TEST(more_places_than_are_remembered)
{
	enum { PLACES = 20000, ALIKE = 3 * FUNCTION_CACHE_NEAR };
	uint32_t scope = function_cache_scope(0, DWELL_PLACE_ADDRESS), at = function_cache_at(scope, 0x1000), found = 0;
	static uint32_t ids[PLACES];

	begin();
	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t i = 0; i < PLACES; i++) {
			uint32_t id = find_full(0, 0x1000 + i, 5);

			CHECK(!round || ids[i] == id);
			CHECK_EQ(id, i);
			ids[i] = id;
		}
	for (uint64_t place = 0x1000; found < ALIKE && place < 0x1000 + PLACES; place++)
		found += function_cache_at(scope, place) == at && find_full(0, place, 5) == place - 0x1000;
	CHECK(found >= 4);
	end();
}

TEST(more_modules_than_any_process_has)
{
	begin();
	for (uint64_t i = 0; i < MODULES_MAX + 10; i++)
		map_at("/nowhere/many", 0, i * 0x1000, 0x1000, 0, false);
	CHECK_EQ(diag_status(diag), 1);
	CHECK_STR(functions_get_name(functions, find_full(0, 0x5040, 5)), "many+0x40");
	end();
}

/* Maps the code that a process generates, with names: at addresses from 0x1000 on, in steps of 0x1000. */
static void generate(uint8_t process, const char *program, const char *const *names)
{
	const struct message_module module = {.process = process, .low = 0x1000, .high = 0x10000, .path = "[jit]", .build_id = &process,
		.build_id_bytes = 1};

	functions_add_process(functions, &(struct message_process){.process = process, .path = program});
	for (uint64_t i = 0; names[i]; i++)
		if (*names[i])
			tell("[jit]", &process, 1, (i + 1) * 0x1000, 0x40, names[i]);
	functions_add_module(functions, &module, 0);
}

/* A function of generated code is one function at all its addresses, and in all processes of its program, in whatever order the
 * addresses are looked up; static functions of one name in a file are not. */
TEST(generated_code_by_name)
{
	struct function_place place;
	uint32_t sum;

	begin();
	generate(1, "/bin/node", (const char *const[]){"first", "sum", "sum", NULL});
	generate(2, "/bin/node", (const char *const[]){"sum", "first", "", "alone", NULL});
	generate(3, "/bin/other", (const char *const[]){"sum", "", "sum", NULL});
	generate(4, "", (const char *const[]){"sum", "sum", NULL});
	tell("/nowhere/file", NULL, 0, 0x1000, 0x40, "sum");
	tell("/nowhere/file", NULL, 0, 0x2000, 0x40, "sum");
	map_at("/nowhere/file", 5, 0, 0x10000, 0, false);
	sum = find_full(2, 0x1010, 5);
	CHECK_STR(functions_get_name(functions, sum), "sum");
	CHECK_EQ(find_full(1, 0x3020, 5), sum);
	CHECK_EQ(find_full(1, 0x2000, 5), sum);
	CHECK(functions_get_place(functions, sum, &place));
	CHECK_STR(place.path, "[jit]");
	CHECK_EQ(place.address, 0x2000);
	CHECK_EQ(*place.build_id, 1);
	CHECK_EQ(find_full(2, 0x2000, 5), find_full(1, 0x1000, 5));
	CHECK_STR(functions_get_name(functions, find_full(2, 0x4010, 5)), "alone");
	CHECK_EQ(functions_find_site(functions, 1, (struct place){DWELL_PLACE_ADDRESS, 0x3010}, 5).id, sum);
	CHECK_EQ(functions_count(functions), 3);
	CHECK(find_full(3, 0x1000, 5) != sum);
	CHECK_EQ(find_full(3, 0x3000, 5), find_full(3, 0x1000, 5));
	CHECK(find_full(4, 0x1000, 5) != sum);
	CHECK_EQ(find_full(4, 0x2000, 5), find_full(4, 0x1000, 5));
	CHECK_EQ(functions_count(functions), 5);
	CHECK(find_full(5, 0x1000, 5) != find_full(5, 0x2000, 5));
	/* Without a name each place is one of its own. */
	CHECK(find_full(2, 0x3000, 5) != find_full(3, 0x2000, 5));
	end();
}

int main(void)
{
	ssize_t bytes = readlink("/proc/self/exe", self, sizeof self - 1);

	self[bytes < 0 ? 0 : bytes] = 0;
	RUN(symbols_of_this_program);
	RUN(a_cold_part_is_its_function);
	RUN(the_last_byte);
	RUN(places_of_whole_words);
	RUN(addresses_of_names);
	RUN(call_sites);
	RUN(call_sites_without_symbols);
	RUN(names_without_symbols);
	RUN(told_names);
	RUN(told_too_late_and_too_many);
	RUN(the_kernel);
	RUN(low_halves_collide);
	RUN(a_module_across_4_gib);
	RUN(modules_have_lifetimes);
	RUN(one_file_is_one_file);
	RUN(a_place_that_was_asked_for_before_its_module_came);
	RUN(nonsense);
	RUN(more_places_than_are_remembered);
	RUN(more_modules_than_any_process_has);
	RUN(generated_code_by_name);
	return tap_done();
}
