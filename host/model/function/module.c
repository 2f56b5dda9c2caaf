/* module: files and their mappings by process, address and time. */
#include "model/function/module.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/function/recorded_names.h"
#include "model/function/view.h"
#include "symbol/image.h"
#include "symbol/object.h"
#include "util/array.h"
#include "util/jit_map.h"
#include "util/lookup.h"
#include "util/numbers.h"

/* Nanoseconds in a second. */
#define NS_PER_SECOND UINT64_C(1000000000)

/* A file, however often it is mapped. */
struct file {
	char *path;
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	struct symbol_table *symbols; /* null: not opened yet */
	struct symbol_image *image; /* null: not opened yet, or none */
	struct object_table *objects; /* likewise */
	bool image_tried, objects_tried;
	struct recorded_names recorded;
	struct diag *diag; /* delayed diags of the file; else null */
	uint64_t order; /* of the delayed diags; UINT64_MAX: they are dropped */
	uint32_t process; /* that mapped the file first; MODULE_FILE_NONE: none */
};

/* A file mapped into a process at [low, high), from load to unload. unload_ticks UINT64_MAX: still mapped. */
struct module {
	uint32_t process, file;
	uint64_t low, high, bias;
	uint64_t load_ticks, unload_ticks;
	uint64_t load_offset, unload_offset; /* offsets of both in the trace */
	uint32_t next; /* position + 1 of another module mapped at the same address */
};

/* Indexes of mapped modules by address (view.h): modules with hooks by low halves of addresses, all modules by low halves, all
 * modules by whole addresses. */
enum { VIEW_HOOKED_LOW32, VIEW_LOW32, VIEW_FULL, VIEW_COUNT };

/* The most modules at one address that an unmapping looks at: only a hostile map has more. */
#define UNMAP_MAX 4096u

struct modules {
	struct diag *diag;
	struct file *files;
	size_t file_count, file_capacity;
	struct module *modules;
	size_t count, capacity;
	struct lookup files_by_name, mapped; /* mapped: of modules that differ only in time, the last */
	struct lookup heads; /* heads of the lists of modules at one address */
	/* In the LOW32 views, addresses are low halves, and a module across a 4 GiB border has two spans. */
	struct view views[VIEW_COUNT];
	struct recorded_names_sum recorded; /* over all files, against the limits */
	struct numbers programs; /* process → hash of its program's path; 0: unknown */
	uint32_t kernel; /* the file of the kernel's names; MODULE_FILE_NONE: none */
	struct symbol_choice choice;
	bool defers_diags;
};

struct modules *make_modules(struct diag *diag)
{
	struct modules *modules = calloc(1, sizeof *modules);

	if (modules) {
		modules->diag = diag;
		modules->kernel = MODULE_FILE_NONE;
	}
	return modules;
}

void free_modules(struct modules *modules)
{
	if (!modules)
		return;
	for (size_t i = 0; i < modules->file_count; i++) {
		free(modules->files[i].path);
		free_symbol_table(modules->files[i].symbols);
		free_symbol_image(modules->files[i].image);
		free_object_table(modules->files[i].objects);
		recorded_names_clear(&modules->files[i].recorded);
		free_diag(modules->files[i].diag);
	}
	for (int i = 0; i < VIEW_COUNT; i++)
		view_clear(&modules->views[i]);
	lookup_clear(&modules->files_by_name);
	lookup_clear(&modules->mapped);
	lookup_clear(&modules->heads);
	numbers_clear(&modules->programs);
	free(modules->files);
	free(modules->modules);
	free(modules);
}

void modules_choose_names(struct modules *modules, const struct symbol_choice *choice)
{
	modules->choice = *choice;
}

