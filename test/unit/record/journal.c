/* What agents tell → the trace file, with agents that are killed while they tell it, and with programs that write nonsense. */
#include "record/session/journal.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "dwell/format.h"
#include "util/bytes.h"

static struct diag *diag;
static struct session *session;
static struct trace_writer *writer;
static struct journal journal;
static uint64_t told; /* where the next entry goes */
static unsigned heard;
static uint32_t heard_pid;

static void begin(void)
{
	struct message_header header = {.clock_bits = 64, .pointer_bytes = 8};

	diag = make_diag();
	session = make_session(&(struct session_options){.slot_count = 2, .ring_bytes = 8192, .journal_bytes = 1 << 20}, diag);
	writer = make_trace_writer("/dev/null", &header, diag);
	journal = (struct journal){.session = session};
	told = 0;
	heard = 0;
}

static void end(void)
{
	free_trace_writer(writer);
	free_session(session);
	free_diag(diag);
}

static struct dwell_session_entry *next_entry(void)
{
	return (struct dwell_session_entry *)((unsigned char *)session->shared + session->journal_offset + told);
}

/* As an agent does, up to where it is killed: 0: claimed, 1: filled in, 2: ready. */
static void tell_process(uint32_t pid, int step)
{
	struct dwell_session_entry *entry = next_entry();
	uint32_t bytes = DWELL_PROCESS_STRINGS + 16;
	unsigned char *payload = (unsigned char *)(entry + 1);

	entry->claim = 7 | (uint64_t)bytes << 32;
	told += sizeof *entry + bytes;
	if (step < 1)
		return;
	entry->kind = DWELL_CHUNK_PROCESS;
	put_u32(payload + DWELL_PROCESS_PID, pid);
	memcpy(payload + DWELL_PROCESS_STRINGS, "/bin/true", 10);
	if (step == 2)
		entry->ready = 1;
}

static void hear(void *context, const struct message_process *process)
{
	(void)context;
	heard++;
	heard_pid = process->pid;
	CHECK_EQ(process->process, 7);
	CHECK_STR(process->path, "/bin/true");
}

static void copy(uint64_t now_ns, bool final)
{
	static const struct journal_listener listener = {.on_process = hear};

	journal_copy(&journal, writer, now_ns, final, &listener);
}

TEST(in_order_as_they_come)
{
	begin();
	copy(1, false);
	CHECK_EQ(heard, 0);
	tell_process(100, 2);
	tell_process(101, 2);
	copy(2, false);
	CHECK_EQ(heard, 2);
	CHECK_EQ(heard_pid, 101);
	copy(3, false);
	CHECK_EQ(heard, 2);
	CHECK_EQ(journal.damaged, 0);
	end();
}

/* One that is being filled in does not hold up what others tell: their events are in the rings already. */
TEST(slow_agent)
{
	struct dwell_session_entry *slow;

	begin();
	slow = next_entry();
	tell_process(100, 1);
	tell_process(101, 2);
	copy(5, false);
	CHECK_EQ(heard, 1);
	CHECK_EQ(heard_pid, 101);
	copy(JOURNAL_PATIENCE_NS, false);
	CHECK_EQ(heard, 1);
	slow->ready = 1;
	tell_process(102, 2);
	copy(JOURNAL_PATIENCE_NS + 1, false);
	CHECK_EQ(heard, 3);
	CHECK_EQ(heard_pid, 102);
	CHECK_EQ(journal.damaged, 0);
	/* and not again */
	copy(9 * JOURNAL_PATIENCE_NS, true);
	CHECK_EQ(heard, 3);
	CHECK_EQ(journal.damaged, 0);
	end();
}

/* As many as are remembered, and one more, which is waited for. */
TEST(many_slow_agents)
{
	struct dwell_session_entry *slow[JOURNAL_HOLES_MAX + 1];

	begin();
	for (unsigned i = 0; i < JOURNAL_HOLES_MAX + 1; i++) {
		slow[i] = next_entry();
		tell_process(i, 1);
	}
	tell_process(1000, 2);
	copy(5, false);
	CHECK_EQ(heard, 0);
	slow[0]->ready = 1;
	slow[JOURNAL_HOLES_MAX]->ready = 1;
	copy(6, false);
	CHECK_EQ(heard, 3);
	CHECK_EQ(heard_pid, 1000);
	for (unsigned i = 1; i < JOURNAL_HOLES_MAX; i++)
		slow[i]->ready = 1;
	copy(7, false);
	CHECK_EQ(heard, JOURNAL_HOLES_MAX + 2);
	CHECK_EQ(journal.damaged, 0);
	end();
}

TEST(killed_agent)
{
	for (int step = 0; step < 2; step++) {
		begin();
		tell_process(100, step);
		tell_process(101, 2);
		tell_process(102, step);
		tell_process(103, 2);
		copy(5, false);
		CHECK_EQ(heard, 2);
		CHECK_EQ(heard_pid, 103);
		CHECK_EQ(journal.damaged, 0);
		copy(5 + JOURNAL_PATIENCE_NS, false);
		CHECK_EQ(heard, 2);
		CHECK_EQ(journal.damaged, 2);
		tell_process(104, step);
		copy(6 + JOURNAL_PATIENCE_NS, false);
		CHECK_EQ(journal.damaged, 2);
		tell_process(105, step);
		copy(7 + JOURNAL_PATIENCE_NS, true);
		CHECK_EQ(heard, 2);
		CHECK_EQ(journal.damaged, 4);
		end();
	}
}

/* The program writes over an entry that is waited for. */
TEST(claim_that_changes)
{
	struct dwell_session_entry *slow;

	begin();
	slow = next_entry();
	tell_process(100, 1);
	tell_process(101, 2);
	copy(5, false);
	slow->claim = UINT64_C(0xfffffff8) << 32;
	slow->ready = 1;
	copy(6, false);
	CHECK_EQ(heard, 1);
	CHECK_EQ(journal.damaged, 1);
	copy(7, true);
	CHECK_EQ(journal.damaged, 1);
	end();
}

TEST(nonsense)
{
	static const uint64_t claims[] = {UINT64_MAX, UINT64_C(0xfffffff8) << 32, UINT64_C(3) << 32, UINT64_C(1)};

	for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
		begin();
		next_entry()->claim = claims[i];
		next_entry()->ready = 1;
		copy(1, false);
		copy(1, true);
		CHECK_EQ(heard, 0);
		CHECK_EQ(journal.damaged, 1);
		end();
	}
	/* a path that does not end, a kind that is none */
	begin();
	tell_process(100, 2);
	memset((unsigned char *)session->shared + session->journal_offset + sizeof(struct dwell_session_entry), 'x',
		DWELL_PROCESS_STRINGS + 16);
	next_entry()->kind = 999;
	next_entry()->claim = 7 | UINT64_C(8) << 32;
	next_entry()->ready = 1;
	copy(1, true);
	CHECK_EQ(heard, 0);
	CHECK_EQ(journal.damaged, 2);
	end();
}

/* To the last byte. */
TEST(full)
{
	uint64_t count = 0;

	begin();
	while (session->journal_bytes - told >= sizeof(struct dwell_session_entry) + DWELL_PROCESS_STRINGS + 16) {
		tell_process(100, 2);
		count++;
	}
	copy(1, true);
	CHECK_EQ(heard, count);
	CHECK_EQ(journal.damaged, 0);
	end();
}

int main(void)
{
	RUN(in_order_as_they_come);
	RUN(slow_agent);
	RUN(many_slow_agents);
	RUN(killed_agent);
	RUN(claim_that_changes);
	RUN(nonsense);
	RUN(full);
	return tap_done();
}
