#include "trial.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "judge.h"
#include "port/cpu/x86_64/stubs.h"
#include "port/os/linux/agent.h"
#include "port/os/linux/filter.h"

#define BEFORE 0x10000000u
#define FILL_PAIRS 520u /* more than two blocks */
#define RING_BYTES_MAX (64u * 1024u)

/* The handler's events: every one has a place of its own, so that each can be found again. */
const uint64_t trial_handler[4] = {0x20000000, 0x20000010, 0x20000010 | 1, 0x20000000 | 1};
static uint64_t filling[2 * FILL_PAIRS];
/* Of these what is recorded where calls of the inner function are counted. */
static const uint64_t counting_handler[2] = {0x20000000, 0x20000000 | 1};
#define COUNTER 200u

static struct {
	uint8_t *at, byte; /* the breakpoint, and what is under it */
	bool fills, frees;
	volatile bool hit;
} trap;

static struct {
	const struct points *points;
	bool *reached;
	uint8_t *under;
} survey;

/* stub.S: what sites jump to where values are wanted. */
extern const uint8_t dwell_site_values[];

/* The ring as it was prepared. */
static uint64_t saved[RING_BYTES_MAX / 8 + DWELL_RING_HEADER_BYTES / 8];
static struct dwell_thread saved_thread;

static struct dwell_ring *the_ring(void)
{
	return parts_ring(agent.session, 0);
}

static void copy_words(volatile uint64_t *to, const volatile uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = from[i];
}

void trial_call(uint64_t place, enum dwell_event_kind kind, void *site)
{
	/* One call, and not a direct one: nothing here looks like the host of an inlined function. */
	void (*volatile hook)(void *, void *) = kind == DWELL_ENTER ? dwell_own_enter : dwell_own_exit;

	hook((void *)(uintptr_t)place, site);
}

static void call_all(const uint64_t *words, unsigned count, void *site)
{
	for (unsigned i = 0; i < count; i++)
		trial_call(words[i] & ~1ull, words[i] & 1 ? DWELL_EXIT : DWELL_ENTER, i ? (void *)call_all : site);
}

void trial_call_handler(void *site)
{
	call_all(trial_handler, 4, site);
}

/* Where it is, in a survey. */
static bool pass(uint8_t *at)
{
	for (unsigned i = 0; survey.points && i < survey.points->count; i++) {
		if (survey.points->list[i].at != at)
			continue;
		survey.reached[i] = true;
		*(volatile uint8_t *)at = survey.under[i];
		return true;
	}
	return false;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	if (pass((uint8_t *)(uintptr_t)registers[REG_RIP] - 1)) {
		registers[REG_RIP]--;
		return;
	}
	if (!trap.at)
		abort();
	*(volatile uint8_t *)trap.at = trap.byte;
	/* Inside of a restartable sequence the kernel has moved us to its abort handler already. */
	if (registers[REG_RIP] == (greg_t)(uintptr_t)trap.at + 1)
		registers[REG_RIP]--;
	trap.at = NULL;
	trap.hit = true;
	if (trap.frees)
		the_ring()->consumed = the_ring()->pos & ~(dwell_pos)(DWELL_BLOCK_BYTES - 1);
	/* Called by the kernel: so is what this calls, as far as the recorder can see. */
	if (trap.fills)
		call_all(filling, 2 * FILL_PAIRS, __builtin_return_address(0));
	else
		trial_call_handler(__builtin_return_address(0));
}

void trial_begin(void)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};

	/* One call around many short ones. */
	for (unsigned i = 1; i < FILL_PAIRS; i++) {
		filling[2 * i - 1] = 0x30000000 + 16 * i;
		filling[2 * i] = filling[2 * i - 1] | 1;
	}
	filling[0] = 0x30000000;
	filling[2 * FILL_PAIRS - 1] = filling[0] | 1;
	sigaction(SIGTRAP, &action, NULL);
}

static void fill_to(struct dwell_ring *ring, unsigned slots_left)
{
	/* A ring in its second lap: what lies ahead is old. */
	dwell_pos lap = ring->mode == DWELL_MODE_RING ? ring->bytes : 0;

	while (ring->pos < lap + 2 * DWELL_BLOCK_BYTES - slots_left * DWELL_SLOT_BYTES)
		trial_call(BEFORE, ring->pos & DWELL_SLOT_BYTES ? DWELL_ENTER : DWELL_EXIT, NULL);
}

/* The event's function, and the inner one of the handler's. */
static void choose(const struct trial *trial)
{
	uint8_t mark = trial->from == TRIAL_COUNTED ? COUNTER : 0;

	if (!filter_map)
		return;
	filter_set(TRIAL_EVENT, mark);
	filter_set(trial_handler[1], mark);
}

