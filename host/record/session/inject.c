/* inject: makes the agent work in a running process, and writes the changes of code while all threads are stopped (inject.h). */
#include "record/session/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/remote/remote_call.h"
#include "record/remote/remote_find.h"
#include "record/remote/remote_stop.h"
#include "util/clock.h"

#define LISTS_MAX 1024u /* lists of changes; more are forged */
#define SPAN_BYTES 16384u /* takes some microseconds to read or write */
#define CHANGES_MAX (1u << 22)
#define RANGES_MAX 4096u
#define STUB_BYTES UINT64_C(4096)
/* is_inside_agent looks at the threads so often, in one second: the agent, too, gives
 * a thread that the scheduler interrupted in a hook one second to go on. */
#define LOOKS 6
#define LOOK_US 200000u
#define STOPS_MAX 2000 /* stops that find a thread inside bytes to change */
#define STOP_AGAIN_US 1000u /* pause between two stops */
#define PORTION_NS 1500000u /* how long threads stay stopped, unless the stop itself took long: … */
#define PORTION_LEAST_NS 300000u /* … dwell then writes for so long */
#define PAGE_BYTES UINT64_C(4096)
#define CALLS_MAX 3 /* attempts to make the agent join */
#define RESTORE_TRIES 12 /* attempts to restore the code; an attempt takes up to five seconds while the kernel holds a thread */

bool inject_explain(const char *name, enum remote_problem problem, struct diag *diag)
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
	else if (problem == REMOTE_EXECED)
		why = "became another program while dwell attached to it; attach again";
	else if (problem == REMOTE_UNKNOWN)
		why = "for five seconds the stack of each thread held code without unwind tables, so dwell cannot tell whether the thread may load "
		      "the agent; start it with `dwell record --trace`, or sample it: dwell attach --sample";
	else if (problem == REMOTE_SLOW)
		why = "did not prepare its functions within 90 seconds: the machine is too busy, or the process is stopped; try again";
	else if (problem == REMOTE_STUCK)
		why = "did not load the agent within four seconds, perhaps for a lock that it has itself; it goes on, but a later dlopen in it "
		      "may wait; start it with `dwell record --trace`, or sample it: dwell attach --sample";
	else if (problem == REMOTE_SHADOW_STACK)
		why = "has a shadow stack (CET), which takes no call from outside; start it with `dwell record --trace`, or sample it: dwell "
		      "attach --sample";
	else if (problem == REMOTE_INSIDE)
		why = "a thread stayed in the first instructions of a function, which are to change; try again";
	else if (problem == REMOTE_UNINTERRUPTIBLE)
		why = "one of its threads waits in the kernel, for a child of vfork or for a device, and cannot be stopped; try again";
	else if (problem == REMOTE_NO_ROOM)
		why = "has no memory for a call of the agent: it reached a limit (ulimit -v, a memory cgroup), or a filter forbids mmap; use dwell attach --sample";
	else if (problem == REMOTE_FOREIGN)
		why = "has no dlopen, which dwell needs to load the agent: it is linked statically, or runs on another "
		      "processor; use dwell attach --sample";
	diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "%s", why);
	return false;
}

bool inject_agent(struct remote_image *image, const char *name, const char *agent, struct diag *diag)
{
	uint64_t function = remote_find_function(image, "libc", "dlopen");
	enum remote_problem problem;

	if (!function)
		function = remote_find_function(image, "libdl", "dlopen");
	problem = remote_call(image, REMOTE_WITHOUT_LOCKS, function, agent, RTLD_NOW, NULL);
	return problem == REMOTE_DONE || inject_explain(name, problem, diag);
}

bool inject_join_session(
	struct control *control, const char *name, void (*meanwhile)(void *context), void *context, struct diag *diag)
{
	enum remote_problem problem = REMOTE_ENDED;

