/* payload: prints the contents of chunks for dwell dump. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/dump.h"
#include "dwell/format.h"
#include "symbol/build_id.h"

static const char *tag_name(uint32_t tag)
{
	static const char *const names[] = {
		[DWELL_TAG_HOLE] = "HOLE",
		[DWELL_TAG_TIME] = "TIME",
		[DWELL_TAG_WINDOW] = "WINDOW",
		[DWELL_TAG_UNWIND_JUMP] = "UNWIND_JUMP",
		[DWELL_TAG_UNWIND_CATCH] = "UNWIND_CATCH",
		[DWELL_TAG_CALLER] = "CALLER",
		[DWELL_TAG_LOST] = "LOST",
		[DWELL_TAG_LOST_POPS] = "LOST_POPS",
		[DWELL_TAG_LOST_PUSHES] = "LOST_PUSHES",
		[DWELL_TAG_OFF] = "OFF",
		[DWELL_TAG_ON] = "ON",
		[DWELL_TAG_STACK] = "STACK",
		[DWELL_TAG_ARG] = "ARG",
		[DWELL_TAG_ARG_HIGH] = "ARG_HIGH",
		[DWELL_TAG_RET] = "RET",
		[DWELL_TAG_RET_HIGH] = "RET_HIGH",
		[DWELL_TAG_MARK] = "MARK",
		[DWELL_TAG_MARK_TEXT] = "MARK_TEXT",
		[DWELL_TAG_ENTRY] = "ENTRY",
		[DWELL_TAG_LANDED] = "LANDED",
		[DWELL_TAG_HELD] = "HELD", [DWELL_TAG_HELD_END] = "HELD_END",
	};

	return tag < sizeof names / sizeof *names && names[tag] ? names[tag] : "unknown tag";
}

void dump_slot(struct dump *dump, uint64_t offset, uint64_t bytes, uint32_t stream, uint64_t slot, struct dwell_slot_cursor *cursor)
{
	struct dwell_slot_event event;

	dwell_slot_decode(cursor, slot, &event);
	if (event.kind == DWELL_SLOT_ENTER || event.kind == DWELL_SLOT_EXIT || event.kind == DWELL_SLOT_ENTRY)
		dump_put(dump, offset, bytes, event.kind == DWELL_SLOT_EXIT ? "exit" : "enter", stream, event.ticks,
			"0x%" PRIx64 "%s", event.place, event.kind == DWELL_SLOT_ENTRY ? ", no exit" : "");
	else if (event.kind == DWELL_SLOT_UNKNOWN)
		dump_put(dump, offset, bytes, tag_name(event.tag), stream, UINT64_MAX, "%u, payload 0x%x", event.tag,
			event.payload);
	else if (dwell_slot_tag_has_stamp((uint32_t)slot))
		dump_put(dump, offset, bytes, tag_name((uint32_t)slot), stream, event.ticks, "%s", "");
	else
		dump_put(dump, offset, bytes, tag_name((uint32_t)slot), stream, UINT64_MAX, "0x%x", (uint32_t)(slot >> 32));
}

static void put_frame(struct dump *dump, uint64_t offset, uint64_t bytes, uint32_t stream, const uint8_t *p)
{
	uint32_t flags = get_u32(p + DWELL_FRAME_FLAGS), number = get_u32(p + DWELL_FRAME_STACK);
	char stack[32] = "";

	if (number)
		snprintf(stack, sizeof stack, ", on stack %" PRIu32, number);
	dump_put(dump, offset, bytes, "frame", stream, get_u64(p + DWELL_FRAME_ENTER_TICKS),
		"0x%" PRIx64 ", %" PRIu64 " ticks in its calls%s%s%s%s", get_u64(p + DWELL_FRAME_PLACE),
		get_u64(p + DWELL_FRAME_CHILD_TICKS), flags & DWELL_FRAME_NO_ENTRY ? ", entered before" : "",
		flags & DWELL_FRAME_NO_PLACE ? ", function unknown" : "", flags & DWELL_FRAME_PIECE ? ", a piece" : "", stack);
}

void dump_put_cut_record(struct dump *dump, uint64_t offset, uint64_t bytes)
{
	if (bytes)
		dump_put(dump, offset, bytes, "cut", UINT64_MAX, UINT64_MAX, "the file ends inside of this record");
}

static void put_slots(struct dump *dump, const struct raw_chunk *chunk)
{
	struct dwell_slot_cursor cursor = {.high = (uint32_t)(chunk->first_ticks >> 32)};
	uint64_t base = chunk->offset + DWELL_CHUNK_HEADER_BYTES;
	struct bytes payload = chunk->payload;
	size_t at = 0;

	for (uint32_t i = 0; i < chunk->frames && bytes_have(payload, at, DWELL_FRAME_BYTES); i++, at += DWELL_FRAME_BYTES)
		put_frame(dump, base + at, DWELL_FRAME_BYTES, chunk->stream, payload.data + at);
	if (at == (uint64_t)chunk->frames * DWELL_FRAME_BYTES)
		for (; bytes_have(payload, at, DWELL_SLOT_BYTES); at += DWELL_SLOT_BYTES)
			dump_slot(dump, base + at, DWELL_SLOT_BYTES, chunk->stream, get_u64(payload.data + at), &cursor);
	dump_put_cut_record(dump, base + at, payload.size - at);
}

/* Packed records have no bytes of their own: a row has the bytes of all, and the records follow with 0 bytes. */
static void put_packed(struct dump *dump, const struct raw_chunk *chunk)
{
	struct dwell_slot_cursor cursor = {.high = (uint32_t)(chunk->first_ticks >> 32)};
	uint64_t base = chunk->offset + DWELL_CHUNK_HEADER_BYTES, end = base + chunk->payload.size;
	struct packed packed = raw_chunk_get_packed(chunk);
	struct bytes payload = {0};
	const char *problem = unpacker_unpack(&dump->unpacker, &packed, &payload);

	dump_put(dump, base, chunk->payload.size, "packed", chunk->stream, UINT64_MAX, "%u bytes when unpacked%s%s", chunk->unpacked,
		problem ? ": " : "", problem ? problem : "");
	if (problem)
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), base, "the payload of a chunk of stream %u %s",
			chunk->stream, problem);
	for (size_t at = 0; at < payload.size;) {
		if (at < (size_t)chunk->frames * DWELL_FRAME_BYTES) {
			put_frame(dump, end, 0, chunk->stream, payload.data + at);
			at += DWELL_FRAME_BYTES;
		} else {
			dump_slot(dump, end, 0, chunk->stream, get_u64(payload.data + at), &cursor);
			at += DWELL_SLOT_BYTES;
		}
	}
}

