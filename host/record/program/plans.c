#include "record/program/plans.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plan/plan.h"
#include "record/stage/filter_file.h"
#include "target/port/os/linux/plans.h"
#include "util/array.h"

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
		.fd = memfd_create("dwell-plans", MFD_CLOEXEC),
		.end = round_up(sizeof head + DWELL_PLANS_MAX * sizeof(struct dwell_plans_entry)),
		.filter = filter,
		.diag = make_diag(),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.asked = PTHREAD_COND_INITIALIZER};
	if (plans->fd < 0 || ftruncate(plans->fd, (off_t)plans->end) < 0 || !write_at(plans->fd, &head, sizeof head, 0)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory for the plans of programs without hooks");
		return false;
	}
	for (uint32_t p = 0; p < filter->pattern_count; p++)
		libraries += !filter->patterns[p].drops && !strncmp(filter->patterns[p].text, "module:", 7);
	snprintf(shared->plans, sizeof shared->plans, "/proc/%ld/fd/%d", (long)getpid(), plans->fd);
	shared->plans_of_libraries = libraries > 0;
	return true;
}

static void make(struct plans *plans, struct plans_file *file)
{
	struct plan plan;

	if (!plan_get(file->path, &plan, plans->diag))
		return;
	if (write_at(plans->fd, plan.bytes.data, plan.bytes.size, plans->end)) {
		file->offset = plans->end;
		file->bytes = plan.bytes.size;
		plans->end = round_up(plans->end + file->bytes);
	}
	plan_free(&plan);
}

/* Each file once, however many processes run it. */
static struct plans_file *find(struct plans *plans, const char *path, bool is_wanted)
{
	struct plans_file *file;

	for (size_t i = 0; i < plans->count; i++)
		if (!strcmp(plans->files[i].path, path))
			return &plans->files[i];
	if (!array_reserve(&plans->files, &plans->capacity, plans->count + 1, sizeof *plans->files))
		return NULL;
	file = &plans->files[plans->count];
	*file = (struct plans_file){strdup(path), plans->end, 0};
	if (!file->path)
		return NULL;
	plans->count++;
	if (is_wanted)
		make(plans, file);
	return file;
}

static void answer(struct plans *plans, const char *request)
{
	struct dwell_plans_entry entry = {0, 1};
	const struct plans_file *file;
	unsigned number;
	char kind;
	int at = 0;

	if (sscanf(request, "%u %c %n", &number, &kind, &at) != 2 || !at || number >= DWELL_PLANS_MAX)
		return;
	if (request[at] != '/') /* the kernel's own page */
		at = -1;
	file = at < 0 ? NULL : find(plans, request + at, kind == 'p' || filter_names_module(plans->filter, request + at));
	if (file && file->bytes)
		entry = (struct dwell_plans_entry){file->bytes, file->offset};
	write_at(plans->fd, &entry, sizeof entry, sizeof(struct dwell_plans) + number * sizeof entry);
}

/* The next request, which is the caller's now; null: it is over. */
static char *take_request(struct plans *plans)
{
	char *request = NULL;

	pthread_mutex_lock(&plans->lock);
	while (!plans->is_over && plans->answered == plans->request_count)
		pthread_cond_wait(&plans->asked, &plans->lock);
	if (!plans->is_over)
		request = plans->requests[plans->answered++];
	pthread_mutex_unlock(&plans->lock);
	return request;
}

static void *answer_all(void *context)
{
	struct plans *plans = context;
	char *request;

	while ((request = take_request(plans))) {
		answer(plans, request);
		free(request);
	}
	return NULL;
}

/* With all signals blocked: they are the main thread's. */
static bool begin_thread(struct plans *plans)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	plans->has_thread = pthread_create(&plans->thread, NULL, answer_all, plans) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return plans->has_thread;
}

void plans_ask_for(struct plans *plans, const char *request)
{
	char *copy;

	if (!plans->begun || plans->is_over)
		return;
	if (!plans->has_thread && !begin_thread(plans)) {
		answer(plans, request);
		return;
	}
	copy = strdup(request);
	pthread_mutex_lock(&plans->lock);
	if (copy && array_reserve(&plans->requests, &plans->request_capacity, plans->request_count + 1, sizeof copy)) {
		plans->requests[plans->request_count++] = copy;
		copy = NULL;
	}
	pthread_cond_signal(&plans->asked);
	pthread_mutex_unlock(&plans->lock);
	free(copy);
}

void plans_settle(struct plans *plans, struct diag *diag)
{
	if (!plans->begun)
		return;
	pthread_mutex_lock(&plans->lock);
	plans->is_over = true;
	pthread_cond_signal(&plans->asked);
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

/* Those of one plan, which is ours and sound. */
static uint32_t *make_tails(struct bytes bytes, size_t *count)
{
	const struct dwell_plan *head = plan_head(bytes);
	uint32_t *tails = malloc((head->function_count + (size_t)1) * sizeof *tails);
	bool *jumps = calloc(head->function_count + (size_t)1, sizeof *jumps);

	for (uint32_t i = 0; jumps && i < head->site_count; i++)
		jumps[plan_sites(bytes)[i].function] |= plan_sites(bytes)[i].kind == DWELL_PLAN_TAIL;
	for (uint32_t i = 0; tails && jumps && i < head->function_count; i++)
		if (jumps[i])
			tails[(*count)++] = plan_functions(bytes)[i].start;
	free(jumps);
	return tails;
}

/* The plan of a file, in memory that is to be freed. Null: there is none, or requests may still be answered. */
static uint8_t *make_bytes(const struct plans *plans, const char *path, size_t *size)
{
	const struct plans_file *file = NULL;
	uint8_t *bytes;

	for (size_t i = 0; plans->begun && !plans->has_thread && i < plans->count; i++)
		if (plans->files[i].bytes && !strcmp(plans->files[i].path, path))
			file = &plans->files[i];
	bytes = file ? malloc(file->bytes) : NULL;
	if (!bytes || pread(plans->fd, bytes, file->bytes, (off_t)file->offset) != (ssize_t)file->bytes) {
		free(bytes);
		return NULL;
	}
	*size = file->bytes;
	return bytes;
}

uint32_t *plans_make_tails(const struct plans *plans, const char *path, size_t *count)
{
	size_t size;
	uint8_t *bytes = make_bytes(plans, path, &size);
	uint32_t *tails = NULL;

	*count = 0;
	if (bytes)
		tails = make_tails((struct bytes){bytes, size}, count);
	free(bytes);
	return tails;
}

uint32_t plans_count_leaving(const struct plans *plans, const char *path)
{
	size_t size;
	uint8_t *bytes = make_bytes(plans, path, &size);
	uint32_t count = bytes ? plan_head((struct bytes){bytes, size})->leaving_count : 0;

	free(bytes);
	return count;
}

void plans_end(struct plans *plans)
{
	plans_settle(plans, NULL);
	while (plans->answered < plans->request_count)
		free(plans->requests[plans->answered++]);
	free(plans->requests);
	for (size_t i = 0; i < plans->count; i++)
		free(plans->files[i].path);
	free(plans->files);
	if (plans->begun && plans->fd >= 0)
		close(plans->fd);
}
