/* journal: decodes the entries that agents append to the session's journal, and appends record's own entries. */
#include "record/session/journal.h"

#include <fcntl.h>
#include <string.h>

#include "dwell/format.h"
#include "record/session/clock_point.h"
#include "target/port/os/linux/plans.h"
#include "util/bytes.h"

#define ARGUMENTS_MAX 64
#define RELEASE_BYTES (1u << 20) /* gives so much memory back at a time, at least */
#define RELEASE_BEHIND_BYTES (16u << 20)

/* Returns the zero-terminated string at *at and moves *at behind it. Null: there is none. */
static const char *take_string(struct bytes payload, size_t *at)
{
	const char *string = (const char *)payload.data + *at;
	const void *end = *at < payload.size ? memchr(string, 0, payload.size - *at) : NULL;

	if (!end)
		return NULL;
	*at = (size_t)((const uint8_t *)end - payload.data) + 1;
	return string;
}

/* Each copy function decodes one kind of entry, and writes a message to the trace file, unless writer
 * is null. It calls the listener's function for this kind, if there is one. False: the entry is malformed. */
static bool copy_module(
	struct trace_writer *writer, uint32_t process, struct bytes payload, const struct journal_listener *listener)
{
	struct message_module module = {.process = process};
	size_t at = DWELL_MODULE_PATH;
	uint32_t flags;

	if (!bytes_have(payload, 0, DWELL_MODULE_PATH) || !(module.path = take_string(payload, &at)))
		return false;
	flags = get_u32(payload.data + DWELL_MODULE_FLAGS);
	module.low = get_u64(payload.data + DWELL_MODULE_LOW);
	module.high = get_u64(payload.data + DWELL_MODULE_HIGH);
	module.bias = get_u64(payload.data + DWELL_MODULE_BIAS);
	module.load_ticks = get_u64(payload.data + DWELL_MODULE_LOAD_TICKS);
	module.hooked = (flags & DWELL_MODULE_HOOKED) != 0;
	module.unmapped = (flags & DWELL_MODULE_UNMAPPED) != 0;
	module.build_id = payload.data + DWELL_MODULE_BUILD_ID;
	module.build_id_bytes = get_u32(payload.data + DWELL_MODULE_BUILD_ID_BYTES);
	if (module.build_id_bytes > 20)
		return false;
	if (writer)
		trace_writer_module(writer, &module);
	if (module.hooked && listener->on_hooks)
		listener->on_hooks(listener->context, &module);
	return true;
}

static bool copy_process(const struct session *session, struct trace_writer *writer, uint32_t index, struct bytes payload,
	const struct journal_listener *listener)
{
	struct message_process process = {.process = index};
	const char *arguments[ARGUMENTS_MAX];
	size_t at = DWELL_PROCESS_STRINGS;
	uint32_t argc;

	if (!bytes_have(payload, 0, DWELL_PROCESS_STRINGS) || !(process.path = take_string(payload, &at)))
		return false;
	process.pid = get_u32(payload.data + DWELL_PROCESS_PID);
	process.parent_pid = get_u32(payload.data + DWELL_PROCESS_PARENT_PID);
	tasks_add_process(session->tasks, index, &process.pid, &process.parent_pid);
	process.start_ticks = get_u64(payload.data + DWELL_PROCESS_START_TICKS);
	argc = get_u32(payload.data + DWELL_PROCESS_ARGC);
	while (process.argc < argc && process.argc < ARGUMENTS_MAX && (arguments[process.argc] = take_string(payload, &at)))
		process.argc++;
	process.argv = arguments;
	if (writer) {
		struct message_process shown = process;

		shown.pid = task_without_mark(process.pid);
		shown.parent_pid = task_without_mark(process.parent_pid);
		trace_writer_process(writer, &shown);
	}
	listener->on_process(listener->context, &process);
	return true;
}

/* Whether to copy clock points from agents: only if record cannot read the agents' clock, since record's own points
 * are better. copy_entry calls this for each entry: the machine becomes known before the first clock point that counts. */
static bool is_wanted(const struct session *session)
{
	struct session_machine machine;

	return session_read_machine(session, &machine) && machine.machine != clock_point_machine();
}

static bool copy_clock(struct trace_writer *writer, bool wanted, struct bytes payload)
{
	struct message_clock clock;

	if (!bytes_have(payload, 0, DWELL_CLOCK_BYTES))
		return false;
	clock.ticks = get_u64(payload.data + DWELL_CLOCK_TICKS);
	clock.monotonic_ns = get_u64(payload.data + DWELL_CLOCK_MONOTONIC_NS);
	clock.unix_ns = get_u64(payload.data + DWELL_CLOCK_UNIX_NS);
	if (writer && wanted)
		trace_writer_clock(writer, &clock);
	return true;
}

