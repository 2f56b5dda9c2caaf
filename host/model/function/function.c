/* function: finds the function of a place, gives ids, and shares the table between threads. function_name.c makes the names. */
#include "model/function/function.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/function/function_inner.h"
#include "symbol/symbol.h"
#include "util/array.h"
#include "util/sorted.h"

struct functions *make_functions(struct diag *diag)
{
	struct functions *functions = calloc(1, sizeof *functions);

	if (!functions)
		return NULL;
	functions->diag = diag;
	functions->as_of = UINT64_MAX;
	functions->order = ORDER_NONE;
	pthread_mutex_init(&functions->lock, NULL);
	functions->modules = make_modules(diag);
	if (!functions->modules) {
		free(functions);
		return NULL;
	}
	return functions;
}

static void clear(struct function *function)
{
	free(function->name);
}

void free_functions(struct functions *functions)
{
	if (!functions)
		return;
	for (size_t i = 0; i < functions->count; i++)
		clear(&functions->list[i]);
	texts_clear(&functions->texts);
	texts_at_clear(&functions->texts_at);
	free(functions->list);
	parts_clear(&functions->parts);
	generated_clear(&functions->generated);
	free(functions->changes);
	pthread_mutex_destroy(&functions->lock);
	lookup_clear(&functions->index);
	free_modules(functions->modules);
	free(functions);
}

void functions_choose_names(struct functions *functions, const struct symbol_choice *choice)
{
	modules_choose_names(functions->modules, choice);
}

void functions_add_process(struct functions *functions, const struct message_process *process)
{
	modules_set_program(functions->modules, process->process, process->path);
}

void functions_add_module(struct functions *functions, const struct message_module *module, uint64_t offset)
{
	if (!modules_add(functions->modules, module, offset))
		return;
	memset(&functions->cache, 0, sizeof functions->cache);
	if (array_reserve(
		    &functions->changes, &functions->change_capacity, functions->change_count + 1, sizeof *functions->changes))
		functions->changes[functions->change_count++] = offset;
}

void functions_add_names(struct functions *functions, const struct message_names *names)
{
	modules_add_names(functions->modules, names);
	functions->names_came_late |= functions->count > 0;
	memset(&functions->cache, 0, sizeof functions->cache);
}

void functions_add_text(struct functions *functions, const struct message_text *text)
{
	texts_add(&functions->texts, text->index, text->text);
}

static uint32_t hash_of(enum function_kind kind, uint32_t file, uint64_t address)
{
	return hash_number(address ^ hash_number((uint64_t)file << 3 | kind) * UINT64_C(0x9e3779b97f4a7c15));
}

/* The id; FUNCTION_NONE: not in the table. name: only for FUNCTION_NAMED. */
static uint32_t find(const struct functions *functions, enum function_kind kind, uint32_t file, uint64_t address, const char *name)
{
	uint32_t hash = hash_of(kind, file, address), item;

	for (uint32_t at = hash; (item = lookup_next(&functions->index, hash, &at)) != LOOKUP_NONE;) {
		const struct function *function = &functions->list[item];

		if (function->kind == kind && function->file == file && function->address == address &&
			(kind != FUNCTION_NAMED || !strcmp(function->name, name)))
			return item;
	}
	return FUNCTION_NONE;
}

/* Adds the function, and takes over its name. FUNCTION_NONE: no memory, or no id left. */
static uint32_t add(struct functions *functions, struct function *function)
{
	uint32_t id = (uint32_t)functions->count;

	if (id > FUNCTION_COUNT_MAX || !array_reserve(&functions->list, &functions->capacity, id + 1u, sizeof *functions->list) ||
		!lookup_put(&functions->index, hash_of(function->kind, function->file, function->address), id)) {
		clear(function);
		return FUNCTION_NONE;
	}
	functions->list[id] = *function;
	functions->count++;
	return id;
}

static uint32_t find_or_add(struct functions *functions, enum function_kind kind, uint32_t file, uint64_t address, const char *name)
{
	uint32_t id = find(functions, kind, file, address, name);
	struct function function = {.kind = kind, .file = file, .address = address, .order = ORDER_NONE};

	if (id != FUNCTION_NONE)
		return id;
	if (name) {
		function.name = strdup(name);
		if (!function.name)
			return FUNCTION_NONE;
	}
	return add(functions, &function);
}

#define NAME_BYTES_MAX 1024u /* of a name in the program's memory; longer recorded names are cut */