/* Whether the file has the chunk that an entry of the seek table describes. True if the file cannot be sought. */
static bool is_seek_entry_valid(struct dump *dump, uint64_t offset, uint32_t kind, uint32_t stream)
{
	uint8_t header[DWELL_CHUNK_HEADER_BYTES];
	struct raw_chunk chunk;

	return !source_is_seekable(dump->source) || (source_read_at(dump->source, offset, header, sizeof header) == sizeof header &&
							    split_parse_header((struct bytes){header, sizeof header}, &chunk) &&
							    chunk.kind == kind && chunk.stream == stream);
}

static void put_seek(struct dump *dump, const struct raw_chunk *chunk)
{
	uint64_t base = chunk->offset + DWELL_CHUNK_HEADER_BYTES;
	size_t at = 0;

	for (; bytes_have(chunk->payload, at, DWELL_SEEK_ENTRY_BYTES); at += DWELL_SEEK_ENTRY_BYTES) {
		const uint8_t *p = chunk->payload.data + at;
		uint64_t offset = get_u64(p + DWELL_SEEK_OFFSET);
		uint32_t kind = get_u32(p + DWELL_SEEK_KIND), stream = get_u32(p + DWELL_SEEK_STREAM);
		dump_put(dump, base + at, DWELL_SEEK_ENTRY_BYTES, "seek", stream, get_u64(p + DWELL_SEEK_FIRST_TICKS),
			"%s at 0x%" PRIx64, declaration_kind_name((uint16_t)kind), offset);
		if (!is_seek_entry_valid(dump, offset, kind, stream))
			diag_add(dump->diag, DIAG_WARN, source_name(dump->source), base + at,
				"the seek table has a chunk of kind %u (stream %u) at 0x%" PRIx64 ", where there is none", kind,
				stream, offset);
	}
	dump_put_cut_record(dump, base + at, chunk->payload.size - at);
}

