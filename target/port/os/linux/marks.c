/* SPDX-License-Identifier: MIT
 *
 * dwell_mark: records an event with a text. The journal gets each text once; events refer to it by an index.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include "dwell/dwell.h"

#define TEXTS 1024u /* a power of two */
#define TEXT_BYTES 128u
#define PROBES 64u /* entries that a text may take; if other texts have taken all, marks with the text are recorded without it */

enum state { FREE = 0, TAKEN, READY };

/* An entry, once taken, is never given up. A search does not wait for a taken entry that is not ready: the search may run in a
 * signal handler that has interrupted the owner of the entry. If both have the same text, the text gets two entries, which does no
 * harm. */
static struct text {
	volatile uint32_t state; /* enum state */
	uint32_t hash;
	/* generation << 32 | index: the generation of the last session that got the text, and the text's index there; 0: none. */
	volatile uint64_t journaled;
	char bytes[TEXT_BYTES];
} texts[TEXTS];

static uint32_t hash_of(const char *text, unsigned *length)
{
	uint32_t hash = 0x811c9dc5u; /* FNV-1a */
	unsigned n = 0;

	for (; n + 1 < TEXT_BYTES && text[n]; n++)
		hash = (hash ^ (unsigned char)text[n]) * 0x01000193u;
	/* Do not cut in the middle of a UTF-8 character. */
	while (text[n] && n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	*length = n;
	return hash;
}

static bool is_same(const struct text *entry, const char *text, unsigned length)
{
	for (unsigned i = 0; i < length; i++)
		if (entry->bytes[i] != text[i])
			return false;
	return !entry->bytes[length];
}

/* Returns the entry of a text, created if new. Null: other texts have all PROBES entries. */
static struct text *find(const char *text)
{
	unsigned length;
	uint32_t hash = hash_of(text, &length);

	for (uint32_t i = 0; i < PROBES; i++) {
		struct text *entry = &texts[(hash + i) % TEXTS];
		uint32_t state = FREE;

		if (entry->state == FREE &&
			__atomic_compare_exchange_n(&entry->state, &state, TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
			entry->hash = hash;
			for (unsigned k = 0; k < length; k++)
				entry->bytes[k] = text[k];
			__atomic_store_n(&entry->state, READY, __ATOMIC_RELEASE);
			return entry;
		}
		if (__atomic_load_n(&entry->state, __ATOMIC_ACQUIRE) == READY && entry->hash == hash &&
			is_same(entry, text, length))
			return entry;
	}
	return 0;
}

/* Returns the text's index in this session; puts the text into the journal if needed. 0: no session, or the journal is full. */
static uint32_t index_of(struct text *entry)
{
	struct {
		uint32_t index, unused;
		char text[TEXT_BYTES];
	} payload;
	struct dwell_session *session = agent.session;
	uint32_t generation = agent.generation, length = 0;
	uint64_t journaled = entry->journaled;

	if (journaled >> 32 == generation)
		return (uint32_t)journaled;
	if (!session)
		return 0;
	payload.index = __atomic_add_fetch(&session->texts, 1, __ATOMIC_RELAXED);
	payload.unused = 0;
	for (; entry->bytes[length]; length++)
		payload.text[length] = entry->bytes[length];
	payload.text[length] = 0;
	if (!journal_append(DWELL_CHUNK_TEXT, &payload, DWELL_TEXT_TEXT + length + 1))
		return 0;
	entry->journaled = (uint64_t)generation << 32 | payload.index;
	return payload.index;
}

void dwell_mark(const char *text)
{
	struct dwell_thread *thread = port_thread();
	struct text *entry;

	if (!agent.on || !control_admit(thread))
		return;
	entry = text && *text ? find(text) : 0;
	dwell_trace_mark(thread, (uintptr_t)__builtin_return_address(0), entry ? index_of(entry) : 0,
		(uintptr_t)__builtin_frame_address(0));
}
