/* kernel_names: finds the symbols of sampled kernel addresses in /proc/kallsyms, and writes their names. */
#include "sample/code/kernel_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/bytes.h"

#define LINE_BYTES 1024u /* longer lines are skipped */
#define LINES_MAX (1u << 24)
#define FUNCTION_BYTES_MAX (UINT64_C(1) << 20) /* an address further behind the last symbol does not belong to it */
#define NOTE_BUILD_ID 3u

/* The nearest symbol at or below an address. begin: the symbol's address; end: the next symbol's address. */
struct nearest {
	uint64_t begin, end;
	char *name; /* owned; null: no symbol yet */
	unsigned rank; /* the alias with the lowest rank counts */
};

/* Whether the symbol only marks a position, which may also be the address of a function. */
static bool is_mark(const char *name)
{
	static const char *const marks[] = {"_text", "_stext", "_etext", "_sinittext", "_einittext"};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (!strcmp(name, marks[i]))
			return true;
	return name[0] == '.' || name[0] == '$';
}

/* Reads a line, such as "ffffffff81000000 T name\t[module]\n". False: the line is malformed. */
static bool take_line(char *text, struct kernel_symbol *line)
{
	char *end, *module;

	line->address = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ' || !end[3])
		return false;
	line->name = end + 3;
	line->is_code = strchr("tTwW", end[1]) != NULL;
	line->rank = end[1] == 'T' ? 0 : end[1] == 't' ? 2 : 1;
	end += 3 + strcspn(end + 3, "\t\n ");
	module = strchr(end, '[');
	line->module = module;
	if (module)
		module[strcspn(module, "\n")] = 0;
	*end = 0;
	return line->name[0];
}

/* Returns whether the symbol is nearer than `than`; at the same address, whether its rank or name is better. */
static bool is_better(const struct kernel_symbol *line, const struct nearest *than)
{
	size_t bytes = strlen(line->name), their_bytes;

	if (!than->name || line->address != than->begin)
		return !than->name || line->address > than->begin;
	if (line->rank != than->rank)
		return line->rank < than->rank;
	their_bytes = strcspn(than->name, " ");
	return bytes != their_bytes ? bytes < their_bytes : strncmp(line->name, than->name, bytes) < 0;
}

struct nearest_set {
	struct nearest *nearest;
	const struct address_set *addresses;
};

/* Takes a symbol, and stores it with the first address at or above the symbol, unless a nearer symbol is stored there. write_names
 * then uses it also for higher addresses without a nearer symbol. False: no memory. */
static bool keep_nearest(void *context, const struct kernel_symbol *line)
{
	const struct nearest_set *set = context;
	const struct address_set *addresses = set->addresses;
	struct nearest *nearest = set->nearest;
	size_t below = address_set_count_below(addresses, line->address);
	struct nearest *at;
	char *name;

	if (below && line->address < nearest[below - 1].end)
		nearest[below - 1].end = line->address;
	if (below == addresses->count || !line->is_code || is_mark(line->name) || !is_better(line, &nearest[below]))
		return true;
	if (asprintf(&name, "%s %s", line->name, line->module ? line->module : DWELL_NAMES_KERNEL) < 0)
		return false;
	at = &nearest[below];
	free(at->name);
	*at = (struct nearest){line->address, at->end, name, line->rank};
	return true;
}

bool kernel_names_read(FILE *table, bool (*on_symbol)(void *context, const struct kernel_symbol *symbol), void *context)
{
	char text[LINE_BYTES];
	bool shown = false, whole = true;

	for (uint32_t lines = 0; lines < LINES_MAX && fgets(text, sizeof text, table); lines++) {
		bool begins = whole;
		struct kernel_symbol line;

		whole = strchr(text, '\n') != NULL;
		if (!begins || !whole || !take_line(text, &line))
			continue;
		shown |= line.address != 0;
		if (line.address && !on_symbol(context, &line))
			break;
	}
	return shown;
}