	/* may_pause is set if an earlier call was paused and never goes on: its thread has ended, or the dwell
	 * that made the call was killed. Then repeats the call. But at first, if the process is traced, another dwell may
	 * still be making the call. The last attempt does not pause the call: the thread makes the whole call at once, since
	 * threads of this process end too soon. */
	for (int i = 0; problem == REMOTE_ENDED && control_read(control) && i < CALLS_MAX; i++) {
		bool lost = control->block.may_pause;
		uint64_t may_pause = i < CALLS_MAX - 1 ? control->address + offsetof(struct dwell_control, may_pause) : 0;

		if (i && !lost)
			break;
		problem = !i && lost && remote_is_traced(control->pid)
				  ? REMOTE_TRACED
				  : remote_call(&control->image, REMOTE_WITHOUT_LOCKS, control->block.handle_request, NULL, lost,
					    &(const struct remote_meanwhile){meanwhile, context, may_pause});
	}
	return problem == REMOTE_DONE || inject_explain(name, problem, diag);
}

/* A change in the copy of the process's lists. */
struct listed {
	struct dwell_change change;
	uint32_t list;    /* index of the list: groups are numbered in each list */
	bool ends_groups; /* in order of address: no group has changes both up to this change and after it */
};

/* A copy of the process's lists of changes. The process may have written anything into
 * them: dwell writes only into the process's own memory, and limits the amount. */
struct lists {
	struct listed *changes;
	uint64_t count;
	uint64_t at; /* index of the next change to make */
	bool back;   /* the old bytes are to be written */
};

/* Adds a list's changes. False: no memory, or they cannot be read. */
static bool add_list(const struct control *control, struct lists *lists, uint64_t address, uint32_t count, uint32_t list)
{
	struct dwell_change *read = malloc((count + 1) * sizeof *read);
	struct listed *grown = realloc(lists->changes, (lists->count + count + 1) * sizeof *grown);
	bool done;

	lists->changes = grown ? grown : lists->changes;
	done = read && grown && remote_read(&control->image, address, read, count * sizeof *read);
	for (uint32_t i = 0; done && i < count; i++)
		lists->changes[lists->count++] = (struct listed){.change = read[i], .list = list};
	free(read);
	return done;
}

/* Copies the lists of all files that are still mapped. False: the process has ended, its lists are malformed, or there is no
 * memory. Free lists->changes in any case. */
static bool read_lists(const struct control *control, struct lists *lists)
{
	uint64_t address = control->block.changes;

	for (unsigned i = 0; address && i < LISTS_MAX; i++) {
		struct dwell_changes head;

		if (!remote_read(&control->image, address, &head, sizeof head) ||
			head.count > CHANGES_MAX || lists->count + head.count > CHANGES_MAX)
			return false;
		if (head.base && !add_list(control, lists, address + sizeof head, head.count, i))
			return false;
		address = head.next;
	}
	return true;
}

static int by_address(const void *a, const void *b)
{
	uint64_t left = ((const struct listed *)a)->change.address, right = ((const struct listed *)b)->change.address;

	return (left > right) - (left < right);
}

static int by_group(const void *a, const void *b)
{
	const struct listed *left = *(const struct listed *const *)a, *right = *(const struct listed *const *)b;

	if (left->list != right->list)
		return left->list < right->list ? -1 : 1;
	if (left->change.group != right->change.group)
		return left->change.group < right->change.group ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* Orders the changes by address, and finds where the groups end. False: no memory. */
static bool order(struct lists *lists)
{
	struct listed **grouped = malloc((lists->count + 1) * sizeof *grouped), *changes = lists->changes;
	uint64_t *last = malloc((lists->count + 1) * sizeof *last), end = 0;
	bool done = grouped && last;

	if (lists->count)
		qsort(changes, lists->count, sizeof *changes, by_address);
	for (uint64_t i = 0; done && i < lists->count; i++)
		grouped[i] = &changes[i];
	if (done)
		qsort(grouped, lists->count, sizeof *grouped, by_group);
	/* last: for each change, the index of its group's last one. */
	for (uint64_t i = done ? lists->count : 0; i-- > 0;) {
		bool is_last = i + 1 == lists->count || grouped[i]->list != grouped[i + 1]->list ||
			       grouped[i]->change.group != grouped[i + 1]->change.group;

		last[grouped[i] - changes] = is_last ? (uint64_t)(grouped[i] - changes) : last[grouped[i + 1] - changes];
	}
	for (uint64_t i = 0; done && i < lists->count; i++) {
		end = last[i] > end ? last[i] : end;
		changes[i].ends_groups = end == i;
	}
	free(grouped);
	free(last);
	return done;
}

/* Whether one of the remaining changes would send a thread at place astray. Before the change: inside bytes that change, after the
 * first byte, since no instruction begins there afterwards. In a room, at the first byte, too: it may be in front of an old
 * instruction, and once the room has its old bytes, they do something else than the jump. */
static bool is_inside(void *context, uint64_t place)
{
	const struct lists *lists = context;
	uint64_t low = lists->at, high = lists->count;
	const struct dwell_change *change;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (lists->changes[middle].change.address <= place)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == lists->at)
		return false;
	change = &lists->changes[low - 1].change;
	if (place == change->address)
		return change->flags & DWELL_CHANGE_ROOM;
	return !lists->back && place < change->address + change->bytes;
}

