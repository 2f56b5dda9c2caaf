/* longer_thread: holds the calls of a thread until it is clear whether to list or to count each.
 *
 * A reader of the events alone counts the time of a left-out call as self time of the listed caller. So the stage subtracts this
 * time from the caller (dwell_paths_take): at once from a listed caller, and from a held caller when the stage lists it. Sums
 * written while the stage holds calls are right, too. For these sums, the stage subtracts the time from the innermost listed call,
 * and adds the time again afterwards. */
#include "record/stage/longer_thread.h"

#include <stdlib.h>
#include <string.h>

#include "record/stage/path_sums.h"
#include "record/stage/sieve.h"
#include "record/stage/sums_period.h"
#include "util/array.h"

/* A held enter, with the slots that belong to it. */
struct longer_held {
	uint64_t enter_ticks;
	size_t begin; /* index of the call's first slot in longer_thread.slots */
};

struct longer_thread {
	struct stage_thread thread;
	uint32_t stream;
	struct mapping_changes_view mapping_changes;
	uint64_t limit_ticks;
	bool from_start;     /* no call of the thread's own stack can be open without an enter in the data */
	bool lists_all;         /* the stage lists all calls of the present batch */
	bool lacks_switches;    /* intervals off the CPU are missing, for lack of memory: the stage lists everything from here on */
	struct path_sums sums;
	uint64_t first_ticks, last_ticks; /* of the calls counted since the last sums were written */
	struct longer_held *held; /* the innermost open calls, outermost first. The last one may have ended, see the next member */
	size_t held_count, held_capacity;
	bool last_ended;                /* the last held call has ended; it is listed, unless the next event is plain */
	struct dwell_call call;   /* the ended call, if the last held call has ended */
	size_t exit_at;           /* index of the ended call's exit in slots */
	uint64_t *slots;          /* slots of the held calls, without TIME */
	size_t slot_count, slot_capacity;
	uint64_t tags[2];         /* WINDOW and ENTRY for the next event */
	uint32_t tag_count;
	bool listed;              /* the last event was listed: list the values of this event, too */
	bool must_list_next;              /* the next event must be listed */
	bool has_unknown_calls;              /* calls of unknown functions are open */
	uint32_t high;            /* upper half of the clock in the last TIME of the output */
	bool has_written_high;           /* the present output has that TIME */
	/* Intervals in which the thread was off the CPU, in order. */
	struct message_switch *switches;
	size_t switch_count, switch_at, switch_capacity;
	uint64_t on_since_ticks;  /* the thread has been on the CPU since then */
	struct sums_period period;
	uint64_t late_stamps, written_late_stamps; /* corrected stamps so far; the part in written sums */
};

void longer_thread_clear(struct stage_thread *thread)
{
	struct longer_thread *longer = (struct longer_thread *)thread;

	path_sums_end(&longer->sums);
	free(longer->held);
	free(longer->slots);
	free(longer->switches);
}

struct stage_thread *make_longer_thread(uint64_t limit_ticks, const struct stage_source *source)
{
	struct longer_thread *longer = calloc(1, sizeof *longer);
	struct follower *calls = make_follower();

	if (!longer || !calls || !path_sums_begin(&longer->sums)) {
		free_follower(calls);
		free(longer);
		return NULL;
	}
	longer->thread.calls = calls;
	longer->limit_ticks = limit_ticks;
	longer->stream = source->stream;
	longer->from_start = source->from_start;
	longer->mapping_changes =
		(struct mapping_changes_view){.mapping_changes = source->mapping_changes, .process = source->process};
	if (source->is_copy)
		follower_set_copy(calls);
	return &longer->thread;
}

/* The most slots in the output for count more slots: each may need a TIME in front of it. */
static size_t get_room(const struct longer_thread *longer, uint32_t count)
{
	return 2 * (longer->slot_count + longer->tag_count + (size_t)count) + 2;
}

/* ---- output ---- */

struct output {
	uint64_t *slots;
	uint32_t count;
};

/* Appends a slot, behind a TIME with high, the upper half of its time, unless the output has that TIME already. */
static void put_slot(struct longer_thread *longer, struct output *out, uint32_t high, uint64_t slot)
{
	if (!longer->has_written_high || longer->high != high)
		out->slots[out->count++] = dwell_slot_make(DWELL_TAG_TIME, high);
	longer->has_written_high = true;
	longer->high = high;
	out->slots[out->count++] = slot;
}