/* Copies the entry of a thread that ended and whose ring another thread took. */
static bool copy_thread(struct journal *journal, struct trace_writer *writer, uint32_t process, struct bytes payload)
{
	struct message_thread thread = {.process = process, .ended = true, .given_up = true};
	size_t at = DWELL_THREAD_NAME;

	if (!bytes_have(payload, 0, DWELL_THREAD_NAME) || !(thread.name = take_string(payload, &at)))
		return false;
	thread.stream = journal->next_stream++;
	thread.tid = task_without_mark(get_u32(payload.data + DWELL_THREAD_TID));
	thread.lost_events = get_u64(payload.data + DWELL_THREAD_LOST_EVENTS);
	journal->given_up++;
	if (writer)
		trace_writer_thread(writer, &thread);
	return true;
}

static bool copy_text(struct trace_writer *writer, struct bytes payload)
{
	struct message_text text;
	size_t at = DWELL_TEXT_TEXT;

	if (!bytes_have(payload, 0, DWELL_TEXT_TEXT) || !(text.text = take_string(payload, &at)))
		return false;
	text.index = get_u32(payload.data + DWELL_TEXT_INDEX);
	if (writer)
		trace_writer_text(writer, &text);
	return true;
}

/* Passes to the listener the facts that agents write to inform record. Drops other facts: keeper.c
 * wrote them for the case that record is killed, and recording_write_facts writes them to the trace. */
static void pass_fact(uint32_t process, struct bytes payload, const struct journal_listener *listener)
{
	const struct {
		const char *key;
		void (*hear)(void *context, uint32_t process, const char *value);
	} facts[] = {{DWELL_PRIVILEGED_KEY "=", listener->on_privileged},
		{DWELL_UNREACHED_KEY "=", listener->on_unreached},
		{DWELL_UNLOADED_KEY "=", listener->on_unloaded},
		{DWELL_UNPRELOADED_KEY "=", listener->on_unpreloaded},
		{DWELL_CONFINED_KEY "=", listener->on_confined},
		{DWELL_PLAN_KEY "=", listener->on_plan_wanted}};
	char text[4096];
	size_t bytes = payload.size < sizeof text ? payload.size : sizeof text - 1;

	memcpy(text, payload.data, bytes);
	text[bytes] = 0;
	text[strcspn(text, "\n")] = 0;
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		if (facts[i].hear && !strncmp(text, facts[i].key, strlen(facts[i].key)))
			facts[i].hear(listener->context, process, text + strlen(facts[i].key));
}

static bool copy_entry(struct journal *journal, struct trace_writer *writer, uint32_t kind, uint32_t process, struct bytes payload,
	const struct journal_listener *listener)
{
	switch (kind) {
	case DWELL_CHUNK_MODULE:
		return copy_module(writer, process, payload, listener);
	case DWELL_CHUNK_PROCESS:
		return copy_process(journal->session, writer, process, payload, listener);
	case DWELL_CHUNK_CLOCK:
		return copy_clock(writer, is_wanted(journal->session), payload);
	case DWELL_CHUNK_THREAD:
		return copy_thread(journal, writer, process, payload);
	case DWELL_CHUNK_TEXT:
		return copy_text(writer, payload);
	case DWELL_CHUNK_INFO:
		pass_fact(process, payload, listener);
		return true;
	default:
		return false;
	}
}

/* Gives the memory of copied entries back to the system, in a stream recording: after other recordings, capture reads the whole
 * journal. Stays RELEASE_BEHIND_BYTES behind, for agents that the scheduler has interrupted just before they claim an entry:
 * in released memory such an agent would find a claim of zero, and take the entry for free. */
static void release(struct journal *journal)
{
	const struct session *session = journal->session;
	uint64_t done = journal->hole_count ? journal->holes[0].pos : journal->pos;
	uint64_t end = done > RELEASE_BEHIND_BYTES ? (done - RELEASE_BEHIND_BYTES) / SESSION_PAGE * SESSION_PAGE : 0;

	if (session->mode != DWELL_MODE_STREAM || end < journal->released + RELEASE_BYTES)
		return;
	fallocate(session->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(session->journal_offset + journal->released),
		(off_t)(end - journal->released));
	journal->released = end;
}

static const struct dwell_session_entry *entry_at(const struct journal *journal, uint64_t pos)
{
	const struct session *session = journal->session;

	return (const struct dwell_session_entry *)((const unsigned char *)session->shared + session->journal_offset + pos);
}