/* Reads and writes in one piece changes from index i on that lie close together, to save time while the threads are stopped, and to
 * leave whole groups if dwell is killed. Changes that are left out get their old bytes. Skips code with unexpected bytes.
 * Returns the index of the next change; the number of changes: all are done, or the process has ended. */
static uint64_t write_span(const struct control *control, const struct lists *lists, uint64_t i)
{
	static uint8_t code[SPAN_BYTES];
	const struct listed *changes = lists->changes;
	uint64_t begin = changes[i].change.address, end = i, next = i, bytes = 0;
	ssize_t got = pread(control->image.memory, code, sizeof code, (off_t)begin);
	bool changed = false;

	/* No memory at the address: skip the change. */
	if (got < (ssize_t)changes[i].change.bytes)
		return i + 1;
	for (; end < lists->count && changes[end].change.address + changes[end].change.bytes - begin <= (uint64_t)got; end++)
		next = changes[end].ends_groups ? end + 1 : next;
	end = next > i ? next : end; /* else the group is longer than a piece */
	for (; i < end; i++) {
		const struct dwell_change *change = &changes[i].change;
		bool is_old = lists->back || (change->flags & DWELL_CHANGE_LEFT_OUT);
		const uint8_t *from = is_old ? change->new : change->old, *to = is_old ? change->old : change->new;
		uint8_t *at = code + (change->address - begin);

		if (change->bytes > sizeof change->old || memcmp(at, from, change->bytes))
			continue;
		memcpy(at, to, change->bytes);
		bytes = change->address + change->bytes - begin;
		changed = true;
	}
	if (changed && pwrite(control->image.memory, code, (size_t)bytes, (off_t)begin) < 0)
		return lists->count; /* the process has ended */
	return end;
}

/* Writes as many of the remaining changes as fit into PORTION_NS since the stop began, and the rest of their groups. At least
 * PORTION_LEAST_NS are used for writing, however long it took to stop the threads. */
static void write_portion(const struct control *control, struct lists *lists, uint64_t began_ns)
{
	uint64_t until_ns = began_ns + PORTION_NS, least_ns = clock_now_ns() + PORTION_LEAST_NS;

	until_ns = until_ns > least_ns ? until_ns : least_ns;
	while (lists->at < lists->count &&
		((lists->at && !lists->changes[lists->at - 1].ends_groups) || clock_now_ns() < until_ns))
		lists->at = write_span(control, lists, lists->at);
}

/* Makes each page of code private to the process before any thread is stopped: writes the first byte that changes, unchanged. */
static void unshare_pages(const struct control *control, const struct lists *lists)
{
	uint64_t last = UINT64_MAX;

	for (uint64_t i = 0; i < lists->count; i++) {
		uint64_t address = lists->changes[i].change.address;
		uint8_t byte;

		if (address / PAGE_BYTES != last && remote_read(&control->image, address, &byte, sizeof byte))
			remote_write(&control->image, address, &byte, sizeof byte);
		last = address / PAGE_BYTES;
	}
}

/* Makes all changes, or undoes them (back), in portions, so that no thread is stopped for long. Between portions the code is whole
 * and works as before; recording is off meanwhile. *begun: set to true just before the first portion is written. */
static enum remote_problem change(struct control *control, bool back, bool *begun)
{
	enum remote_problem problem = REMOTE_ENDED;
	struct lists lists = {.back = back};