/* Appends the WINDOW and ENTRY for the next event. */
static void put_tags(struct longer_thread *longer, struct output *out, uint32_t high)
{
	for (uint32_t i = 0; i < longer->tag_count; i++)
		put_slot(longer, out, high, longer->tags[i]);
	longer->tag_count = 0;
}

/* Appends the slots of the held call at index. */
static void put_held(struct longer_thread *longer, struct output *out, size_t index)
{
	bool is_last = index + 1 == longer->held_count;
	size_t end = is_last ? longer->slot_count : longer->held[index + 1].begin;
	uint32_t high = (uint32_t)(longer->held[index].enter_ticks >> 32);

	for (size_t at = longer->held[index].begin; at < end; at++) {
		if (is_last && longer->last_ended && at == longer->exit_at)
			high = (uint32_t)(longer->call.exit_ticks >> 32);
		put_slot(longer, out, high, longer->slots[at]);
	}
}

/* ---- held calls ---- */

static struct dwell_pair *get_pair(const struct longer_thread *longer)
{
	return longer->thread.calls->fold.pair;
}

/* The number of open calls around the held calls. */
static uint32_t count_outer_calls(const struct longer_thread *longer)
{
	return get_pair(longer)->depth - (uint32_t)(longer->held_count - longer->last_ended);
}

/* Notes that ticks of the self time of the open call at index, which is listed, were spent in left-out calls: readers subtract
 * them. If the sums have no room for the path of the call, the note is missing, and readers refuse the sums. */
static void subtract_from_caller(struct longer_thread *longer, uint32_t index, uint64_t ticks)
{
	if (ticks)
		dwell_paths_take(&longer->sums.paths, get_pair(longer)->frames, index + 1, ticks);
}

/* The time of the left-out calls that a held open call has made. held: its index among the held calls. */
static uint64_t get_left_out_ticks(const struct longer_thread *longer, size_t held)
{
	const struct dwell_frame *frame = &get_pair(longer)->frames[count_outer_calls(longer) + held];
	bool has_over = longer->last_ended && held + 2 == longer->held_count; /* the ended call is not left out yet */

	return frame->child_ticks - (has_over ? longer->call.total_ticks : 0);
}

/* Subtracts the time of left-out calls from the self time of the ended call, which becomes a listed call. */
static void subtract_from_ended(struct longer_thread *longer)
{
	const struct dwell_pair *pair = get_pair(longer);
	uint64_t ticks = longer->call.total_ticks - longer->call.self_ticks;
	uint32_t node;

	if (!ticks)
		return;
	node = dwell_paths_find_open(&longer->sums.paths, pair->frames, pair->depth);
	if (node != DWELL_PATHS_NONE)
		node = dwell_paths_child(&longer->sums.paths, node, longer->call.id);
	if (node != DWELL_PATHS_NONE)
		longer->sums.paths.nodes[node].taken_ticks += ticks;
}

/* Lists held calls, count of them from the outermost on: writes their slots to out, and holds them no longer. */
static void list_outermost(struct longer_thread *longer, struct output *out, size_t count)
{
	uint32_t base = count_outer_calls(longer);
	size_t open = longer->held_count - longer->last_ended, shift;

	path_sums_reserve(&longer->sums, base + (uint32_t)open + 1);
	for (size_t i = 0; i < count && i < open; i++)
		subtract_from_caller(longer, base + (uint32_t)i, get_left_out_ticks(longer, i));
	if (count > open)
		subtract_from_ended(longer);
	for (size_t i = 0; i < count; i++)
		put_held(longer, out, i);
	if (count == longer->held_count) {
		longer->listed |= longer->held_count != 0; /* the last event is in them */
		longer->held_count = longer->slot_count = 0;
		longer->last_ended = false;
		return;
	}
	shift = longer->held[count].begin;
	memmove(longer->slots, longer->slots + shift, (longer->slot_count - shift) * sizeof *longer->slots);
	memmove(longer->held, longer->held + count, (longer->held_count - count) * sizeof *longer->held);
	longer->slot_count -= shift;
	longer->held_count -= count;
	for (size_t i = 0; i < longer->held_count; i++)
		longer->held[i].begin -= shift;
}

