#include "query/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/source.h"
#include "query/parallel/page_calls.h"
#include "query/parallel/parallel.h"
#include "query/perf_folder.h"
#include "util/processors.h"
#include "util/progress.h"

#define NAMED_THREADS_MAX 10u
/* One thread reads a smaller file before further threads have started: a byte of the file is about ten events. */
#define SMALL_BYTES (UINT64_C(128) << 10)

bool trace_open_source(struct trace *trace, struct source *take_source, struct diag *diag)
{
	*trace = (struct trace){.path = trace->path,
		.diag = diag,
		.input = trace->input,
		.watch = trace->watch,
		.jobs = trace->jobs,
		.skips_tree_warning = trace->skips_tree_warning,
		.wants_values = trace->wants_values,
		.skips_check = trace->skips_check,
		.span = trace->span,
		.span_name = trace->span_name};
	if (!take_source)
		return false;
	trace->is_seekable = source_is_seekable(take_source);
	trace->bytes = source_size(take_source);
	trace->reader = input_make_reader(&trace->input, take_source, diag);
	if (!trace->reader)
		return false;
	trace->path = reader_name(trace->reader);
	return true;
}

bool trace_open(struct trace *trace, const char *path, struct diag *diag)
{
	trace->path = strcmp(path, "-") ? path : "standard input";
	if (perf_folder_is(path)) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"is a folder (perf record --threads), and dwell reads single files: record without --threads, "
			"or fold the output of 'perf script -i FOLDER'");
		return trace_open_source(trace, NULL, diag);
	}
	return trace_open_source(trace, make_source(path, diag), diag);
}

static void feed(struct trace *trace, const struct message *message)
{
	if (trace->order)
		entry_order_feed(trace->order, message);
	else if (trace->window)
		window_feed(trace->window, message);
	else
		model_feed(trace->model, message);
}

static bool is_selected(const void *model, uint32_t stream)
{
	uint32_t index = model_find_thread(model, stream);

	return index != UINT32_MAX && model_get_thread(model, index).selected;
}

/* After a scan, replaces the name in a message about a thread by the thread's last name, so that name applies from the first event
 * on. thread: memory for the name. */
static void apply_scanned_name(const struct trace *trace, struct message *message, struct model_thread *thread)
{
	uint32_t index = message->kind == MESSAGE_THREAD ? model_find_thread(trace->model, message->thread.stream) : UINT32_MAX;

	if (!trace->is_scanned || index == UINT32_MAX)
		return;
	*thread = model_get_thread(trace->model, index);
	message->thread.name = thread->name;
}

/* Whether a scan needs the message: for the names of threads, and for the clock. In a bare dump the program has the names of
 * tasks. */
static bool is_about_threads(const struct model *model, enum message_kind kind)
{
	const struct message_header *header = model_get_header(model);

	return kind == MESSAGE_HEADER || kind == MESSAGE_THREAD || kind == MESSAGE_CLOCK ||
	       (kind == MESSAGE_MODULE && header && header->is_bare);
}

/* Feeds all remaining messages. what: text for the progress line. declarations_only: only the messages that a scan needs. */
static void feed_messages(struct trace *trace, const char *what, bool declarations_only)
{
	struct model_thread thread;
	struct progress progress;
	struct message message;

	progress_begin(&progress, trace->watch, what, trace->bytes);
	for (reader_next(trace->reader, &message); message.kind != MESSAGE_END && !progress_is_cancelled(&progress);
		reader_next(trace->reader, &message)) {
		apply_scanned_name(trace, &message, &thread);
		trace->has_switches |= message.kind == MESSAGE_SWITCHES && is_selected(trace->model, message.switches.stream);
		trace->has_faults |= message.kind == MESSAGE_INFO && model_says_faults(&message.info);
		if (!declarations_only || is_about_threads(trace->model, message.kind))
			feed(trace, &message);
		progress_update(&progress, message.offset);
	}
	progress_end(&progress);
}

/* Reports that the thread does not exist, and lists some existing threads. */
static void report_missing_thread(const struct trace *trace)
{
	uint32_t count = model_thread_count(trace->model), shown = count < NAMED_THREADS_MAX ? count : NAMED_THREADS_MAX;
	char list[NAMED_THREADS_MAX * 96] = "no threads";

	for (uint32_t i = 0, used = 0; i < shown; i++) {
		struct model_thread thread = model_get_thread(trace->model, i);

		used += (uint32_t)snprintf(list + used, sizeof list - used, "%s%" PRIu32 "%s%s", i ? ", " : "", thread.tid,
			*thread.name ? " " : "", thread.name);
	}
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "has no thread '%s'; it has %s%s",
		trace->thread, list, count > shown ? ", ..." : "");
}

