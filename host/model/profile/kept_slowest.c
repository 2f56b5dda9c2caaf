/* kept_slowest: reads the recorder's texts about functions of which the trace has only the slowest calls. */
#include "model/profile/kept_slowest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static const char buckets_text[] = ", buckets";

/* Reads " 205:3 206:100", the durations of all calls. False: another form, another number of calls, or no memory. */
static bool read_buckets(const char *text, uint64_t calls, struct histogram *histogram)
{
	while (*text == ' ') {
		char *end;
		unsigned long bucket = strtoul(text, &end, 10);
		uint64_t count;

		if (*end != ':' || bucket >= DWELL_DURATION_BUCKETS || end[1] < '0' || end[1] > '9')
			return false;
		count = strtoull(end + 1, &end, 10);
		if (count > calls - histogram->count || !histogram_add_bucket(histogram, (uint32_t)bucket, count))
			return false;
		text = end;
	}
	return !*text && histogram->count == calls;
}

/* Whether the numbers can be true together. No minus sign may precede the name, as sscanf would turn it into a huge number. */
static bool is_sane(const struct kept_slowest_function *function, const char *text, size_t name)
{
	return !memchr(text, '-', name) && function->kept <= function->calls && function->cut <= function->kept &&
	       function->open <= function->kept;
}

void kept_slowest_add(struct kept_slowest *kept_slowest, const char *text)
{
	struct kept_slowest_function function = {0};
	const char *buckets = NULL;
	int name = 0;

	/* A name may contain any text, so the last occurrence counts. */
	for (const char *at = text; (at = strstr(at, buckets_text)); at++)
		buckets = at;
	if (!buckets ||
		sscanf(text, "%" SCNu64 " of %" SCNu64 " calls, %" SCNu64 " cut, %" SCNu64 " open, %" SCNu64 " ticks, of %n",
			&function.kept, &function.calls, &function.cut, &function.open, &function.total_ticks, &name) != 5 ||
		!name || text + name > buckets || !is_sane(&function, text, (size_t)name) ||
		kept_slowest->count == KEPT_SLOWEST_MAX)
		return;
	function.name = strndup(text + name, (size_t)(buckets - text - name));
	if (function.name && read_buckets(buckets + sizeof buckets_text - 1, function.calls, &function.histogram) &&
		array_reserve(&kept_slowest->functions, &kept_slowest->capacity, kept_slowest->count + 1,
			sizeof *kept_slowest->functions)) {
		kept_slowest->functions[kept_slowest->count++] = function;
		return;
	}
	free(function.name);
	histogram_clear(&function.histogram);
}

void kept_slowest_clear(struct kept_slowest *kept_slowest)
{
	for (size_t i = 0; i < kept_slowest->count; i++) {
		free(kept_slowest->functions[i].name);
		histogram_clear(&kept_slowest->functions[i].histogram);
	}
	free(kept_slowest->functions);
	*kept_slowest = (struct kept_slowest){0};
}