/* Prints a declaration that has a single row. */
static void put_message(struct dump *dump, const struct raw_chunk *chunk, const struct message *message)
{
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES, bytes = chunk->payload.size;
	char id[2 * DWELL_MODULE_BUILD_ID_MAX + 1] = "";

	switch (message->kind) {
	case MESSAGE_PROCESS:
		dump_put(dump, offset, bytes, "process", UINT64_MAX, message->process.start_ticks,
			"%u: pid %u, parent %u, %s, %u arguments%s", message->process.process, message->process.pid,
			message->process.parent_pid, message->process.path, message->process.argc,
			message->process.ended ? ", ended" : "");
		break;
	case MESSAGE_MODULE:
		for (uint32_t i = 0; i < message->module.build_id_bytes; i++)
			snprintf(id + 2 * i, 3, "%02x", message->module.build_id[i]);
		dump_put(dump, offset, bytes, "module", UINT64_MAX, message->module.load_ticks,
			"0x%" PRIx64 " to 0x%" PRIx64 ", bias 0x%" PRIx64 ", build-id %s%s%s, %s", message->module.low,
			message->module.high, message->module.bias, *id ? id : "none", message->module.hooked ? ", hooks" : "",
			message->module.unmapped ? ", unmapped" : "", message->module.path);
		break;
	case MESSAGE_THREAD:
		dump_put(dump, offset, bytes, "thread", message->thread.stream, UINT64_MAX,
			"tid %u of process %u, \"%s\", %" PRIu64 " events lost%s%s%s%s%s", message->thread.tid, message->thread.process,
			message->thread.name, message->thread.lost_events, message->thread.ended ? ", ended" : "",
			message->thread.wrapped ? ", wrapped" : "", message->thread.full ? ", full" : "",
			message->thread.given_up ? ", given up" : "", message->thread.is_copy ? ", copied by fork" : "");
		break;
	case MESSAGE_CLOCK:
		dump_put(dump, offset, bytes, "clock", UINT64_MAX, message->clock.ticks, "monotonic %" PRIu64 " ns, wall %" PRIu64 " ns",
			message->clock.monotonic_ns, message->clock.unix_ns);
		break;
	case MESSAGE_TEXT:
		dump_put(dump, offset, bytes, "text", UINT64_MAX, UINT64_MAX, "%u: %s", message->text.index, message->text.text);
		break;
	case MESSAGE_SAMPLING:
		dump_put(dump, offset, bytes, "sampling", UINT64_MAX, UINT64_MAX,
			"engine %u, unit %u, every %" PRIu64 ", %" PRIu64 " mHz%s%s%s%s, spent %" PRIu64, message->sampling.engine,
			message->sampling.unit, message->sampling.period, message->sampling.millihertz,
			message->sampling.jittered ? ", jittered" : "", message->sampling.has_stacks ? ", stacks" : "",
			message->sampling.has_kernel ? ", kernel" : "", message->sampling.is_wall ? ", wall time" : "",
			message->sampling.cpu);
		break;
	case MESSAGE_LOSS:
		dump_put(dump, offset, bytes, "loss", message->loss.stream, message->loss.ticks, "%" PRIu64 ", reason %u",
			message->loss.count, message->loss.reason);
		break;
	default:
		break;
	}
}

/* A row for the sums, and a row for each interval. */
static void put_switches(struct dump *dump, const struct raw_chunk *chunk, const struct message_switches *switches)
{
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES;

	dump_put(dump, offset, DWELL_SWITCHES_ENTRIES, "switches", chunk->stream, switches->from_ticks,
		"known until %" PRIu64 "; off before %" PRIu64 " ticks, of those preempted %" PRIu64, switches->until_ticks,
		switches->off_before_ticks, switches->preempted_before_ticks);
	for (uint32_t i = 0; i < switches->count; i++)
		dump_put(dump, offset + DWELL_SWITCHES_ENTRIES + (uint64_t)i * DWELL_SWITCH_BYTES, DWELL_SWITCH_BYTES, "off CPU",
			chunk->stream, switches->switches[i].out_ticks, "%" PRIu64 " ticks, %s",
			switches->switches[i].in_ticks - switches->switches[i].out_ticks,
			switches->switches[i].preempted ? "preempted" : "waiting");
}

