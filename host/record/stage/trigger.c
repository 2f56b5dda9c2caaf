/* trigger: compares calls with their limits, and decides when a snapshot is due. trigger_thread.c reads the rings. */
#include "record/stage/trigger.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/session/clock_rate.h"
#include "record/stage/trigger_thread.h"
#include "util/real.h"
#include "util/units.h"

/* A clock rate measured over this time is precise enough. */
#define RATE_NS UINT64_C(1000000)
/* One snapshot describes this many slow calls, and only counts further slow calls. */
#define PENDING_MAX 16u

/* The results of one rule. */
struct outcome {
	uint64_t calls;      /* judged calls */
	uint64_t slowest_ticks;
	uint64_t slow;       /* calls that took too long */
	uint64_t limit_ticks; /* 0: unknown yet */
};

/* A call that took too long, and has no snapshot yet. */
struct pending {
	struct trigger_call call;
	uint32_t slot, rule, tid, pid;
	uint64_t begin_ticks; /* when the slot's thread began */
	char name[17];        /* of the thread */
	uint64_t first_ticks; /* first time of the slot's ring in the snapshot in progress; UINT64_MAX: not in the snapshot */
};

struct trigger {
	struct watcher watch;
	const struct session *session;
	struct trigger_thread **threads; /* by slot */
	struct outcome outcomes[WATCHER_RULES_MAX];
	struct pending pending[PENDING_MAX];
	uint32_t pending_count;
	uint64_t more_pending;  /* slow calls without a snapshot for which pending has no room */
	bool due;
	uint32_t snapshots, snapshots_max;
	uint64_t with_snapshot, without_snapshot;  /* slow calls with a snapshot, and slow calls without */
	uint64_t missed_slots;  /* slots overwritten before the trigger read them */
	uint64_t missed_times;
	double ticks_per_ns;    /* 0: unknown */
	char *first_path, *first_function; /* path of the first snapshot, and the function that caused it; null: none */
};

/* ---- options ---- */

/* A function's name may contain blanks and '>', so the last '>' counts. */
bool trigger_read_rule(struct watcher_options *options, const char *text, const char **wrong)
{
	const char *sign = strrchr(text, '>'), *end;
	int64_t limit_ns;

	*wrong = "a function and a time, such as 'handle_request > 5ms'";
	if (!sign)
		return false;
	for (end = sign; end > text && (end[-1] == ' ' || end[-1] == '\t'); end--)
		;
	text += strspn(text, " \t");
	if (end <= text) {
		*wrong = "the name of a function in front of the '>'";
		return false;
	}
	sign++;
	sign += strspn(sign, " \t");
	if (!*sign || !units_parse_ns(sign, &limit_ns) || limit_ns <= 0) {
		*wrong = "a time with its unit behind the '>': 500us, 5ms, 1.5s";
		return false;
	}
	*wrong = "16 of them at most";
	return watcher_options_add(options, text, text, (size_t)(end - text), (uint64_t)limit_ns);
}

/* ---- begin, end ---- */

static bool begin(struct stage *stage)
{
	struct trigger *trigger = (struct trigger *)stage;
	const struct session *session = stage->recording->session;

	trigger->session = session;
	trigger->threads = calloc(session->slot_count, sizeof *trigger->threads);
	if (session->shared->waits)
		session->shared->room = trigger_thread_room(session->ring_bytes);
	return trigger->threads;
}

static void clear(struct stage *stage)
{
	struct trigger *trigger = (struct trigger *)stage;

	for (uint32_t i = 0; trigger->threads && i < trigger->session->slot_count; i++)
		free_trigger_thread(trigger->threads[i]);
	free(trigger->threads);
	free(trigger->first_path);
	free(trigger->first_function);
	watcher_clear(&trigger->watch);
}

/* ---- judging ---- */

/* Measures the clock's rate, and converts the limits to ticks. */
static void learn_rate(struct trigger *trigger)
{
	clock_rate_measure(trigger->session, &trigger->watch.stage.recording->first, RATE_NS, &trigger->ticks_per_ns);
	for (uint32_t i = 0; i < trigger->watch.options->rule_count; i++)
		trigger->outcomes[i].limit_ticks =
			real_to_u64((double)trigger->watch.options->rules[i].number * trigger->ticks_per_ns);
}

