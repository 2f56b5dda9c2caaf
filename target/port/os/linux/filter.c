/* SPDX-License-Identifier: MIT
 *
 * Reads the session's filter and keeps the map of hooks; see filter.h.
 */
#include "port/os/linux/filter.h"

#include "port/os/linux/held.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

#define MAP_BYTES (UINT64_C(1) << (32 - DWELL_FILTER_GRANULE_SHIFT))
#define MAP_HIGHEST 0x60000000ull
#define MAP_LOWEST 0x10000000ull
#define MAP_STEP 0x1000000ull

static const struct dwell_filter *filter;
static uint64_t filter_bytes;
const volatile uint8_t *filter_map;

static bool is_error(long value)
{
	return (unsigned long)value >= -4095ul;
}

/* Makes the map at an address below 2 GiB, where an instruction with a 32-bit displacement and no base reaches it. */
static void make_map(void)
{
	for (uint64_t at = MAP_HIGHEST; at >= MAP_LOWEST && !filter_map; at -= MAP_STEP) {
		long got = system_mmap(
			(void *)at, MAP_BYTES, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1);

		if ((uint64_t)got == at)
			filter_map = (const volatile uint8_t *)at;
		else if (!is_error(got)) /* an older kernel takes the address as a hint only */
			system_munmap((void *)got, MAP_BYTES);
	}
}

bool filter_make_map(void)
{
	if (!filter_map)
		make_map();
	return filter_map;
}

void filter_set(uint64_t place, uint8_t value)
{
	((volatile uint8_t *)(uintptr_t)filter_map)[(uint32_t)place >> DWELL_FILTER_GRANULE_SHIFT] = value;
}

/* Sets all bytes of [low, high) to 0: the marks may be of a file that was mapped there before, or of an earlier filter. */
static void clear(uint64_t low, uint64_t high)
{
	for (uint64_t at = low; filter_map && at < high; at += 1u << DWELL_FILTER_GRANULE_SHIFT)
		if (filter_map[(uint32_t)at >> DWELL_FILTER_GRANULE_SHIFT])
			filter_set(at, 0);
}

/* Marks all functions but the listed ones. */
static void mark_unlisted(
	const struct dwell_filter_module *module, uint64_t low, uint64_t high, uint64_t bias, volatile uint8_t *map)
{
	const uint64_t *functions = (const uint64_t *)((const uint8_t *)filter + module->functions);

	for (uint64_t at = low; at < high; at += 1u << DWELL_FILTER_GRANULE_SHIFT)
		map[(uint32_t)at >> DWELL_FILTER_GRANULE_SHIFT] = 1;
	for (uint32_t i = 0; i < module->function_count; i++)
		if (functions[i] + bias >= low && functions[i] + bias < high)
			map[(uint32_t)(functions[i] + bias) >> DWELL_FILTER_GRANULE_SHIFT] = 0;
}

bool filter_mark(const struct dwell_filter_module *module, uint64_t low, uint64_t high, uint64_t bias)
{
	const uint64_t *functions;
	volatile uint8_t *map;

	clear(low, high);
	if (!module || high - low > UINT32_MAX)
		return false;
	if (!filter_make_map())
		return false;
	map = (volatile uint8_t *)(uintptr_t)filter_map;
	functions = (const uint64_t *)((const uint8_t *)filter + module->functions);
	if (module->lists_wanted)
		mark_unlisted(module, low, high, bias, map);
	for (uint32_t i = 0; i < module->function_count && !module->lists_wanted; i++)
		if (functions[i] + bias >= low && functions[i] + bias < high)
			map[(uint32_t)(functions[i] + bias) >> DWELL_FILTER_GRANULE_SHIFT] = 1;
	return true;
}

static bool is_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

const struct dwell_filter_module *filter_find(const char *path, const uint8_t *build_id, uint32_t build_id_bytes)
{
	for (uint32_t i = 0; filter && i < filter->module_count; i++) {
		const struct dwell_filter_module *module = &filter->modules[i];
		bool same = module->build_id_bytes == build_id_bytes;

		for (uint32_t b = 0; same && b < build_id_bytes; b++)
			same = module->build_id[b] == build_id[b];
		if (same && (build_id_bytes || is_same(path, (const char *)filter + module->path)))
			return module;
	}
	return 0;
}

bool filter_drops(const struct dwell_filter_module *module, uint64_t address)
{
	const uint64_t *functions;
	uint32_t low = 0, high;

	if (!module || !filter)
		return false;
	functions = (const uint64_t *)((const uint8_t *)filter + module->functions);
	high = module->function_count;
	address &= ~1ull; /* as in places */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (functions[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return (low < module->function_count && functions[low] == address) != (module->lists_wanted != 0);
}

/* Checks the filter once: record made the filter for this process, but any process of the user may have written there. */
static bool is_sane(const struct dwell_filter *file, uint64_t bytes)
{
	if (bytes < sizeof *file || file->magic != DWELL_FILTER_MAGIC || file->bytes != bytes ||
		(bytes - sizeof *file) / sizeof *file->modules < file->module_count || ((const char *)file)[bytes - 1])
		return false;
	for (uint32_t i = 0; i < file->module_count; i++) {
		const struct dwell_filter_module *module = &file->modules[i];

		if (module->path >= bytes || module->functions > bytes || module->functions % sizeof(uint64_t) ||
			(bytes - module->functions) / sizeof(uint64_t) < module->function_count ||
			module->build_id_bytes > sizeof module->build_id)
			return false;
	}
	return true;
}

void filter_begin(const char *path, bool holds)
{
	struct dwell_filter head;
	long address = -1;
	int fd;

	/* The last filter stays mapped, since a thread may be reading it, but drops nothing any more. */
	filter = 0;
	if (filter_map)
		system_madvise((void *)(uintptr_t)filter_map, MAP_BYTES, MADV_DONTNEED);
	if (!*path || (fd = held_open(path, false, holds)) < 0)
		return;
	if (system_pread(fd, &head, sizeof head, 0) == (long)sizeof head && head.magic == DWELL_FILTER_MAGIC)
		address = system_mmap(0, head.bytes, 1, MAP_PRIVATE, fd);
	system_close(fd);
	if (!is_error(address) && is_sane((const struct dwell_filter *)address, head.bytes))
		filter = (const struct dwell_filter *)address;
	filter_bytes = filter ? head.bytes : 0;
}

void filter_release(void)
{
	if (filter)
		system_munmap((void *)(uintptr_t)filter, filter_bytes);
	filter = 0;
}