	if (control_read(control) && read_lists(control, &lists) && order(&lists))
		problem = REMOTE_DONE;
	if (problem == REMOTE_DONE && !back)
		unshare_pages(control, &lists);
	/* If a thread is inside bytes that change, dwell lets all threads run on, and stops them again. dwell does not
	 * single-step that thread: a step would leave a trap behind if dwell were killed meanwhile. */
	for (int inside = 0; problem == REMOTE_DONE && lists.at < lists.count;) {
		struct remote_stop stop;

		problem = remote_stop_all(&stop, &control->image);
		if (problem == REMOTE_DONE && remote_any_thread_at(&stop, is_inside, &lists)) {
			problem = ++inside < STOPS_MAX ? REMOTE_DONE : REMOTE_INSIDE;
		} else if (problem == REMOTE_DONE) {
			*begun = true;
			write_portion(control, &lists, stop.began_ns);
		}
		remote_release(&stop);
		if (lists.at < lists.count)
			remote_pause_us(STOP_AGAIN_US);
	}
	free(lists.changes);
	return problem;
}

bool inject_changes(struct control *control, const char *name, bool *changed, struct diag *diag)
{
	bool begun = false;
	enum remote_problem problem = change(control, false, &begun);

	*changed = begun || problem == REMOTE_DONE;
	return problem == REMOTE_DONE || inject_explain(name, problem, diag);
}

void inject_restore(struct control *control, const char *name, struct diag *diag)
{
	enum remote_problem problem = REMOTE_UNINTERRUPTIBLE;
	bool begun;

	for (int i = 0; i < RESTORE_TRIES && (problem == REMOTE_UNINTERRUPTIBLE || problem == REMOTE_TRACED); i++) {
		if (problem == REMOTE_TRACED)
			remote_pause_us(LOOK_US);
		problem = change(control, true, &begun);
	}
	if (problem == REMOTE_DONE || problem == REMOTE_ENDED || problem == REMOTE_EXECED)
		return;
	diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
		"could not be stopped to give its code back, which stays changed: its calls go by way of dwell, which does nothing there any more; "
		"`dwell attach --trace` gives it back when it ends");
}

/* Finds the agent's code, which may have addresses of the session in registers: the
 * agent's file, and the stubs around the gates. Returns the number of ranges. */
static size_t find_agent(struct control *control, uint64_t (*ranges)[2])
{
	size_t count = remote_find_file_code(&control->image, control->block.handle_request, ranges, RANGES_MAX);

	for (uint32_t i = 0; i < control->block.gate_count && i < DWELL_CONTROL_GATES_MAX && count < RANGES_MAX; i++) {
		struct dwell_gate gate;

		if (!remote_read(&control->image, control->block.gates + i * sizeof gate, &gate, sizeof gate) ||
			!gate.address || (count && gate.address - ranges[count - 1][0] < STUB_BYTES))
			continue;
		ranges[count][0] = gate.address & ~(STUB_BYTES - 1);
		ranges[count][1] = ranges[count][0] + STUB_BYTES;
		count++;
	}
	return count;
}

/* Whether a thread is in the agent's code, or could return there: a word on its stack looks like an
 * address in this code. The word may be a leftover of an earlier call, so the last look ignores
 * stacks. True also if dwell cannot stop the threads. */
static bool is_inside_agent(struct control *control)
{
	static uint64_t ranges[RANGES_MAX][2];
	size_t count = find_agent(control, ranges);
	bool inside = true;

	for (int i = 0; inside && i < LOOKS; i++) {
		struct remote_stop stop;

		if (i)
			remote_pause_us(LOOK_US);
		remote_image_read_maps(&control->image); /* new stacks */
		inside = remote_stop_all(&stop, &control->image) != REMOTE_DONE ||
			 remote_any_thread_inside(&stop, ranges, count, i < LOOKS - 1);
		remote_release(&stop);
	}
	return inside;
}

void inject_leave_session(struct control *control)
{
	/* release(…, 0) leaves the session; release(…, 1) unmaps it, which no thread may need any more. */
	if (control_read(control) &&
		remote_call(&control->image, REMOTE_ANYWHERE, control->block.release, NULL, 0, NULL) == REMOTE_DONE &&
		!is_inside_agent(control))
		remote_call(&control->image, REMOTE_ANYWHERE, control->block.release, NULL, 1, NULL);
}