/* False with a diag: the file has no thread that matches the option. */
static bool check_thread(const struct trace *trace)
{
	for (uint32_t i = 0; i < model_thread_count(trace->model); i++)
		if (model_get_thread(trace->model, i).selected)
			return true;
	if (!trace->thread)
		return true;
	report_missing_thread(trace);
	return false;
}

static void report_empty_window(const struct trace *trace)
{
	const struct clock_map *clock = model_get_clock(trace->model);
	char first[UNITS_TEXT_BYTES], last[UNITS_TEXT_BYTES];
	int64_t first_ns, last_ns;

	window_get_data(trace->window, &first_ns, &last_ns);
	clock_format_moment(first, clock, first_ns);
	clock_format_moment(last, clock, last_ns);
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "%s: nothing was recorded then; it has data from %s to %s",
		trace->span_name, first, last);
}

/* False with a diag: the file has numbers without times, so no part of it can be told, or nothing in the time. */
static bool check_window(const struct trace *trace)
{
	if (!trace->window)
		return true;
	if (window_has_untimed(trace->window))
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			"%s: it has sums or counts without times, of which no part can be told; expected single calls or samples", trace->span_name);
	else if (!model_has_events(trace->model) && !model_get_profile(trace->model)->has_samples)
		report_empty_window(trace);
	else
		return true;
	return false;
}

/* Prepares the new model, and scans the file if requested. False with a diag: failed. */
static bool begin_model(struct trace *trace, bool scan)
{
	if (!trace->model) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	functions_choose_names(model_get_functions(trace->model), &trace->input.names);
	if (!scan || !trace->is_seekable)
		return true;
	reader_skip_events(trace->reader);
	feed_messages(trace, "looking for threads", true);
	trace->has_switches |= reader_has_switches(trace->reader, is_selected, trace->model);
	trace->is_scanned = true;
	return check_thread(trace) && reader_rewind(trace->reader);
}

/* Makes the window, with the clock that the scan has found. False with a diag: the file has no such time. */
static bool begin_window(struct trace *trace)
{
	if (!trace->is_scanned || clock_is_unknown(model_get_clock(trace->model))) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
			trace->is_scanned ? "%s: the rate of the clock is not known; --hz N tells how many ticks there are in a second"
					  : "%s: a part of it needs to be read twice, which a pipe cannot: use a file",
			trace->span_name);
		return false;
	}
	trace->window = make_window(&trace->span, model_get_clock(trace->model), trace->model, trace->diag);
	if (!trace->window)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return trace->window;
}

bool trace_make_model(struct trace *trace, const struct model_options *options, bool scan)
{
	trace->thread = options->thread;
	trace->options = *options;
	trace->model = make_model(options, trace->diag);
	if (!begin_model(trace, scan || options->thread || trace->span.is_given))
		return false;
	return !trace->span.is_given || begin_window(trace);
}

bool trace_restart(struct trace *trace)
{
	free_window(trace->window);
	trace->window = NULL;
	free_model(trace->model);
	trace->model = NULL;
	return reader_rewind(trace->reader);
}

static struct entry_order *make_order(const struct trace *trace, const char *thread)
{
	struct entry_order *order = make_entry_order(thread, trace->diag);

	if (order && trace->wants_values)
		entry_order_want_values(order);
	return order;
}

bool trace_make_order(struct trace *trace, const char *thread)
{
	trace->thread = thread;
	trace->order = make_order(trace, thread);
	trace->model = trace->order ? entry_order_get_model(trace->order) : NULL;
	return begin_model(trace, thread);
}

uint32_t trace_worker_count(const struct trace *trace)
{
	uint32_t count = trace->jobs < UINT32_MAX ? (uint32_t)trace->jobs : UINT32_MAX;

	if (!count)
		count = trace->bytes < SMALL_BYTES ? 1 : processors_allowed();
	return count < PARALLEL_WORKERS_MAX ? count : PARALLEL_WORKERS_MAX;
}