static uint64_t to_ns(const struct trigger *trigger, uint64_t ticks)
{
	return trigger->ticks_per_ns > 0 ? real_to_u64((double)ticks / trigger->ticks_per_ns) : 0;
}

/* The ring whose calls are judged. slot: the ring's slot in the session. */
struct judge_context {
	struct trigger *trigger;
	uint32_t slot;
};

/* Compares a call with the limit of its rule, and notes a slow call for a snapshot, if more snapshots are allowed. */
static void judge_call(void *context, const struct trigger_call *call)
{
	struct judge_context *judge_context = context;
	struct trigger *trigger = judge_context->trigger;
	struct dwell_session_slot slot;
	struct outcome *outcome;
	struct pending *pending;
	uint32_t rule = 0;

	if (!filter_get_function(trigger->watch.finder, call->function, &rule) || rule >= trigger->watch.options->rule_count)
		return;
	outcome = &trigger->outcomes[rule];
	outcome->calls++;
	if (call->total_ticks > outcome->slowest_ticks)
		outcome->slowest_ticks = call->total_ticks;
	if (call->total_ticks <= outcome->limit_ticks)
		return;
	outcome->slow++;
	if (trigger->snapshots >= trigger->snapshots_max) {
		trigger->without_snapshot++;
		return;
	}
	if (trigger->pending_count == PENDING_MAX) {
		trigger->more_pending++;
		return;
	}
	slot = session_read_slot(trigger->session, judge_context->slot);
	pending = &trigger->pending[trigger->pending_count++];
	*pending = (struct pending){.call = *call,
		.slot = judge_context->slot,
		.rule = rule,
		.tid = task_without_mark(slot.tid),
		.pid = task_without_mark(slot.pid),
		.begin_ticks = slot.begin_ticks,
		.first_ticks = UINT64_MAX};
	memcpy(pending->name, slot.name, sizeof slot.name);
}

/* ---- sweeps ---- */

void trigger_read_positions(struct trigger *trigger)
{
	uint32_t used = session_slots_used(trigger->session);

	for (uint32_t i = 0; i < used; i++) {
		struct dwell_session_slot slot = session_read_slot(trigger->session, i);
		uint32_t state = session_slot_state(trigger->session, i);

		if (state != DWELL_SESSION_LIVE && state != DWELL_SESSION_ENDED)
			continue;
		if (trigger->threads[i] && !trigger_thread_began_at(trigger->threads[i], slot.begin_ticks)) {
			free_trigger_thread(trigger->threads[i]);
			trigger->threads[i] = NULL;
		}
		if (!trigger->threads[i])
			trigger->threads[i] = make_trigger_thread(trigger->session, i, trigger->watch.finder);
		if (trigger->threads[i])
			trigger_thread_read_position(trigger->threads[i]);
	}
}

/* Whether to take a snapshot for the call now. Reasons are: the call's ring has no slots in common with the last snapshot; the
 * thread will soon overwrite the call; the ring gets no more slots. */
static bool is_due(const struct trigger *trigger, const struct pending *pending)
{
	const struct trigger_thread *thread = trigger->threads[pending->slot];

	return !thread || !trigger_thread_began_at(thread, pending->begin_ticks) || trigger_thread_is_renewed(thread) ||
	       trigger_thread_expires_soon(thread, pending->call.position) ||
	       session_slot_state(trigger->session, pending->slot) == DWELL_SESSION_ENDED;
}

bool trigger_judge_calls(struct trigger *trigger, bool final)
{
	uint32_t used = session_slots_used(trigger->session);
	uint64_t slots = 0;

	learn_rate(trigger);
	if (trigger->ticks_per_ns <= 0 && !final)
		return true; /* the caller should come back soon */
	for (uint32_t i = 0; i < used; i++) {
		struct judge_context judge_context = {trigger, i};
		uint64_t missed = 0;

		if (!trigger->threads[i])
			continue;
		slots += trigger_thread_follow(trigger->threads[i], judge_call, &judge_context, &missed);
		if (missed > session_count_max(trigger->session)) /* the program has overwritten the ring's position */
			continue;
		trigger->missed_slots += missed;
		trigger->missed_times += missed > 0;
	}
	trigger->due = false;
	for (uint32_t i = 0; i < trigger->pending_count && !final; i++)
		trigger->due |= is_due(trigger, &trigger->pending[i]);
	return slots > trigger->session->ring_bytes / DWELL_SLOT_BYTES / 64;
}

