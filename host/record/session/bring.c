#include "record/session/bring.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/remote/remote_call.h"
#include "record/remote/remote_find.h"
#include "record/remote/remote_stop.h"

#define LISTS_MAX 1024u
#define SPAN_BYTES 65536u
#define CHANGES_MAX (1u << 22)
#define RANGES_MAX 4096u
#define STUB_BYTES UINT64_C(4096)
/* A second: the agent gives a thread that long that was stopped by the machine. */
#define LOOKS 6
#define LOOK_US 200000u
#define STOPS_MAX 2000
#define STOP_AGAIN_US 1000u
#define TRIES_BACK 12 /* of five seconds, where the kernel holds a thread */

static bool refuse(const char *name, enum remote_problem problem, struct diag *diag)
{
	const char *why = "ended while dwell attached to it";

	if (problem == REMOTE_DENIED)
		why = "the system does not let dwell trace it: it belongs to another user, or a security module (Yama) forbids it; "
		      "as root, sysctl "
		      "kernel.yama.ptrace_scope=0 allows it, or give dwell the capability CAP_SYS_PTRACE";
	else if (problem == REMOTE_TRACED)
		why = "is traced by another program, such as a debugger: end that first";
	else if (problem == REMOTE_BUSY)
		why = "for five seconds each thread was in the C library or in a memory allocator, where dwell cannot load the agent; "
		      "try again, or start it with `dwell record --trace`";
	else if (problem == REMOTE_SHADOW)
		why = "has a shadow stack (CET), which takes no call from outside; start it with `dwell record --trace`, or sample it: dwell "
		      "attach --sample";
	else if (problem == REMOTE_INSIDE)
		why = "a thread stayed in the first instructions of a function, which are to change; try again";
	else if (problem == REMOTE_HELD)
		why = "one of its threads waits in the kernel, for a child of vfork or for a device, and cannot be stopped; try again";
	else if (problem == REMOTE_NO_ROOM)
		why = "has no memory for a call of the agent: it reached a limit (ulimit -v, a memory cgroup), or a filter forbids mmap; use dwell attach --sample";
	else if (problem == REMOTE_FOREIGN)
		why = "has no dlopen, which dwell needs to load the agent: it is linked statically, or runs on another "
		      "processor; use dwell attach --sample";
	diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "%s", why);
	return false;
}

bool bring_agent(pid_t pid, const char *name, const char *agent, struct diag *diag)
{
	uint64_t function = remote_find_function(pid, "libc", "dlopen");
	enum remote_problem problem;

	if (!function)
		function = remote_find_function(pid, "libdl", "dlopen");
	problem = remote_call(pid, REMOTE_WITHOUT_LOCKS, function, agent, RTLD_NOW, NULL, NULL);
	return problem == REMOTE_DONE || refuse(name, problem, diag);
}

bool bring_attend(
	const struct control *control, const char *name, void (*meanwhile)(void *context), void *context, struct diag *diag)
{
	enum remote_problem problem =
		remote_call(control->pid, REMOTE_WITHOUT_LOCKS, control->block.attend, NULL, 0, meanwhile, context);

	return problem == REMOTE_DONE || refuse(name, problem, diag);
}

/* The lists, as the process has them. It could have written anything: what is written to it is its own affair, and how much is bounded. */
struct lists {
	struct dwell_change *changes;
	uint64_t count;
};