/* The file with this path and build-id; adds a new file if necessary. MODULE_FILE_NONE: no memory. */
static uint32_t find_file(struct modules *modules, const char *path, const uint8_t *build_id, uint32_t build_id_bytes)
{
	struct lookup *index = &modules->files_by_name;
	uint32_t hash, item;
	struct file *file;

	build_id_bytes = build_id_bytes < sizeof file->build_id ? build_id_bytes : sizeof file->build_id;
	hash = hash_number(hash_bytes(hash_text(HASH_BEGIN, path), build_id, build_id_bytes));
	for (uint32_t at = hash; (item = lookup_next(index, hash, &at)) != LOOKUP_NONE;) {
		file = &modules->files[item];
		if (file->build_id_bytes == build_id_bytes && !strcmp(file->path, path) &&
			(!build_id_bytes || !memcmp(file->build_id, build_id, build_id_bytes)))
			return item;
	}
	if (!array_reserve(&modules->files, &modules->file_capacity, modules->file_count + 1, sizeof *modules->files))
		return MODULE_FILE_NONE;
	file = &modules->files[modules->file_count];
	*file = (struct file){.path = strdup(path),
		.build_id_bytes = build_id_bytes,
		.order = UINT64_MAX,
		.process = MODULE_FILE_NONE};
	if (!file->path || !lookup_put(index, hash, (uint32_t)modules->file_count)) {
		free(file->path);
		return MODULE_FILE_NONE;
	}
	if (build_id_bytes)
		memcpy(file->build_id, build_id, build_id_bytes);
	return (uint32_t)modules->file_count++;
}

static bool add_low32(struct view *view, uint32_t process, size_t module, uint64_t low, uint64_t high)
{
	uint64_t low32 = (uint32_t)low, bytes = high - low;

	if (bytes >= UINT64_C(1) << 32)
		return view_add(view, process, module, 0, UINT64_C(1) << 32);
	if (low32 + bytes <= UINT64_C(1) << 32)
		return view_add(view, process, module, low32, low32 + bytes);
	return view_add(view, process, module, low32, UINT64_C(1) << 32) &&
	       view_add(view, process, module, 0, low32 + bytes - (UINT64_C(1) << 32));
}

static bool is_same_place(const struct module *module, const struct module *other)
{
	return module->process == other->process && module->low == other->low;
}

static bool is_same_but_time(const struct module *module, const struct module *other)
{
	return is_same_place(module, other) && module->high == other->high && module->bias == other->bias &&
	       module->file == other->file;
}

/* The slot of index whose module is_wanted accepts. Null: none. */
static struct lookup_slot *find_slot(
	const struct modules *modules, const struct lookup *index, uint32_t hash, const struct module *wanted,
	bool (*is_wanted)(const struct module *module, const struct module *wanted))
{
	uint32_t item;

	for (uint32_t at = hash; (item = lookup_next(index, hash, &at)) != LOOKUP_NONE;)
		if (is_wanted(&modules->modules[item], wanted))
			return lookup_found_slot(index, at);
	return NULL;
}

static uint32_t hash_place(const struct module *module)
{
	return hash_number(module->low ^ (uint64_t)hash_number(module->process) << 24);
}

static uint32_t hash_all(const struct module *module)
{
	return hash_number(
		module->high ^ (uint64_t)hash_place(module) << 24 ^ (uint64_t)hash_number(module->bias ^ module->file) << 32);
}

/* Ends all modules mapped at the address, and removes them from the list for that address. Its first module may stay in the list,
 * though unmapped. */
static bool unmap(struct modules *modules, const struct message_module *message, uint64_t offset)
{
	const struct module place = {.process = message->process, .low = message->low};
	struct lookup_slot *slot = find_slot(modules, &modules->heads, hash_place(&place), &place, is_same_place);
	struct module *before = slot ? &modules->modules[slot->item - 1] : NULL;
	bool changed = false;

	for (uint32_t looked = 0, at = slot ? slot->item : 0; at && looked < UNMAP_MAX; looked++) {
		struct module *module = &modules->modules[at - 1];

		at = module->next;
		if (module->unload_ticks == UINT64_MAX && module->load_ticks <= message->load_ticks) {
			module->unload_ticks = message->load_ticks;
			module->unload_offset = offset;
			changed = true;
		}
		if (module->unload_ticks != UINT64_MAX)
			before->next = module->next;
		else
			before = module;
	}
	return changed;
}