static void list_all(struct longer_thread *longer, struct output *out)
{
	if (longer->held_count)
		list_outermost(longer, out, longer->held_count);
}

/* Lists the held calls that have taken the limit or longer by ticks. */
static void list_calls_over_limit(struct longer_thread *longer, struct output *out, uint64_t ticks)
{
	size_t old = 0;

	while (old < longer->held_count && ticks - longer->held[old].enter_ticks >= longer->limit_ticks)
		old++;
	if (old)
		list_outermost(longer, out, old);
}

/* If the last held call has ended, leaves the call out, and counts it. If the sums have no room for its path, lists all held calls
 * instead. */
static void leave_out(struct longer_thread *longer, struct output *out)
{
	const struct dwell_pair *pair = get_pair(longer);

	if (!longer->last_ended)
		return;
	/* Makes room for the paths of the call and of the calls around the call: once the calls around are listed,
	 * subtract_from_caller needs their paths. */
	if (pair->depth >= PATH_SUMS_NODES_MAX / 2 || !path_sums_reserve(&longer->sums, 2 * (pair->depth + 1)) ||
		dwell_paths_find_open(&longer->sums.paths, pair->frames, pair->depth) == DWELL_PATHS_NONE) {
		list_all(longer, out);
		return;
	}
	dwell_paths_add(&longer->sums.paths, pair->frames, pair->depth, &longer->call);
	longer->thread.figures.counted_events += 2;
	if (!longer->last_ticks || longer->call.enter_ticks < longer->first_ticks)
		longer->first_ticks = longer->call.enter_ticks;
	longer->last_ticks = longer->call.exit_ticks;
	longer->slot_count = longer->held[--longer->held_count].begin;
	longer->last_ended = false;
	if (!longer->held_count)
		dwell_paths_take(&longer->sums.paths, pair->frames, pair->depth, longer->call.total_ticks);
}

/* Appends a slot, behind its WINDOW and ENTRY, to the slots of the held calls. False: no memory. */
static bool hold_slot(struct longer_thread *longer, uint64_t slot)
{
	if (!array_reserve(
		    &longer->slots, &longer->slot_capacity, longer->slot_count + longer->tag_count + 1, sizeof *longer->slots))
		return false;
	for (uint32_t i = 0; i < longer->tag_count; i++)
		longer->slots[longer->slot_count++] = longer->tags[i];
	longer->tag_count = 0;
	longer->slots[longer->slot_count++] = slot;
	return true;
}

/* Begins to hold a call: slot is its enter. False: no memory. */
static bool hold_enter(struct longer_thread *longer, uint64_t slot, uint64_t ticks)
{
	size_t begin = longer->slot_count;

	if (!array_reserve(&longer->held, &longer->held_capacity, longer->held_count + 1, sizeof *longer->held) ||
		!hold_slot(longer, slot))
		return false;
	longer->held[longer->held_count++] = (struct longer_held){ticks, begin};
	return true;
}

/* ---- plain events ---- */

/* Whether the thread was off the CPU at any time from since_ticks to ticks. */
static bool was_off_cpu(struct longer_thread *longer, uint64_t since_ticks, uint64_t ticks)
{
	while (longer->switch_at < longer->switch_count && longer->switches[longer->switch_at].out_ticks < ticks) {
		if (longer->switches[longer->switch_at].in_ticks > longer->on_since_ticks)
			longer->on_since_ticks = longer->switches[longer->switch_at].in_ticks;
		longer->switch_at++;
	}
	return longer->on_since_ticks > since_ticks;
}