bool trigger_is_due(const struct trigger *trigger)
{
	return trigger->due;
}

/* ---- snapshots ---- */

void trigger_note_ring(struct trigger *trigger, uint32_t slot, uint64_t begin_ticks, uint64_t first_ticks)
{
	for (uint32_t i = 0; i < trigger->pending_count; i++)
		if (trigger->pending[i].slot == slot && trigger->pending[i].begin_ticks == begin_ticks)
			trigger->pending[i].first_ticks = first_ticks;
	/* The snapshot has a copy of the ring, so its thread may go on. */
	if (trigger->threads[slot])
		trigger_thread_release(trigger->threads[slot]);
}

/* The smallest ring that would have held the whole call, estimated from the part that the ring held. pre: the ring held a part. */
static uint64_t estimate_ring_bytes(const struct trigger *trigger, const struct pending *pending)
{
	uint64_t end_ticks = pending->call.enter_ticks + pending->call.total_ticks, bytes = trigger->session->ring_bytes;
	double part = (double)pending->call.total_ticks / (double)(end_ticks - pending->first_ticks);

	while ((double)bytes < 1.2 * (double)trigger->session->ring_bytes * part && bytes < UINT64_C(1) << 30)
		bytes *= 2;
	return bytes;
}

/* Writes a sentence about a slow call: how long it took, where, and how much of it the ring held. */
static void describe(const struct trigger *trigger, const struct pending *pending, char *text, size_t bytes)
{
	char took[UNITS_TEXT_BYTES], limit[UNITS_TEXT_BYTES], had[UNITS_TEXT_BYTES];
	uint64_t end_ticks = pending->call.enter_ticks + pending->call.total_ticks;
	uint32_t rule;
	const char *function = filter_get_function(trigger->watch.finder, pending->call.function, &rule);
	int length;

	units_format_ns(took, to_ns(trigger, pending->call.total_ticks));
	units_format_ns_short(limit, trigger->watch.options->rules[pending->rule].number);
	length = snprintf(text, bytes, "%.120s took %s, more than %s, on thread %u%s%s%s of process %u", function ? function : "?", took, limit,
		pending->tid, *pending->name ? " (" : "", pending->name, *pending->name ? ")" : "", pending->pid);
	if (length < 0 || (size_t)length >= bytes || pending->first_ticks <= pending->call.enter_ticks)
		return;
	/* How far the program had gone on by then is unknown, and so is the ring size that would have been enough. */
	if (pending->first_ticks >= end_ticks) {
		snprintf(text + length, bytes - (size_t)length, "; the ring held nothing of it any more: a larger --ring helps");
		return;
	}
	units_format_ns(had, to_ns(trigger, end_ticks - pending->first_ticks));
	snprintf(text + length, bytes - (size_t)length, "; the ring held only the last %s of it: --ring=%lluK would have held it", had,
		(unsigned long long)(estimate_ring_bytes(trigger, pending) >> 10));
}

static void clear_pending(struct trigger *trigger)
{
	trigger->pending_count = 0;
	trigger->more_pending = 0;
	trigger->due = false;
}

void trigger_write_calls(const struct trigger *trigger, struct trace_writer *writer)
{
	char text[512];
	struct message_info fact = {"snapshot-when", text};

	for (uint32_t i = 0; i < trigger->pending_count; i++) {
		describe(trigger, &trigger->pending[i], text, sizeof text);
		trace_writer_info(writer, &fact, 1);
	}
	if (!trigger->more_pending)
		return;
	snprintf(text, sizeof text, "and %" PRIu64 " calls more", trigger->more_pending);
	trace_writer_info(writer, &fact, 1);
}