static void put_faults(struct dump *dump, const struct raw_chunk *chunk, const struct message_faults *faults)
{
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES;

	dump_put(dump, offset, DWELL_FAULTS_ENTRIES, "faults", chunk->stream, faults->from_ticks,
		"until %" PRIu64 "; %" PRIu64 " before", faults->until_ticks, faults->before);
	for (uint32_t i = 0; i < faults->count; i++)
		dump_put(dump, offset + DWELL_FAULTS_ENTRIES + (uint64_t)i * DWELL_FAULT_BYTES, DWELL_FAULT_BYTES, "page fault",
			chunk->stream, faults->faults[i].ticks, "%s", faults->faults[i].major ? "major" : "minor");
}

/* A row for each path and each sample. Packed paths and samples have no offset of their own, and are listed at the end of
 * the payload with 0 bytes. */
static void put_samples(struct dump *dump, const struct raw_chunk *chunk, const struct message_samples *samples)
{
	static const char *const states[] = {"not looked for", "complete", "truncated", "broken"};
	bool packed = chunk->flags & DWELL_CHUNK_PACKED;
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES;
	uint64_t at = offset + (packed ? chunk->payload.size : DWELL_SAMPLES_HEAD_BYTES);

	dump_put(dump, offset, packed ? chunk->payload.size : DWELL_SAMPLES_HEAD_BYTES, "samples", chunk->stream, UINT64_MAX,
		"%u path%s, %u sample%s", samples->node_count, samples->node_count == 1 ? "" : "s", samples->count, samples->count == 1 ? "" : "s");
	for (uint32_t i = 0; i < samples->node_count; i++, at += packed ? 0 : DWELL_SAMPLES_NODE_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_SAMPLES_NODE_BYTES, "path", chunk->stream, UINT64_MAX,
			"%u: 0x%" PRIx64 ", called by %u%s%s", i + 1, samples->nodes[i].address, samples->nodes[i].caller,
			samples->nodes[i].is_return ? ", return address" : "", samples->nodes[i].is_kernel ? ", kernel" : "");
	for (uint32_t i = 0; i < samples->count; i++, at += packed ? 0 : DWELL_SAMPLE_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_SAMPLE_BYTES, "sample", chunk->stream, samples->samples[i].ticks,
			"weight %" PRIu64 ", path %u, callers %s", samples->samples[i].weight, samples->samples[i].node,
			states[samples->samples[i].stack]);
}

static void put_throttle(struct dump *dump, const struct raw_chunk *chunk, const struct message_throttle *throttle)
{
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES;

	for (uint32_t i = 0; i < throttle->count; i++)
		dump_put(dump, offset + (uint64_t)i * DWELL_THROTTLED_BYTES, DWELL_THROTTLED_BYTES, "throttled", UINT64_MAX,
			throttle->list[i].since_ticks,
			"0x%" PRIx64 " of process %u, %s%" PRIu64 " calls, %u cut, %.1f ticks a call, until %" PRIu64, throttle->list[i].place,
			throttle->process, throttle->list[i].is_counted ? "" : "at least ", throttle->list[i].calls, throttle->list[i].cut,
			throttle->list[i].call_sixteenths / 16.0, throttle->list[i].until_ticks);
}

/* A row for each count. Packed counts are listed like packed samples. */
static void put_counts(struct dump *dump, const struct raw_chunk *chunk, const struct message_counts *counts)
{
	bool packed = chunk->flags & DWELL_CHUNK_PACKED;
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES;
	uint64_t at = offset + (packed ? chunk->payload.size : DWELL_COUNTS_ENTRIES);

	dump_put(dump, offset, packed ? chunk->payload.size : DWELL_COUNTS_ENTRIES, "counts", chunk->stream, counts->until_ticks,
		"%u, of %u bytes of code each, weight %" PRIu64 ", outside %" PRIu64 ", beyond %" PRIu64 ", %u full", counts->count, counts->bytes,
		counts->weight, counts->outside, counts->beyond, counts->full);
	for (uint32_t i = 0; i < counts->count; i++, at += packed ? 0 : DWELL_COUNT_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_COUNT_BYTES, "count", chunk->stream, UINT64_MAX, "0x%" PRIx64 ": %" PRIu64,
			counts->counts[i].address, counts->counts[i].count);
}