/* Holds the entered call, or lists it at once, behind all held calls. */
static void take_enter(struct longer_thread *longer, struct output *out, uint64_t slot, uint64_t place, uint64_t ticks)
{
	struct dwell_fold *fold = &longer->thread.calls->fold;
	bool holds = !longer->must_list_next && !longer->lists_all && !longer->has_unknown_calls &&
		     (fold->pair->depth || (longer->from_start && !fold->stack));

	if (DWELL_RARELY(dwell_pair_full(fold->pair)))
		fold->stacks->grow(fold->stacks->context, fold->pair);
	if (!holds || !hold_enter(longer, slot, ticks)) {
		list_all(longer, out);
		put_tags(longer, out, (uint32_t)(ticks >> 32));
		put_slot(longer, out, (uint32_t)(ticks >> 32), slot);
		holds = false;
	}
	longer->listed = !holds;
	longer->must_list_next = false;
	dwell_pair_enter(fold->pair, place, ticks);
}

/* Ends the innermost call. If the stage holds the call, holds the exit, too, and the next plain event leaves the call out. Lists
 * the exit instead if the call is listed, if the thread was off the CPU during the call, or without memory. */
static void take_exit(struct longer_thread *longer, struct output *out, uint64_t slot, uint64_t place, uint64_t ticks)
{
	struct dwell_pair *pair = get_pair(longer);
	size_t exit_at;

	if (longer->held_count && was_off_cpu(longer, longer->held[longer->held_count - 1].enter_ticks, ticks))
		list_all(longer, out);
	exit_at = longer->slot_count + longer->tag_count;
	if (longer->held_count && hold_slot(longer, slot)) {
		dwell_pair_exit(pair, place, ticks, &longer->call);
		longer->last_ended = true;
		longer->exit_at = exit_at;
		longer->listed = false;
		return;
	}
	list_all(longer, out);
	put_tags(longer, out, (uint32_t)(ticks >> 32));
	put_slot(longer, out, (uint32_t)(ticks >> 32), slot);
	longer->listed = true;
	longer->must_list_next = false;
	dwell_pair_exit(pair, place, ticks, &(struct dwell_call){0});
}

/* Takes the event, if it is a plain enter or exit. False: the event is not plain. */
static bool take_plain(struct longer_thread *longer, struct output *out, uint64_t slot, const struct dwell_slot_event *event)
{
	struct dwell_fold *fold = &longer->thread.calls->fold;
	struct dwell_pair *pair = fold->pair;
	bool is_exit = event->kind == DWELL_SLOT_EXIT;

	if (fold->next_stack != fold->stack || pair->state || event->ticks < pair->last_ticks ||
		(is_exit && (!pair->depth || pair->frames[pair->depth - 1].id != event->place)))
		return false;
	leave_out(longer, out);
	if (longer->held_count)
		list_calls_over_limit(longer, out, event->ticks);
	if (is_exit)
		take_exit(longer, out, slot, event->place, event->ticks);
	else
		take_enter(longer, out, slot, event->place, event->ticks);
	return true;
}

/* ---- everything else ---- */

/* Whether calls without an entry in the data may be open after the event. */
static bool may_hide_entries(const struct dwell_slot_event *event)
{
	uint32_t tag = event->kind == DWELL_SLOT_TAG ? event->tag : 0;

	return event->kind == DWELL_SLOT_HOLE || event->kind == DWELL_SLOT_UNKNOWN || tag == DWELL_TAG_OFF || tag == DWELL_TAG_ON ||
	       (tag >= DWELL_TAG_LOST && tag <= DWELL_TAG_LOST_PUSHES);
}

/* Lists all held calls, and the slot behind them. The next event must be listed, too, unless the slot is an event. */
static void take_unusual(struct longer_thread *longer, struct output *out, uint64_t slot, const struct dwell_slot_event *event)
{
	struct follower *calls = longer->thread.calls;
	bool is_event = event->kind == DWELL_SLOT_ENTER || event->kind == DWELL_SLOT_EXIT;

	list_all(longer, out);
	longer->from_start &= !may_hide_entries(event) && (event->kind != DWELL_SLOT_EXIT || get_pair(longer)->depth);
	longer->has_unknown_calls |= event->kind == DWELL_SLOT_TAG && event->tag == DWELL_TAG_LOST_PUSHES && event->payload;
	follower_feed(calls, &slot, 1);
	if (event->kind == DWELL_SLOT_HOLE)
		longer->tag_count = 0;
	put_tags(longer, out, calls->fold.cursor.high);
	put_slot(longer, out, calls->fold.cursor.high, slot);
	longer->listed = true;
	longer->must_list_next = !is_event;
}