/* Copies the name at the matched address: the recorded text, else the text in the module's file. False: none, and name is empty. */
static bool read_name(struct functions *functions, uint32_t process, const struct module_match *match, char name[NAME_BYTES_MAX])
{
	const char *recorded = texts_at_get(&functions->texts_at, process, match->address);

	if (recorded)
		snprintf(name, NAME_BYTES_MAX, "%s", recorded);
	else if (match->file == MODULE_FILE_NONE ||
		 !modules_read_text(functions->modules, match->file, match->address - match->bias, name, NAME_BYTES_MAX))
		*name = 0;
	return *name;
}

/* The function that begins at the address, maybe with the state bit set: -finstrument-functions
 * passes such an address in place of a name. */
static struct holder find_begun_holder(struct functions *functions, uint32_t file, uint64_t address)
{
	struct holder holder = find_holder(functions->modules, &functions->parts, file, address);
	bool has_state = address & 1 && symbol_has_state_bit(modules_get_symbols(functions->modules, file));

	if (holder.own_address != address && holder.own_address != address - has_state)
		holder.kind = HOLDER_NONE;
	return holder;
}

/* For a place that is the address of a name: the function of that name. If the file has no such function, or several, name stays
 * set, and becomes the function's name. */
static struct function locate_name(struct functions *functions, uint32_t process, const struct function *place,
	const struct module_match *match, char name[NAME_BYTES_MAX])
{
	struct holder holder = {.kind = HOLDER_NONE};

	if (!read_name(functions, process, match, name)) {
		if (match->file != MODULE_FILE_NONE)
			holder = find_begun_holder(functions, match->file, match->address - match->bias);
		if (holder.kind == HOLDER_NONE)
			return *place;
		return (struct function){.kind = holder.kind == HOLDER_SYMBOL ? FUNCTION_SYMBOL : FUNCTION_EXTENT,
			.file = match->file,
			.address = holder.address,
			.opens = true};
	}
	if (match->file != MODULE_FILE_NONE)
		holder = find_named_holder(functions->modules, match->file, name);
	if (holder.kind == HOLDER_NONE)
		return (struct function){
			.kind = FUNCTION_NAMED, .address = hash_text(HASH_BEGIN, name), .opens = match->file != MODULE_FILE_NONE};
	*name = 0;
	return (struct function){.kind = FUNCTION_SYMBOL, .file = match->file, .address = holder.address, .opens = true};
}

/* The function that contains a place: kind, file (or scope) and address as in struct function. Bit 0 of a LOW32 place is no address
 * bit, so locate looks up the byte after the even address, which is in the function in any case. exact: looks up the address
 * itself, which may be the function's last byte. *name: for FUNCTION_NAMED the name, else empty. *ambiguous: do not cache. */
static struct function locate(struct functions *functions, uint32_t process, struct place place, bool exact, uint64_t ticks,
	bool *ambiguous, char name[NAME_BYTES_MAX])
{
	const struct function unknown = {
		.kind = FUNCTION_PLACE, .file = process * 8u + (uint32_t)place.kind, .address = place.value};
	struct module_match match;
	struct holder holder;
	uint64_t address;
	bool begun;

	exact = exact || place.kind == DWELL_PLACE_ADDRESS;
	*ambiguous = false;
	*name = 0;
	if (place.kind == DWELL_PLACE_LOW32 && (place.value & MESSAGE_MARK_PLACE))
		return (struct function){.kind = FUNCTION_MARK, .address = texts_first(&functions->texts, (uint32_t)place.value)};
	match = modules_find(functions->modules, process, place, ticks, functions->as_of);
	address = match.address - match.bias;
	*ambiguous = match.ambiguous;
	functions->is_unsettled |= match.ambiguous || match.mapped_later;
	if (place.kind == DWELL_PLACE_STRING)
		return locate_name(functions, process, &unknown, &match, name);
	if (match.file == MODULE_FILE_NONE)
		return unknown;
	if ((place.kind == DWELL_PLACE_WORD || place.kind == DWELL_PLACE_ENTRY) && !exact)
		holder = find_word_holder(functions->modules, &functions->parts, match.file, address);
	else
		holder = find_holder(functions->modules, &functions->parts, match.file, exact ? address : address | 1);
	if (holder.kind == HOLDER_NONE && !exact) /* a function of one byte */
		holder = find_holder(functions->modules, &functions->parts, match.file, address);
	begun = holder.kind != HOLDER_NONE && (holder.own_address | 3) == (address | 3);
	/* The entry of a function without a symbol: a guessed size reaches up to the next symbol. */
	if (place.kind == DWELL_PLACE_ENTRY && !exact && !begun)
		holder.kind = HOLDER_NONE;
	return (struct function){.kind = holder.kind == HOLDER_SYMBOL	? FUNCTION_SYMBOL
					 : holder.kind == HOLDER_EXTENT ? FUNCTION_EXTENT
									: FUNCTION_OFFSET,
		.file = match.file,
		.address = holder.kind == HOLDER_NONE ? address : holder.address,
		.opens = holder.opens,
		.begun = begun};
}