/* Adds the module to the indexes. False: already mapped, or no memory. */
static bool note_mapped(struct modules *modules, struct module *module)
{
	uint32_t hash = hash_all(module), position = (uint32_t)modules->count;
	struct lookup_slot *same = find_slot(modules, &modules->mapped, hash, module, is_same_but_time), *head;

	if (same && modules->modules[same->item - 1].unload_ticks == UINT64_MAX)
		return false;
	head = find_slot(modules, &modules->heads, hash_place(module), module, is_same_place);
	if (!head && !lookup_put(&modules->heads, hash_place(module), position))
		return false;
	if (head) {
		module->next = head->item;
		head->item = position + 1;
	}
	if (same)
		same->item = position + 1;
	return same || lookup_put(&modules->mapped, hash, position);
}

static const struct symbol_image *get_image(struct file *file)
{
	if (!file->image_tried)
		file->image = make_symbol_image_of_build(file->path, file->build_id, file->build_id_bytes);
	file->image_tried = true;
	return file->image;
}

/* The bias of a module whose message has an offset in the file. If the file is gone, dwell takes the offset for the address: right
 * for the first segment, and for nearly all of most libraries. */
static uint64_t find_bias(struct modules *modules, uint32_t file, const struct message_module *message)
{
	const struct symbol_image *image = get_image(&modules->files[file]);
	uint64_t address;

	return image && symbol_image_find(image, message->low - message->bias, message->high - message->low, &address)
		       ? message->low - address
		       : message->bias;
}

bool modules_add(struct modules *modules, const struct message_module *message, uint64_t offset)
{
	struct module module = {message->process, 0, message->low, message->high, message->bias, message->load_ticks, UINT64_MAX,
		offset, UINT64_MAX};

	if (message->unmapped)
		return unmap(modules, message, offset);
	if (message->low >= message->high)
		return false;
	if (modules->count >= MODULES_MAX) {
		diag_add(modules->diag, DIAG_WARN, NULL, DIAG_NO_OFFSET, "more than %u modules: '%s' is left out", MODULES_MAX,
			message->path);
		return false;
	}
	module.file = find_file(modules, message->path, message->build_id, message->build_id_bytes);
	if (module.file != MODULE_FILE_NONE && modules->files[module.file].process == MODULE_FILE_NONE)
		modules->files[module.file].process = message->process;
	if (module.file != MODULE_FILE_NONE && message->bias_is_of_offsets)
		module.bias = find_bias(modules, module.file, message);
	if (module.file == MODULE_FILE_NONE ||
		!array_reserve(&modules->modules, &modules->capacity, modules->count + 1, sizeof *modules->modules))
		return false;
	modules->modules[modules->count] = module; /* before note_mapped: the indexes then never point to nothing */
	if (!note_mapped(modules, &modules->modules[modules->count]))
		return false;
	if (!view_add(&modules->views[VIEW_FULL], module.process, modules->count, module.low, module.high) ||
		!add_low32(&modules->views[VIEW_LOW32], module.process, modules->count, module.low, module.high) ||
		(message->hooked &&
			!add_low32(&modules->views[VIEW_HOOKED_LOW32], module.process, modules->count, module.low, module.high))) {
		/* A module without spans is better than spans without a module. */
		modules->modules[modules->count].high = 0;
	}
	modules->count++;
	return true;
}

void modules_add_names(struct modules *modules, const struct message_names *message)
{
	uint32_t file = MODULE_FILE_NONE;

	if (modules->file_count < MODULES_MAX) /* files that are never mapped: hostile, or the kernel */
		file = find_file(modules, message->path, message->build_id, message->build_id_bytes);
	if (file == MODULE_FILE_NONE)
		return;
	recorded_names_add(&modules->files[file].recorded, message, &modules->recorded);
	if (!strcmp(message->path, DWELL_NAMES_KERNEL))
		modules->kernel = file;
}