void trial_prepare(const struct trial *trial)
{
	struct dwell_thread *thread = port_thread();
	uint64_t bytes = dwell_session_layout(agent.session)->slot_bytes;
	struct dwell_ring *ring = dwell_ring_begin(the_ring(), DWELL_RING_HEADER_BYTES, bytes, trial->mode, false);

	if (!ring || bytes > sizeof saved)
		abort();
	choose(trial);
	*dwell_throttle_counter(ring, COUNTER) = 0;
	agent.session->args = trial->from == TRIAL_VALUES ? DWELL_ARGS_MAX : 0;
	ring->populated = ring->bytes; /* no need to ask the kernel */
	dwell_thread_begin(thread, ring);
	fill_to(ring, trial->slots_left);
	if (trial->state == TRIAL_UNWOUND)
		dwell_trace_unwind(thread, DWELL_TAG_UNWIND_JUMP, 0);
	copy_words(saved, (uint64_t *)ring, bytes / 8);
	saved_thread = *thread;
}

/* What is left of the room: no more than this block. */
static void make_full(struct dwell_ring *ring)
{
	dwell_pos end = (ring->pos + DWELL_BLOCK_BYTES - 1) & ~(dwell_pos)(DWELL_BLOCK_BYTES - 1);

	if (ring->mode == DWELL_MODE_LINEAR)
		ring->bytes = end; /* as if it were so small */
	else
		ring->consumed = end - ring->bytes; /* before the beginning, which counts as well */
}

static void set_state(const struct trial *trial, struct dwell_ring *ring, struct truth *truth)
{
	volatile uint64_t *block;

	truth->may_doubt = trial->state == TRIAL_UNWOUND || trial->state == TRIAL_RESUME || trial->action == TRIAL_UNWIND;
	switch (trial->state) {
	case TRIAL_STALE:
		/* As if all of the block were from the epoch before. */
		block = dwell_ring_slot(ring, (ring->pos - DWELL_SLOT_BYTES) & ~(dwell_pos)(DWELL_BLOCK_BYTES - 1));
		*block = dwell_slot_make(DWELL_TAG_TIME, --ring->last_tag);
		ring->epoch = ring->last_tag;
		break;
	case TRIAL_GAP:
		ring->gap_events = truth->gap[0] = 3;
		ring->gap_pops = truth->gap[1] = 1;
		ring->gap_pushes = truth->gap[2] = 2;
		ring->lost_events = truth->lost_before = 3;
		ring->epoch--; /* a gap is said by the slow path, which is where it comes to be */
		break;
	case TRIAL_FULL:
	case TRIAL_FREED:
		make_full(ring);
		truth->may_lose = true;
		break;
	case TRIAL_RESUME:
		truth->is_off = true;
		ring->stop_ticks = truth->stop_ticks = port_now();
		ring->resume = DWELL_RESUME_DUE;
		ring->epoch = ~ring->epoch;
		break;
	default:
		break;
	}
}

/* Code, as call sites are: the recorder may look at it. It says an address inside the call, two bytes before. */
static void *landing_site(void)
{
	return (void *)landing_site;
}

/* What a function is given and returns: with and without a high half. */
static const uint64_t args[DWELL_ARGS_MAX] = {5, 0x7ffcabcdef10, ~0ull, 0, 1ull << 32, 0x80000000};
static const uint64_t result[] = {0xfedcba9876543210};

/* As a patched site does it: a call of a thunk, and where the function was called from above that. Before a tail jump for choice:
 * more is kept then. False: a register is not what it was. */
static bool call_site(void *stub, uint32_t low_word, void *site)
{
	register uint64_t r8 __asm__("r8") = args[4], r9 __asm__("r9") = args[5], r10 __asm__("r10") = low_word;
	register void *r11 __asm__("r11") = stub;
	uint64_t rdi = args[0], rsi = args[1], rdx = args[2], rcx = args[3], rax = result[0];

	__asm__ volatile("sub $128, %%rsp\n\tpush %[site]\n\tcall 1f\n\tadd $136, %%rsp\n\tjmp 2f\n"
			 "1:	mov %%r10d, -24(%%rsp)\n\tjmp *%%r11\n"
			 "2:"
			 : "+D"(rdi), "+S"(rsi), "+d"(rdx), "+c"(rcx), "+a"(rax), "+r"(r8), "+r"(r9), "+r"(r10), "+r"(r11)
			 : [site] "b"(site)
			 : "memory", "cc");
	return rdi == args[0] && rsi == args[1] && rdx == args[2] && rcx == args[3] && r8 == args[4] && r9 == args[5] &&
	       rax == result[0] && r10 == low_word;
}

/* False: a register is not what it was. */
static bool act(const struct trial *trial)
{
	uint32_t low_word = TRIAL_EVENT | (trial->action == TRIAL_EXIT);
	struct stubs stubs = stubs_general();

	if (trial->from == TRIAL_VALUES)
		return call_site((void *)dwell_site_values, low_word, landing_site());
	if (trial->from == TRIAL_SITE)
		return call_site(low_word & 1 ? stubs.site_keeping : stubs.site, low_word, landing_site());
	if (trial->action == TRIAL_UNWIND)
		dwell_trace_unwind(port_thread(), DWELL_TAG_UNWIND_JUMP, 0);
	else
		trial_call(TRIAL_EVENT, trial->action == TRIAL_ENTER ? DWELL_ENTER : DWELL_EXIT, landing_site());
	return true;
}