/* ---- lookups by table or share ---- */

/* The table of a share, locked, with the share's reading position. A table itself needs no lock. */
static struct functions *lock(struct functions *functions)
{
	if (!functions->whole)
		return functions;
	pthread_mutex_lock(&functions->whole->lock);
	functions->whole->as_of = functions->as_of;
	return functions->whole;
}

static void unlock(struct functions *functions)
{
	if (functions->whole)
		pthread_mutex_unlock(&functions->whole->lock);
}

/* Notes that a share looked up the function, and opened a file for it. Does nothing for a table. False: no memory. */
static bool note_lookup(struct functions *table_or_share, uint32_t id, const struct function *located)
{
	uint64_t order = table_or_share->order;

	if (!table_or_share->whole || table_or_share->peeks)
		return true;
	table_or_share->order++;
	return (id == FUNCTION_NONE || notes_add(&table_or_share->looked_up, id, order)) &&
	       (!located || !located->opens || notes_add(&table_or_share->opened, located->file, order));
}

void functions_add_string(struct functions *functions, const struct message_string *string)
{
	struct functions *whole = lock(functions);

	texts_at_add(&whole->texts_at, string->process, string->address, string->text);
	unlock(functions);
}

/* Adds to the cache. If all entries for this hash are in use, drops the last. */
static void add_to_cache(struct function_cache *cache, uint32_t scope, uint64_t value, uint32_t id)
{
	struct function_cache_entry *first = &cache->entries[function_cache_at(scope, value)], *at = first;

	while (at < first + FUNCTION_CACHE_NEAR - 1 && at->scope)
		at++;
	if (at->scope)
		memmove(first + 1, first, (FUNCTION_CACHE_NEAR - 1) * sizeof *first);
	*(at->scope ? first : at) = (struct function_cache_entry){.value = value, .scope = scope, .id = id};
}

/* Replaces a copy of generated code by the first copy of the function. */
static void take_first_copy(struct functions *functions, struct function *located)
{
	if (located->kind == FUNCTION_SYMBOL)
		generated_find_first(&functions->generated, functions->modules, &located->file, &located->address);
}

uint32_t functions_find_slowly(struct functions *functions, uint32_t process, struct place place, uint64_t ticks)
{
	uint32_t scope = function_cache_scope(process, place.kind);
	struct functions *whole = lock(functions);
	char name[NAME_BYTES_MAX];
	bool ambiguous;
	struct function located = locate(whole, process, place, false, ticks, &ambiguous, name), first = located;
	uint32_t id;

	take_first_copy(whole, &first);
	id = find_or_add(whole, first.kind, first.file, first.address, *name ? name : NULL);
	if (id != FUNCTION_NONE) /* a name counts as a beginning, too; so does an address with
	                            unknown low bits, if a symbol covers it */
		whole->list[id].begun |= located.begun || (place.kind == DWELL_PLACE_STRING && located.kind != FUNCTION_PLACE) ||
			(place.kind == DWELL_PLACE_WORD && located.kind == FUNCTION_SYMBOL);
	if (id != FUNCTION_NONE)
		whole->list[id].astray |= place.kind == DWELL_PLACE_ENTRY && !located.begun;
	unlock(functions);
	if (!note_lookup(functions, id, &located))
		return FUNCTION_NONE;
	if (!ambiguous && scope != UINT32_MAX && id != FUNCTION_NONE && !functions->peeks)
		add_to_cache(&functions->cache, scope, place.value, id);
	return id;
}

uint32_t functions_find_name(struct functions *functions, const char *name)
{
	uint64_t hash = hash_text(HASH_BEGIN, name);
	struct functions *whole = lock(functions);
	uint32_t id;

	id = find_or_add(whole, FUNCTION_NAMED, 0, hash, name);
	unlock(functions);
	return note_lookup(functions, id, NULL) ? id : FUNCTION_NONE;
}