static void take_tag(struct longer_thread *longer, struct output *out, uint64_t slot, const struct dwell_slot_event *event)
{
	uint32_t tag = (uint32_t)slot;

	if (tag == DWELL_TAG_TIME) {
		follower_feed(longer->thread.calls, &slot, 1);
	} else if (tag == DWELL_TAG_WINDOW || tag == DWELL_TAG_ENTRY) {
		follower_feed(longer->thread.calls, &slot, 1);
		longer->tag_count %= sizeof longer->tags / sizeof *longer->tags; /* the last tag counts, as in readers */
		longer->tags[longer->tag_count++] = slot;
	} else if (sieve_is_value(tag)) {
		follower_feed(longer->thread.calls, &slot, 1);
		if (longer->listed || !longer->held_count || !hold_slot(longer, slot))
			put_slot(longer, out, longer->thread.calls->fold.cursor.high, slot);
	} else {
		take_unusual(longer, out, slot, event);
	}
}

/* Whether no stack of the thread has an open call. */
static bool is_empty(const struct longer_thread *longer)
{
	/* A pairing that is not settled may still get calls entered in a gap. */
	return dwell_pair_is_settled(get_pair(longer)) && !follower_open_calls(longer->thread.calls);
}

/* Writes the listed slots to out; returns their number. */
static uint32_t take_slots(struct longer_thread *longer, const uint64_t *slots, uint32_t count, uint64_t *out)
{
	struct output output = {.slots = out};
	struct dwell_slot_cursor *cursor = &longer->thread.calls->fold.cursor;

	longer->has_written_high = false;
	if (longer->lists_all)
		list_all(longer, &output);
	for (uint32_t i = 0; i < count; i++) {
		struct dwell_slot_cursor then = *cursor;
		struct dwell_slot_event event;

		dwell_slot_decode(&then, slots[i], &event);
		if ((uint32_t)slots[i] < DWELL_TAG_LIMIT) {
			take_tag(longer, &output, slots[i], &event);
			continue;
		}
		if (DWELL_RARELY(longer->has_unknown_calls) && is_empty(longer))
			longer->has_unknown_calls = false;
		if (event.kind != DWELL_SLOT_ENTRY && take_plain(longer, &output, slots[i], &event))
			*cursor = then;
		else
			take_unusual(longer, &output, slots[i], &event);
	}
	return output.count;
}

/* Lists all held calls. Returns the number of slots in out: get_room(longer, 0) at most. */
static uint32_t list_held(struct longer_thread *longer, uint64_t *out)
{
	struct output output = {.slots = out};

	longer->has_written_high = false;
	list_all(longer, &output);
	return output.count;
}

void longer_thread_add_switches(struct stage_thread *thread, const struct message_switch *switches, size_t count)
{
	struct longer_thread *longer = (struct longer_thread *)thread;

	if (longer->switch_at) {
		longer->switch_count -= longer->switch_at;
		memmove(longer->switches, longer->switches + longer->switch_at, longer->switch_count * sizeof *longer->switches);
		longer->switch_at = 0;
	}
	if (!array_reserve(&longer->switches, &longer->switch_capacity, longer->switch_count + count, sizeof *longer->switches)) {
		longer->lacks_switches = true;
		return;
	}
	if (count)
		memcpy(longer->switches + longer->switch_count, switches, count * sizeof *switches);
	longer->switch_count += count;
}

/* ---- sums ---- */

/* Adds the low words of the functions in the sums, and of the functions with held calls, to places. */
static void note_places(const struct longer_thread *longer, struct address_set *places)
{
	for (uint32_t i = 0; i < longer->sums.paths.function_count; i++)
		address_set_add(places, (uint32_t)longer->sums.paths.functions[i].place);
	for (size_t i = 0; i < longer->slot_count; i++)
		if (!dwell_slot_is_tag(longer->slots[i]))
			address_set_add(places, (uint32_t)longer->slots[i] & ~1u);
}

/* The time of left-out calls in all held calls. */
static uint64_t pending_ticks(const struct longer_thread *longer)
{
	uint64_t ticks = longer->last_ended ? longer->call.total_ticks - longer->call.self_ticks : 0;

	for (size_t i = 0; i < longer->held_count - longer->last_ended; i++)
		ticks += get_left_out_ticks(longer, i);
	return ticks;
}