static void keep_first(struct trigger *trigger, const char *file)
{
	uint32_t rule;
	const char *function = filter_get_function(trigger->watch.finder, trigger->pending[0].call.function, &rule);

	trigger->first_path = strdup(file);
	trigger->first_function = function ? strdup(function) : NULL;
}

void trigger_get_first(const struct trigger *trigger, struct recorded *to)
{
	to->slow_path = trigger->first_path ? strdup(trigger->first_path) : NULL;
	to->slow_function = trigger->first_function ? strdup(trigger->first_function) : NULL;
}

void trigger_note_snapshot(struct trigger *trigger, const char *file, struct diag *diag)
{
	char text[512];

	if (!trigger->first_path && trigger->pending_count)
		keep_first(trigger, file);
	for (uint32_t i = 0; i < trigger->pending_count; i++) {
		describe(trigger, &trigger->pending[i], text, sizeof text);
		diag_add(diag, DIAG_NOTE, file, DIAG_NO_OFFSET, "%s: %s", i ? "the same snapshot" : "is a snapshot", text);
	}
	trigger->snapshots++;
	trigger->with_snapshot += trigger->pending_count + trigger->more_pending;
	for (uint32_t i = 0, used = session_slots_used(trigger->session); i < used; i++)
		if (trigger->threads[i])
			trigger_thread_note_snapshot(trigger->threads[i]);
	clear_pending(trigger);
}

void trigger_note_failure(struct trigger *trigger)
{
	trigger->without_snapshot += trigger->pending_count + trigger->more_pending;
	clear_pending(trigger);
}

bool trigger_release(struct trigger *trigger)
{
	bool any = false;

	for (uint32_t i = 0, used = session_slots_used(trigger->session); i < used; i++)
		if (trigger->threads[i])
			any |= trigger_thread_release(trigger->threads[i]);
	return any;
}

static void finish(struct stage *stage, struct stage_end *end)
{
	const struct trigger *trigger = (const struct trigger *)stage;
	const char *output = stage->recording->output;
	struct diag *diag = stage->recording->diag;
	uint64_t last = trigger->pending_count + trigger->more_pending;
	char text[512], slowest[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES];

	(void)end;
	for (uint32_t i = 0; i < trigger->watch.options->rule_count; i++) {
		const struct watcher_rule *rule = &trigger->watch.options->rules[i];
		const struct outcome *outcome = &trigger->outcomes[i];

		units_format_ns(slowest, to_ns(trigger, outcome->slowest_ticks));
		units_format_count(calls, outcome->calls);
		if (!outcome->calls)
			watcher_warn_uncalled(&trigger->watch, i, "no call of it was seen to its end");
		else if (!outcome->slow)
			diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET, "--snapshot-when '%s': no call was that slow; the slowest of %s calls took %s",
				rule->text, calls, slowest);
	}
	for (uint32_t i = 0; i < trigger->pending_count; i++) {
		describe(trigger, &trigger->pending[i], text, sizeof text);
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET, "holds a slow call that no snapshot has: %s", text);
	}
	if (trigger->without_snapshot)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " of %" PRIu64 " calls that took too long have no snapshot: dwell wrote %u; --snapshots=N allows more", trigger->without_snapshot,
			trigger->without_snapshot + trigger->with_snapshot + last, trigger->snapshots);
	if (trigger->missed_slots)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " time%s the program was a whole ring ahead of the search for slow calls: %" PRIu64
			" events were not searched; a larger --ring helps",
			trigger->missed_times, trigger->missed_times == 1 ? "" : "s", trigger->missed_slots);
}

static const struct stage_type type = {.begin = begin, .add_module = watcher_add_module, .finish = finish, .clear = clear};

struct trigger *make_trigger(
	const struct watcher_options *options, const struct filter_program *program, const struct filter *filter, struct diag *diag)
{
	struct trigger *trigger = make_watcher(sizeof *trigger, &type, "--snapshot-when", "'", options, program, filter, diag);

	if (trigger)
		trigger->snapshots_max = options->snapshots_max ? options->snapshots_max : TRIGGER_SNAPSHOTS;
	return trigger;
}

struct stage *trigger_get_stage(struct trigger *trigger)
{
	return &trigger->watch.stage;
}
