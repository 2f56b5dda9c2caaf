/* SPDX-License-Identifier: MIT
 *
 * Records which code is mapped, from /proc/self/maps: when the process begins, and when a sample is in unknown code. One thread at
 * a time reads that file; another thread with a sample in unknown code does not wait for it.
 *
 * A library is often loaded where another one was unloaded. The dynamic linker can identify the library at a thread's position,
 * without a lock and even in a handler (_dl_find_object, glibc 2.35); while the thread is in it, the library stays loaded.
 */
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define KNOWN_MAX 2048u
/* A program may map new code all the time. So the sampler spends at most a fiftieth of the time on reading the mappings. */
#define AGAIN_PART 50u
#define LINE_BYTES (DWELL_SAMPLER_PATH_MAX + 128u)

struct range {
	uint64_t low, high;
	uint64_t file;   /* a hash that differs between files, and between places in them */
	uint64_t object; /* a hash of the dynamic linker's object there, read together with file; 0: not yet */
};
/* All mappings with code that were recorded. */
static struct range ranges[KNOWN_MAX];
static volatile uint32_t range_count;
static volatile uint32_t busy; /* 1: a thread reads the mappings */
static uint64_t next_read_ns;      /* before this time, a sample in unknown code does not make a thread read them */

static char line[LINE_BYTES]; /* the current line of /proc/self/maps, cut to LINE_BYTES */
static uint32_t line_bytes;

/* struct dl_find_object as in glibc, with some spare room. */
struct found_object {
	uint64_t flags, low, high;
	const struct linked {
		uint64_t bias;
		const char *name;
	} *linked;
	uint64_t unused[16];
};
extern int _dl_find_object(void *pc, struct found_object *found) __attribute__((weak));

static uint64_t hash_text(uint64_t hash, const char *text)
{
	while (*text)
		hash = (hash ^ (unsigned char)*text++) * 0x100000001b3u;
	return hash;
}

/* Returns a hash of the object; 0: there is none, or no _dl_find_object. pre: a thread is at pc and cannot continue meanwhile. */
static uint64_t find_object(uint64_t pc)
{
	struct found_object found;

	if (!&_dl_find_object || _dl_find_object((void *)pc, &found) != 0)
		return 0;
	return hash_text((found.low ^ found.high << 20) * 0xff51afd7ed558ccdu | 1, found.linked->name) | 1;
}

static struct range *find_range(uint64_t pc)
{
	for (uint32_t i = __atomic_load_n(&range_count, __ATOMIC_ACQUIRE); i--;)
		if (pc >= ranges[i].low && pc < ranges[i].high)
			return &ranges[i];
	return 0;
}

/* Adds a range, or overwrites the first range that overlaps it. False: the table has the range already, with this file. If the
 * table is full, the range is lost, and true is returned. */
static bool add_range(uint64_t low, uint64_t high, uint64_t file)
{
	uint32_t count = range_count;

	for (uint32_t i = 0; i < count; i++) {
		if (ranges[i].low == low && ranges[i].high == high && ranges[i].file == file)
			return false;
		if (low < ranges[i].high && ranges[i].low < high) {
			ranges[i] = (struct range){low, high, file, 0};
			return true;
		}
	}
	if (count < KNOWN_MAX) {
		ranges[count] = (struct range){low, high, file, 0};
		__atomic_store_n(&range_count, count + 1, __ATOMIC_RELEASE);
	}
	return true;
}

/* Reads a hexadecimal number of the line at index at. Returns the index behind it. */
static uint32_t take_number(uint32_t at, uint64_t *number)
{
	for (*number = 0;; at++) {
		char c = line[at];

		if (c >= '0' && c <= '9')
			*number = *number << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*number = *number << 4 | (uint64_t)(c - 'a' + 10);
		else
			return at;
	}
}

/* Returns the index of the next word of the line. */
static uint32_t skip_word(uint32_t at)
{
	while (line[at] && line[at] != ' ')
		at++;
	while (line[at] == ' ')
		at++;
	return at;
}

/* Records the mapping in the line, if it is executable and new: 55d0c0a00000-55d0c0a21000 r-xp 00002000 fe:01 1053 /usr/bin/sort */
static void take_line(uint64_t now)
{
	static const char no_file[] = "//anon";
	struct dwell_sampler_map map;
	uint32_t at = take_number(0, &map.low), path;
	uint64_t file;
	struct record_part parts[2];

	at = skip_word(take_number(at + 1, &map.high));
	if (at + 4 >= line_bytes || map.low >= map.high)
		return;
	if (line[at - 1] != ' ' || line[at + 2] != 'x')
		return;
	at = skip_word(at);
	file = hash_text(0xcbf29ce484222325u, line + at); /* hash of offset, device, inode, path */
	path = skip_word(skip_word(skip_word(take_number(at, &map.offset))));
	if (!add_range(map.low, map.high, file) || (line[path] && line[path] != '/' && line[path] != '['))
		return;
	parts[0] = (struct record_part){&map, sizeof map};
	if (line[path])
		parts[1] = (struct record_part){line + path, line_bytes - path + 1};
	else
		parts[1] = (struct record_part){no_file, sizeof no_file}; /* the same name as in perf events */
	records_append(DWELL_SAMPLER_MAP, now, parts, 2);
}

/* Takes a piece of /proc/self/maps, which may begin and end in the middle of a line. */
static void take_text(const char *text, long bytes, uint64_t now)
{
	for (long i = 0; i < bytes; i++) {
		if (text[i] != '\n') {
			line_bytes += line_bytes < LINE_BYTES - 1;
			line[line_bytes - 1] = text[i];
			continue;
		}
		line[line_bytes] = 0;
		take_line(now);
		line_bytes = 0;
	}
}

bool maps_append(uint64_t now)
{
	static char text[4096];
	uint64_t begin = thread_cpu_ns();
	uint32_t free = 0;
	long got;
	int fd;

	if (!__atomic_compare_exchange_n(&busy, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	fd = system_open_ro("/proc/self/maps");
	line_bytes = 0;
	while (fd >= 0 && (got = system_read(fd, text, sizeof text)) > 0)
		take_text(text, got, now);
	if (fd >= 0)
		system_close(fd);
	next_read_ns = now + AGAIN_PART * (thread_cpu_ns() - begin);
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
	return true;
}

void maps_check(uint64_t pc, uint64_t now_ns)
{
	struct range *range = find_range(pc);
	uint64_t object = range ? find_object(pc) : 0;

	if (range && range->object == object)
		return;
	if (!range && now_ns < next_read_ns)
		return;
	if (maps_append(now_ns) && (range = find_range(pc)))
		range->object = object ? object : find_object(pc);
}