/* Reads the claim of the entry at pos; 0: unclaimed. False: the payload exceeds the journal, or its size is no multiple of 8. */
static bool read_claim(const struct journal *journal, uint64_t pos, uint64_t *claim)
{
	const struct dwell_session_entry *entry = entry_at(journal, pos);
	uint64_t bytes;

	*claim = __atomic_load_n(&entry->claim, __ATOMIC_ACQUIRE);
	bytes = *claim >> 32;
	return bytes % 8 == 0 && bytes <= journal->session->journal_bytes - pos - sizeof *entry;
}

/* Copies the entry at pos. claim: its claim, as checked by read_claim. False: the agent has not filled the entry in yet. */
static bool copy_if_ready(struct journal *journal, struct trace_writer *writer, uint64_t pos, uint64_t claim,
	const struct journal_listener *listener)
{
	const struct dwell_session_entry *entry = entry_at(journal, pos);
	uint8_t bytes[JOURNAL_PAYLOAD_BYTES_MAX]; /* a copy, since the program could change bytes after their check */
	struct bytes payload = {bytes, (size_t)(claim >> 32)};

	if (!__atomic_load_n(&entry->ready, __ATOMIC_ACQUIRE))
		return false;
	if (payload.size > sizeof bytes) {
		journal->damaged++;
		return true;
	}
	memcpy(bytes, entry + 1, payload.size);
	journal->damaged += !copy_entry(journal, writer, entry->kind, (uint32_t)claim, payload, listener);
	return true;
}

/* Copies the holes that agents have filled in. Gives up a hole after JOURNAL_PATIENCE_NS, and at the end all holes. */
static void copy_holes(struct journal *journal, struct trace_writer *writer, uint64_t now_ns, bool final,
	const struct journal_listener *listener)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < journal->hole_count; i++) {
		struct journal_hole hole = journal->holes[i];
		uint64_t claim;

		if (!read_claim(journal, hole.pos, &claim))
			journal->damaged++; /* the program overwrote the claim */
		else if (copy_if_ready(journal, writer, hole.pos, claim, listener))
			continue;
		else if (final || now_ns - hole.since_ns >= JOURNAL_PATIENCE_NS)
			journal->damaged++;
		else
			journal->holes[kept++] = hole;
	}
	journal->hole_count = kept;
}

void journal_copy(struct journal *journal, struct trace_writer *writer, uint64_t now_ns, bool final,
	const struct journal_listener *listener)
{
	const struct session *session = journal->session;

	copy_holes(journal, writer, now_ns, final, listener);
	while (session->journal_bytes - journal->pos >= sizeof(struct dwell_session_entry)) {
		uint64_t claim;

		if (!read_claim(journal, journal->pos, &claim)) {
			journal->damaged++;
			journal->pos = session->journal_bytes;
			break;
		}
		if (!claim)
			break; /* no more entries */
		if (!copy_if_ready(journal, writer, journal->pos, claim, listener)) {
			if (final)
				journal->damaged++;
			else if (journal->hole_count < JOURNAL_HOLES_MAX)
				journal->holes[journal->hole_count++] = (struct journal_hole){journal->pos, now_ns};
			else
				break;
		}
		journal->pos += sizeof(struct dwell_session_entry) + (claim >> 32);
	}
	release(journal);
}

/* Claims and fills an entry in the same way as the agent's journal.c. */
bool journal_add(const struct session *session, uint32_t kind, const void *payload, uint32_t bytes)
{
	struct dwell_session *shared = session->shared;
	uint32_t padded = (bytes + 7u) & ~7u;
	struct dwell_session_entry *entry;
	bool mine = false;

	do {
		uint64_t pos = __atomic_load_n(&shared->journal_pos, __ATOMIC_ACQUIRE), found = 0;

		if (pos % 8 || pos > session->journal_bytes || session->journal_bytes - pos < sizeof *entry + padded)
			return false;
		entry = (struct dwell_session_entry *)((unsigned char *)shared + session->journal_offset + pos);
		mine = __atomic_compare_exchange_n(
			&entry->claim, &found, (uint64_t)padded << 32, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
		__atomic_compare_exchange_n(&shared->journal_pos, &pos, pos + sizeof *entry + (mine ? padded : found >> 32), false,
			__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	} while (!mine);
	entry->kind = kind;
	memcpy(entry + 1, payload, bytes);
	__atomic_store_n(&entry->ready, 1, __ATOMIC_RELEASE);
	return true;
}
