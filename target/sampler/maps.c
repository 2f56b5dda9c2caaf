/* SPDX-License-Identifier: MIT
 *
 * What code is mapped, as /proc/self/maps says: read when the process begins, and when a sample is in code that was not told of. One thread
 * at a time reads it; who comes meanwhile goes on without.
 */
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define KNOWN_MAX 2048u
#define AGAIN_NS 20000000u /* code that is made at run time is in no file: it is not looked for at each sample */
#define LINE_BYTES (DWELL_SAMPLER_PATH_MAX + 128u)

struct range {
	uint64_t low, high;
};
static struct range known[KNOWN_MAX];
static volatile uint32_t known_count;
static volatile uint32_t busy;
static uint64_t again_ns;

static char line[LINE_BYTES];
static uint32_t line_bytes;

static bool is_known(uint64_t pc)
{
	for (uint32_t i = __atomic_load_n(&known_count, __ATOMIC_ACQUIRE); i--;)
		if (pc >= known[i].low && pc < known[i].high)
			return true;
	return false;
}

/* False: it was there, just so. What lay there before is not any more. */
static bool learn(uint64_t low, uint64_t high)
{
	uint32_t count = known_count;

	for (uint32_t i = 0; i < count; i++) {
		if (known[i].low == low && known[i].high == high)
			return false;
		if (low < known[i].high && known[i].low < high) {
			known[i] = (struct range){low, high};
			return true;
		}
	}
	if (count < KNOWN_MAX) {
		known[count] = (struct range){low, high};
		__atomic_store_n(&known_count, count + 1, __ATOMIC_RELEASE);
	}
	return true;
}

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

static uint32_t skip_word(uint32_t at)
{
	while (line[at] && line[at] != ' ')
		at++;
	while (line[at] == ' ')
		at++;
	return at;
}

/* 55d0c0a00000-55d0c0a21000 r-xp 00002000 fe:01 1053   /usr/bin/sort */
static void take_line(uint64_t now)
{
	struct dwell_sampler_map map;
	uint32_t at = take_number(0, &map.low), path;
	struct tell_part parts[2];

	at = skip_word(take_number(at + 1, &map.high));
	if (at + 4 >= line_bytes)
		return;
	if (at > line_bytes || map.low >= map.high)
		return;
	if (line[at - 1] != ' ' || line[at + 2] != 'x')
		return;
	at = take_number(skip_word(at), &map.offset);
	path = skip_word(skip_word(skip_word(at)));
	if (!learn(map.low, map.high) || (line[path] != '/' && line[path] != '['))
		return;
	parts[0] = (struct tell_part){&map, sizeof map};
	parts[1] = (struct tell_part){line + path, line_bytes - path + 1};
	tell(DWELL_SAMPLER_MAP, now, parts, 2);
}

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

void maps_tell(void)
{
	static char text[4096];
	uint32_t free = 0;
	uint64_t now = system_clock_ns(1);
	long got;
	int fd;

	if (!__atomic_compare_exchange_n(&busy, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	fd = system_open_ro("/proc/self/maps");
	line_bytes = 0;
	while (fd >= 0 && (got = system_read(fd, text, sizeof text)) > 0)
		take_text(text, got, now);
	if (fd >= 0)
		system_close(fd);
	again_ns = now + AGAIN_NS;
	__atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

void maps_look(uint64_t pc, uint64_t now_ns)
{
	if (!is_known(pc) && now_ns >= again_ns)
		maps_tell();
}