/* The module of the view at the address; null: none. Of several modules, prefers a module mapped at ticks, then the highest low,
 * then the module added last. Sets ambiguous and mapped_later of *match. */
static const struct module *find_in(
	const struct modules *modules, struct view *view, uint32_t process, uint64_t address, uint64_t ticks, uint64_t as_of,
	struct module_match *match)
{
	struct view_search search = view_begin(view, process, address);
	const struct view_span *span, *best_span = NULL;
	const struct module *best = NULL;
	bool best_mapped = false;

	while ((span = view_next(&search))) {
		const struct module *module = &modules->modules[span->module];
		bool mapped = module->load_ticks <= ticks && (ticks < module->unload_ticks || module->unload_offset >= as_of);

		if (!module->high)
			continue;
		match->mapped_later |= module->load_offset >= as_of;
		if (module->load_offset >= as_of)
			continue;
		if (best && (best->file != module->file || best->bias != module->bias))
			match->ambiguous = true;
		if (best && mapped == best_mapped &&
			(span->low != best_span->low ? span->low < best_span->low : span->module < best_span->module))
			continue;
		if (!best || mapped >= best_mapped) {
			best = module;
			best_span = span;
			best_mapped = mapped;
		}
	}
	return best;
}

struct module_match modules_find(
	struct modules *modules, uint32_t process, struct place place, uint64_t ticks, uint64_t as_of)
{
	struct module_match match = {.address = place.value, .file = MODULE_FILE_NONE};
	const struct module *module;

	if (place.kind == DWELL_PLACE_NAME || place.kind == DWELL_PLACE_TASK)
		return match;
	if (place.kind != DWELL_PLACE_LOW32 || place.value > UINT32_MAX) {
		module = find_in(modules, &modules->views[VIEW_FULL], process, place.value, ticks, as_of, &match);
	} else {
		module = find_in(modules, &modules->views[VIEW_HOOKED_LOW32], process, place.value, ticks, as_of, &match);
		if (!module)
			module = find_in(modules, &modules->views[VIEW_LOW32], process, place.value, ticks, as_of, &match);
		if (module) /* the first address in the module with that low half */
			match.address = module->low + (uint32_t)((uint32_t)place.value - (uint32_t)module->low);
	}
	if (module) {
		match.file = module->file;
		match.bias = module->bias;
	}
	return match;
}

uint32_t modules_file_count(const struct modules *modules)
{
	return (uint32_t)modules->file_count;
}

const char *modules_get_path(const struct modules *modules, uint32_t file)
{
	return modules->files[file].path;
}

void modules_set_program(struct modules *modules, uint32_t process, const char *path)
{
	uint32_t *program = *path ? numbers_put(&modules->programs, process) : NULL;

	if (program)
		*program = hash_text_seeded(path) | 1;
}

bool modules_find_program(const struct modules *modules, uint32_t index, uint64_t *program)
{
	const struct file *file = &modules->files[index];

	if (strcmp(file->path, DWELL_NAMES_JIT) && !jit_map_is_path(file->path))
		return false;
	*program = numbers_get(&modules->programs, file->process);
	if (!*program)
		*program = UINT64_C(1) << 32 | index;
	return true;
}

const uint8_t *modules_get_build_id(const struct modules *modules, uint32_t file, uint32_t *bytes)
{
	*bytes = modules->files[file].build_id_bytes;
	return modules->files[file].build_id;
}

const struct symbol_table *modules_get_recorded_names(struct modules *modules, uint32_t file)
{
	const struct symbol_table *recorded = recorded_names_get(&modules->files[file].recorded);

	if (recorded && modules->choice.globals_only && symbol_state(modules_get_symbols(modules, file)) == SYMBOL_READ)
		return NULL;
	return recorded;
}

const struct symbol_table *modules_get_all_recorded(const struct modules *modules, uint32_t file)
{
	return recorded_names_get(&modules->files[file].recorded);
}

uint32_t modules_get_kernel(const struct modules *modules)
{
	return modules->kernel;
}

