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
/* is_inside_agent looks at the threads so often, in one second: the agent, too, waits
 * one second for a thread that the scheduler interrupted in a hook. */
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
	 * that made the call was killed. Then repeats the call. The last attempt does not pause the call:
	 * the thread makes the whole call at once, since threads of this process end too soon. */
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

/* A copy of the process's lists of changes. The process may have written anything into
 * them: dwell writes only into the process's own memory, and limits the amount. */
struct lists {
	struct dwell_change *changes;
	uint64_t count;
};

/* False: the process has ended, or its lists are malformed. Free lists->changes in any case. */
static bool read_lists(const struct control *control, struct lists *lists)
{
	uint64_t address = control->block.changes;

	*lists = (struct lists){0};
	for (unsigned i = 0; address && i < LISTS_MAX; i++) {
		struct dwell_changes head;
		struct dwell_change *grown;
		size_t bytes;

		if (!remote_read(&control->image, address, &head, sizeof head) ||
			head.count > CHANGES_MAX || lists->count + head.count > CHANGES_MAX)
			return false;
		bytes = head.count * sizeof *grown;
		grown = head.base ? realloc(lists->changes, (lists->count + head.count) * sizeof *grown) : NULL;
		if (head.base && (!grown || !remote_read(&control->image, address + sizeof head, grown + lists->count, bytes))) {
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

/* Orders changes by address. */
static int compare(const void *a, const void *b)
{
	uint64_t left = ((const struct dwell_change *)a)->address, right = ((const struct dwell_change *)b)->address;

	return (left > right) - (left < right);
}

/* Whether place is inside bytes that change, after the first byte: no instruction begins there afterwards. */
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

/* Reads and writes in one piece all changes from index i on that lie close together, to save time while the threads
 * are stopped. Makes only changes whose flag DWELL_CHANGE_FIRST equals first, and skips code with unexpected bytes. back:
 * writes the old bytes. Returns the index of the next change; the number of changes: the process has ended. */
static uint64_t write_span(const struct control *control, const struct lists *lists, uint64_t i, uint8_t first, bool back)
{
	static uint8_t code[SPAN_BYTES];
	uint64_t begin = lists->changes[i].address, end = begin;
	ssize_t got = pread(control->image.memory, code, sizeof code, (off_t)begin);
	bool changed = false;

	/* No memory at the address: skip the change. */
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
	if (changed && pwrite(control->image.memory, code, (size_t)(end - begin), (off_t)begin) < 0)
		return lists->count; /* the process has ended */
	return i;
}

/* Writes as many changes as fit into PORTION_NS since the stop began, from index *at of turn *turn
 * on. Turn 0 makes the changes with DWELL_CHANGE_FIRST, turn 1 the other changes; back: turn 0 makes
 * the others. At *turn 2 all are made. At least PORTION_LEAST_NS are used for writing, however long it took to stop the threads. */
static void write_portion(
	const struct control *control, const struct lists *lists, bool back, int *turn, uint64_t *at, uint64_t began_ns)
{
	uint64_t until_ns = began_ns + PORTION_NS, least_ns = clock_now_ns() + PORTION_LEAST_NS;

	until_ns = until_ns > least_ns ? until_ns : least_ns;
	while (*turn < 2 && clock_now_ns() < until_ns) {
		uint8_t first = (*turn == 0) != back ? DWELL_CHANGE_FIRST : 0;

		if (*at < lists->count && (lists->changes[*at].flags & DWELL_CHANGE_FIRST) != first)
			++*at;
		else if (*at < lists->count)
			*at = write_span(control, lists, *at, first, back);
		if (*at >= lists->count) {
			++*turn;
			*at = 0;
		}
	}
}

/* Makes each page of code private to the process before any thread is stopped: writes the first byte that changes, unchanged. */
static void unshare_pages(const struct control *control, const struct lists *lists)
{
	uint64_t last = UINT64_MAX;

	for (uint64_t i = 0; i < lists->count; i++) {
		uint64_t address = lists->changes[i].address;
		uint8_t byte;

		if (address / PAGE_BYTES != last && remote_read(&control->image, address, &byte, sizeof byte))
			remote_write(&control->image, address, &byte, sizeof byte);
		last = address / PAGE_BYTES;
	}
}

/* Makes all changes, or undoes them (back), in portions, so that no thread is stopped for long. Between portions the code is whole
 * and works as before; recording is off meanwhile. *begun: set to true when the first portion is written. */
static enum remote_problem change(struct control *control, bool back, bool *begun)
{
	enum remote_problem problem = REMOTE_ENDED;
	struct lists lists = {0};
	uint64_t at = 0;
	int turn = 0;

	if (control_read(control) && read_lists(control, &lists))
		problem = REMOTE_DONE;
	if (lists.count)
		qsort(lists.changes, lists.count, sizeof *lists.changes, compare);
	if (!back)
		unshare_pages(control, &lists);
	/* If a thread is inside bytes that change, dwell lets all threads run on, and stops them again. dwell does not
	 * single-step that thread: a step would leave a trap behind if dwell were killed meanwhile. */
	for (int inside = 0; lists.count && problem == REMOTE_DONE && turn < 2;) {
		struct remote_stop stop;

		problem = remote_stop_all(&stop, &control->image);
		if (problem == REMOTE_DONE && !back && remote_any_thread_at(&stop, is_inside, &lists)) {
			problem = ++inside < STOPS_MAX ? REMOTE_DONE : REMOTE_INSIDE;
		} else if (problem == REMOTE_DONE) {
			*begun = true;
			write_portion(control, &lists, back, &turn, &at, stop.began_ns);
		}
		remote_release(&stop);
		if (turn < 2)
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
