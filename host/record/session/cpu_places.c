/* cpu_places: counts samples by process and address, except addresses in code that the agent made. */
#include "record/session/cpu_places.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "target/port/os/linux/plan.h"
#include "util/array.h"

#define RANGES_MAX 4096u /* is_agent_code empties a full list of ranges; later samples read their ranges again */

struct code_range {
	uint64_t low, high;
	uint32_t pid;
	bool is_agent_code; /* code that the agent made: samples there do not count */
};

/* Whether an allocation of the agent's code begins at range->low. *mapped: a copy of the bytes that describe the allocation. */
static bool begins_agent_code(const struct code_range *range, int memory, struct dwell_mapped *mapped)
{
	return pread(memory, mapped, sizeof *mapped, (off_t)(range->low + DWELL_MAPPED_AT)) == (ssize_t)sizeof *mapped &&
	       mapped->magic == DWELL_MAPPED_MAGIC && mapped->bytes >= DWELL_PLAN_STUB_BYTES &&
	       mapped->bytes <= range->high - range->low;
}

/* Reduces an anonymous mapping to the part around address: each allocation of the agent's code begins with
 * a page that contains the allocation's length, and more allocations may follow in the mapping. */
static void narrow_to_allocation(struct code_range *range, uint64_t address)
{
	struct dwell_mapped mapped;
	char path[32];
	int memory;

	snprintf(path, sizeof path, "/proc/%" PRIu32 "/mem", range->pid);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	while (memory >= 0 && begins_agent_code(range, memory, &mapped)) {
		if (address - range->low < mapped.bytes) {
			range->high = range->low + mapped.bytes;
			range->is_agent_code = true;
			break;
		}
		range->low += mapped.bytes;
	}
	if (memory >= 0)
		close(memory);
}

/* Finds the mapping around address. False: the process has ended, or has unmapped the address. */
static bool read_range(uint32_t pid, uint64_t address, struct code_range *range)
{
	char path[32], line[512];
	uint64_t inode = 0;
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof path, "/proc/%" PRIu32 "/maps", pid);
	maps = fopen(path, "re");
	*range = (struct code_range){.pid = pid};
	while (maps && !found && fgets(line, sizeof line, maps))
		found = sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64, &range->low, &range->high, &inode) == 3 &&
			address >= range->low && address < range->high;
	if (maps)
		fclose(maps);
	if (found && !inode)
		narrow_to_allocation(range, address);
	return found;
}

/* Whether the address is in code that the agent made. Reads /proc only for addresses outside the known ranges. */
static bool is_agent_code(struct cpu_places *places, uint32_t pid, uint64_t address)
{
	struct code_range range;

	for (size_t i = 0; i < places->range_count; i++)
		if (places->ranges[i].pid == pid && address >= places->ranges[i].low && address < places->ranges[i].high)
			return places->ranges[i].is_agent_code;
	if (!read_range(pid, address, &range))
		return false;
	if (places->range_count == RANGES_MAX)
		places->range_count = 0;
	if (array_reserve(&places->ranges, &places->range_capacity, places->range_count + 1, sizeof *places->ranges))
		places->ranges[places->range_count++] = range;
	return range.is_agent_code;
}

void cpu_places_add(struct cpu_places *places, uint32_t pid, uint64_t address, uint64_t ticks)
{
	uint32_t *number;

	if (places->is_paused || is_agent_code(places, pid, address))
		return;
	number = numbers_put(&places->index, address ^ (uint64_t)pid << 47);
	if (number && !*number && places->count < CPU_PLACES_MAX &&
		array_reserve(&places->places, &places->capacity, places->count + 1, sizeof *places->places)) {
		places->places[places->count++] = (struct message_cpu_place){.address = address, .pid = pid};
		*number = (uint32_t)places->count;
	}
	if (!number || !*number) {
		places->overflow_count++;
		return;
	}
	places->places[*number - 1].count++;
	places->places[*number - 1].ticks = ticks;
}

struct message_cpu_places cpu_places_get(const struct cpu_places *places, uint64_t period_ns)
{
	return (struct message_cpu_places){period_ns, places->overflow_count, places->places, (uint32_t)places->count};
}

void cpu_places_clear(struct cpu_places *places)
{
	free(places->places);
	numbers_clear(&places->index);
	free(places->ranges);
	*places = (struct cpu_places){0};
}