uint32_t functions_find_kernel(struct functions *functions, uint64_t address)
{
	struct functions *whole = lock(functions);
	uint32_t kernel = modules_get_kernel(whole->modules), id = FUNCTION_NONE;
	const struct symbol_table *recorded =
		kernel == MODULE_FILE_NONE ? NULL : modules_get_recorded_names(whole->modules, kernel);
	const struct symbol *symbol = recorded ? symbol_find(recorded, address) : NULL;

	if (symbol)
		id = find_or_add(whole, FUNCTION_SYMBOL, kernel, symbol->address, NULL);
	whole->kernel_names_came_late |= kernel == MODULE_FILE_NONE;
	unlock(functions);
	if (!symbol)
		return functions_find_name(functions, DWELL_NAMES_KERNEL);
	return note_lookup(functions, id, NULL) ? id : FUNCTION_NONE;
}

struct function_site functions_find_site(struct functions *functions, uint32_t process, struct place site, uint64_t ticks)
{
	struct functions *whole = lock(functions);
	char name[NAME_BYTES_MAX];
	bool ambiguous;
	struct function located = locate(whole, process, site, true, ticks, &ambiguous, name), first = located;
	struct function_site result;

	take_first_copy(whole, &first);
	result = (struct function_site){
		.id = first.kind <= FUNCTION_EXTENT ? find(whole, first.kind, first.file, first.address, NULL) : FUNCTION_NONE,
		.symbolised = first.kind <= FUNCTION_EXTENT,
		.kind = first.kind,
		.file = first.file,
		.address = first.address,
	};
	unlock(functions);
	note_lookup(functions, FUNCTION_NONE, &located);
	return result;
}

uint64_t functions_site_distance(struct functions *functions, uint32_t id, const struct function_site *site)
{
	struct functions *whole = lock(functions);
	uint64_t distance = UINT64_MAX;

	if (id < whole->count && !site->symbolised) {
		const struct function *function = &whole->list[id];

		if (function->kind == site->kind && function->file == site->file && function->address <= site->address)
			distance = site->address - function->address;
	}
	unlock(functions);
	return distance;
}

bool functions_name_task(struct functions *functions, uint32_t process, uint64_t handle, char *name, size_t size)
{
	struct functions *whole = lock(functions);
	struct module_match match =
		modules_find(whole->modules, process, (struct place){DWELL_PLACE_ADDRESS, handle}, 0, whole->as_of);
	uint64_t offset = 0;
	const char *object = NULL;

	if (match.file != MODULE_FILE_NONE)
		object = modules_find_object(whole->modules, match.file, match.address - match.bias, &offset);

	if (object && offset)
		snprintf(name, size, "%s+0x%llx", object, (unsigned long long)offset);
	else if (object)
		snprintf(name, size, "%s", object);
	unlock(functions);
	return object;
}

/* ---- shares ---- */

struct functions *make_functions_share(struct functions *whole)
{
	struct functions *share = calloc(1, sizeof *share);

	if (share) {
		share->whole = whole;
		share->order = ORDER_NONE;
		share->as_of = UINT64_MAX;
	}
	return share;
}

void free_functions_share(struct functions *share)
{
	if (!share)
		return;
	notes_clear(&share->looked_up);
	notes_clear(&share->opened);
	free(share);
}

void functions_share_forget(struct functions *share)
{
	notes_forget(&share->looked_up);
	notes_forget(&share->opened);
}

void functions_share_keep(struct functions *share)
{
	struct functions *whole = lock(share);

	for (size_t i = 0; i < share->looked_up.count; i++) {
		struct function *function = &whole->list[share->looked_up.list[i].number];

		if (share->looked_up.list[i].order < function->order)
			function->order = share->looked_up.list[i].order;
	}
	for (size_t i = 0; i < share->opened.count; i++)
		modules_note_order(whole->modules, share->opened.list[i].number, share->opened.list[i].order);
	unlock(share);
	functions_share_forget(share);
}

void functions_share_begin(struct functions *share, uint64_t chunk, uint64_t offset, bool fresh)
{
	const struct functions *whole = share->whole;
	size_t before;

	if (fresh || offset > share->changes_at)
		memset(&share->cache, 0, sizeof share->cache);
	share->as_of = offset;
	share->order = chunk << ORDER_IN_CHUNK_BITS;
	share->peeks = false;
	if (!fresh && offset <= share->changes_at)
		return;
	before = sorted_below(whole->changes, whole->change_count, offset);
	share->changes_at = before < whole->change_count ? whole->changes[before] : UINT64_MAX;
}