static bool read_lists(const struct control *control, struct lists *lists)
{
	uint64_t address = control->block.changes;

	*lists = (struct lists){0};
	for (unsigned i = 0; address && i < LISTS_MAX; i++) {
		struct dwell_changes head;
		struct dwell_change *grown;
		size_t bytes;

		if (pread(control->memory, &head, sizeof head, (off_t)address) != (ssize_t)sizeof head ||
			head.count > CHANGES_MAX || lists->count + head.count > CHANGES_MAX)
			return false;
		bytes = head.count * sizeof *grown;
		grown = head.base ? realloc(lists->changes, (lists->count + head.count) * sizeof *grown) : NULL;
		if (head.base && (!grown || pread(control->memory, grown + lists->count, bytes, (off_t)(address + sizeof head)) !=
						    (ssize_t)bytes)) {
			lists->changes = grown ? grown : lists->changes;
			return false;
		}
		if (head.base) {
			lists->changes = grown;
			lists->count += head.count;
		}
		address = head.next;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = ((const struct dwell_change *)a)->address, right = ((const struct dwell_change *)b)->address;

	return (left > right) - (left < right);
}

/* In the middle of bytes that change: an instruction there is not one any more. */
static bool is_inside(void *context, uint64_t place)
{
	const struct lists *lists = context;
	uint64_t low = 0, high = lists->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (lists->changes[middle].address < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && place > lists->changes[low - 1].address &&
	       place < lists->changes[low - 1].address + lists->changes[low - 1].bytes;
}

/* Changes from i on that lie close together are read and written at once: the threads are stopped meanwhile. Only those whose flags are
 * first. Returns the next. */
static uint64_t write_some(const struct control *control, const struct lists *lists, uint64_t i, uint8_t first, bool back)
{
	static uint8_t code[SPAN_BYTES];
	uint64_t begin = lists->changes[i].address, end = begin;
	ssize_t got = pread(control->memory, code, sizeof code, (off_t)begin);
	bool changed = false;

	/* As far as there is memory. */
	if (got < (ssize_t)lists->changes[i].bytes)
		return i + 1;
	for (; i < lists->count && lists->changes[i].address + lists->changes[i].bytes - begin <= (uint64_t)got; i++) {
		const struct dwell_change *change = &lists->changes[i];
		bool is_old = back || (change->flags & DWELL_CHANGE_LEFT_OUT);
		const uint8_t *from = is_old ? change->new : change->old, *to = is_old ? change->old : change->new;
		uint8_t *at = code + (change->address - begin);

		if ((change->flags & DWELL_CHANGE_FIRST) != first)
			continue;
		end = change->address + change->bytes;
		if (change->bytes > sizeof change->old || memcmp(at, from, change->bytes))
			continue;
		memcpy(at, to, change->bytes);
		changed = true;
	}
	if (changed && pwrite(control->memory, code, (size_t)(end - begin), (off_t)begin) < 0)
		return lists->count; /* it is gone */
	return i;
}

static void write_all(const struct control *control, const struct lists *lists, bool back)
{
	for (int pass = 0; pass < 2; pass++) {
		uint8_t first = (pass == 0) != back ? DWELL_CHANGE_FIRST : 0;

		for (uint64_t i = 0; i < lists->count;)
			if ((lists->changes[i].flags & DWELL_CHANGE_FIRST) == first)
				i = write_some(control, lists, i, first, back);
			else
				i++;
	}
}

static enum remote_problem change(struct control *control, bool back)
{
	enum remote_problem problem = REMOTE_GONE;
	struct lists lists = {0};
	struct remote_stop stop;

	if (control_read(control) && read_lists(control, &lists))
		problem = REMOTE_DONE;
	if (lists.count && problem == REMOTE_DONE) {
		qsort(lists.changes, lists.count, sizeof *lists.changes, compare);
		/* A thread in the middle of what changes goes on, and is stopped again elsewhere. It is not stepped: a step would leave a
		 * trap behind, should dwell be killed meanwhile. */
		for (int i = 0; i < STOPS_MAX; i++) {
			problem = remote_stop_all(&stop, control->pid);
			if (problem == REMOTE_DONE && !back && remote_is_at(&stop, is_inside, &lists))
				problem = REMOTE_INSIDE;
			if (problem == REMOTE_DONE)
				write_all(control, &lists, back);
			remote_release(&stop);
			if (problem != REMOTE_INSIDE)
				break;
			remote_pause_us(STOP_AGAIN_US);
		}
	}
	free(lists.changes);
	return problem;
}

bool bring_change(struct control *control, const char *name, struct diag *diag)
{
	enum remote_problem problem = change(control, false);

	return problem == REMOTE_DONE || refuse(name, problem, diag);
}

void bring_change_back(struct control *control, const char *name, struct diag *diag)
{
	enum remote_problem problem = REMOTE_HELD;

	for (int i = 0; i < TRIES_BACK && (problem == REMOTE_HELD || problem == REMOTE_TRACED); i++) {
		if (problem == REMOTE_TRACED)
			remote_pause_us(LOOK_US);
		problem = change(control, true);
	}
	if (problem == REMOTE_DONE || problem == REMOTE_GONE)
		return;
	diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
		"could not be stopped to give its code back, which stays changed: its calls go by way of dwell, which does nothing there any more; "
		"`dwell attach --trace` gives it back when it ends");
}

/* Code of the agent: what may have an address of the session's in a register. Its stubs are where its gates are. */
static size_t find_agent(struct control *control, uint64_t (*ranges)[2])
{
	size_t count = remote_find_code_of(control->pid, control->block.attend, ranges, RANGES_MAX);

	for (uint32_t i = 0; i < control->block.gate_count && i < DWELL_CONTROL_GATES_MAX && count < RANGES_MAX; i++) {
		struct dwell_gate gate;

		if (pread(control->memory, &gate, sizeof gate, (off_t)(control->block.gates + i * sizeof gate)) != (ssize_t)sizeof gate ||
			!gate.address || (count && gate.address - ranges[count - 1][0] < STUB_BYTES))
			continue;
		ranges[count][0] = gate.address & ~(STUB_BYTES - 1);
		ranges[count][1] = ranges[count][0] + STUB_BYTES;
		count++;
	}
	return count;
}

/* Whether a thread is in that code, or could come back to it: words of a stack that look like it may be left from earlier. */
static bool is_inside_agent(struct control *control)
{
	static uint64_t ranges[RANGES_MAX][2];
	size_t count = find_agent(control, ranges);
	bool inside = true;

	for (int i = 0; inside && i < LOOKS; i++) {
		struct remote_stop stop;

		if (i)
			remote_pause_us(LOOK_US);
		inside = remote_stop_all(&stop, control->pid) != REMOTE_DONE || remote_is_inside(&stop, ranges, count, i < LOOKS - 1);
		remote_release(&stop);
	}
	return inside;
}

void bring_release(struct control *control)
{
	if (control_read(control) &&
		remote_call(control->pid, REMOTE_ANYWHERE, control->block.release, NULL, 0, NULL, NULL) == REMOTE_DONE &&
		!is_inside_agent(control))
		remote_call(control->pid, REMOTE_ANYWHERE, control->block.release, NULL, 1, NULL, NULL);
}