bool trace_check_program(const struct trace *trace)
{
	struct functions_health health = functions_get_health(model_get_functions(trace->model), 0);
	const struct message_header *header = model_get_header(trace->model);

	if (header && header->is_bare && model_is_sampled(trace->model) && !trace->input.program)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET,
			"has addresses, and does not say of which program: --program FILE tells it");

	/* Samples may be anywhere in a function, so only traces of calls are checked. */
	if (trace->input.program && !model_is_sampled(trace->model) && health.begun < health.functions - health.begun) {
		diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET,
			"%" PRIu32 " of its %" PRIu32 " functions begin where %s has one: of another program%s?%s",
			health.begun, health.functions, trace->input.program,
			strchr(trace->input.program, '@') ? "" : ", or loaded elsewhere, as FILE@ADDRESS says",
			header && header->places_are_names ? "" : " Or hooks were given nothing, or names: --format c6000,returns or c6000,names "
								  "(text: ccs)");
		return true;
	}
	if (trace->input.program && !model_is_sampled(trace->model) && health.astray)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET,
			"%" PRIu32 " of its %" PRIu32 " functions begin where %s has none: they have no name", health.astray, health.functions,
			trace->input.program);
	return false;
}

/* Replaces the empty model by a model that several threads made. False: nothing has changed. */
static bool read_in_parallel(struct trace *trace, const struct model_options *options, struct selection *selection,
	struct page_calls *page_calls)
{
	struct progress progress;
	struct parallel how = {.reader = trace->reader,
		.workers = trace_worker_count(trace),
		.progress = &progress,
		.selection = selection,
		.page_calls = page_calls};
	bool good;

	if (!trace->is_seekable)
		return false;
	how.model = make_model(options, trace->diag);
	if (!how.model)
		return false;
	functions_choose_names(model_get_functions(how.model), &trace->input.names);
	progress_begin(&progress, trace->watch, "reading", trace->bytes);
	good = parallel_read(&how);
	progress_end(&progress);
	if (good) {
		free_model(trace->model);
		trace->model = how.model;
		return true;
	}
	free_model(how.model);
	reader_rewind(trace->reader);
	return false;
}

bool trace_select(struct trace *trace, const char *thread, const struct call_filter *filter, const char *function)
{
	struct selection *selection = make_selection(filter, function, SELECTION_CALLS_MAX);
	const struct model_options options = {.thread = thread,
		.no_tree = true,
		.on_call = selection_take,
		.on_carry = part_calls_carry,
		.context = selection ? selection_get_part_calls(selection) : NULL};

	if (!selection || !read_in_parallel(trace, &options, selection, NULL)) {
		free_selection(selection);
		return false;
	}
	trace->thread = thread;
	trace->selection = selection;
	return true;
}

static void read_in_order(struct trace *trace)
{
	feed_messages(trace, "reading", false);
	if (trace->order)
		entry_order_finish(trace->order);
	else
		model_finish(trace->model);
}

bool trace_read(struct trace *trace)
{
	const struct model_options *options = &trace->options;
	/* these callbacks need events in order */
	bool needs_order = trace->order || trace->window || options->on_call || options->on_enter || options->on_sample;

	if (needs_order || !read_in_parallel(trace, &trace->options, NULL, NULL))
		read_in_order(trace);
	if (!trace->skips_check)
		trace_check_program(trace);
	return check_thread(trace) && check_window(trace);
}

bool trace_reread(const struct trace *trace, const struct model_options *options)
{
	struct diag *silent = make_diag();
	struct model *model = silent && reader_rewind(trace->reader) ? make_model(options, silent) : NULL;
	struct progress progress;
	struct message message;

	if (model) {
		progress_begin(&progress, trace->watch, "reading again", trace->bytes);
		do {
			reader_next(trace->reader, &message);
			model_feed(model, &message);
			progress_update(&progress, message.offset);
		} while (message.kind != MESSAGE_END && !progress_is_cancelled(&progress));
		progress_end(&progress);
		model_finish(model);
	}
	free_model(model);
	free_diag(silent);
	return model;
}

bool trace_read_model(struct trace *trace, const char *path, const struct model_options *options)
{
	return trace_open(trace, path, trace->diag) && trace_make_model(trace, options, false) && trace_read(trace);
}

bool trace_read_page_calls(struct trace *trace, struct page_calls *page_calls)
{
	/* on_sample needs samples in order. */
	if (trace->options.on_sample || !read_in_parallel(trace, &trace->options, NULL, page_calls)) {
		page_calls_begin(page_calls, trace->model, NULL);
		read_in_order(trace);
	}
	if (!page_calls_end(page_calls))
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	trace_check_program(trace);
	return check_thread(trace);
}

void trace_close(struct trace *trace)
{
	free_window(trace->window);
	if (trace->order)
		free_entry_order(trace->order);
	else
		free_model(trace->model);
	free_selection(trace->selection);
	free_reader(trace->reader);
	*trace = (struct trace){0};
}
