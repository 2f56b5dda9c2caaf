/* throttle_write: writes a throttle's functions, and the numbers of their calls, to the file. See throttle_inner.h. */
#include "record/stage/throttle_inner.h"
#include "record/session/session.h"
#include "writer/trace/dwell.h"

#define PERIOD_NS UINT64_C(1000000000)

/* Whether all calls were counted. While the sites of a function are off, nothing counts its calls. */
static bool is_counted(const struct throttle *throttle, const struct throttled *throttled)
{
	for (; throttled; throttled = throttled->of)
		if (throttled->entry && throttle_entry_state(throttle, throttled->entry) == DWELL_THROTTLE_OFF)
			return false;
	return true;
}

static void write_process(
	const struct throttle *throttle, struct throttle_process *process, struct trace_writer *writer, bool final)
{
	struct message_throttled list[THROTTLE_LIST_MAX];
	struct message_throttle message = {.process = process->number, .list = list};

	for (uint32_t i = 0; i < process->list.count; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);
		struct message_throttled *told = &list[message.count];
		uint64_t calls = throttled->counted, cut = throttled->cut;
		bool counted = is_counted(throttle, throttled);

		for (const struct throttle_stream *stream = process->streams; stream; stream = stream->next) {
			calls += throttle_count_calls(stream, i);
			cut += __atomic_load_n(&stream->cut[i], __ATOMIC_RELAXED);
		}
		if (calls > session_count_max(throttle->session)) { /* the program has overwritten the counter */
			calls = 0;
			counted = false;
		}
		if (!final && calls && calls == throttled->told && counted == throttled->written_is_counted)
			continue;
		throttled->told = calls;
		throttled->written_is_counted = counted;
		*told = (struct message_throttled){.place = throttled->place,
			.since_ticks = throttled->since_ticks,
			.until_ticks = throttled->until_ticks == UINT64_MAX ? 0 : throttled->until_ticks,
			.calls = calls,
			.cut = cut > UINT32_MAX ? UINT32_MAX : (uint32_t)cut,
			.seen_ticks =
				throttled->seen_ticks > throttled->since_ticks ? throttled->seen_ticks - throttled->since_ticks : 0,
			.call_sixteenths = throttled->call_sixteenths,
			.share = throttled->share,
			.is_counted = counted};
		message.count++;
	}
	if (message.count)
		trace_writer_throttle(writer, &message);
}

void throttle_write(struct throttle *throttle, struct trace_writer *writer, uint64_t now_ns, bool final)
{
	if (!final && now_ns < throttle->write_due_ns)
		return;
	throttle->write_due_ns = now_ns + PERIOD_NS;
	for (size_t i = 0; final && i < throttle->process_count; i++)
		write_process(throttle, throttle->processes[i], writer, true);
	for (struct throttle_process **link = &throttle->live, *process; !final && (process = *link);) {
		write_process(throttle, process, writer, false);
		process->is_live = process->streams;
		if (process->is_live)
			link = &process->next_live;
		else
			*link = process->next_live;
	}
}
