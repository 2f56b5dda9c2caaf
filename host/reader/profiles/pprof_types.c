/* pprof_types: chooses which values of a profile are read, and names them. */
#include "reader/profiles/pprof_types.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *pprof_get_text(const Pprof__Profile *profile, int64_t index)
{
	return index >= 0 && (uint64_t)index < profile->n_string_table ? profile->string_table[index] : "";
}

/* Appends as much of a text to a list of PPROF_LIST_BYTES as fits. */
__attribute__((format(printf, 2, 3))) static void append(char list[static PPROF_LIST_BYTES], const char *format, ...)
{
	size_t used = strlen(list);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(list + used, PPROF_LIST_BYTES - used, format, arguments);
	va_end(arguments);
}

/* A type of values: name "cpu", unit "nanoseconds". */
struct type_text {
	char name[PPROF_UNIT_BYTES], unit[PPROF_UNIT_BYTES];
};

static struct type_text get_type(const Pprof__Profile *profile, size_t index)
{
	struct type_text text;

	events_copy_name(text.name, sizeof text.name, pprof_get_text(profile, profile->sample_type[index]->type));
	events_copy_name(text.unit, sizeof text.unit, pprof_get_text(profile, profile->sample_type[index]->unit));
	return text;
}

/* Returns the index of the type that the profile says to show first, else of the last one. */
static size_t find_type(const Pprof__Profile *profile)
{
	const char *wanted = pprof_get_text(profile, profile->default_sample_type);
	size_t found = profile->n_sample_type - 1;

	for (size_t i = 0; *wanted && i < profile->n_sample_type; i++)
		if (!strcmp(pprof_get_text(profile, profile->sample_type[i]->type), wanted))
			found = i;
	return found;
}

static void list_types(const Pprof__Profile *profile, struct pprof_types *types)
{
	for (size_t i = 0; i < profile->n_sample_type; i++) {
		struct type_text text = get_type(profile, i);

		append(types->list, "%s%s/%s", i ? ", " : "", text.name, text.unit);
	}
}

/* Sets unit and factor. */
static void set_unit(const Pprof__Profile *profile, struct pprof_types *types)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} times[] = {{"nanoseconds", 1}, {"ns", 1}, {"microseconds", 1000}, {"us", 1000}, {"milliseconds", 1000000}, {"ms", 1000000},
		{"seconds", 1000000000}, {"s", 1000000000}};
	struct type_text text = get_type(profile, types->index);

	types->factor = 1;
	snprintf(types->unit, sizeof types->unit, "%s", !strcmp(text.unit, "count") || !*text.unit ? text.name : text.unit);
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (!strcmp(text.unit, times[i].unit)) {
			types->factor = times[i].ns;
			strcpy(types->unit, "ns");
		}
}

static void write_name(const void *file, size_t type, char name[static EVENT_NAME_BYTES])
{
	snprintf(name, EVENT_NAME_BYTES, "%s", get_type(file, type).name);
}

bool pprof_types_find(const Pprof__Profile *profile, const struct reader_input *input, struct pprof_types *types)
{
	struct event_names names = {profile->n_sample_type, write_name, profile};

	*types = (struct pprof_types){.index = find_type(profile)};
	if (input->event && !events_find(&names, input, &types->index))
		return false;
	events_write(&names, types->index, types->counted);
	list_types(profile, types);
	set_unit(profile, types);
	return true;
}
