/* SPDX-License-Identifier: MIT
 *
 * Recording that is turned on and off from outside; see control.h. Everything here is on the slow path.
 */
#include "port/os/linux/agent.h"
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

/* Where the control block is, for who has only the mapped file: no relocation, no symbol. */
__asm__(".pushsection .note.dwell, \"a\", %note\n"
	".balign 4\n"
	".long 6, 8, 1\n"
	".asciz \"dwell\"\n"
	".balign 4\n"
	".quad dwell_control - .\n"
	".popsection\n");

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

/* Leaves the session there was and joins the one that was asked for. */
static void attend(uint32_t request)
{
	static char path[DWELL_CONTROL_PATH_BYTES];
	int error;

	copy_path(path, dwell_control.request_session);
	control_set_on(false);
	membership_end();
	error = membership_begin(path);
	if (!error)
		copy_path(dwell_control.session, path);
	dwell_control.error = error;
	agent.attended = request;
	agent.began_late = 1;
	__atomic_store_n(&dwell_control.answered, request, __ATOMIC_RELEASE);
	if (!agent.on)
		hooks_switch(false);
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
	if (take_turn()) {
		if (request != agent.attended)
			attend(request);
		__atomic_store_n(&attending, 0, __ATOMIC_SEQ_CST);
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
	if (session->closed) {
		if (agent.on)
			dwell_stop();
		return false;
	}
	if (session->order != agent.order) {
		uint32_t order = session->order;

		agent.order = order;
		agent.began_late = 1;
		if (order & 1)
			dwell_start();
		else
			dwell_stop();
	}
	if (!agent.on)
		return false;
	if (thread->generation != agent.generation)
		begin_again(thread);
	return true;
}

void control_begin_child(void)
{
	attending = 0;
	agent.attended = dwell_control.request;
}
