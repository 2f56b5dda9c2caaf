/* What images, threads and intake write to a trace: their writer, and the file as a reader finds it. */
#ifndef DWELL_TEST_UNIT_SAMPLE_TOLD_H
#define DWELL_TEST_UNIT_SAMPLE_TOLD_H

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "writer/trace/dwell.h"
#include "zoo.h"

#define TOLD_MAX 4096u

/* A message of the file, with copies of what it points to. */
struct told_message {
	struct message message;
	char text[256]; /* path or name */
	struct message_node *nodes;
	struct message_sample *samples;
};

struct told {
	char path[256];
	struct diag *diag;
	struct trace_writer *writer;
	struct told_message *messages;
	size_t count;
};

static inline void told_begin(struct told *told, const char *name)
{
	struct message_header header = zoo_header();

	*told = (struct told){.diag = make_diag(), .messages = calloc(TOLD_MAX, sizeof *told->messages)};
	header.clock_hz = 1000000000;
	header.clock_bits = 64;
	told->writer = make_trace_writer(zoo_scratch(told->path, name), &header, told->diag);
	CHECK(told->writer);
}

static inline void *told_copy(const void *data, size_t bytes)
{
	return bytes ? memcpy(malloc(bytes), data, bytes) : NULL;
}

static inline void told_keep(struct told *told, const struct message *message)
{
	struct told_message *to = &told->messages[told->count];

	if (!CHECK(told->count < TOLD_MAX))
		return;
	to->message = *message;
	if (message->kind == MESSAGE_PROCESS)
		snprintf(to->text, sizeof to->text, "%s", message->process.path);
	else if (message->kind == MESSAGE_MODULE)
		snprintf(to->text, sizeof to->text, "%s", message->module.path);
	else if (message->kind == MESSAGE_THREAD)
		snprintf(to->text, sizeof to->text, "%s", message->thread.name);
	else if (message->kind == MESSAGE_SAMPLES) {
		to->nodes = told_copy(message->samples.nodes, message->samples.node_count * sizeof *to->nodes);
		to->samples = told_copy(message->samples.samples, message->samples.count * sizeof *to->samples);
	}
	told->count++;
}

/* Nothing more is written; what is in the file is in messages from now on, and nothing is wrong with it. */
static inline void told_read(struct told *told)
{
	struct message message;
	struct source *source;
	struct reader *reader;

	CHECK(trace_writer_finish(told->writer));
	free_trace_writer(told->writer);
	told->writer = NULL;
	source = make_source(told->path, told->diag);
	reader = source ? make_reader(source, told->diag) : NULL;
	CHECK(reader);
	while (reader && (reader_next(reader, &message), message.kind != MESSAGE_END))
		told_keep(told, &message);
	free_reader(reader);
	CHECK_EQ(diag_status(told->diag), 0);
}

/* The number-th message of that kind, from 0; null: there is none. */
static inline const struct told_message *told_get(const struct told *told, enum message_kind kind, size_t number)
{
	for (size_t i = 0; i < told->count; i++)
		if (told->messages[i].message.kind == kind && !number--)
			return &told->messages[i];
	return NULL;
}

static inline size_t told_count(const struct told *told, enum message_kind kind)
{
	size_t count = 0;

	while (told_get(told, kind, count))
		count++;
	return count;
}

static inline void told_end(struct told *told)
{
	for (size_t i = 0; i < told->count; i++) {
		free(told->messages[i].nodes);
		free(told->messages[i].samples);
	}
	free(told->messages);
	free_trace_writer(told->writer);
	free_diag(told->diag);
	unlink(told->path);
}

#endif
