#include "cmd/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/source.h"
#include "util/progress.h"

bool trace_open(struct trace *trace, const char *path, struct diag *diag)
{
	struct source *source = make_source(path, diag);

	*trace = (struct trace){.path = path, .diag = diag};
	if (!source)
		return false;
	trace->is_seekable = source_is_seekable(source);
	trace->reader = make_reader(source, diag);
	return trace->reader;
}

/* Feeds the messages for which wanted says so, up to the end. */
static void pump(struct trace *trace, const char *what, bool threads_only)
{
	uint64_t bytes = reader_get_health(trace->reader)->bytes_total;
	struct progress progress;
	struct message message;

	progress_begin(&progress, what, bytes);
	for (reader_next(trace->reader, &message); message.kind != MESSAGE_END; reader_next(trace->reader, &message)) {
		if (!threads_only || message.kind == MESSAGE_THREAD)
			model_feed(trace->model, &message);
		progress_update(&progress, message.offset);
	}
	progress_end(&progress);
}

bool trace_make_model(struct trace *trace, const struct model_options *options)
{
	trace->wants_thread = options->thread;
	trace->model = make_model(options, trace->diag);
	if (!trace->model) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	if (!options->thread || !trace->is_seekable)
		return true;
	pump(trace, "looking for the thread", true);
	return reader_rewind(trace->reader);
}

/* Some of the threads there are, for who asked for another one. */
static void add_no_thread(struct trace *trace)
{
	char list[256] = "";
	size_t used = 0;
	uint32_t count = model_thread_count(trace->model);

	for (uint32_t i = 0; i < count && used < sizeof list - 1; i++) {
		struct model_thread thread = model_get_thread(trace->model, i);
		int bytes = snprintf(list + used, sizeof list - used, "%s%" PRIu32 "%s%s", i ? ", " : "", thread.tid, *thread.name ? " " : "",
			thread.name);

		if (bytes < 0 || (size_t)bytes >= sizeof list - used) {
			memcpy(list + (used < sizeof list - 5 ? used : sizeof list - 5), " ...", 5);
			break;
		}
		used += (size_t)bytes;
	}
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "has no such thread; it has %s", *list ? list : "none");
}

bool trace_read(struct trace *trace)
{
	bool selected = false;

	pump(trace, "reading", false);
	model_finish(trace->model);
	for (uint32_t i = 0; i < model_thread_count(trace->model); i++)
		selected |= model_get_thread(trace->model, i).selected;
	if (selected || !trace->wants_thread)
		return true;
	add_no_thread(trace);
	return false;
}

void trace_close(struct trace *trace)
{
	free_model(trace->model);
	free_reader(trace->reader);
	*trace = (struct trace){0};
}
