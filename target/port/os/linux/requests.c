/* SPDX-License-Identifier: MIT
 *
 * Turns recording on and off, from outside (control.h) and for the program (dwell_start, dwell_stop). Events come here only on the
 * slow path.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/plans.h"
#include "port/os/linux/system.h"

#include "dwell/dwell.h"

struct dwell_control dwell_control = {
	.magic = DWELL_CONTROL_MAGIC,
	.version = DWELL_CONTROL_VERSION,
	.session_version = DWELL_SESSION_VERSION,
	.machine = PORT_MACHINE,
};
static struct dwell_gate gates[DWELL_CONTROL_GATES_MAX];
static volatile uint32_t handling_request;
static volatile uint32_t switching; /* 1: a thread is turning recording on or off, or joining a session */
static bool is_called; /* a call from outside handles the running request */
static uint32_t joined; /* number of the request by which the session was joined */

#define SWITCH_WAIT_NS 50000u
/* One second, then dwell_start or dwell_stop gives up. Two cases take that long: the child of an unnoticed fork has a copy of a
 * taken switch; or the request of another thread waits for plans. */
#define SWITCH_WAITS 20000

/* A note with the distance from the note's bytes to the control block, for readers of the mapped file: a distance needs no
 * relocation and no symbol. */
__asm__(".pushsection .note.dwell, \"a\", %note\n"
	".balign 4\n"
	".long 6, 8, 1\n"
	".asciz \"dwell\"\n"
	".balign 4\n"
	".quad dwell_control - .\n"
	".popsection\n");

static void handle_request_now(const char *unused, uint64_t lost);
static void release_now(const char *unused, uint64_t how_far);

static void copy_path(char *to, const char *from)
{
	unsigned n = 0;

	for (; n + 1 < DWELL_CONTROL_PATH_BYTES && from[n]; n++)
		to[n] = from[n];
	to[n] = 0;
}

void control_begin(const char *session)
{
	copy_path(dwell_control.session, session);
	dwell_control.gates = (uint64_t)gates;
	dwell_control.on = agent.on;
	dwell_control.handle_request = (uint64_t)&handle_request_now;
	dwell_control.release = (uint64_t)&release_now;
	__atomic_store_n(&dwell_control.begun, 1, __ATOMIC_RELEASE);
}

