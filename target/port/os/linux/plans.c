/* SPDX-License-Identifier: MIT
 *
 * Requests plans from record and maps them; see plans.h.
 */
#include "port/os/linux/plan.h"
#include "port/os/linux/plans.h"

#include <linux/mman.h>

#include "port/os/linux/agent.h"
#include "port/os/linux/held.h"
#include "port/os/linux/system.h"

#define LOOK_NS 200000u /* between two readings of record's answer */
#define PATIENCE_NS 60000000000ull /* enough for a program of a hundred megabytes on a busy machine */
#define PATH_BYTES 1024

static char plans_name[32];
static bool includes_libraries;

void plans_join(const char *name, uint32_t libraries)
{
	unsigned i = 0;

	for (; name[i] && i + 1 < sizeof plans_name; i++)
		plans_name[i] = name[i];
	plans_name[i] = 0;
	includes_libraries = libraries;
}

bool plans_are_wanted(bool is_program)
{
	return *plans_name && (is_program || includes_libraries);
}

static bool holds(uint64_t bytes, uint64_t offset, uint64_t count, uint64_t each)
{
	return offset % 8 == 0 && offset <= bytes && count <= (bytes - offset) / each;
}

static bool is_sane(const struct dwell_plan *plan, uint64_t bytes)
{
	return bytes >= sizeof *plan && plan->magic == DWELL_PLAN_MAGIC && plan->version == DWELL_PLAN_VERSION &&
	       plan->bytes == bytes && plan->machine == PORT_MACHINE && plan->build_id_bytes <= sizeof plan->build_id &&
	       plan->function_count <= DWELL_PLAN_FUNCTIONS_MAX && plan->site_count <= DWELL_PLAN_SITES_MAX &&
	       plan->code_bytes <= DWELL_PLAN_CODE_MAX && plan->frames_bytes <= DWELL_PLAN_CODE_MAX &&
	       holds(bytes, plan->functions, plan->function_count, sizeof(struct dwell_plan_function)) &&
	       holds(bytes, plan->sites, plan->site_count, sizeof(struct dwell_plan_site)) &&
	       holds(bytes, plan->fixups, plan->fixup_count, sizeof(uint32_t)) && holds(bytes, plan->code, plan->code_bytes, 1) &&
	       holds(bytes, plan->frames, plan->frames_bytes, 1);
}

static const struct dwell_plan *map_plan(int fd, const struct dwell_plans_entry *entry)
{
	long address = entry->bytes >= sizeof(struct dwell_plan)
			       ? system_call6(__NR_mmap, 0, (long)entry->bytes, 1, MAP_PRIVATE, fd, (long)entry->offset)
			       : -1;

	if ((unsigned long)address >= -4096ul)
		return 0;
	if (is_sane((const struct dwell_plan *)address, entry->bytes))
		return (const struct dwell_plan *)address;
	system_munmap((void *)address, entry->bytes);
	return 0;
}

/* Writes a request: KEY=NUMBER KIND LOW PATH. Returns its length. */
static uint32_t write_request(char *text, uint32_t number, bool is_program, uint64_t low, const char *path)
{
	static const char key[] = DWELL_PLAN_KEY "=";
	uint32_t length = 0;
	char digits[12];
	int count = 0;

	while (key[length]) {
		text[length] = key[length];
		length++;
	}
	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		text[length++] = digits[--count];
	text[length++] = ' ';
	text[length++] = is_program ? 'p' : 'l';
	text[length++] = ' ';
	for (unsigned shift = 64; shift;)
		text[length++] = "0123456789abcdef"[low >> (shift -= 4) & 15];
	text[length++] = ' ';
	for (unsigned i = 0; path[i] && i < PATH_BYTES; i++)
		text[length++] = path[i];
	text[length++] = '\n';
	return length;
}

/* Sleeps while *word is 0, for LOOK_NS at most. The whole wait may take long: so inside agent_begin_libc_call, the thread meanwhile
 * has the program's own signal mask, and records the events of handlers. */
static void sleep_open(volatile uint32_t *word)
{
	struct dwell_thread *thread = port_thread();
	uint32_t was_in_libc_call = thread->libc_depth;

	thread->libc_depth = 0;
	if (was_in_libc_call)
		system_restore_signals(thread->libc_mask);
	system_sleep_on(word, 0, LOOK_NS);
	if (was_in_libc_call)
		system_block_signals();
	thread->libc_depth = was_in_libc_call;
}

/* Waits until record has answered. False: record has ended, or has not answered in PATIENCE_NS. The wait must not use nanosleep: a
 * thread that was stopped in its own nanosleep and makes this call (remote_call.h in host/record) could not continue its own
 * afterwards. */
static bool wait_for_answer(int fd, uint32_t number, struct dwell_plans_entry *entry)
{
	static volatile uint32_t never;
	uint64_t offset = sizeof(struct dwell_plans) + (uint64_t)number * sizeof *entry, began = system_clock_ns(1);

	/* In a call from outside, the thread does not sleep here: the process outside puts the call aside, and the thread runs the
	 * program meanwhile. */
	bool is_called = control_may_pause(CONTROL_WAITS);

	while (system_pread(fd, entry, sizeof *entry, offset) == (long)sizeof *entry) {
		if (entry->offset)
			return true;
		if (agent.session->closed || agent.session->owner & DWELL_SESSION_OWNER_DIED ||
			system_clock_ns(1) - began > PATIENCE_NS)
			return false;
		if (!is_called)
			sleep_open(&never);
	}
	return false;
}

const struct dwell_plan *plans_fetch(const char *path, uint64_t low, bool is_program)
{
	struct dwell_plans_entry entry;
	const struct dwell_plan *plan = 0;
	char request[sizeof DWELL_PLAN_KEY + 40 + PATH_BYTES];
	uint32_t number;
	int fd;

	if (!agent.session || !*plans_name || (fd = held_open(plans_name, false, !dwell_control.begun)) < 0)
		return 0;
	number = __atomic_fetch_add(&agent.session->plans_requested, 1, __ATOMIC_RELAXED);
	if (number < DWELL_PLANS_MAX &&
		journal_append(DWELL_CHUNK_INFO, request, write_request(request, number, is_program, low, path)) &&
		wait_for_answer(fd, number, &entry))
		plan = map_plan(fd, &entry);
	control_may_pause(CONTROL_MUST_GO_ON);
	system_close(fd);
	return plan;
}