void functions_share_peek(struct functions *share, bool peeks)
{
	share->peeks = peeks;
}

void functions_begin_sharing(struct functions *whole)
{
	modules_defer_diags(whole->modules);
	for (size_t i = 0; i < whole->count; i++)
		whole->list[i].order = 0;
}

static int by_order(const void *a, const void *b, void *context)
{
	const struct function *list = context;
	uint64_t left = list[*(const uint32_t *)a].order, right = list[*(const uint32_t *)b].order;

	return left < right ? -1 : left > right;
}

/* Sorts the list into the order of ids[0 … kept), and removes all functions that were only guesses. */
static bool reorder(struct functions *functions, const uint32_t *ids, size_t kept)
{
	struct function *list = malloc((kept ? kept : 1) * sizeof *list);

	if (!list)
		return false;
	lookup_clear(&functions->index);
	for (size_t i = 0; i < kept; i++) {
		list[i] = functions->list[ids[i]];
		if (!lookup_put(&functions->index, hash_of(list[i].kind, list[i].file, list[i].address), (uint32_t)i)) {
			free(list);
			return false;
		}
	}
	for (size_t i = 0; i < functions->count; i++)
		if (functions->list[i].order == ORDER_NONE)
			clear(&functions->list[i]);
	free(functions->list);
	functions->list = list;
	functions->count = kept;
	functions->capacity = kept ? kept : 1;
	memset(&functions->cache, 0, sizeof functions->cache);
	return true;
}

uint32_t *functions_renumber(struct functions *whole)
{
	size_t count = whole->count, kept = 0;
	uint32_t *ids = malloc((count ? count : 1) * sizeof *ids), *map = malloc((count ? count : 1) * sizeof *map);

	whole->as_of = UINT64_MAX;
	for (uint32_t id = 0; ids && map && id < count; id++) {
		map[id] = FUNCTION_NONE;
		if (whole->list[id].order != ORDER_NONE)
			ids[kept++] = id;
	}
	if (ids && kept)
		qsort_r(ids, kept, sizeof *ids, by_order, whole->list);
	if (!ids || !map || !reorder(whole, ids, kept)) {
		free(ids);
		free(map);
		return NULL;
	}
	for (size_t i = 0; i < kept; i++)
		map[ids[i]] = (uint32_t)i;
	free(ids);
	modules_write_diags(whole->modules);
	return map;
}

uint32_t functions_count(const struct functions *functions)
{
	return (uint32_t)functions->count;
}

struct modules *functions_get_modules(const struct functions *functions)
{
	return functions->modules;
}

bool functions_are_unsettled(const struct functions *functions)
{
	return functions->is_unsettled;
}

/* Whether a function without a name at its first lookup has a recorded name now. */
static bool is_late(const struct functions *functions, const struct function *function)
{
	const struct symbol_table *recorded;

	if (!functions->names_came_late || (function->kind != FUNCTION_EXTENT && function->kind != FUNCTION_OFFSET))
		return false;
	recorded = modules_get_recorded_names(functions->modules, function->file);
	return recorded && symbol_find(recorded, function->address);
}

struct functions_health functions_get_health(const struct functions *functions, uint64_t since_unix_ns)
{
	struct functions_health health = {
		.functions = functions_count(functions), .modules = modules_file_count(functions->modules)};

	for (size_t i = 0; i < functions->count; i++) {
		health.begun += functions->list[i].begun;
		health.astray += functions->list[i].astray;
		health.unsymbolised += functions->list[i].kind == FUNCTION_EXTENT || functions->list[i].kind == FUNCTION_OFFSET;
		health.homeless += functions->list[i].kind == FUNCTION_PLACE;
		health.late += is_late(functions, &functions->list[i]);
	}
	health.late += functions->names_came_late && functions->kernel_names_came_late &&
		modules_get_kernel(functions->modules) != MODULE_FILE_NONE;
	for (uint32_t file = 0; file < health.modules; file++) {
		const struct symbol_table *symbols = modules_get_opened(functions->modules, file);
		enum symbol_state state = symbols ? symbol_state(symbols) : SYMBOL_READ;

		health.modules_mismatched += state == SYMBOL_MISMATCHED;
		health.modules_unreadable += modules_is_unreadable(functions->modules, file);
	}
	health.modules_changed = since_unix_ns ? modules_count_changed(functions->modules, since_unix_ns) : 0;
	return health;
}