void control_add_gate(void *byte, uint8_t on, uint8_t off)
{
	uint32_t index = dwell_control.gate_count;

	do
		if (index >= DWELL_CONTROL_GATES_MAX)
			return;
	while (!__atomic_compare_exchange_n(
		&dwell_control.gate_count, &index, index + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	gates[index].on = on;
	gates[index].off = off;
	__atomic_store_n(&gates[index].address, (uint64_t)byte, __ATOMIC_RELEASE);
}

const struct dwell_gate *control_gate(uint32_t index)
{
	if (index >= dwell_control.gate_count || !__atomic_load_n(&gates[index].address, __ATOMIC_ACQUIRE))
		return 0;
	return &gates[index];
}

void control_set_on(bool on)
{
	agent.on = on;
	dwell_control.on = on;
}

/* Takes the right to handle a request or to follow the throttle. False: another thread has the right, or adopts modules, and goes
 * first. */
static bool take_turn(void)
{
	uint32_t nobody = 0;

	if (!__atomic_compare_exchange_n(&handling_request, &nobody, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return false;
	if (!modules_are_adopted())
		return true;
	__atomic_store_n(&handling_request, 0, __ATOMIC_SEQ_CST);
	return false;
}

bool control_is_handling(void)
{
	return __atomic_load_n(&handling_request, __ATOMIC_SEQ_CST);
}

/* Takes the switch; false: another thread has it. Only the thread with the switch turns recording on or off, joins, or switches
 * gates, and only with signals blocked. A page of code is writable during a change, and must not become read-only during another
 * thread's change. And a state read as on or off must still hold when the thread acts on this state. */
static bool take_switch(void)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&switching, &nobody, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void release_switch(void)
{
	__atomic_store_n(&switching, 0, __ATOMIC_SEQ_CST);
}

/* pre: the switch is taken. */
static void close_hooks(void)
{
	const struct dwell_session *session;

	hooks_switch(false);
	/* A process outside first writes its request or order, and then opens the gates: the call above may have closed some of
	 * these gates again. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	session = agent.session;
	if (dwell_control.request != agent.handled_request || (session && !session->closed && session->order != agent.order))
		hooks_switch(true);
}

/* switches: also close the gates; otherwise the process outside does so. */
static void turn_off(bool switches)
{
	if (!agent.session || !agent.on)
		return;
	control_set_on(false);
	agent.stop_ticks = port_now();
	agent.may_miss_entries = 1;
	if (switches)
		close_hooks();
}

static void turn_on(bool switches)
{
	struct dwell_session *session = agent.session;
	struct dwell_session_slot *slots;

	if (!session || agent.on || agent.is_confined || session->closed)
		return;
	slots = dwell_session_slots(session);
	for (uint32_t i = 0; i < session->slots_used && i < dwell_session_layout(session)->slot_count; i++) {
		struct dwell_ring *ring = dwell_session_ring(session, i);

		if (!ring || dwell_session_state_of(slots[i].state) != DWELL_SESSION_LIVE || slots[i].process != agent.process)
			continue;
		/* A stale epoch sends the thread's next event to the slow path, which writes OFF and ON. */
		ring->stop_ticks = agent.stop_ticks;
		ring->resume = 1;
		ring->epoch = ~(uint32_t)(port_now() >> 32);
	}
	control_set_on(true);
	if (switches)
		hooks_switch(true);
}

/* Turns recording on or off for the program itself. Waits for the switch, since the program's call is not in the path of an event;
 * does nothing if the wait takes a second. */
static void turn(bool on)
{
	uint64_t mask = system_block_signals();

	for (int i = 0; i < SWITCH_WAITS; i++) {
		if (take_switch()) {
			if (on)
				turn_on(true);
			else
				turn_off(true);
			release_switch();
			break;
		}
		system_sleep_ns(SWITCH_WAIT_NS);
	}
	system_restore_signals(mask);
}

void dwell_start(void)
{
	if (agent.session)
		turn(true);
}

void dwell_stop(void)
{
	if (agent.session)
		turn(false);
}

bool control_may_pause(enum control_may may)
{
	if (is_called)
		dwell_control.may_pause = may;
	return is_called;
}

/* Leaves the current session and joins the requested one. */
static int join(uint32_t request)
{
	static char path[DWELL_CONTROL_PATH_BYTES];
	int error;

	copy_path(path, dwell_control.request_session);
	control_set_on(false);
	membership_end();
	error = membership_begin(path);
	if (error)
		return error;
	copy_path(dwell_control.session, path);
	agent.restores = plans_are_wanted(true);
	joined = request;
	return 0;
}

/* Handles a request: joins the session, unless an earlier try has joined it, and plans the changes of code. */
static void handle_request(uint32_t request)
{
	int error = joined == request ? 0 : join(request);

	if (!error)
		modules_plan();
	dwell_control.error = error;
	agent.handled_request = request;
	agent.may_miss_entries = 1;
	__atomic_store_n(&dwell_control.answered, request, __ATOMIC_RELEASE);
	/* A caller from outside opens and closes the gates itself, so that the borrowed thread need not wait. */
	if (!agent.on && !is_called)
		close_hooks();
}

/* Handles the current request, if it is for this process. called: by a call from outside, not by an event. */
static void follow_request(bool called)
{
	uint32_t request = __atomic_load_n(&dwell_control.request, __ATOMIC_ACQUIRE);
	uint64_t mask;

	/* A child between vfork and exec runs in its parent's memory, but the request is not for the child. */
	if (dwell_control.request_pid != system_pid())
		return;
	/* Blocks signals, since a handler could jump out of here and leave the request half handled. */
	mask = system_block_signals();
	if (take_switch()) {
		if (take_turn()) {
			is_called = called;
			if (request != agent.handled_request)
				handle_request(request);
			is_called = false;
			__atomic_store_n(&handling_request, 0, __ATOMIC_SEQ_CST);
		}
		release_switch();
	}
	system_restore_signals(mask);
}

/* Follows a change of the session: it was closed, or an order was given. */
static void follow_session(void)
{
	uint64_t mask = system_block_signals();

	if (take_switch()) {
		const struct dwell_session *session = agent.session; /* agent.session may have changed by now */
		uint32_t order = session->order;
		/* A process that attached opens the gates before its order, and closes them after the next order, to spare the
		 * program's threads this work. An exception is a child forked meanwhile, unknown to that process. */
		bool outside = agent.restores && !agent.is_copy;

		if (session->closed) {
			turn_off(!outside || (order & 1)); /* closed while recording: the process outside was killed */
		} else if (order != agent.order) {
			agent.order = order;
			agent.may_miss_entries = 1;
			if (order & 1)
				turn_on(!outside);
			else
				turn_off(!outside);
		}
		release_switch();
	}
	system_restore_signals(mask);
}

/* Follows the throttle's requests. If another thread must not be disturbed now, the next event tries again. */
static void follow_throttle(void)
{
	uint64_t mask = system_block_signals();

	if (take_switch()) {
		if (take_turn()) {
			if (!agent.session->closed && agent.session->throttled != agent.throttled)
				throttle_follow(agent.session);
			__atomic_store_n(&handling_request, 0, __ATOMIC_SEQ_CST);
		}
		release_switch();
	}
	system_restore_signals(mask);
}

/* Lets the thread begin again if its ring belongs to an earlier session. */
static void begin_again(struct dwell_thread *thread)
{
	uint64_t mask = system_block_signals();

	if (thread->generation != agent.generation) {
		thread->ring = 0;
		thread->state = DWELL_THREAD_NEW;
		thread->generation = agent.generation;
	}
	system_restore_signals(mask);
}

bool control_admit(struct dwell_thread *thread)
{
	struct dwell_session *session;
	struct dwell_ring *work;

	if (thread->libc_depth) /* the agent itself has called the function */
		return false;
	if (dwell_control.request != agent.handled_request)
		follow_request(false);
	session = agent.session;
	if (!session)
		return false;
	if (session->closed ? agent.on : session->order != agent.order)
		follow_session();
	/* The recording is closed or off; or another thread has the switch, and the order is not followed yet. */
	if (session->closed || !agent.on || session->order != agent.order)
		return false;
	if (session->throttled != agent.throttled) {
		work = dwell_trace_work_begin(thread);
		follow_throttle();
		dwell_trace_work_end(thread, work);
	}
	if (thread->generation != agent.generation)
		begin_again(thread);
	return true;
}

/* Called from outside, in a thread that was stopped anywhere in the program; no hook leads here. */
static void handle_request_now(const char *unused, uint64_t lost)
{
	(void)unused;
	if (lost && dwell_control.may_pause) {
		dwell_control.may_pause = 0; /* the process outside does not put this call aside before may_pause is set again */
		hooks_forget_unfinished();
		is_called = false;
		handling_request = 0;
		switching = 0;
	}
	if (dwell_control.request != agent.handled_request)
		follow_request(true);
}

/* Leaves the session. all: also unmaps everything that was left before; pre: no thread is in the agent. */
static void release(bool all)
{
	control_set_on(false);
	membership_end();
	agent.restores = false;
	if (all) {
		membership_release();
		filter_release();
	}
}

static void release_now(const char *unused, uint64_t how_far)
{
	uint64_t mask = system_block_signals();

	(void)unused;
	if (take_switch()) {
		if (take_turn()) {
			if (dwell_control.request == agent.handled_request && (!agent.session || agent.session->closed))
				release(how_far > 0);
			__atomic_store_n(&handling_request, 0, __ATOMIC_SEQ_CST);
		}
		release_switch();
	}
	system_restore_signals(mask);
}

void control_begin_child(void)
{
	handling_request = 0;
	switching = 0;
	is_called = false;
	dwell_control.may_pause = 0;
	agent.handled_request = dwell_control.request;
}
