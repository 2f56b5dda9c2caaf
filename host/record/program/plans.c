/* plans: answers the agents' requests for plans from a thread, and keeps the plans in memory that agents map. */
#include "record/program/plans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/stage/filter_file.h"
#include "target/port/os/linux/plans.h"
#include "util/guard.h"
#include "util/array.h"
#include "util/no_signal_thread.h"

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + SESSION_PAGE - 1) / SESSION_PAGE * SESSION_PAGE;
}

static bool write_at(int fd, const void *data, uint64_t bytes, uint64_t offset)
{
	return pwrite(fd, data, bytes, (off_t)offset) == (ssize_t)bytes;
}

bool plans_begin(struct plans *plans, struct session *session, const struct filter_options *filter, struct diag *diag)
{
	const struct dwell_plans head = {.magic = DWELL_PLANS_MAGIC};
	struct dwell_session *shared = session->shared;
	uint32_t libraries = 0;

	*plans = (struct plans){.begun = true,
		.fd = memfd_create("dwell-plans", MFD_CLOEXEC | MFD_ALLOW_SEALING),
		.end = round_up(sizeof head + DWELL_PLANS_MAX * sizeof(struct dwell_plans_entry)),
		.filter = filter,
		.diag = make_diag(),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.request_added = PTHREAD_COND_INITIALIZER};
	if (plans->fd < 0 || ftruncate(plans->fd, (off_t)plans->end) < 0 || !write_at(plans->fd, &head, sizeof head, 0)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory for the plans of programs without hooks");
		return false;
	}
	guard_seal(plans->fd, GUARD_BEGINNING); /* programs map the memory while they read their plan */
	for (uint32_t p = 0; p < filter->pattern_count; p++)
		libraries += !filter->patterns[p].drops && !strncmp(filter->patterns[p].text, "module:", 7);
	snprintf(shared->plans, sizeof shared->plans, "/proc/%ld/fd/%d", (long)getpid(), plans->fd);
	shared->plans_of_libraries = libraries > 0;
	return true;
}

/* Makes the plan of a file, and appends it to the memory. If that fails, the file has no plan (bytes 0). */
static void make_plan(struct plans *plans, struct plans_file *file)
{
	const char *where = kept_file_path(file->file);
	struct plan plan;

	if (!where)
		diag_add(plans->diag, DIAG_ERROR, file->file->path, DIAG_NO_OFFSET,
			"cannot be opened, neither by its path nor through the process that runs it: its functions are not recorded");
	if (!where || !plan_get(where, file->file->path, &plan, plans->diag))
		return;
	if (write_at(plans->fd, plan.bytes.data, plan.bytes.size, plans->end)) {
		file->offset = plans->end;
		file->bytes = plan.bytes.size;
		file->head = *plan_head(plan.bytes);
		plans->end = round_up(plans->end + file->bytes);
	}
	plan_free(&plan);
}

/* Finds the file, or adds it, and makes its plan if wanted: once, however many processes run the file. Null: no memory. */
static struct plans_file *find_or_make(struct plans *plans, const struct kept_file *kept, bool is_wanted)
{
	struct plans_file *file;

	for (size_t i = 0; i < plans->count; i++)
		if (plans->files[i].file == kept)
			return &plans->files[i];
	if (!array_reserve(&plans->files, &plans->capacity, plans->count + 1, sizeof *plans->files))
		return NULL;
	file = &plans->files[plans->count];
	*file = (struct plans_file){.file = kept, .offset = plans->end};
	plans->count++;
	if (is_wanted)
		make_plan(plans, file);
	return file;
}

void plans_make(struct plans *plans, const struct kept_file *file, bool is_program)
{
	if (plans->begun && file)
		find_or_make(plans, file, is_program || filter_names_module(plans->filter, file->path));
}

bool plans_read_request(const char *request, uint64_t *low, const char **path)
{
	int at = 0;

	if (sscanf(request, "%*u %*c %lx %n", low, &at) != 1 || !at)
		return false;
	*path = request + at;
	return true;
}

/* Writes the answer to a request: where the plan is. Offset 1 and no bytes: there is no plan. */
static void answer_request(struct plans *plans, const struct plans_request *request)
{
	struct dwell_plans_entry entry = {0, 1};
	const struct plans_file *file;
	unsigned number;
	char kind;

	if (sscanf(request->text, "%u %c", &number, &kind) != 2 || number >= DWELL_PLANS_MAX)
		return;
	if (request->file) {
		file = find_or_make(plans, request->file, kind == 'p' || filter_names_module(plans->filter, request->file->path));
		if (file && file->bytes)
			entry = (struct dwell_plans_entry){file->bytes, file->offset};
	}
	write_at(plans->fd, &entry, sizeof entry, sizeof(struct dwell_plans) + number * sizeof entry);
}