/* Reads the kernel's build-id from a file of ELF notes. Returns its bytes; 0: none. */
static uint32_t read_build_id(const char *path, uint8_t id[static 20])
{
	uint8_t notes[4096];
	FILE *file = fopen(path, "r");
	struct bytes bytes = {notes, file ? fread(notes, 1, sizeof notes, file) : 0};
	size_t at = 0;

	if (file)
		fclose(file);
	while (bytes_have(bytes, at, 12)) {
		size_t name = get_u32(notes + at), text = get_u32(notes + at + 4), kind = get_u32(notes + at + 8);
		size_t name_at = at + 12, text_at = name_at + ((name + 3) & ~(size_t)3);

		if (name > sizeof notes || text > sizeof notes || !bytes_have(bytes, text_at, text))
			break;
		if (kind == NOTE_BUILD_ID && name == 4 && !memcmp(notes + name_at, "GNU", 4) && text <= 20) {
			memcpy(id, notes + text_at, text);
			return (uint32_t)text;
		}
		at = text_at + ((text + 3) & ~(size_t)3);
	}
	return 0;
}

static void write_names(
	struct nearest *nearest, const struct address_set *addresses, const char *notes, struct trace_writer *writer)
{
	struct message_name *names = calloc(addresses->count, sizeof *names);
	const struct nearest *best = NULL;
	uint64_t end = UINT64_MAX;
	uint8_t id[20];
	uint32_t count = 0;

	for (size_t i = addresses->count; i--;)
		nearest[i].end = end = nearest[i].end < end ? nearest[i].end : end;
	for (size_t i = 0; names && i < addresses->count; i++) {
		if (nearest[i].name && (!best || nearest[i].begin > best->begin))
			best = &nearest[i];
		if (!best || addresses->slots[i] - best->begin >= FUNCTION_BYTES_MAX ||
			(count && names[count - 1].address == best->begin))
			continue;
		end = nearest[i].end == UINT64_MAX ? addresses->slots[i] + 1 : nearest[i].end;
		names[count++] = (struct message_name){best->begin, end - best->begin, best->name};
	}
	if (count)
		trace_writer_names(writer, &(struct message_names){.path = DWELL_NAMES_KERNEL,
						   .build_id = id,
						   .build_id_bytes = read_build_id(notes, id),
						   .names = names,
						   .count = count});
	free(names);
}

static int read_setting(const char *path)
{
	FILE *file = fopen(path, "r");
	int value = -1;

	if (file && fscanf(file, "%d", &value) != 1)
		value = -1;
	if (file)
		fclose(file);
	return value;
}

/* Writes why the table shows no addresses, and which settings would show them. */
static void explain_hidden(char why[static 200])
{
	int restricted = read_setting("/proc/sys/kernel/kptr_restrict"), paranoid = read_setting("/proc/sys/kernel/perf_event_paranoid");

	if (restricted >= 2)
		snprintf(why, 200, "the system hides them from everybody (kernel.kptr_restrict is %d)", restricted);
	else
		snprintf(why, 200,
			"the system shows them to root, or where kernel.kptr_restrict is 0 (it is %d) and kernel.perf_event_paranoid 1 or less (it is %d)",
			restricted, paranoid);
}

bool kernel_names_write(
	struct address_set *addresses, const char *table, const char *notes, struct trace_writer *writer, char why[static 200])
{
	FILE *file = fopen(table, "r");
	struct nearest *nearest = calloc(addresses->count + 1, sizeof *nearest);
	bool shown = false;

	if (!file) {
		snprintf(why, 200, "%s cannot be opened: %s", table, strerror(errno));
	} else if (!nearest) {
		snprintf(why, 200, "out of memory");
	} else {
		address_set_sort(addresses);
		for (size_t i = 0; i < addresses->count; i++)
			nearest[i].end = UINT64_MAX;
		shown = kernel_names_read(file, keep_nearest, &(struct nearest_set){nearest, addresses});
		if (shown)
			write_names(nearest, addresses, notes, writer);
		else
			explain_hidden(why);
	}
	for (size_t i = 0; nearest && i < addresses->count; i++)
		free(nearest[i].name);
	free(nearest);
	if (file)
		fclose(file);
	return shown;
}