/* A row for each path, function, bucket and open call. Packed records are listed like packed samples. */
static void put_sums(struct dump *dump, const struct raw_chunk *chunk, const struct message_sums *sums)
{
	bool packed = chunk->flags & DWELL_CHUNK_PACKED;
	uint64_t first_bytes = packed ? chunk->payload.size : sums_head_bytes(chunk->payload.data);
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES, at = offset + first_bytes;

	dump_put(dump, offset, first_bytes, "sums", chunk->stream, sums->last_ticks,
		"%u path%s, %u function%s, %u bucket%s, %u open call%s, %s %" PRIu64 ", outside %" PRIu64 ", held up %" PRIu64,
		sums->node_count, sums->node_count == 1 ? "" : "s", sums->function_count, sums->function_count == 1 ? "" : "s",
		sums->bucket_count, sums->bucket_count == 1 ? "" : "s", sums->frame_count, sums->frame_count == 1 ? "" : "s",
		sums->is_all ? "all of events" : "shorter than", sums->is_all ? sums->events : sums->limit_ticks,
		sums->root_taken_ticks, sums->held_ticks);
	for (uint32_t i = 0; i < sums->node_count; i++, at += packed ? 0 : DWELL_SUM_NODE_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_SUM_NODE_BYTES, "path", chunk->stream, UINT64_MAX,
			"%u: function %u, called by %u, calls %" PRIu64 ", total %" PRIu64 ", self %" PRIu64 ", taken %" PRIu64, i + 1,
			sums->nodes[i].function, sums->nodes[i].parent, sums->nodes[i].calls, sums->nodes[i].total_ticks,
			sums->nodes[i].self_ticks, sums->nodes[i].taken_ticks);
	for (uint32_t i = 0; i < sums->function_count; i++, at += packed ? 0 : DWELL_SUM_FUNCTION_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_SUM_FUNCTION_BYTES, "function", chunk->stream, UINT64_MAX,
			"%u: 0x%" PRIx64 ", %u bucket%s, min %" PRIu64 ", max %" PRIu64 ", sum %" PRIu64, i + 1, sums->functions[i].place,
			sums->functions[i].bucket_count, sums->functions[i].bucket_count == 1 ? "" : "s", sums->functions[i].min_ticks,
			sums->functions[i].max_ticks, sums->functions[i].sum_ticks);
	for (uint32_t i = 0; i < sums->bucket_count; i++, at += packed ? 0 : DWELL_SUM_BUCKET_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_SUM_BUCKET_BYTES, "bucket", chunk->stream, UINT64_MAX, "%u: %" PRIu64,
			sums->buckets[i].number, sums->buckets[i].count);
	for (uint32_t i = 0; i < sums->frame_count; i++, at += packed ? 0 : DWELL_SUM_FRAME_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_SUM_FRAME_BYTES, "open call", chunk->stream, sums->frames[i].enter_ticks,
			"path %u, of callees %" PRIu64 ", stack %u%s", sums->frames[i].node, sums->frames[i].child_ticks, sums->frames[i].stack,
			sums->frames[i].no_entry ? ", no entry" : "");
}

/* A row for each name. Packed names are listed like packed samples. */
static void put_names(struct dump *dump, const struct raw_chunk *chunk, const struct message_names *names)
{
	bool packed = chunk->flags & DWELL_CHUNK_PACKED;
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES;
	uint64_t at = offset + (packed ? chunk->payload.size : DWELL_NAMES_FUNCTIONS);
	uint64_t behind = at + (packed ? 0 : (uint64_t)names->count * DWELL_NAMES_FUNCTION_BYTES);
	char id[BUILD_ID_TEXT_BYTES];

	format_build_id(id, names->build_id, names->build_id_bytes);
	dump_put(dump, offset, packed ? chunk->payload.size : DWELL_NAMES_FUNCTIONS, "names", UINT64_MAX, UINT64_MAX,
		"%u, build-id %s, %s", names->count, *id ? id : "none", names->path);
	for (uint32_t i = 0; i < names->count; i++, at += packed ? 0 : DWELL_NAMES_FUNCTION_BYTES)
		dump_put(dump, at, packed ? 0 : DWELL_NAMES_FUNCTION_BYTES, "name", UINT64_MAX, UINT64_MAX, "0x%" PRIx64 ", %" PRIu64 " bytes: %s",
			names->names[i].address, names->names[i].size, names->names[i].name);
	if (!packed)
		dump_put(dump, behind, offset + chunk->payload.size - behind, "strings", UINT64_MAX, UINT64_MAX, "path and names");
}