/* From where trial_prepare left off. */
static struct dwell_ring *restart(const struct trial *trial, struct truth *truth)
{
	struct dwell_ring *ring = the_ring();

	copy_words((uint64_t *)ring, saved, dwell_session_layout(agent.session)->slot_bytes / 8);
	*port_thread() = saved_thread;
	truth->begin = ring->pos;
	truth->begin_ticks = port_now();
	set_state(trial, ring, truth);
	return ring;
}

void trial_survey(const struct trial *trial, const struct points *points, bool *reached)
{
	static uint8_t under[POINTS_MAX];
	struct truth truth = {0};

	restart(trial, &truth);
	survey.reached = reached;
	survey.under = under;
	survey.points = points;
	for (unsigned i = 0; i < points->count; i++) {
		reached[i] = points->list[i].restarts;
		under[i] = *points->list[i].at;
		if (!points->list[i].restarts)
			*(volatile uint8_t *)points->list[i].at = 0xcc;
	}
	act(trial);
	for (unsigned i = 0; i < points->count; i++)
		*(volatile uint8_t *)points->list[i].at = under[i];
	survey.points = NULL;
}

/* Enters of those that are not recorded: none more, and none fewer. */
static const char *judge_counter(const struct trial *trial, struct dwell_ring *ring)
{
	uint64_t calls = (trial->action == TRIAL_ENTER) + (trap.hit && !trial->fills);

	if (trial->from != TRIAL_COUNTED || *dwell_throttle_counter(ring, COUNTER) == calls)
		return NULL;
	return "calls were not counted, or counted twice";
}

const char *trial_run(const struct trial *trial, uint8_t *at, bool *hit)
{
	struct dwell_ring *ring;
	const char *problem;
	bool kept, counted = trial->from == TRIAL_COUNTED;
	/* An exit says by itself where it landed, if it is recorded. */
	bool lands = trial->action == TRIAL_UNWIND ||
		     ((trial->state == TRIAL_UNWOUND || trial->state == TRIAL_RESUME) && (trial->action == TRIAL_ENTER || counted));
	struct truth truth = {
		.handler = trial->fills ? filling : counted ? counting_handler : trial_handler,
		.after = TRIAL_AFTER,
		.event = trial->action == TRIAL_UNWIND || counted ? 0 : TRIAL_EVENT,
		.kind = trial->action == TRIAL_EXIT ? DWELL_EXIT : DWELL_ENTER,
		.values = trial->action == TRIAL_EXIT ? result : args,
		.value_count = trial->from != TRIAL_VALUES ? 0 : trial->action == TRIAL_EXIT ? 1 : DWELL_ARGS_MAX,
		.landing = lands ? (uint32_t)(uintptr_t)landing_site() - 2 : 0,
	};

	ring = restart(trial, &truth);
	/* While it zeroes a block, a ring without restartable sequences refuses a handler that needs that very one. */
	truth.may_lose |= trial->mode == DWELL_MODE_RING && !ring->commits_last && trial->fills;
	trap.frees = trial->state == TRIAL_FREED;
	trap.fills = trial->fills;
	trap.hit = false;
	trap.at = at;
	trap.byte = *at;
	*(volatile uint8_t *)at = 0xcc;
	kept = act(trial);
	if (!trap.hit) {
		*(volatile uint8_t *)at = trap.byte;
		trap.at = NULL;
	}
	*hit = trap.hit;
	trial_call(TRIAL_AFTER, DWELL_ENTER, landing_site());
	truth.end_ticks = port_now();
	truth.handler_count = !trap.hit ? 0 : trial->fills ? 2 * FILL_PAIRS : counted ? 2 : 4;
	if (truth.may_lose && ring->lost_events != truth.lost_before)
		truth.landing = 0; /* it may be what was lost */
	problem = kept ? judge(ring, &truth) : "a register is not what it was";
	return problem ? problem : judge_counter(trial, ring);
}

const char *trial_name(const struct trial *trial)
{
	static const char *const modes[] = {"stream", "ring", "linear"}, *const actions[] = {"enter", "exit", "unwind"},
				 *const states[] = {"plain", "new epoch", "gap", "full", "stop", "unwound", "freed"},
				 *const froms[] = {"", "site ", "site with values ", "counted "};
	static char name[128];

	snprintf(name, sizeof name, "%s, %s, %s%s, %u slots left, handler %s", modes[trial->mode], states[trial->state],
		froms[trial->from], actions[trial->action], trial->slots_left, trial->fills ? "fills blocks" : "calls twice");
	return name;
}