const struct symbol_table *modules_get_opened(const struct modules *modules, uint32_t file)
{
	return modules->files[file].symbols;
}

/* With recorded names a missing file is no loss: the recorder looked up each recorded address, and found no name at the others. */
static struct symbol_table *open_symbols(struct file *file, const struct symbol_request *want, struct diag *diag)
{
	struct diag *own = recorded_names_get(&file->recorded) ? make_diag() : NULL;
	struct symbol_table *symbols = make_symbol_table(file->path, want, own ? own : diag);

	if (own && symbol_state(symbols) == SYMBOL_MISSING)
		free_diag(own);
	else if (own)
		diag_move(diag, own);
	return symbols;
}

bool modules_is_unreadable(struct modules *modules, uint32_t index)
{
	struct file *file = &modules->files[index];
	enum symbol_state state = file->symbols ? symbol_state(file->symbols) : SYMBOL_READ;

	return state == SYMBOL_FOREIGN || (state == SYMBOL_MISSING && !recorded_names_get(&file->recorded));
}

const struct symbol_table *modules_get_symbols(struct modules *modules, uint32_t index)
{
	struct file *file = &modules->files[index];
	const struct symbol_request want = {
		.build_id = file->build_id, .build_id_bytes = file->build_id_bytes, .choice = modules->choice};

	if (!file->symbols && modules->defers_diags)
		file->diag = make_diag();
	if (!file->symbols)
		file->symbols = open_symbols(file, &want, file->diag ? file->diag : modules->diag);
	return file->symbols;
}

uint32_t modules_count_changed(const struct modules *modules, uint64_t unix_ns)
{
	uint32_t count = 0;

	for (size_t i = 0; i < modules->file_count; i++) {
		const struct file *file = &modules->files[i];
		struct stat info;

		count += !file->build_id_bytes && file->symbols && symbol_state(file->symbols) == SYMBOL_READ &&
			 !stat(file->path, &info) &&
			 (uint64_t)info.st_mtim.tv_sec * NS_PER_SECOND + (uint64_t)info.st_mtim.tv_nsec > unix_ns;
	}
	return count;
}

bool modules_read_text(struct modules *modules, uint32_t index, uint64_t address, char *text, size_t size)
{
	return symbol_image_text(get_image(&modules->files[index]), address, text, size);
}

const char *modules_find_object(struct modules *modules, uint32_t index, uint64_t address, uint64_t *offset)
{
	struct file *file = &modules->files[index];

	if (!file->objects_tried)
		file->objects = make_object_table(file->path);
	file->objects_tried = true;
	return file->objects ? object_find(file->objects, address, offset) : NULL;
}

void modules_defer_diags(struct modules *modules)
{
	modules->defers_diags = true;
}

void modules_note_order(struct modules *modules, uint32_t file, uint64_t order)
{
	if (order < modules->files[file].order)
		modules->files[file].order = order;
}

static int by_order(const void *a, const void *b)
{
	const struct file *left = *(struct file *const *)a, *right = *(struct file *const *)b;

	if (left->order != right->order)
		return left->order < right->order ? -1 : 1;
	return left < right ? -1 : left > right;
}

void modules_write_diags(struct modules *modules)
{
	struct file **delayed;
	size_t count = 0;

	modules->defers_diags = false;
	for (size_t i = 0; i < modules->file_count; i++) {
		struct file *file = &modules->files[i];

		if (!file->diag || file->order != UINT64_MAX)
			continue;
		free_symbol_table(file->symbols);
		free_diag(file->diag);
		file->symbols = NULL;
		file->diag = NULL;
	}
	delayed = malloc((modules->file_count + 1) * sizeof *delayed);
	for (size_t i = 0; i < modules->file_count; i++)
		if (modules->files[i].diag && delayed)
			delayed[count++] = &modules->files[i];
	if (count)
		qsort(delayed, count, sizeof *delayed, by_order);
	for (size_t i = 0; i < count; i++) {
		diag_move(modules->diag, delayed[i]->diag);
		delayed[i]->diag = NULL;
	}
	free(delayed);
}