/* Waits for the next request, which the caller must free. text null: the recording is over. */
static struct plans_request take_request(struct plans *plans)
{
	struct plans_request request = {0};

	pthread_mutex_lock(&plans->lock);
	while (!plans->is_over && plans->answered == plans->request_count)
		pthread_cond_wait(&plans->request_added, &plans->lock);
	if (!plans->is_over)
		request = plans->requests[plans->answered++];
	pthread_mutex_unlock(&plans->lock);
	return request;
}

static void *answer_all(void *context)
{
	struct plans *plans = context;
	struct plans_request request;

	while ((request = take_request(plans)).text) {
		answer_request(plans, &request);
		free(request.text);
	}
	return NULL;
}

static bool begin_thread(struct plans *plans)
{
	plans->has_thread = no_signal_thread_begin(&plans->thread, answer_all, plans);
	return plans->has_thread;
}

void plans_add_request(struct plans *plans, const char *text, const struct kept_file *file)
{
	/* Without a thread, the caller answers. Without memory for the request, the agent gets no answer. */
	struct plans_request request = {NULL, file};

	if (!plans->begun || plans->is_over)
		return;
	if (!plans->has_thread && !begin_thread(plans)) {
		answer_request(plans, &(struct plans_request){(char *)text, file});
		return;
	}
	request.text = strdup(text);
	pthread_mutex_lock(&plans->lock);
	if (request.text && array_reserve(&plans->requests, &plans->request_capacity, plans->request_count + 1, sizeof request)) {
		plans->requests[plans->request_count++] = request;
		request.text = NULL;
	}
	pthread_cond_signal(&plans->request_added);
	pthread_mutex_unlock(&plans->lock);
	free(request.text);
}

void plans_end_thread(struct plans *plans, struct diag *diag)
{
	if (!plans->begun)
		return;
	pthread_mutex_lock(&plans->lock);
	plans->is_over = true;
	pthread_cond_signal(&plans->request_added);
	pthread_mutex_unlock(&plans->lock);
	if (plans->has_thread)
		pthread_join(plans->thread, NULL);
	plans->has_thread = false;
	if (plans->diag && diag)
		diag_move(diag, plans->diag);
	else if (plans->diag)
		free_diag(plans->diag);
	plans->diag = NULL;
}

/* The functions with tail calls in one plan, to be freed. bytes: the plan, which programs may change. */
static uint32_t *make_tails(const struct dwell_plan *head, const uint8_t *bytes, size_t *count)
{
	const struct dwell_plan_site *sites = (const void *)(bytes + head->sites);
	const struct dwell_plan_function *functions = (const void *)(bytes + head->functions);
	uint32_t *tails = malloc((head->function_count + (size_t)1) * sizeof *tails);
	bool *jumps = calloc(head->function_count + (size_t)1, sizeof *jumps);

	for (uint32_t i = 0; jumps && i < head->site_count; i++) {
		uint32_t function = *(const volatile uint32_t *)&sites[i].function;

		if (sites[i].kind == DWELL_PLAN_TAIL && function < head->function_count)
			jumps[function] = true;
	}
	for (uint32_t i = 0; tails && jumps && i < head->function_count; i++)
		if (jumps[i])
			tails[(*count)++] = functions[i].start;
	free(jumps);
	return tails;
}

uint32_t *plans_make_tails(const struct plans *plans, const struct plans_file *file, size_t *count)
{
	uint32_t *tails = NULL;
	void *plan;

	*count = 0;
	if (!file->bytes)
		return NULL;
	/* The memory is sealed: nobody can make it shorter. */
	plan = mmap(NULL, file->bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, plans->fd, (off_t)file->offset);
	if (plan == MAP_FAILED)
		return NULL;
	tails = make_tails(&file->head, plan, count);
	munmap(plan, file->bytes);
	return tails;
}

void plans_end(struct plans *plans)
{
	plans_end_thread(plans, NULL);
	while (plans->answered < plans->request_count)
		free(plans->requests[plans->answered++].text);
	free(plans->requests);
	free(plans->files);
	if (plans->begun && plans->fd >= 0)
		close(plans->fd);
}