/* All facts of an INFO chunk are one row. */
static void put_facts(struct dump *dump, const struct raw_chunk *chunk)
{
	struct message message;
	char facts[900] = "";
	size_t used = 0;

	while (declaration_next(&dump->declaration, &message)) {
		int length = snprintf(
			facts + used, sizeof facts - used, "%s%s=%s", used ? "; " : "", message.info.key, message.info.value);
		used = used + (size_t)length < sizeof facts ? used + (size_t)length : sizeof facts - 1;
	}
	dump_put(dump, chunk->offset + DWELL_CHUNK_HEADER_BYTES, chunk->payload.size, "info", UINT64_MAX, UINT64_MAX, "%s", facts);
}

void dump_payload(struct dump *dump, const struct raw_chunk *chunk)
{
	uint64_t offset = chunk->offset + DWELL_CHUNK_HEADER_BYTES;
	struct declaration_end end;
	struct message message = {.kind = MESSAGE_END};
	const char *problem;

	if (chunk->kind == DWELL_CHUNK_SLOTS && chunk->flags & DWELL_CHUNK_PACKED) {
		put_packed(dump, chunk);
		return;
	}
	if (chunk->kind == DWELL_CHUNK_SLOTS && chunk->unpacked == chunk->length) {
		put_slots(dump, chunk);
		return;
	}
	problem = declaration_knows(chunk->kind) && (chunk->unpacked == chunk->length || chunk->flags & DWELL_CHUNK_PACKED)
			  ? declaration_begin(&dump->declaration, chunk)
			  : "is of a form that this version does not know";
	if (problem) {
		dump_put(dump, offset, chunk->payload.size, "payload", UINT64_MAX, UINT64_MAX, "%s", problem);
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), offset, "the payload of a chunk of kind %u %s",
			chunk->kind, problem);
	} else if (chunk->kind == DWELL_CHUNK_SEEK) {
		put_seek(dump, chunk);
	} else if (chunk->kind == DWELL_CHUNK_INFO) {
		put_facts(dump, chunk);
	} else if (chunk->kind == DWELL_CHUNK_END) {
		end = declaration_get_end(chunk);
		dump_put(dump, offset, chunk->payload.size, "end", UINT64_MAX, UINT64_MAX,
			"%" PRIu64 " chunks, %" PRIu64 " events, seek table at 0x%" PRIx64, end.chunks, end.events,
			end.seek_offset);
	} else if (declaration_next(&dump->declaration, &message) && message.kind == MESSAGE_SWITCHES) {
		put_switches(dump, chunk, &message.switches);
	} else if (message.kind == MESSAGE_FAULTS) {
		put_faults(dump, chunk, &message.faults);
	} else if (message.kind == MESSAGE_NAMES) {
		put_names(dump, chunk, &message.names);
	} else if (message.kind == MESSAGE_THROTTLE) {
		put_throttle(dump, chunk, &message.throttle);
	} else if (message.kind == MESSAGE_CPU_PLACES) {
		dump_put_cpu_places(dump, chunk, &message.cpu_places);
	} else if (message.kind == MESSAGE_COUNTS) {
		put_counts(dump, chunk, &message.counts);
	} else if (message.kind == MESSAGE_SUMS) {
		put_sums(dump, chunk, &message.sums);
	} else if (message.kind == MESSAGE_SAMPLES) {
		put_samples(dump, chunk, &message.samples);
	} else if (message.kind != MESSAGE_END) {
		put_message(dump, chunk, &message);
	}
}
