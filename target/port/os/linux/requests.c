/* SPDX-License-Identifier: MIT
 *
 * Recording that is turned on and off from outside; see control.h. Everything here is on the slow path.
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
static volatile uint32_t attending;
static volatile uint32_t switching; /* a thread turns recording on or off, or joins a session */

#define SWITCH_WAIT_NS 50000u
#define SWITCH_WAITS 20000 /* a second. Longer it takes only where it was copied by a fork that nobody told about */

/* Where the control block is, for who has only the mapped file: no relocation, no symbol. */
__asm__(".pushsection .note.dwell, \"a\", %note\n"
	".balign 4\n"
	".long 6, 8, 1\n"
	".asciz \"dwell\"\n"
	".balign 4\n"
	".quad dwell_control - .\n"
	".popsection\n");

static void attend_now(void);
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
	dwell_control.attend = (uint64_t)&attend_now;
	dwell_control.release = (uint64_t)&release_now;
	__atomic_store_n(&dwell_control.begun, 1, __ATOMIC_RELEASE);
}

void control_add_gate(void *byte, uint8_t on, uint8_t off)
{
	uint32_t index = dwell_control.gate_count;

	do
		if (index >= DWELL_CONTROL_GATES_MAX)
			return;
	while (!__atomic_compare_exchange_n(&dwell_control.gate_count, &index, index + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
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

/* Whoever looks at the modules now, or at a request, goes first. */
static bool take_turn(void)
{
	uint32_t nobody = 0;

	if (!__atomic_compare_exchange_n(&attending, &nobody, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return false;
	if (!modules_are_adopted())
		return true;
	__atomic_store_n(&attending, 0, __ATOMIC_SEQ_CST);
	return false;
}

bool control_is_attending(void)
{
	return __atomic_load_n(&attending, __ATOMIC_SEQ_CST);
}

/* Code is writable for a moment while it is changed, and must not cease to be while another thread changes it, too; and what is found on or
 * off must still be so when it is acted on. So one thread at a time does any of that, with its signals blocked. */
static bool take_switch(void)
{
	uint32_t nobody = 0;

	return __atomic_compare_exchange_n(&switching, &nobody, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void release_switch(void)
{
	__atomic_store_n(&switching, 0, __ATOMIC_SEQ_CST);
}

/* The switch is taken. */
static void close_hooks(void)
{
	const struct dwell_session *session;

	hooks_switch(false);
	/* Whoever asks for something writes that first, and opens the gates then: some were closed behind him. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	session = agent.session;
	if (dwell_control.request != agent.attended || (session && !session->closed && session->order != agent.order))
		hooks_switch(true);
}

static void turn_off(void)
{
	if (!agent.session || !agent.on)
		return;
	control_set_on(false);
	agent.stop_ticks = port_now();
	agent.began_late = 1;
	close_hooks();
}

static void turn_on(void)
{
	struct dwell_session *session = agent.session;
	struct dwell_session_slot *slots;

	if (!session || agent.on || session->closed)
		return;
	slots = dwell_session_slots(session);
	for (uint32_t i = 0; i < session->slots_used && i < dwell_session_layout(session)->slot_count; i++) {
		struct dwell_ring *ring = dwell_session_ring(session, i);

		if (dwell_session_state_of(slots[i].state) != DWELL_SESSION_LIVE || slots[i].process != agent.process)
			continue;
		/* A stale epoch sends the thread's next event the slow way, which says OFF and ON. */
		ring->stop_ticks = agent.stop_ticks;
		ring->resume = 1;
		ring->epoch = ~(uint32_t)(port_now() >> 32);
	}
	control_set_on(true);
	hooks_switch(true);
}

/* The program's own wish is waited for: it is not on the way of an event. */
static void turn(bool on)
{
	uint64_t mask = system_block_signals();

	for (int i = 0; i < SWITCH_WAITS; i++) {
		if (take_switch()) {
			if (on)
				turn_on();
			else
				turn_off();
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

/* Leaves the session there was and joins the one that was asked for. */
static void attend(uint32_t request)
{
	static char path[DWELL_CONTROL_PATH_BYTES];
	int error;

	copy_path(path, dwell_control.request_session);
	control_set_on(false);
	membership_end();
	error = membership_begin(path);
	if (!error) {
		copy_path(dwell_control.session, path);
		agent.restores = plans_are_wanted(true);
		modules_plan();
	}
	dwell_control.error = error;
	agent.attended = request;
	agent.began_late = 1;
	__atomic_store_n(&dwell_control.answered, request, __ATOMIC_RELEASE);
	if (!agent.on)
		close_hooks();
}

static void look_at_request(void)
{
	uint32_t request = __atomic_load_n(&dwell_control.request, __ATOMIC_ACQUIRE);
	uint64_t mask;

	/* A child between vfork and exec runs in its parent's memory, and is not meant. */
	if (dwell_control.request_pid != system_pid())
		return;
	/* A handler must not come in between, and leave it undone by a jump. */
	mask = system_block_signals();
	if (take_switch()) {
		if (take_turn()) {
			if (request != agent.attended)
				attend(request);
			__atomic_store_n(&attending, 0, __ATOMIC_SEQ_CST);
		}
		release_switch();
	}
	system_restore_signals(mask);
}

/* The session was closed, or an order was given in it. */
static void follow_session(void)
{
	uint64_t mask = system_block_signals();

	if (take_switch()) {
		const struct dwell_session *session = agent.session; /* by now that may be another one */
		uint32_t order = session->order;

		if (session->closed) {
			turn_off();
		} else if (order != agent.order) {
			agent.order = order;
			agent.began_late = 1;
			if (order & 1)
				turn_on();
			else
				turn_off();
		}
		release_switch();
	}
	system_restore_signals(mask);
}

/* Record asks for functions to be left out. Where another thread is at something that must not be disturbed, the next event looks again. */
static void look_at_throttle(void)
{
	uint64_t mask = system_block_signals();

	if (take_switch()) {
		if (take_turn()) {
			if (!agent.session->closed && agent.session->throttled != agent.throttled)
				throttle_follow(agent.session);
			__atomic_store_n(&attending, 0, __ATOMIC_SEQ_CST);
		}
		release_switch();
	}
	system_restore_signals(mask);
}

/* The thread's ring is of an earlier session. */
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

bool control_look(struct dwell_thread *thread)
{
	struct dwell_session *session;

	if (dwell_control.request != agent.attended)
		look_at_request();
	session = agent.session;
	if (!session)
		return false;
	if (session->closed ? agent.on : session->order != agent.order)
		follow_session();
	/* Not followed: another thread is just at something like it. */
	if (session->closed || !agent.on || session->order != agent.order)
		return false;
	if (session->throttled != agent.throttled)
		look_at_throttle();
	if (thread->generation != agent.generation)
		begin_again(thread);
	return true;
}

/* Called from outside, by a thread that was stopped anywhere in the program: nobody's hook leads here. */
static void attend_now(void)
{
	if (dwell_control.request != agent.attended)
		look_at_request();
}

static void release(bool all)
{
	control_set_on(false);
	close_hooks();
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
			if (dwell_control.request == agent.attended && (!agent.session || agent.session->closed))
				release(how_far > 0);
			__atomic_store_n(&attending, 0, __ATOMIC_SEQ_CST);
		}
		release_switch();
	}
	system_restore_signals(mask);
}

void control_begin_child(void)
{
	attending = 0;
	switching = 0;
	agent.attended = dwell_control.request;
}
