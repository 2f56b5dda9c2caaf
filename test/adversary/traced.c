#include "traced.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge.h"
#include "port/os/linux/agent.h"
#include "trial.h"

#define LIMIT_SECONDS 5

const char traced_refused[] = "this system does not let a process be traced";

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	(void)number;
	handled = 1;
	trial_call_handler(__builtin_return_address(0));
}

static bool be_traced(void)
{
	alarm(LIMIT_SECONDS);
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 && kill(getpid(), SIGSTOP) == 0;
}

/* In the process that is traced: forked, so its only thread has recorded nothing yet. Its exit status: 0, or a message was
 * printed. */
static int first_event(void)
{
	struct truth truth = {.event = TRIAL_EVENT, .handler = trial_handler, .after = TRIAL_AFTER, .begin_ticks = port_now()};
	struct dwell_session *session = agent.session;
	uint64_t refused = session->lost_setup + session->lost_events;
	struct sigaction action = {.sa_handler = on_signal};
	const char *problem;

	sigaction(SIGUSR1, &action, NULL);
	if (!be_traced())
		return 77;
	trial_call(TRIAL_EVENT, DWELL_ENTER, NULL);
	kill(getpid(), SIGSTOP);
	trial_call(TRIAL_AFTER, DWELL_ENTER, NULL);
	truth.end_ticks = port_now();
	truth.refused = session->lost_setup + session->lost_events - refused;
	truth.may_lose = truth.refused != 0;
	truth.handler_count = handled ? 4 : 0;
	if (port_thread()->state != DWELL_THREAD_RECORDING)
		problem = "the thread does not record";
	else
		problem = judge(port_thread()->ring, &truth);
	if (problem)
		printf("# %s\n", problem);
	fflush(stdout);
	return problem != NULL;
}

/* In the process that is traced. */
static int tell(void)
{
	uint64_t payload[3] = {1, 2, 3};

	if (!be_traced())
		return 77;
	journal_append(DWELL_CHUNK_CLOCK, payload, sizeof payload);
	kill(getpid(), SIGSTOP);
	return 0;
}

/* Whether record, once it has lost its patience with those that are not filled in, finds an entry of the process from pos on. */
static bool is_told(uint64_t pos, uint32_t process, uint64_t first_word)
{
	for (;;) {
		const struct dwell_session_entry *entry = parts_journal(agent.session, pos);

		if (!entry->claim)
			return false;
		if (entry->ready && (uint32_t)entry->claim == process && *(const uint64_t *)(entry + 1) == first_word)
			return true;
		pos += sizeof *entry + (entry->claim >> 32);
	}
}

/* As record does when a thread has ended and its ring is drained. Slot 0 is the tracer's own. */
static void free_slots(void)
{
	struct dwell_session_slot *slots = dwell_session_slots(agent.session);

	for (uint32_t i = 1; i < agent.session->slots_used; i++) {
		struct dwell_ring *ring = parts_ring(agent.session, i);

		if (dwell_session_state_of(slots[i].state) != DWELL_SESSION_LIVE)
			continue;
		for (dwell_pos at = 0; at < ring->pos && at < ring->bytes; at += DWELL_SLOT_BYTES)
			*dwell_ring_slot(ring, at) = 0;
		slots[i].state = DWELL_SESSION_FREE;
	}
}

static void poke_byte(pid_t pid, uint8_t *at, uint8_t byte)
{
	void *word = (void *)((uintptr_t)at & ~7ul);
	unsigned shift = 8 * ((uintptr_t)at & 7);
	unsigned long value = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, word, NULL);

	value = (value & ~(0xfful << shift)) | (unsigned long)byte << shift;
	ptrace(PTRACE_POKETEXT, pid, word, value);
}

/* Follows the process to its end, and sends it a signal before the instruction. Its wait status. */
static int trace(pid_t pid, uint8_t *at, int signal_there, bool *hit)
{
	uint8_t byte = *at;
	bool began = false;
	int status, signal;

	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		struct user_regs_struct registers;

		signal = WSTOPSIG(status);
		if (signal == SIGSTOP) {
			poke_byte(pid, at, began ? byte : 0xcc);
			began = true;
			signal = 0;
		} else if (signal == SIGTRAP && !*hit) {
			ptrace(PTRACE_GETREGS, pid, NULL, &registers);
			registers.rip = (uintptr_t)at;
			ptrace(PTRACE_SETREGS, pid, NULL, &registers);
			poke_byte(pid, at, byte);
			*hit = true;
			signal = signal_there; /* kept by the kernel until it is unblocked */
		}
		ptrace(PTRACE_CONT, pid, NULL, (void *)(long)signal);
	}
	return status;
}

static const char *run(int (*child)(void), uint8_t *at, int signal_there, bool *hit)
{
	pid_t pid;
	int status;

	*hit = false;
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(child());
	if (pid < 0)
		return "no process";
	status = trace(pid, at, signal_there, hit);
	if (signal_there == SIGKILL && *hit && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return NULL;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NULL;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return traced_refused;
	return WIFEXITED(status) ? "see above" : "the process died of a signal";
}

const char *traced_begin(uint8_t *at, bool *hit)
{
	const char *problem = run(first_event, at, SIGUSR1, hit);

	free_slots();
	return problem;
}

const char *traced_message(uint8_t *at, bool *hit)
{
	uint64_t begin = agent.session->journal_pos, payload[3] = {begin, 5, 6};
	const char *problem = run(tell, at, SIGKILL, hit);

	if (problem)
		return problem;
	if (!journal_append(DWELL_CHUNK_CLOCK, payload, sizeof payload) || !is_told(begin, agent.process, begin))
		return "what was told afterwards does not arrive";
	return NULL;
}