/* The greatest depth of any stack so far, with left-out calls. */
static uint32_t deepest(const struct longer_thread *longer)
{
	const struct follower *calls = longer->thread.calls;
	uint32_t most = 0;

	for (size_t i = 0; i < calls->stack_count; i++)
		most = calls->stacks[i]->pair.deepest > most ? calls->stacks[i]->pair.deepest : most;
	return most;
}

/* Writes the sums, or the number of corrected stamps, if there are new figures, and they are due or must is set. Without memory,
 * clears the sums unwritten. */
static void write_sums(struct longer_thread *longer, const struct stage_batch *batch, bool must)
{
	struct message_sums message = {.stream = longer->stream,
		.place_kind = DWELL_PLACE_LOW32,
		.limit_ticks = longer->limit_ticks,
		.first_ticks = longer->first_ticks,
		.last_ticks = longer->last_ticks,
		.deepest = deepest(longer),
		.backward_events = longer->late_stamps - longer->written_late_stamps};
	const struct dwell_pair *pair = get_pair(longer);
	uint64_t pending = pending_ticks(longer);
	uint32_t base = count_outer_calls(longer);

	if ((!path_sums_has_any(&longer->sums) && !message.backward_events) ||
		(!must && batch->now_ns && !sums_period_is_over(&longer->period, batch->now_ns) &&
			!path_sums_is_worth_writing(&longer->sums, base)))
		return;
	if (!message.last_ticks)
		message.first_ticks = message.last_ticks = longer->thread.calls->fold.cursor.last_ticks;
	path_sums_reserve(&longer->sums, base);
	if (pending)
		dwell_paths_take(&longer->sums.paths, pair->frames, base, pending);
	if (path_sums_fill_message(&longer->sums, &message))
		trace_writer_sums(batch->writer, &message);
	path_sums_clear(&longer->sums);
	longer->written_late_stamps = longer->late_stamps;
	if (pending)
		dwell_paths_take(&longer->sums.paths, pair->frames, base, 0 - pending);
	longer->first_ticks = longer->last_ticks = 0;
}

/* ---- batches ---- */

/* Takes the slots up to each change of the mapped code. There lists the held calls: the stage cannot decide yet whether to count
 * them. Writes the sums if functions of the changed code are in the sums: later the same addresses belong to other functions.
 * Returns the number of slots in out. */
static uint32_t take_parts(struct longer_thread *longer, struct stage_batch *batch, uint64_t *out)
{
	const struct mapping_change *change;
	uint32_t done = 0, listed = 0, part;

	do {
		part = mapping_changes_split(&longer->mapping_changes, longer->thread.calls->fold.cursor, batch->slots + done,
			batch->count - done, &change);
		listed += take_slots(longer, batch->slots + done, part, out + listed);
		done += part;
		if (!change)
			break;
		listed += list_held(longer, out + listed);
		if (!mapping_change_affects(change, &longer->sums.paths))
			continue;
		note_places(longer, &batch->buffers->places);
		write_sums(longer, batch, true);
	} while (change);
	return listed;
}

/* If the batch will be lost behind this stage, the stage counts none of the batch's calls: the drain counts all events that the
 * stage passes on as lost. */
void longer_thread_take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open)
{
	struct longer_thread *longer = (struct longer_thread *)thread;
	uint64_t *out;
	uint32_t listed;

	(void)open;
	longer->late_stamps = batch->late_stamps;
	if (!batch->is_last)
		write_sums(longer, batch, false); /* about earlier batches, which are in the file */
	if (!batch->count && !batch->is_last)
		return;
	out = stage_reserve_slots(batch, get_room(longer, batch->count));
	if (!out) {
		batch->count = 0; /* no memory: the batch is missing in the file, and later slots may not fit the open calls */
		return;
	}
	longer->lists_all = batch->is_lost || longer->lacks_switches;
	listed = take_parts(longer, batch, out);
	if (batch->is_last)
		listed += list_held(longer, out + listed);
	stage_replace_slots(batch, listed);
	note_places(longer, &batch->buffers->places);
	if (batch->is_last)
		write_sums(longer, batch, true);
}
